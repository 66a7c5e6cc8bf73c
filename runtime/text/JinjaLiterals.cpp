// Python's escapes.
#include "runtime/text/JinjaLiterals.h"

#include "runtime/text/JinjaText.h"

namespace sgl::jinja {

static bool isDigit(char c) { return c >= '0' && c <= '9'; }

int digitValue(char c, int base) {
  int v = isDigit(c)               ? c - '0'
          : (c >= 'a' && c <= 'f') ? c - 'a' + 10
          : (c >= 'A' && c <= 'F') ? c - 'A' + 10
                                   : 99;
  return v < base ? v : -1;
}

/// Reads `count` hex digits at `p`; false when there are fewer.
static bool hexDigits(std::string_view s, size_t p, size_t count,
                      uint32_t &out) {
  out = 0;
  for (size_t i = 0; i < count; ++i) {
    int d = p + i < s.size() ? digitValue(s[p + i], 16) : -1;
    if (d < 0)
      return false;
    out = out * 16 + static_cast<uint32_t>(d);
  }
  return true;
}

/// One escape at `p` (behind the backslash); returns the bytes used, 0 on
/// error.
size_t readEscape(std::string_view s, size_t p, std::string &out) {
  static constexpr std::string_view plain = "\\'\"abfnrtv";
  static constexpr std::string_view means = "\\'\"\a\b\f\n\r\t\v";
  char c = s[p];
  if (size_t k = plain.find(c); k != std::string_view::npos) {
    out += means[k];
    return 1;
  }
  if (c == '\n')
    return 1;
  if (c >= '0' && c <= '7') {
    uint32_t value = 0;
    size_t n = 0;
    for (; n < 3 && p + n < s.size() && digitValue(s[p + n], 8) >= 0; ++n)
      value = value * 8 + static_cast<uint32_t>(s[p + n] - '0');
    out += encodeChar(value);
    return n;
  }
  size_t width = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
  if (width == 0) {
    out += '\\';
    out += c;
    return 1;
  }
  uint32_t value = 0;
  if (!hexDigits(s, p + 1, width, value) || value > 0x10FFFF)
    return 0;
  size_t used = 1 + width;
  uint32_t low = 0;
  if (value >= 0xD800 && value < 0xDC00 && s.substr(p + used, 2) == "\\u" &&
      hexDigits(s, p + used + 2, 4, low) && low >= 0xDC00 && low < 0xE000) {
    value = 0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00);
    used += 6;
  }
  if (value >= 0xD800 && value < 0xE000)
    return 0; // half a pair is no character
  out += encodeChar(value);
  return used;
}

} // namespace sgl::jinja
