// UTF-8 as the language sees it: a text is bytes, a character is a Unicode
// scalar value. Bytes that are not UTF-8 count as one character each, so that
// no function here fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sgl {

/// One decoded character: its code point (U+FFFD where `bytes` is not UTF-8)
/// and how many bytes it takes, 1 to 4.
struct Utf8Char {
  uint32_t codePoint = 0xFFFD;
  uint32_t length = 1;
  bool valid = false;
};

/// The character at `at`, which must lie inside `text`. Overlong forms,
/// surrogates and values above U+10FFFF are not valid.
Utf8Char decodeUtf8(std::string_view text, size_t at);
void appendUtf8(std::string &out, uint32_t codePoint);
/// Offset of the first byte that is not UTF-8, or npos.
size_t firstInvalidUtf8(std::string_view text);
/// Number of characters.
size_t countCharacters(std::string_view text);
/// The byte offset of character `index`; the text's size from the end on.
size_t offsetOfCharacter(std::string_view text, size_t index);

} // namespace sgl
