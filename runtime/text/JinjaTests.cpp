// Tests: what stands behind `is`.
#include "runtime/text/JinjaParser.h"
#include "runtime/text/JinjaRun.h"

namespace sgl::jinja {

namespace {

Value defined(Run &, const Value &self, const Bound &) {
  return Value(!self.isUndefined());
}
Value isUndefinedTest(Run &, const Value &self, const Bound &) {
  return Value(self.isUndefined());
}
Value isNoneTest(Run &, const Value &self, const Bound &) {
  return Value(self.isNone());
}
Value isString(Run &, const Value &self, const Bound &) {
  return Value(self.text() != nullptr);
}
Value isMapping(Run &, const Value &self, const Bound &) {
  return Value(self.dict() != nullptr);
}
Value isSequence(Run &, const Value &self, const Bound &) {
  return Value(self.isUndefined() || self.text() || self.list() || self.dict());
}
Value isNumber(Run &, const Value &self, const Bound &) {
  double number;
  return Value(self.asDouble(number));
}
Value isInteger(Run &, const Value &self, const Bound &) {
  return Value(self.integerOnly() != nullptr);
}
Value isFloat(Run &, const Value &self, const Bound &) {
  return Value(self.floating() != nullptr);
}
Value isBoolean(Run &, const Value &self, const Bound &) {
  return Value(self.boolean() != nullptr);
}
template <bool which>
Value is(Run &, const Value &self, const Bound &) {
  return Value(self.boolean() && *self.boolean() == which);
}

/// The remainder by `divisor`, as an int test needs it.
bool divides(Run &run, const Value &self, Int divisor, Int rest) {
  Value result = binaryOperator(run, "%", self, Value(divisor));
  return equal(result, Value(rest));
}
Value isOdd(Run &run, const Value &self, const Bound &) {
  return Value(divides(run, self, 2, 1));
}
Value isEven(Run &run, const Value &self, const Bound &) {
  return Value(divides(run, self, 2, 0));
}
Value isDivisible(Run &run, const Value &self, const Bound &a) {
  return Value(equal(binaryOperator(run, "%", self, a[0]), Value(Int(0))));
}

Value isEqual(Run &run, const Value &self, const Bound &a) {
  return Value(compare(run, "==", self, a[0]));
}
Value isNotEqual(Run &run, const Value &self, const Bound &a) {
  return Value(compare(run, "!=", self, a[0]));
}
Value isGreater(Run &run, const Value &self, const Bound &a) {
  return Value(compare(run, ">", self, a[0]));
}
Value isGreaterEqual(Run &run, const Value &self, const Bound &a) {
  return Value(compare(run, ">=", self, a[0]));
}
Value isLess(Run &run, const Value &self, const Bound &a) {
  return Value(compare(run, "<", self, a[0]));
}
Value isLessEqual(Run &run, const Value &self, const Bound &a) {
  return Value(compare(run, "<=", self, a[0]));
}
Value isIn(Run &run, const Value &self, const Bound &a) {
  return Value(contains(run, self, a[0]));
}

/// Python compares identities; values of one kind and content share one here.
Value isSame(Run &run, const Value &self, const Bound &a) {
  return Value(self.typeName() == a[0].typeName() &&
               compare(run, "==", self, a[0]));
}

Value isCallable(Run &, const Value &self, const Bound &) {
  // As in Jinja, where calling an undefined value is what raises.
  return Value(self.isUndefined() ||
               (self.object() && self.object()->callable()));
}
Value hasCase(Run &run, const Value &self, std::string_view method) {
  Value text = run.charge(run.print(self));
  if (run.failed())
    return {};
  return callBuiltin(run, *findMethod(text, method), text, {});
}
Value isLower(Run &run, const Value &self, const Bound &) {
  return hasCase(run, self, "islower");
}
Value isUpper(Run &run, const Value &self, const Bound &) {
  return hasCase(run, self, "isupper");
}
Value isFilterTest(Run &, const Value &self, const Bound &) {
  return Value(self.text() && isFilter(self.text()->view()));
}
Value isTestTest(Run &, const Value &self, const Bound &) {
  return Value(self.text() && isTest(self.text()->view()));
}
Value isEscaped(Run &, const Value &, const Bound &) { return Value(false); }

const Builtin tests[] = {
    {"!=", "*other", &isNotEqual},
    {"<", "*other", &isLess},
    {"<=", "*other", &isLessEqual},
    {"==", "*other", &isEqual},
    {">", "*other", &isGreater},
    {">=", "*other", &isGreaterEqual},
    {"boolean", "", &isBoolean},
    {"callable", "", &isCallable},
    {"defined", "", &defined},
    {"divisibleby", "*num", &isDivisible},
    {"eq", "*other", &isEqual},
    {"equalto", "*other", &isEqual},
    {"escaped", "", &isEscaped},
    {"even", "", &isEven},
    {"false", "", &is<false>},
    {"filter", "", &isFilterTest},
    {"float", "", &isFloat},
    {"ge", "*other", &isGreaterEqual},
    {"greaterthan", "*other", &isGreater},
    {"gt", "*other", &isGreater},
    {"in", "*seq", &isIn},
    {"integer", "", &isInteger},
    {"iterable", "", &isSequence},
    {"le", "*other", &isLessEqual},
    {"lessthan", "*other", &isLess},
    {"lower", "", &isLower},
    {"lt", "*other", &isLess},
    {"mapping", "", &isMapping},
    {"ne", "*other", &isNotEqual},
    {"none", "", &isNoneTest},
    {"number", "", &isNumber},
    {"odd", "", &isOdd},
    {"sameas", "*other", &isSame},
    {"sequence", "", &isSequence},
    {"string", "", &isString},
    {"test", "", &isTestTest},
    {"true", "", &is<true>},
    {"undefined", "", &isUndefinedTest},
    {"upper", "", &isUpper},
};

} // namespace

const Builtin *findTest(std::string_view name) {
  for (const Builtin &test : tests)
    if (test.name == name)
      return &test;
  return nullptr;
}

bool isTest(std::string_view name) { return findTest(name) != nullptr; }

} // namespace sgl::jinja
