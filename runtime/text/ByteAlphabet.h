// The printable alphabet in which byte-level BPE files store bytes.
//
// GPT-2 (openai/gpt-2, encoder.py) writes each byte as one character: 33-126,
// 161-172 and 174-255 stand for themselves, the other 68 bytes in order for
// U+0100 and up.
#pragma once

#include <string>
#include <string_view>

namespace sgl {

/// The bytes that `stored` means; text outside the alphabet is kept as it is.
std::string fromByteAlphabet(std::string_view stored);

} // namespace sgl
