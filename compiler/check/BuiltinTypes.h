// The types of the pure built-ins: a table of overloads with type variables.
//
// ir/value/Builtins.h holds what they compute; this file what they take.
#pragma once

#include "compiler/check/Session.h"

#include <array>

namespace sgl {

/// One way to call a built-in, written "[T] T -> [T]": see the table's head.
struct Overload;

bool isBuiltinName(std::string_view name);
const std::vector<std::string> &builtinNames();

/// Matches the arguments of one call from left to right.
class OverloadMatch {
public:
  OverloadMatch(Session &session, const Overload &overload)
      : session(&session), overload(&overload) {}

  size_t parameterCount() const;
  /// The parameter's type where its variables are known by now, else null: what
  /// a literal that stands there takes.
  const Type *expected(size_t parameter) const;
  /// Does an argument of this type fit? Binds variables.
  bool accept(size_t parameter, const Type *argument);
  const Type *result() const;
  /// "a list", "a text": for messages.
  std::string describe(size_t parameter) const;

private:
  Session *session;
  const Overload *overload;
  std::array<const Type *, 2> variables = {};
};

/// A match for each way to call `name`; empty where it is no built-in.
std::vector<OverloadMatch> builtinOverloads(Session &session,
                                            std::string_view name);

} // namespace sgl
