// What the built-ins share: reading arguments and wording errors.
#pragma once

#include "ir/value/Builtins.h"

#include <cmath>

namespace sgl {

using Args = std::span<const Value>;

/// "text \"abc\"", "a list", "null": a value in a message.
std::string describe(const Value &value);

inline bool isNumber(const Value &v) { return v.asInt() || v.asFloat(); }
inline double asDouble(const Value &v) {
  return v.asInt() ? double(*v.asInt()) : *v.asFloat();
}
/// A float, or the error that it is none of the language's.
inline Result<Value> finite(double value) {
  if (!std::isfinite(value))
    return Error{"result is not a finite number"};
  return Value::number(value);
}

/// "expected a list, found …": for arguments that a json left unchecked.
inline Error expected(std::string_view what, const Value &found) {
  return Error{"expected " + std::string(what) + ", found " + describe(found)};
}

/// One list, text, int argument or the error; `text` reads enums by their text.
Result<const ListData *> listArg(const Value &value);
Result<std::string_view> textArg(const Value &value);
Result<int64_t> intArg(const Value &value);

/// No value made by a built-in has more elements or bytes than this, so that a
/// slip such as range(0, 10^15) is an error and not the machine's end.
constexpr uint64_t maxElements = uint64_t(1) << 24;
constexpr uint64_t maxTextBytes = uint64_t(1) << 30;

std::span<const Builtin> textBuiltins();
std::span<const Builtin> dataBuiltins();
std::span<const Builtin> numberBuiltins();

} // namespace sgl
