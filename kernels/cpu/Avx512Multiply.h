// AVX-512 VNNI products: 16 rows by up to 16 tokens in registers.
//
// Included by Avx512.cpp. A lane is a row; vpdpbusd takes four of the row's
// numbers and, broadcast from memory, four inputs of a token. A group's numbers
// are unpacked once for all tokens of a tile.
#pragma once

#include "kernels/cpu/Portable.h"

#include <immintrin.h>

namespace sgl::kernels {
namespace {

template <Packing packing>
struct BlockShape {
  static constexpr bool nibbles =
      packing == Packing::Nibbles || packing == Packing::NibblesMin;
  static constexpr bool hasMin =
      packing == Packing::NibblesMin || packing == Packing::BytesMin;
  static constexpr uint64_t head = hasMin ? 64 : 32;
  static constexpr uint64_t bytes = head + (nibbles ? 256 : 512);
};

/// 0, 1, ... for the table of tile sizes (std::integer_sequence would bring
/// code of the standard library into this file).
template <int... values>
struct Counts {};

SGL_ALWAYS_INLINE __m512 loadHalves(const std::byte *at) {
  return _mm512_cvtph_ps(
      _mm256_loadu_si256(reinterpret_cast<const __m256i *>(at)));
}

/// Unpacks the block's numbers: q[j] holds columns 4 j .. 4 j + 3 of each row.
template <Packing packing>
SGL_ALWAYS_INLINE void unpackBlock(const std::byte *parts, __m512i q[8]) {
  if constexpr (BlockShape<packing>::nibbles) {
    const __m512i mask = _mm512_set1_epi8(15);
    for (int j = 0; j < 4; ++j) {
      __m512i both = _mm512_loadu_si512(parts + 64 * j);
      q[j] = _mm512_and_si512(both, mask);
      q[j + 4] = _mm512_and_si512(_mm512_srli_epi16(both, 4), mask);
    }
  } else {
    for (int j = 0; j < 8; ++j)
      q[j] = _mm512_loadu_si512(parts + 64 * j);
  }
}

SGL_ALWAYS_INLINE __m512i inputWord(const std::byte *at) {
  int32_t word;
  std::memcpy(&word, at, 4);
  return _mm512_set1_epi32(word);
}

SGL_ALWAYS_INLINE __m512 inputFloat(const std::byte *at) {
  float value;
  std::memcpy(&value, at, 4);
  return _mm512_set1_ps(value);
}

/// A few tokens wait for memory: ask for the weights about 2 KiB ahead.
template <uint64_t bytes>
SGL_ALWAYS_INLINE void prefetchBlock(const std::byte *block) {
  for (uint64_t line = 0; line < bytes; line += 64)
    _mm_prefetch(reinterpret_cast<const char *>(block) + 2048 + line,
                 _MM_HINT_T0);
}

template <Packing packing, int tokens>
void multiplyGroup(const PackedMatrix &w, const std::byte *group,
                   const std::byte *tile, float *out, uint64_t stride,
                   __mmask16 rows, bool add) {
  using Shape = BlockShape<packing>;
  __m512 total[tokens];
  for (int t = 0; t < tokens; ++t)
    total[t] = _mm512_setzero_ps();
  const __m512i minusZero = _mm512_set1_epi32(-w.zero);
  for (uint32_t b = 0; b < w.columns / blockColumns; ++b) {
    const std::byte *block = group + b * Shape::bytes;
    const std::byte *input = tile + uint64_t{b} * tokens * inputBytes;
    if (tokens <= 2)
      prefetchBlock<Shape::bytes>(block);
    __m512i q[8];
    unpackBlock<packing>(block + Shape::head, q);
    __m512 scale = loadHalves(block);
    __m512 minimum =
        Shape::hasMin ? loadHalves(block + 32) : _mm512_setzero_ps();
#pragma GCC unroll 16
    for (int t = 0; t < tokens; ++t) {
      __m512i high = _mm512_setzero_si512(), low = high;
      if (!Shape::hasMin)
        low = _mm512_mullo_epi32(inputWord(input + tokens * 72 + t * 4),
                                 minusZero);
#pragma GCC unroll 8
      for (int j = 0; j < 8; ++j) {
        const std::byte *x = input + t * 32 + j * 4;
        high = _mm512_dpbusd_epi32(high, q[j], inputWord(x));
        low = _mm512_dpbusd_epi32(low, q[j], inputWord(x + tokens * 32));
      }
      __m512i dot = _mm512_add_epi32(_mm512_slli_epi32(high, 8), low);
      __m512 scales =
          _mm512_mul_ps(scale, inputFloat(input + tokens * 64 + t * 4));
      total[t] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(dot), scales, total[t]);
      if (Shape::hasMin)
        total[t] = _mm512_fmadd_ps(
            minimum, inputFloat(input + tokens * 68 + t * 4), total[t]);
    }
  }
  for (int t = 0; t < tokens; ++t) {
    float *to = out + t * stride;
    if (add)
      total[t] = _mm512_add_ps(_mm512_maskz_loadu_ps(rows, to), total[t]);
    _mm512_mask_storeu_ps(to, rows, total[t]);
  }
}

template <Packing packing, int tokens>
void multiplyTile(const PackedMatrix &w, uint32_t firstGroup, uint32_t groups,
                  const std::byte *tile, float *out, uint64_t stride,
                  bool add) {
  for (uint32_t g = firstGroup; g < firstGroup + groups; ++g) {
    uint32_t left = w.rows - g * groupRows;
    auto rows =
        static_cast<__mmask16>(left >= groupRows ? 0xffff : (1u << left) - 1);
    multiplyGroup<packing, tokens>(w, w.data + g * w.groupBytes, tile,
                                   out + g * groupRows, stride, rows, add);
  }
}

using TileMultiply = void (*)(const PackedMatrix &, uint32_t, uint32_t,
                              const std::byte *, float *, uint64_t, bool);

template <Packing packing, int... counts>
SGL_ALWAYS_INLINE TileMultiply tileMultiply(uint32_t tokens,
                                            Counts<counts...>) {
  static constexpr TileMultiply table[] = {
      multiplyTile<packing, counts + 1>...};
  return table[tokens - 1];
}

void multiply(const PackedMatrix &w, uint32_t firstGroup, uint32_t groups,
              const std::byte *tile, uint32_t tokens, float *out,
              uint64_t stride, bool add) {
  using All = Counts<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15>;
  TileMultiply run = nullptr;
  switch (w.packing) {
  case Packing::Nibbles:
    run = tileMultiply<Packing::Nibbles>(tokens, All{});
    break;
  case Packing::NibblesMin:
    run = tileMultiply<Packing::NibblesMin>(tokens, All{});
    break;
  case Packing::Bytes:
    run = tileMultiply<Packing::Bytes>(tokens, All{});
    break;
  case Packing::BytesMin:
    run = tileMultiply<Packing::BytesMin>(tokens, All{});
    break;
  case Packing::F16:
  case Packing::BF16:
  case Packing::F32:
    return plainMultiply(w.packing)(w, firstGroup, groups, tile, tokens, out,
                                    stride, add);
  }
  run(w, firstGroup, groups, tile, out, stride, add);
}

} // namespace
} // namespace sgl::kernels
