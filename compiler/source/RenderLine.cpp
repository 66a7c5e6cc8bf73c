// Bytes to columns of a terminal.
#include "compiler/source/RenderLine.h"

#include "ir/value/Utf8.h"

#include <algorithm>
#include <utf8proc.h>

namespace sgl {

constexpr size_t bytesBefore = 100, bytesShown = 240;
constexpr std::string_view replacement = "\uFFFD", ellipsis = "…";

/// Would a terminal obey this character instead of showing it?
static bool isUnsafe(uint32_t c) {
  bool isDirection = (c >= 0x202A && c <= 0x202E) ||
                     (c >= 0x2066 && c <= 0x2069) || c == 0x200E || c == 0x200F;
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || isDirection || c == 0x2028 ||
         c == 0x2029;
}

ShownLine::ShownLine(std::string_view line, size_t focus) {
  size_t last = line.size();
  if (line.size() > bytesShown) {
    first =
        focus > bytesBefore ? std::min(focus, line.size()) - bytesBefore : 0;
    while (first > 0 && (line[first] & 0xC0) == 0x80)
      --first;
    last = std::min(line.size(), first + bytesShown);
  }
  size_t column = 0;
  if (first > 0) {
    shown += ellipsis;
    column = 1;
  }
  for (size_t at = first; at < last;) {
    Utf8Char read = decodeUtf8(line, at);
    size_t width = 1;
    std::string_view bytes = line.substr(at, read.length);
    if (bytes == "\t") {
      width = 4;
      bytes = "    ";
    } else if (!read.valid || isUnsafe(read.codePoint)) {
      bytes = replacement;
    } else {
      width = size_t(std::max(0, utf8proc_charwidth(int32_t(read.codePoint))));
    }
    columns.insert(columns.end(), read.length, column);
    shown += bytes;
    column += width;
    at += read.length;
  }
  columns.push_back(column);
  if (last < line.size())
    shown += ellipsis;
}

size_t ShownLine::columnOf(size_t offset) const {
  size_t index = offset < first ? 0 : offset - first;
  return columns[std::min(index, columns.size() - 1)];
}

} // namespace sgl
