// The inverse of GPT-2's byte-to-character map.
#include "runtime/text/ByteAlphabet.h"

#include <array>
#include <cstdint>

namespace sgl {

namespace {

/// Code points below U+0144 -> byte; -1 outside the alphabet.
std::array<int16_t, 0x144> makeAlphabet() {
  std::array<int16_t, 0x144> table;
  table.fill(-1);
  int16_t next = 0x100;
  for (int16_t byte = 0; byte < 256; ++byte) {
    bool isItself = (byte >= 33 && byte <= 126) ||
                    (byte >= 161 && byte <= 172) || byte >= 174;
    table[static_cast<size_t>(isItself ? byte : next++)] = byte;
  }
  return table;
}

} // namespace

std::string fromByteAlphabet(std::string_view stored) {
  static const auto alphabet = makeAlphabet();
  std::string out;
  for (size_t i = 0; i < stored.size(); ++i) {
    auto lead = static_cast<unsigned char>(stored[i]);
    unsigned point = lead;
    // The alphabet's characters have one or two bytes.
    if (lead >= 0xc2 && lead < 0xe0 && i + 1 < stored.size() &&
        (stored[i + 1] & 0xc0) == 0x80)
      point = (lead & 0x1fu) << 6 | (stored[++i] & 0x3fu);
    else if (lead >= 0x80)
      return std::string(stored);
    if (point >= alphabet.size() || alphabet[point] < 0)
      return std::string(stored);
    out += static_cast<char>(alphabet[point]);
  }
  return out;
}

} // namespace sgl
