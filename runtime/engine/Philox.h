// Philox4x32-10: counter-based random numbers.
//
// J. K. Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3" (SC11).
// No state: a draw depends on its key and counter alone, so neither batch nor
// order can change it.
#pragma once

#include <array>
#include <cstdint>

namespace sgl {

using PhiloxBlock = std::array<uint32_t, 4>;

inline PhiloxBlock philox(PhiloxBlock counter, std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    uint64_t a = uint64_t{0xD2511F53} * counter[0];
    uint64_t b = uint64_t{0xCD9E8D57} * counter[2];
    auto high = [](uint64_t x) { return static_cast<uint32_t>(x >> 32); };
    counter = {high(b) ^ counter[1] ^ key[0], static_cast<uint32_t>(b),
               high(a) ^ counter[3] ^ key[1], static_cast<uint32_t>(a)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

/// Uniform in [0, 1) with 53 random bits.
inline double uniform(uint64_t key, uint64_t position) {
  PhiloxBlock block =
      philox({static_cast<uint32_t>(position),
              static_cast<uint32_t>(position >> 32), 0, 0},
             {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)});
  uint64_t bits = (uint64_t{block[0]} << 32 | block[1]) >> 11;
  return static_cast<double>(bits) * 0x1p-53;
}

} // namespace sgl
