// Arithmetic and comparison as Python does them.
#include "runtime/text/JinjaRun.h"

#include <cmath>

namespace sgl::jinja {

static Value operandError(Run &run, std::string_view op, const Value &left,
                          const Value &right) {
  if (left.isUndefined())
    return run.failUndefined(left);
  if (right.isUndefined())
    return run.failUndefined(right);
  return run.fail(ErrorClass::Type,
                  "unsupported operand types for " + std::string(op) + ": '" +
                      std::string(left.typeName()) + "' and '" +
                      std::string(right.typeName()) + "'");
}

static Value tooLarge(Run &run) {
  return run.fail(ErrorClass::Overflow, "an integer needs more than 128 bits");
}

static Value powerOfInts(Run &run, Int base, Int exponent) {
  if (exponent < 0) {
    if (base == 0)
      return run.fail(ErrorClass::ZeroDivision,
                      "0 cannot be raised to a negative power");
    return Value(std::pow(double(base), double(exponent)));
  }
  Int result = 1;
  while (exponent > 0) {
    if (exponent & 1 && __builtin_mul_overflow(result, base, &result))
      return tooLarge(run);
    exponent >>= 1;
    if (exponent && __builtin_mul_overflow(base, base, &base))
      return tooLarge(run);
  }
  return Value(result);
}

static Value intOperator(Run &run, std::string_view op, Int a, Int b) {
  Int result = 0;
  bool over = false;
  if (op == "+") {
    over = __builtin_add_overflow(a, b, &result);
  } else if (op == "-") {
    over = __builtin_sub_overflow(a, b, &result);
  } else if (op == "*") {
    over = __builtin_mul_overflow(a, b, &result);
  } else if (op == "**") {
    return powerOfInts(run, a, b);
  } else if (b == 0) {
    return run.fail(ErrorClass::ZeroDivision, "division by zero");
  } else if (op == "/") {
    return Value(double(a) / double(b));
  } else {
    if (b == -1) // the one quotient that overflows
      return op == "%" ? Value(Int(0)) : intOperator(run, "-", 0, a);
    Int quotient = a / b, rest = a % b;
    bool floors = rest != 0 && (rest < 0) != (b < 0);
    result = op == "%" ? rest + (floors ? b : 0) : quotient - (floors ? 1 : 0);
  }
  return over ? tooLarge(run) : Value(result);
}

static Value floatOperator(Run &run, std::string_view op, double a, double b) {
  if (op == "+")
    return Value(a + b);
  if (op == "-")
    return Value(a - b);
  if (op == "*")
    return Value(a * b);
  if (op == "**") {
    if (a == 0 && b < 0)
      return run.fail(ErrorClass::ZeroDivision,
                      "0.0 cannot be raised to a negative power");
    double result = std::pow(a, b);
    if (std::isinf(result) && std::isfinite(a) && std::isfinite(b))
      return run.fail(ErrorClass::Overflow, "a float is out of range");
    if (std::isnan(result) && !std::isnan(a) && !std::isnan(b))
      return run.fail(ErrorClass::Unsupported,
                      "complex numbers are not supported");
    return Value(result);
  }
  if (b == 0)
    return run.fail(ErrorClass::ZeroDivision, "division by zero");
  if (op == "/")
    return Value(a / b);
  double rest = std::fmod(a, b);
  if (rest != 0 && (rest < 0) != (b < 0))
    rest += b;
  if (rest == 0)
    rest = std::copysign(0.0, b);
  return Value(op == "%" ? rest : std::floor((a - rest) / b + 0.5));
}

/// `value * count` for a text or a list; a count below one gives nothing.
static Value repeat(Run &run, const Value &value, Int count) {
  size_t one = value.text() ? value.text()->size() : value.list()->items.size();
  if (count <= 0 || one == 0)
    count = count > 0 && one ? count : 0;
  if (count > 0 && count > Int(64u << 20) / Int(one))
    return run.fail(ErrorClass::Limit, "a repeated value is too large");
  if (!run.spend(one * size_t(count) / 8))
    return {};
  if (const Text *text = value.text()) {
    Text all;
    for (Int i = 0; i < count; ++i)
      all.append(*text);
    return run.charge(std::move(all));
  }
  if (!run.spend(one * size_t(count)))
    return {};
  std::vector<Value> items;
  for (Int i = 0; i < count; ++i)
    items.insert(items.end(), value.list()->items.begin(),
                 value.list()->items.end());
  return run.charge(std::move(items), value.list()->tuple);
}

static Value join(Run &run, const Value &left, const Value &right) {
  if (left.text()) {
    Text all = *left.text();
    all.append(*right.text());
    return run.charge(std::move(all));
  }
  std::vector<Value> items = left.list()->items;
  items.insert(items.end(), right.list()->items.begin(),
               right.list()->items.end());
  return run.charge(std::move(items), left.list()->tuple);
}

Value binaryOperator(Run &run, std::string_view op, const Value &left,
                     const Value &right) {
  if (run.failed())
    return {};
  Int i, j;
  bool leftInt = left.asInt(i), rightInt = right.asInt(j);
  if (leftInt && rightInt)
    return intOperator(run, op, i, j);
  double x, y;
  if (left.asDouble(x) && right.asDouble(y))
    return floatOperator(run, op, x, y);
  if (op == "%" && left.text())
    return formatPercent(run, *left.text(), right);
  if (op == "+") {
    if (left.text() && right.text())
      return join(run, left, right);
    if (left.list() && right.list() &&
        left.list()->tuple == right.list()->tuple)
      return join(run, left, right);
    if (left.text() && !right.isUndefined())
      return run.fail(ErrorClass::Type, "can only concatenate str (not \"" +
                                            std::string(right.typeName()) +
                                            "\") to str");
  }
  if (op == "*") {
    if (rightInt && (left.text() || left.list()))
      return repeat(run, left, j);
    if (leftInt && (right.text() || right.list()))
      return repeat(run, right, i);
  }
  return operandError(run, op, left, right);
}

Value negative(Run &run, const Value &value) {
  if (Int i; value.asInt(i))
    return intOperator(run, "-", 0, i);
  if (const double *f = value.floating())
    return Value(-*f);
  if (value.isUndefined())
    return run.failUndefined(value);
  return run.fail(ErrorClass::Type, "bad operand type for unary -: '" +
                                        std::string(value.typeName()) + "'");
}

bool lessThan(Run &run, const Value &left, const Value &right,
              std::string_view op) {
  if (!run.spend(1 + std::min(left.weight(), right.weight()) / 8))
    return false;
  Int i, j;
  if (left.asInt(i) && right.asInt(j))
    return i < j;
  double x, y;
  if (left.asDouble(x) && right.asDouble(y))
    return x < y;
  if (left.text() && right.text())
    return left.text()->view() < right.text()->view();
  const List *a = left.list(), *b = right.list();
  if (a && b && a->tuple == b->tuple) {
    size_t shared = std::min(a->items.size(), b->items.size());
    for (size_t k = 0; k < shared; ++k)
      if (!equal(a->items[k], b->items[k]))
        return lessThan(run, a->items[k], b->items[k], op);
    return a->items.size() < b->items.size();
  }
  if (left.isUndefined() || right.isUndefined())
    run.failUndefined(left.isUndefined() ? left : right);
  else
    run.fail(ErrorClass::Type, "'" + std::string(op) +
                                   "' not supported between '" +
                                   std::string(left.typeName()) + "' and '" +
                                   std::string(right.typeName()) + "'");
  return false;
}

bool contains(Run &run, const Value &item, const Value &container) {
  if (!run.spend(1 + container.weight() / 8))
    return false;
  if (const Text *text = container.text()) {
    if (item.text())
      return text->view().find(item.text()->view()) != std::string_view::npos;
    run.fail(ErrorClass::Type, "'in <string>' needs a string on its left, not "
                               "'" +
                                   std::string(item.typeName()) + "'");
    return false;
  }
  if (const Dict *dict = container.dict()) {
    if (hashable(item))
      return dict->find(item) != nullptr;
    run.fail(ErrorClass::Type,
             "unhashable type: '" + std::string(item.typeName()) + "'");
    return false;
  }
  if (const List *list = container.list()) {
    for (const Value &each : list->items)
      if (equal(each, item))
        return true;
    return false;
  }
  if (!container.isUndefined())
    run.fail(ErrorClass::Type, "argument of type '" +
                                   std::string(container.typeName()) +
                                   "' is not iterable");
  return false;
}

bool compare(Run &run, std::string_view op, const Value &left,
             const Value &right) {
  if (op == "==" || op == "!=") {
    run.spend(std::min(left.weight(), right.weight()) / 8);
    return equal(left, right) == (op == "==");
  }
  if (op == "in")
    return contains(run, left, right);
  if (op == "not in")
    return !contains(run, left, right);
  if (op == "<")
    return lessThan(run, left, right, op);
  if (op == ">")
    return lessThan(run, right, left, op);
  // Not-a-number is neither less nor greater, so <= is no negated >.
  bool swapped = op == ">=";
  const Value &low = swapped ? right : left, &high = swapped ? left : right;
  bool less = lessThan(run, low, high, op);
  return !run.failed() && (less || equal(low, high));
}

} // namespace sgl::jinja
