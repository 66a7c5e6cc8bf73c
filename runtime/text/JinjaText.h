// A string that remembers, for each byte, who wrote it: the template or data.
//
// Control tokens may come only from bytes of the template itself, so every
// string operation of the template language keeps the marks beside the bytes.
// Positions and lengths are in bytes; the functions named `char` count Unicode
// scalar values, as Python does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sgl::jinja {

class Text {
public:
  Text() = default;
  Text(std::string_view bytes, bool data)
      : content(bytes), marks(bytes.size(), data ? '\1' : '\0') {}

  size_t size() const { return content.size(); }
  bool empty() const { return content.empty(); }
  std::string_view view() const { return content; }
  /// Did a message (not the template) write byte `index`?
  bool isData(size_t index) const { return marks[index] != 0; }

  void append(const Text &other) {
    content += other.content;
    marks += other.marks;
  }
  void append(std::string_view bytes, bool data) {
    content += bytes;
    marks.append(bytes.size(), data ? '\1' : '\0');
  }
  /// Bytes [from, from + count), cut at the end.
  Text substr(size_t from, size_t count = std::string::npos) const;

private:
  std::string content;
  std::string marks; ///< one byte for each of content: 1 means data
};

/// Bytes of the character that starts at `index`; a byte that is not UTF-8
/// counts as a character of its own.
size_t charLength(std::string_view bytes, size_t index);
/// The scalar value at `index`, or U+FFFD.
uint32_t charAt(std::string_view bytes, size_t index);
/// Start of each character, and the size as last entry.
std::vector<size_t> charStarts(std::string_view bytes);
size_t charCount(std::string_view bytes);
std::string encodeChar(uint32_t scalar);

/// What Python's str.isspace says of one character.
bool isSpace(uint32_t scalar);
/// What Python's repr writes as it is.
bool isPrintable(uint32_t scalar);

enum class CaseMode { Upper, Lower, Title, Capitalize };
/// Simple case mapping, one character to one. Title starts words after any
/// character that is not a letter (str.title).
Text mapCase(const Text &text, CaseMode mode);

enum class Side { Left = 1, Right = 2, Both = 3 };
/// Takes characters of `set` (white space when null) off the ends.
Text strip(const Text &text, Side side, const std::string_view *set = nullptr);
/// Every occurrence of `from` (at most `limit`) becomes `to`; as in Python, an
/// empty `from` stands before each character and at the end.
Text replaceAll(const Text &text, std::string_view from, const Text &to,
                size_t limit = SIZE_MAX);

} // namespace sgl::jinja
