// Ranges of numbers, digit by digit.
//
// A range of digit strings of one length splits at its first digit into the
// least one and what follows its bound, digits between with anything behind,
// and the greatest one: two chains, so the size is linear in the digits.
#include "ir/constraint/NumberPattern.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace sgl {

namespace {

using namespace pattern;

PatternRef digitRange(char low, char high) {
  return characters(
      {{static_cast<uint32_t>(low), static_cast<uint32_t>(high)}});
}

PatternRef anyDigits(size_t least, size_t most) {
  return repeat(digitRange('0', '9'), static_cast<uint32_t>(least),
                static_cast<uint32_t>(most));
}

// -- whole numbers: bounds of one length ------------------------------------

PatternRef wholeAtLeast(std::string_view low) {
  if (low.empty())
    return text("");
  std::vector<PatternRef> parts{
      sequence({text({low[0]}), wholeAtLeast(low.substr(1))})};
  if (low[0] < '9')
    parts.push_back(sequence({digitRange(static_cast<char>(low[0] + 1), '9'),
                              anyDigits(low.size() - 1, low.size() - 1)}));
  return choice(std::move(parts));
}

PatternRef wholeAtMost(std::string_view high) {
  if (high.empty())
    return text("");
  std::vector<PatternRef> parts{
      sequence({text({high[0]}), wholeAtMost(high.substr(1))})};
  if (high[0] > '0')
    parts.push_back(sequence({digitRange('0', static_cast<char>(high[0] - 1)),
                              anyDigits(high.size() - 1, high.size() - 1)}));
  return choice(std::move(parts));
}

PatternRef wholeBetween(std::string_view low, std::string_view high) {
  if (low.empty())
    return text("");
  if (low[0] == high[0])
    return sequence(
        {text({low[0]}), wholeBetween(low.substr(1), high.substr(1))});
  std::vector<PatternRef> parts{
      sequence({text({low[0]}), wholeAtLeast(low.substr(1))}),
      sequence({text({high[0]}), wholeAtMost(high.substr(1))})};
  if (high[0] - low[0] > 1)
    parts.push_back(sequence({digitRange(static_cast<char>(low[0] + 1),
                                         static_cast<char>(high[0] - 1)),
                              anyDigits(low.size() - 1, low.size() - 1)}));
  return choice(std::move(parts));
}

/// Numbers without leading zeros from `low` to `high`, as digits.
PatternRef natural(const std::string &low, const std::string &high) {
  std::vector<PatternRef> parts;
  for (size_t size = low.size(); size <= high.size(); ++size) {
    std::string from =
        size == low.size() ? low : "1" + std::string(size - 1, '0');
    std::string to = size == high.size() ? high : std::string(size, '9');
    if (from <= to)
      parts.push_back(wholeBetween(from, to));
  }
  return choice(std::move(parts));
}

PatternRef natural(uint64_t low, uint64_t high) {
  return natural(std::to_string(low), std::to_string(high));
}

/// The distance of a number from zero.
uint64_t magnitude(int64_t value) {
  auto bits = static_cast<uint64_t>(value);
  return value < 0 ? 0 - bits : bits;
}

// -- fractions: digits behind the point, shorter ones padded with zeros -----
//
// At least `least` (0 or 1) and at most `room` digits.

PatternRef fractionAtLeast(std::string_view low, size_t least, size_t room) {
  if (low.empty())
    return anyDigits(least, room);
  if (room == 0)
    return choice({});
  std::vector<PatternRef> parts{
      sequence({text({low[0]}), fractionAtLeast(low.substr(1), 0, room - 1)})};
  if (low[0] < '9')
    parts.push_back(sequence({digitRange(static_cast<char>(low[0] + 1), '9'),
                              anyDigits(0, room - 1)}));
  return choice(std::move(parts));
}

PatternRef fractionAtMost(std::string_view high, size_t least, size_t room) {
  if (high.empty())
    return repeat(text("0"), static_cast<uint32_t>(least),
                  static_cast<uint32_t>(room));
  std::vector<PatternRef> parts;
  if (least == 0)
    parts.push_back(text(""));
  if (room > 0) {
    parts.push_back(sequence(
        {text({high[0]}), fractionAtMost(high.substr(1), 0, room - 1)}));
    if (high[0] > '0')
      parts.push_back(sequence({digitRange('0', static_cast<char>(high[0] - 1)),
                                anyDigits(0, room - 1)}));
  }
  return choice(std::move(parts));
}

PatternRef fractionBetween(std::string_view low, std::string_view high,
                           size_t least, size_t room) {
  if (low.empty())
    return fractionAtMost(high, least, room);
  char first = low[0], last = high.empty() ? '0' : high[0];
  if (room == 0 || first > last)
    return choice({});
  std::string_view lowRest = low.substr(1);
  std::string_view highRest = high.empty() ? high : high.substr(1);
  if (first == last)
    return sequence(
        {text({first}), fractionBetween(lowRest, highRest, 0, room - 1)});
  std::vector<PatternRef> parts{
      sequence({text({first}), fractionAtLeast(lowRest, 0, room - 1)}),
      sequence({text({last}), fractionAtMost(highRest, 0, room - 1)})};
  if (last - first > 1)
    parts.push_back(sequence(
        {digitRange(static_cast<char>(first + 1), static_cast<char>(last - 1)),
         anyDigits(0, room - 1)}));
  return choice(std::move(parts));
}

// -- decimals ---------------------------------------------------------------

/// A bound without its sign; no zeros at the end of `fraction`.
struct Decimal {
  std::string whole, fraction;
};

Decimal toDecimal(double magnitude) {
  char buffer[400];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, magnitude,
                           std::chars_format::fixed)
                 .ptr;
  std::string digits(buffer, end);
  size_t point = std::min(digits.find('.'), digits.size());
  Decimal decimal{digits.substr(0, point), ""};
  if (point < digits.size())
    decimal.fraction = digits.substr(point + 1);
  while (!decimal.fraction.empty() && decimal.fraction.back() == '0')
    decimal.fraction.pop_back();
  return decimal;
}

const Decimal &largest() {
  static const Decimal decimal{std::string(maxIntDigits, '9'),
                               std::string(maxFractionDigits, '9')};
  return decimal;
}

/// A point and digits, which may be left out where zero is among them.
PatternRef withPoint(PatternRef digits, bool mayBeLeftOut) {
  PatternRef some = sequence({text("."), std::move(digits)});
  return mayBeLeftOut ? optional(some) : some;
}

std::string increment(std::string digits) {
  for (size_t i = digits.size(); i-- > 0;) {
    if (digits[i] < '9') {
      ++digits[i];
      return digits;
    }
    digits[i] = '0';
  }
  return "1" + digits;
}

std::string decrement(std::string digits) {
  for (size_t i = digits.size(); i-- > 0;) {
    if (digits[i] > '0') {
      --digits[i];
      break;
    }
    digits[i] = '9';
  }
  if (digits.size() > 1 && digits[0] == '0')
    digits.erase(0, 1);
  return digits;
}

bool isLess(const std::string &a, const std::string &b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

/// Decimals from `low` to `high`, not negative.
PatternRef decimals(const Decimal &low, Decimal high) {
  if (low.whole.size() > maxIntDigits)
    return choice({});
  if (high.whole.size() > maxIntDigits)
    high = largest();
  constexpr size_t room = maxFractionDigits;
  bool isWholeLow = low.fraction.empty();
  if (low.whole == high.whole)
    return sequence(
        {text(low.whole),
         withPoint(fractionBetween(low.fraction, high.fraction, 1, room),
                   isWholeLow)});
  if (!isLess(low.whole, high.whole))
    return choice({});
  std::vector<PatternRef> parts{
      sequence({text(low.whole),
                withPoint(fractionAtLeast(low.fraction, 1, room), isWholeLow)}),
      sequence({text(high.whole),
                withPoint(fractionAtMost(high.fraction, 1, room), true)})};
  std::string from = increment(low.whole), to = decrement(high.whole);
  if (!isLess(to, from))
    parts.push_back(
        sequence({natural(from, to), withPoint(anyDigits(1, room), true)}));
  return choice(std::move(parts));
}

} // namespace

PatternRef intPattern(std::optional<int64_t> least,
                      std::optional<int64_t> most) {
  constexpr int64_t limit = 999'999'999'999'999'999;
  int64_t low = least.value_or(-limit), high = most.value_or(limit);
  std::vector<PatternRef> parts;
  if (low <= high && high >= 0)
    parts.push_back(
        natural(magnitude(std::max<int64_t>(low, 0)), magnitude(high)));
  if (low <= high && low < 0)
    parts.push_back(
        sequence({text("-"), natural(magnitude(std::min<int64_t>(high, -1)),
                                     magnitude(low))}));
  return choice(std::move(parts));
}

PatternRef floatPattern(std::optional<double> least,
                        std::optional<double> most) {
  double low = least.value_or(-1e300), high = most.value_or(1e300);
  std::vector<PatternRef> parts;
  if (low <= high && high >= 0)
    parts.push_back(decimals(toDecimal(std::max(low, 0.0)), toDecimal(high)));
  if (low <= high && low < 0)
    parts.push_back(
        sequence({text("-"), decimals(toDecimal(high < 0 ? -high : 0.0),
                                      toDecimal(-low))}));
  return choice(std::move(parts));
}

} // namespace sgl
