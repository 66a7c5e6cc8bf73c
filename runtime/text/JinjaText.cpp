// Bytes with marks, and the character rules of Python's str.
#include "runtime/text/JinjaText.h"

#include <utf8proc.h>

namespace sgl::jinja {

Text Text::substr(size_t from, size_t count) const {
  Text part;
  if (from >= size())
    return part;
  part.content = content.substr(from, count);
  part.marks = marks.substr(from, count);
  return part;
}

/// Reads one character; {1, U+FFFD} where the bytes are not UTF-8.
static std::pair<size_t, uint32_t> decode(std::string_view bytes,
                                          size_t index) {
  utf8proc_int32_t scalar = -1;
  auto length = utf8proc_iterate(
      reinterpret_cast<const utf8proc_uint8_t *>(bytes.data()) + index,
      static_cast<utf8proc_ssize_t>(bytes.size() - index), &scalar);
  if (length <= 0 || scalar < 0)
    return {1, 0xFFFD};
  return {static_cast<size_t>(length), static_cast<uint32_t>(scalar)};
}

size_t charLength(std::string_view bytes, size_t index) {
  if (static_cast<unsigned char>(bytes[index]) < 0x80)
    return 1;
  return decode(bytes, index).first;
}

uint32_t charAt(std::string_view bytes, size_t index) {
  unsigned char first = static_cast<unsigned char>(bytes[index]);
  return first < 0x80 ? first : decode(bytes, index).second;
}

std::vector<size_t> charStarts(std::string_view bytes) {
  std::vector<size_t> starts;
  starts.reserve(bytes.size() + 1);
  for (size_t i = 0; i < bytes.size(); i += charLength(bytes, i))
    starts.push_back(i);
  starts.push_back(bytes.size());
  return starts;
}

size_t charCount(std::string_view bytes) {
  size_t count = 0;
  for (size_t i = 0; i < bytes.size(); i += charLength(bytes, i))
    ++count;
  return count;
}

std::string encodeChar(uint32_t scalar) {
  utf8proc_uint8_t buffer[4];
  auto length =
      utf8proc_encode_char(static_cast<utf8proc_int32_t>(scalar), buffer);
  return {reinterpret_cast<char *>(buffer), static_cast<size_t>(length)};
}

bool isSpace(uint32_t c) {
  return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 ||
         c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
         c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

bool isPrintable(uint32_t c) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
  case UTF8PROC_CATEGORY_CC:
  case UTF8PROC_CATEGORY_CF:
  case UTF8PROC_CATEGORY_CS:
  case UTF8PROC_CATEGORY_CO:
  case UTF8PROC_CATEGORY_CN:
  case UTF8PROC_CATEGORY_ZL:
  case UTF8PROC_CATEGORY_ZP:
    return false;
  case UTF8PROC_CATEGORY_ZS:
    return c == ' ';
  default:
    return true;
  }
}

/// Letters that have a case.
static bool isCased(uint32_t c) {
  auto category = utf8proc_category(static_cast<utf8proc_int32_t>(c));
  return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LL ||
         category == UTF8PROC_CATEGORY_LT;
}

Text mapCase(const Text &text, CaseMode mode) {
  Text result;
  bool inWord = false, first = true;
  std::string_view bytes = text.view();
  for (size_t i = 0, length; i < bytes.size(); i += length) {
    auto [count, scalar] = decode(bytes, i);
    length = count;
    bool upper = mode == CaseMode::Upper ||
                 (mode == CaseMode::Title && !inWord) ||
                 (mode == CaseMode::Capitalize && first);
    auto c = static_cast<utf8proc_int32_t>(scalar);
    auto mapped = upper ? utf8proc_toupper(c) : utf8proc_tolower(c);
    if (mapped == c)
      result.append(text.substr(i, length));
    else
      result.append(encodeChar(static_cast<uint32_t>(mapped)), text.isData(i));
    inWord = isCased(scalar);
    first = false;
  }
  return result;
}

Text strip(const Text &text, Side side, const std::string_view *set) {
  std::string_view bytes = text.view();
  auto starts = charStarts(bytes);
  auto drops = [&](size_t k) {
    if (!set)
      return isSpace(charAt(bytes, starts[k]));
    auto one = bytes.substr(starts[k], starts[k + 1] - starts[k]);
    return set->find(one) != std::string_view::npos;
  };
  size_t from = 0, to = starts.size() - 1;
  if (static_cast<int>(side) & static_cast<int>(Side::Left))
    while (from < to && drops(from))
      ++from;
  if (static_cast<int>(side) & static_cast<int>(Side::Right))
    while (to > from && drops(to - 1))
      --to;
  return text.substr(starts[from], starts[to] - starts[from]);
}

Text replaceAll(const Text &text, std::string_view from, const Text &to,
                size_t limit) {
  Text result;
  std::string_view bytes = text.view();
  size_t at = 0, done = 0;
  if (from.empty()) {
    for (; done < limit; ++done) {
      result.append(to);
      if (at == bytes.size())
        return result;
      size_t length = charLength(bytes, at);
      result.append(text.substr(at, length));
      at += length;
    }
  }
  while (done < limit) {
    size_t found = bytes.find(from, at);
    if (found == std::string_view::npos)
      break;
    result.append(text.substr(at, found - at));
    result.append(to);
    at = found + from.size();
    ++done;
  }
  result.append(text.substr(at));
  return result;
}

} // namespace sgl::jinja
