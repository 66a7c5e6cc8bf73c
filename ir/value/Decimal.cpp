// Decimal rounding. See Decimal.h.

#include "ir/value/Decimal.h"

#include <charconv>

namespace sgl {

std::string plainDecimal(double value) {
  char buffer[400]; // 1.8e308 has 309 digits, 5e-324 has 326
  auto end = std::to_chars(buffer, buffer + sizeof buffer, value,
                           std::chars_format::fixed)
                 .ptr;
  return std::string(buffer, end);
}

std::string roundDecimal(std::string_view plain, int digits) {
  bool negative = plain.starts_with('-');
  plain.remove_prefix(negative);
  size_t point = std::min(plain.find('.'), plain.size());
  std::string all(plain.substr(0, point));
  if (point < plain.size())
    all += plain.substr(point + 1);
  // `all` is the number's digits, `point` of them in front of the point. A zero
  // in front takes the carry.
  all.insert(0, "0");
  ++point;
  int keep = int(point) + digits;
  if (keep <= 0)
    return "0";
  if (size_t(keep) < all.size()) {
    bool up = all[size_t(keep)] >= '5';
    all.resize(size_t(keep));
    for (size_t i = all.size(); up && i-- > 0;) {
      up = all[i] == '9';
      all[i] = up ? '0' : char(all[i] + 1);
    }
  }
  all.resize(point + size_t(std::max(digits, 0)), '0');
  bool zero = all.find_first_not_of('0') == std::string::npos;
  size_t first = std::min(all.find_first_not_of('0'), point - 1);
  std::string out = negative && !zero ? "-" : "";
  out += all.substr(first, point - first);
  if (digits > 0)
    out += "." + all.substr(point);
  return out;
}

} // namespace sgl
