// Turns bytes that arrive in pieces into valid UTF-8, as early as possible.
//
// Entry points: Utf8Stream::push and flush. Bytes of an unfinished character
// are held; what cannot be a character becomes U+FFFD, one for each maximal
// invalid part (WHATWG's decoder). What was released is never taken back, and
// all pieces joined equal the whole text decoded at once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sgl {

/// Recognises one character byte by byte.
class Utf8Automaton {
public:
  enum class Step : uint8_t {
    Done,    ///< this byte ends a character
    Pending, ///< more bytes must follow
    Invalid, ///< this byte cannot stand here; the state is reset
  };
  Step feed(unsigned char byte);
  bool pending() const { return needed > 0; }

private:
  uint8_t needed = 0;                    ///< bytes that must still come
  uint8_t lowest = 0x80, highest = 0xbf; ///< range of the next one
};

class Utf8Stream {
public:
  /// Takes bytes, returns the text that is now certain (valid UTF-8).
  std::string push(std::string_view bytes);
  /// Ends the stream: U+FFFD for a character that was cut, else nothing.
  std::string flush();

private:
  Utf8Automaton automaton;
  std::string held; ///< bytes of an unfinished character, at most three
};

/// The whole text at once, with U+FFFD for what is invalid.
std::string toValidUtf8(std::string_view bytes);

/// Length of the longest prefix of `bytes` made of whole characters.
size_t validUtf8Prefix(std::string_view bytes);

} // namespace sgl
