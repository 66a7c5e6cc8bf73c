// The WHATWG UTF-8 decoder: ranges of second bytes exclude overlong forms,
// surrogates and what lies beyond U+10FFFF.
#include "runtime/text/Utf8Stream.h"

namespace sgl {

namespace {
constexpr std::string_view replacement = "\xef\xbf\xbd";
} // namespace

Utf8Automaton::Step Utf8Automaton::feed(unsigned char byte) {
  if (needed > 0) {
    if (byte < lowest || byte > highest) {
      *this = {};
      return Step::Invalid;
    }
    lowest = 0x80;
    highest = 0xbf;
    return --needed > 0 ? Step::Pending : Step::Done;
  }
  if (byte < 0x80)
    return Step::Done;
  if (byte < 0xc2 || byte > 0xf4)
    return Step::Invalid;
  needed = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
  if (byte == 0xe0)
    lowest = 0xa0;
  if (byte == 0xed)
    highest = 0x9f;
  if (byte == 0xf0)
    lowest = 0x90;
  if (byte == 0xf4)
    highest = 0x8f;
  return Step::Pending;
}

std::string Utf8Stream::push(std::string_view bytes) {
  std::string out;
  for (char c : bytes) {
    auto byte = static_cast<unsigned char>(c);
    bool wasPending = automaton.pending();
    auto step = automaton.feed(byte);
    if (step == Utf8Automaton::Step::Invalid && wasPending) {
      // The held part was invalid; this byte may begin a character.
      out += replacement;
      held.clear();
      step = automaton.feed(byte);
    }
    if (step == Utf8Automaton::Step::Invalid) {
      out += replacement;
      continue;
    }
    held += c;
    if (step == Utf8Automaton::Step::Done) {
      out += held;
      held.clear();
    }
  }
  return out;
}

std::string Utf8Stream::flush() {
  bool cut = !held.empty();
  held.clear();
  automaton = {};
  return std::string(cut ? replacement : "");
}

std::string toValidUtf8(std::string_view bytes) {
  Utf8Stream stream;
  std::string text = stream.push(bytes);
  return text + stream.flush();
}

size_t validUtf8Prefix(std::string_view bytes) {
  Utf8Automaton automaton;
  size_t whole = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    auto step = automaton.feed(static_cast<unsigned char>(bytes[i]));
    if (step == Utf8Automaton::Step::Invalid)
      return whole;
    if (step == Utf8Automaton::Step::Done)
      whole = i + 1;
  }
  return whole;
}

} // namespace sgl
