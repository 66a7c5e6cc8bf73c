// Built-ins on numbers and conversions: abs round floor ceil div text int float
// bool list. Halves round away from zero, in decimal.

#include "ir/value/BuiltinSupport.h"
#include "ir/value/Decimal.h"

#include <charconv>

namespace sgl {

namespace {

Result<Value> toInt(double whole) {
  if (whole < -0x1p63 || whole >= 0x1p63)
    return Error{printFloat(whole) + " does not fit an int"};
  return Value::integer(int64_t(whole));
}

Result<Value> absolute(Args args) {
  if (args[0].asFloat())
    return Value::number(std::fabs(*args[0].asFloat()));
  auto i = intArg(args[0]);
  if (!i)
    return expected("a number", args[0]);
  return *i < 0 ? applyUnary("neg", args[0]) : Result<Value>(args[0]);
}

Result<Value> roundDigits(const Value &value, int64_t digits) {
  if (digits < -308 || digits > 17)
    return Error{"round takes -308 to 17 digits, not " +
                 std::to_string(digits)};
  std::string text =
      roundDecimal(value.asInt() ? std::to_string(*value.asInt())
                                 : plainDecimal(*value.asFloat()),
                   int(digits));
  double out = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), out).ec !=
      std::errc())
    return Error{"result is not a finite number"};
  return finite(out);
}

Result<Value> roundNumber(Args args) {
  if (!isNumber(args[0]))
    return expected("a number", args[0]);
  if (args.size() == 2) {
    auto digits = intArg(args[1]);
    if (!digits)
      return digits.error();
    return roundDigits(args[0], *digits);
  }
  return args[0].asInt() ? Result<Value>(args[0])
                         : toInt(std::round(*args[0].asFloat()));
}

Result<Value> wholePart(const Value &value, double (*part)(double)) {
  if (!isNumber(value))
    return expected("a number", value);
  return value.asInt() ? Result<Value>(value) : toInt(part(*value.asFloat()));
}
Result<Value> floorNumber(Args args) { return wholePart(args[0], std::floor); }
Result<Value> ceilNumber(Args args) { return wholePart(args[0], std::ceil); }

Result<Value> divide(Args args) {
  if (!isNumber(args[0]) || !isNumber(args[1]))
    return expected("numbers", isNumber(args[0]) ? args[1] : args[0]);
  if (asDouble(args[1]) == 0)
    return Error{"division by zero"};
  if (!args[0].asInt() || !args[1].asInt())
    return finite(std::floor(asDouble(args[0]) / asDouble(args[1])));
  int64_t a = *args[0].asInt(), b = *args[1].asInt();
  if (b == -1)
    return applyUnary("neg", args[0]);
  return Value::integer(a / b - (a % b != 0 && (a < 0) != (b < 0)));
}

Result<Value> toText(Args args) {
  if (args[0].asState() || args[0].asMedia())
    return expected("something printable", args[0]);
  return Value::text(print(args[0]));
}

std::string_view withoutBlanks(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

Error notA(std::string_view what, const Value &value) {
  return Error{describe(value) + " is not " + std::string(what)};
}

Result<Value> toIntValue(Args args) {
  const Value &v = args[0];
  if (v.asInt())
    return v;
  if (auto *f = v.asFloat())
    return std::trunc(*f) == *f ? toInt(*f)
                                : Result<Value>(notA("a whole number", v));
  if (!textOf(v))
    return notA("an int", v);
  std::string_view digits = withoutBlanks(*textOf(v));
  if (digits.starts_with('+') && digits.size() > 1 && digits[1] != '-')
    digits.remove_prefix(1);
  int64_t out = 0;
  auto end = digits.data() + digits.size();
  auto [stop, status] = std::from_chars(digits.data(), end, out);
  if (status == std::errc::result_out_of_range && stop == end)
    return Error{describe(v) + " does not fit an int"};
  if (status != std::errc() || stop != end)
    return notA("an int", v);
  return Value::integer(out);
}

Result<Value> toFloatValue(Args args) {
  const Value &v = args[0];
  if (isNumber(v))
    return Value::number(asDouble(v));
  if (!textOf(v))
    return notA("a float", v);
  std::string_view digits = withoutBlanks(*textOf(v));
  if (digits.starts_with('+') && digits.size() > 1 && digits[1] != '-')
    digits.remove_prefix(1);
  // from_chars knows "inf" and "nan", which no float of the language is.
  if (digits.find_first_not_of("+-0123456789.eE") != std::string_view::npos)
    return notA("a float", v);
  double out = 0;
  auto end = digits.data() + digits.size();
  auto [stop, status] = std::from_chars(digits.data(), end, out);
  if (status == std::errc::result_out_of_range && stop == end)
    return Error{describe(v) + " does not fit a float"};
  if (status != std::errc() || stop != end)
    return notA("a float", v);
  return Value::number(out);
}

Result<Value> toBool(Args args) {
  if (args[0].asBool())
    return args[0];
  return notA("a bool", args[0]);
}

Result<Value> toList(Args args) {
  if (args[0].asList())
    return args[0];
  return notA("a list", args[0]);
}

constexpr Builtin table[] = {
    {"abs", 1, 1, absolute},      {"round", 1, 2, roundNumber},
    {"floor", 1, 1, floorNumber}, {"ceil", 1, 1, ceilNumber},
    {"div", 2, 2, divide},        {"text", 1, 1, toText},
    {"int", 1, 1, toIntValue},    {"float", 1, 1, toFloatValue},
    {"bool", 1, 1, toBool},       {"list", 1, 1, toList},
};

} // namespace

std::span<const Builtin> numberBuiltins() { return table; }

} // namespace sgl
