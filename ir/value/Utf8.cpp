// UTF-8 decoding by the table of the Unicode standard (3.9, table 3-7).

#include "ir/value/Utf8.h"

namespace sgl {

Utf8Char decodeUtf8(std::string_view text, size_t at) {
  auto byte = [&](size_t i) {
    return at + i < text.size() ? uint8_t(text[at + i]) : uint8_t(0);
  };
  uint8_t lead = byte(0);
  if (lead < 0x80)
    return {lead, 1, true};
  uint32_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4)
    return {};
  // The second byte's range rules out overlong forms and surrogates.
  uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < low || byte(1) > high)
    return {};
  uint32_t codePoint = lead & (0xFF >> (length + 1));
  for (uint32_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80)
      return {};
    codePoint = codePoint << 6 | (byte(i) & 0x3F);
  }
  return {codePoint, length, true};
}

void appendUtf8(std::string &out, uint32_t c) {
  if (c < 0x80) {
    out += char(c);
  } else if (c < 0x800) {
    out += char(0xC0 | c >> 6);
    out += char(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += char(0xE0 | c >> 12);
    out += char(0x80 | (c >> 6 & 0x3F));
    out += char(0x80 | (c & 0x3F));
  } else {
    out += char(0xF0 | c >> 18);
    out += char(0x80 | (c >> 12 & 0x3F));
    out += char(0x80 | (c >> 6 & 0x3F));
    out += char(0x80 | (c & 0x3F));
  }
}

size_t firstInvalidUtf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    if (uint8_t(text[at]) < 0x80) {
      ++at;
      continue;
    }
    Utf8Char c = decodeUtf8(text, at);
    if (!c.valid)
      return at;
    at += c.length;
  }
  return std::string_view::npos;
}

size_t countCharacters(std::string_view text) {
  size_t count = 0;
  for (size_t at = 0; at < text.size(); ++count)
    at += decodeUtf8(text, at).length;
  return count;
}

size_t offsetOfCharacter(std::string_view text, size_t index) {
  size_t at = 0;
  for (; index && at < text.size(); --index)
    at += decodeUtf8(text, at).length;
  return at;
}

} // namespace sgl
