// Pure functions of the language: one table for folding and for running.
#pragma once

#include "ir/value/Value.h"

#include <span>

namespace sgl {

/// A pure built-in. Arguments were type-checked; what can still go wrong (an
/// index, a conversion, overflow) is an Error.
struct Builtin {
  std::string_view name;
  uint32_t minArgs = 0, maxArgs = 0;
  Result<Value> (*function)(std::span<const Value> args) = nullptr;
};

/// Null where no built-in has this name.
const Builtin *findBuiltin(std::string_view name);
std::span<const Builtin> allBuiltins();

/// Operators (2.2): overflow, division by zero and NaN are errors. `op` as in
/// plan::Op::Binary: add sub mul div mod eq ne lt le gt ge in and or.
Result<Value> applyBinary(std::string_view op, const Value &a, const Value &b);
/// "not", "neg".
Result<Value> applyUnary(std::string_view op, const Value &a);
/// x[i], m["k"], j[...]: a missing key or index is an error.
Result<Value> element(const Value &aggregate, const Value &key);
Result<Value> withElement(const Value &aggregate, const Value &key,
                          Value value);
/// r.name, j.name
Result<Value> field(const Value &record, std::string_view name);
Result<Value> withField(const Value &record, std::string_view name,
                        Value value);

} // namespace sgl
