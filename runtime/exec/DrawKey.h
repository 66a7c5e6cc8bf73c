// From a call's place in the program to the key of its random draws.
//
// A frame has a hash. The place of a call in it (numbers of the source, see
// Plan.h) is folded in one by one, and behind it the pass, branch or try of the
// frame that it opens. So a function inlined by the compiler, whose calls got
// the numbers of the call in front of their own, or a loop unrolled, whose
// calls got its number and the pass, hash to the same keys. Threads, order and
// time never enter.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>
#include <span>

namespace sgl {

/// XXH64 of the eight little-endian bytes of `number`, seeded by `hash`.
inline uint64_t foldPlace(uint64_t hash, uint64_t number) {
  unsigned char bytes[8];
  for (int i = 0; i < 8; ++i)
    bytes[i] = static_cast<unsigned char>(number >> (8 * i));
  return XXH64(bytes, sizeof bytes, hash);
}

inline uint64_t foldPlace(uint64_t hash, std::span<const uint32_t> place) {
  for (uint32_t number : place)
    hash = foldPlace(hash, uint64_t(number));
  return hash;
}

/// The Philox key of a call: its place's hash and the seed.
inline uint64_t drawKey(uint64_t seed, uint64_t place) {
  return foldPlace(place, seed);
}

} // namespace sgl
