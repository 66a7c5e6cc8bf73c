// AVX-512 BF16 attention: up to 6 query vectors against 64 positions.
//
// Included by Avx512.cpp. Keys: one register is 16 positions by two dimensions;
// values: 16 dimensions by two positions. Both products are vdpbf16ps with the
// query, or the pair of weights, broadcast from memory.
#pragma once

#include "kernels/cpu/Portable.h"

#include <immintrin.h>

namespace sgl::kernels {
namespace {

constexpr int queriesAtOnce = 6;
constexpr int tilePages = attentionTile / pagePositions;

SGL_ALWAYS_INLINE __m512bh loadPairs(const void *at) {
  return (__m512bh)_mm512_loadu_si512(at);
}

SGL_ALWAYS_INLINE __m512bh broadcastPair(const void *at) {
  int32_t pair;
  std::memcpy(&pair, at, 4);
  return (__m512bh)_mm512_set1_epi32(pair);
}

/// 2^x; coefficients as in exp2Lanes. Below -126 it goes to zero by scalef.
SGL_ALWAYS_INLINE __m512 exp2Wide(__m512 x) {
  __m512 n = _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT);
  __m512 f = _mm512_sub_ps(x, n);
  __m512 p = _mm512_set1_ps(1.535336188e-4f);
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(1.339887440e-3f));
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(9.618437357e-3f));
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(5.550332471e-2f));
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(2.402264791e-1f));
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(6.931472028e-1f));
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(1.f));
  return _mm512_scalef_ps(p, n);
}

SGL_ALWAYS_INLINE __mmask16 visibleLanes(uint32_t visible, int page) {
  int left = static_cast<int>(visible) - page * 16;
  return static_cast<__mmask16>(left >= 16  ? 0xffff
                                : left <= 0 ? 0
                                            : (1u << left) - 1);
}

/// scores[q][page] = keys . query, for `count` queries.
template <int count>
SGL_ALWAYS_INLINE void scoreTile(const AttentionTile &t,
                                 const uint16_t *queries,
                                 __m512 (*scores)[tilePages]) {
  for (int q = 0; q < count; ++q)
    for (int page = 0; page < tilePages; ++page)
      scores[q][page] = _mm512_setzero_ps();
  for (uint32_t i = 0; i < t.headDim / 2; ++i) {
    __m512bh keys[tilePages];
    for (int page = 0; page < tilePages; ++page)
      keys[page] = loadPairs(t.pages[page] + i * 64);
#pragma GCC unroll 6
    for (int q = 0; q < count; ++q) {
      __m512bh pair = broadcastPair(queries + q * t.headDim + 2 * i);
#pragma GCC unroll 4
      for (int page = 0; page < tilePages; ++page)
        scores[q][page] = _mm512_dpbf16_ps(scores[q][page], keys[page], pair);
    }
  }
}

/// Turns one query's scores into bfloat16 weights and updates its state;
/// returns what the earlier sums shrink by.
SGL_ALWAYS_INLINE float weighTile(const __m512 *scores, uint32_t visible,
                                  float *max, float *sum, uint32_t *weights) {
  const __m512 none = _mm512_set1_ps(minusInfinity);
  __m512 masked[tilePages];
  for (int page = 0; page < tilePages; ++page)
    masked[page] =
        _mm512_mask_mov_ps(none, visibleLanes(visible, page), scores[page]);
  float largest =
      _mm512_reduce_max_ps(_mm512_max_ps(_mm512_max_ps(masked[0], masked[1]),
                                         _mm512_max_ps(masked[2], masked[3])));
  largest = largest > *max ? largest : *max;
  // Nothing seen yet and nothing to see: keep the state as it is.
  float base = largest == minusInfinity ? 0 : largest;
  float shrink = _mm512_cvtss_f32(exp2Wide(_mm512_set1_ps(*max - base)));
  __m512 e[tilePages];
  for (int page = 0; page < tilePages; ++page)
    e[page] = exp2Wide(_mm512_sub_ps(masked[page], _mm512_set1_ps(base)));
  for (int page = 0; page < tilePages; page += 2)
    _mm512_storeu_si512(weights + 8 * page,
                        (__m512i)_mm512_cvtne2ps_pbh(e[page + 1], e[page]));
  *sum = *sum * shrink +
         _mm512_reduce_add_ps(_mm512_add_ps(_mm512_add_ps(e[0], e[1]),
                                            _mm512_add_ps(e[2], e[3])));
  *max = largest;
  return shrink;
}

/// out[q][dim ..] = out * shrink + weights . values, `width` registers wide.
template <int count, int width>
SGL_ALWAYS_INLINE void
addValuesWide(const AttentionTile &t, uint32_t pairs, const float *shrink,
              const uint32_t (*weights)[32], uint32_t dim, float *out) {
  __m512 sums[count][width];
  for (int q = 0; q < count; ++q)
    for (int i = 0; i < width; ++i)
      sums[q][i] =
          _mm512_mul_ps(_mm512_loadu_ps(out + q * t.headDim + dim + 16 * i),
                        _mm512_set1_ps(shrink[q]));
  const uint64_t valueOffset = headPageBytes(t.headDim) / 2 + dim * 4;
  for (uint32_t p = 0; p < pairs; ++p) {
    const std::byte *values =
        t.pages[p / 8] + valueOffset + uint64_t{p % 8} * t.headDim * 4;
    __m512bh v[width];
    for (int i = 0; i < width; ++i)
      v[i] = loadPairs(values + 64 * i);
#pragma GCC unroll 6
    for (int q = 0; q < count; ++q) {
      __m512bh pair = broadcastPair(&weights[q][p]);
#pragma GCC unroll 4
      for (int i = 0; i < width; ++i)
        sums[q][i] = _mm512_dpbf16_ps(sums[q][i], v[i], pair);
    }
  }
  for (int q = 0; q < count; ++q)
    for (int i = 0; i < width; ++i)
      _mm512_storeu_ps(out + q * t.headDim + dim + 16 * i, sums[q][i]);
}

template <int count>
void attendSome(const AttentionTile &t, uint32_t first) {
  const uint32_t *visible = t.visible + first;
  uint32_t most = 0;
  for (int q = 0; q < count; ++q)
    most = visible[q] > most ? visible[q] : most;
  if (most == 0)
    return;
  __m512 scores[count][tilePages];
  scoreTile<count>(t, t.queries + uint64_t{first} * t.headDim, scores);
  uint32_t weights[count][32];
  float shrink[count];
  for (int q = 0; q < count; ++q)
    shrink[q] = weighTile(scores[q], visible[q], t.max + first + q,
                          t.sum + first + q, weights[q]);
  float *out = t.out + uint64_t{first} * t.headDim;
  uint32_t pairs = (most + 1) / 2, dim = 0;
  for (; dim + 64 <= t.headDim; dim += 64)
    addValuesWide<count, 4>(t, pairs, shrink, weights, dim, out);
  for (; dim < t.headDim; dim += 16)
    addValuesWide<count, 1>(t, pairs, shrink, weights, dim, out);
}

void attendWide(const AttentionTile &t) {
  uint32_t first = 0;
  for (; first + queriesAtOnce <= t.count; first += queriesAtOnce)
    attendSome<queriesAtOnce>(t, first);
  switch (t.count - first) {
  case 5:
    return attendSome<5>(t, first);
  case 4:
    return attendSome<4>(t, first);
  case 3:
    return attendSome<3>(t, first);
  case 2:
    return attendSome<2>(t, first);
  case 1:
    return attendSome<1>(t, first);
  default:
    return;
  }
}

} // namespace
} // namespace sgl::kernels
