// Operations in portable vector code, compiled once for each instruction set.
//
// Included by Scalar.cpp, Avx2.cpp and Avx512.cpp only; all is in an unnamed
// namespace, so that code built for one instruction set is never linked into
// another. Sixteen fixed lanes, no contraction: every build gives the same
// bits.
#pragma once

#include "kernels/Kernels.h"

#include <cstring>

namespace sgl::kernels {
namespace {

using F16x = float __attribute__((vector_size(64)));
using I16x = int32_t __attribute__((vector_size(64)));
using U16x = uint32_t __attribute__((vector_size(64)));
using I8x = int8_t __attribute__((vector_size(16)));
using Short16x = uint16_t __attribute__((vector_size(32)));

constexpr uint32_t lanes = 16;
constexpr float log2e = 1.44269504f;
constexpr float minusInfinity = -__builtin_inff();

template <typename V>
SGL_ALWAYS_INLINE V loadLanes(const void *at) {
  V value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <typename V>
SGL_ALWAYS_INLINE void storeLanes(void *at, V value) {
  std::memcpy(at, &value, sizeof value);
}

SGL_ALWAYS_INLINE F16x splat(float value) { return F16x{} + value; }

template <typename V>
SGL_ALWAYS_INLINE auto lowHalf(V v) {
  if constexpr (sizeof v == 64)
    return __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7);
  else
    return __builtin_shufflevector(v, v, 0, 1, 2, 3);
}

template <typename V>
SGL_ALWAYS_INLINE auto highHalf(V v) {
  if constexpr (sizeof v == 64)
    return __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
  else
    return __builtin_shufflevector(v, v, 4, 5, 6, 7);
}

/// Adds 16 lanes in a fixed tree: 8 apart, then 4, 2, 1.
template <typename V>
SGL_ALWAYS_INLINE auto sumLanes(V v) {
  auto half = lowHalf(v) + highHalf(v);
  auto quarter = lowHalf(half) + highHalf(half);
  return (quarter[0] + quarter[2]) + (quarter[1] + quarter[3]);
}

SGL_ALWAYS_INLINE float larger(float a, float b) { return a > b ? a : b; }

SGL_ALWAYS_INLINE float maxLanes(F16x v) {
  auto low = lowHalf(v), high = highHalf(v);
  auto half = low > high ? low : high;
  auto a = lowHalf(half), b = highHalf(half);
  auto quarter = a > b ? a : b;
  return larger(larger(quarter[0], quarter[2]), larger(quarter[1], quarter[3]));
}

/// 2^x for x clamped to -126..127; relative error below 2e-7. Coefficients:
/// Cephes exp2f (Moshier).
SGL_ALWAYS_INLINE F16x exp2Lanes(F16x x) {
  x = x < -126.f ? splat(-126.f) : x;
  x = x > 127.f ? splat(127.f) : x;
  constexpr float magic = 12582912.f; // 1.5 * 2^23: adding it rounds
  F16x shifted = x + magic;
  F16x f = x - (shifted - magic);
  auto n = (I16x)shifted - 0x4b400000;
  F16x p = splat(1.535336188e-4f);
  p = p * f + 1.339887440e-3f;
  p = p * f + 9.618437357e-3f;
  p = p * f + 5.550332471e-2f;
  p = p * f + 2.402264791e-1f;
  p = p * f + 6.931472028e-1f;
  p = p * f + 1.f;
  return p * (F16x)((n + 127) << 23);
}

SGL_ALWAYS_INLINE float exp2One(float x) { return exp2Lanes(splat(x))[0]; }

void rmsNorm(const float *x, const float *weight, uint32_t count, float epsilon,
             float *out) {
  F16x squares{};
  uint32_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    auto v = loadLanes<F16x>(x + i);
    squares += v * v;
  }
  float sum = sumLanes(squares);
  for (; i < count; ++i)
    sum += x[i] * x[i];
  float scale = 1 / __builtin_sqrtf(sum / static_cast<float>(count) + epsilon);
  for (i = 0; i + lanes <= count; i += lanes)
    storeLanes(out + i,
               loadLanes<F16x>(x + i) * scale * loadLanes<F16x>(weight + i));
  for (; i < count; ++i)
    out[i] = x[i] * scale * weight[i];
}

void quantize(const float *x, uint32_t columns, uint32_t token, uint32_t tokens,
              std::byte *tile) {
  constexpr float magic = 12582912.f; // as in exp2Lanes
  for (uint32_t b = 0; b < columns / blockColumns; ++b) {
    std::byte *block = tile + uint64_t{b} * tokens * inputBytes;
    F16x part[2];
    for (uint32_t i = 0; i < 2; ++i)
      part[i] = loadLanes<F16x>(x + b * blockColumns + i * lanes);
    F16x first = part[0] < 0.f ? -part[0] : part[0];
    F16x second = part[1] < 0.f ? -part[1] : part[1];
    float largest = maxLanes(first > second ? first : second);
    float scale = largest / inputLimit;
    // The inverse of a denormal scale would not be finite.
    float inverse = largest > 0x1p-100f ? inputLimit / largest : 0;
    I16x sums{};
    for (uint32_t i = 0; i < 2; ++i) {
      I16x q = (I16x)(part[i] * inverse + magic) - 0x4b400000;
      I16x high = (q + 128) >> 8;
      sums += q;
      std::byte *to = block + token * blockColumns + i * lanes;
      storeLanes(to, __builtin_convertvector(high, I8x));
      storeLanes(to + tokens * 32,
                 __builtin_convertvector(q - (high << 8), I8x));
    }
    int32_t count = sumLanes(sums);
    float total = scale * static_cast<float>(count);
    std::memcpy(block + tokens * 64 + token * 4, &scale, 4);
    std::memcpy(block + tokens * 68 + token * 4, &total, 4);
    std::memcpy(block + tokens * 72 + token * 4, &count, 4);
  }
}

void gatedProduct(float *gate, const float *up, uint32_t count) {
  uint32_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    auto g = loadLanes<F16x>(gate + i);
    F16x sigmoid = 1.f / (1.f + exp2Lanes(g * -log2e));
    storeLanes(gate + i, g * sigmoid * loadLanes<F16x>(up + i));
  }
  for (; i < count; ++i)
    gate[i] = gate[i] * (1.f / (1.f + exp2One(gate[i] * -log2e))) * up[i];
}

void rotate(float *head, const float *cosines, const float *sines,
            uint32_t pairs) {
  for (uint32_t i = 0; i < pairs; ++i) {
    float even = head[2 * i], odd = head[2 * i + 1];
    head[2 * i] = even * cosines[i] - odd * sines[i];
    head[2 * i + 1] = even * sines[i] + odd * cosines[i];
  }
}

/// The finite value nearest to each, as bfloat16 in the low half of a lane.
SGL_ALWAYS_INLINE U16x brainBits(F16x v) {
  constexpr float limit = 0x1.fep127f;
  v = v < limit ? v : splat(limit); // NaN too
  v = v > -limit ? v : splat(-limit);
  auto bits = (U16x)v;
  return (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
}

void roundQuery(const float *query, uint32_t headDim, float scale,
                uint16_t *out) {
  uint32_t i = 0;
  for (; i + lanes <= headDim; i += lanes)
    storeLanes(out + i,
               __builtin_convertvector(
                   brainBits(loadLanes<F16x>(query + i) * scale), Short16x));
  for (; i < headDim; ++i)
    out[i] = static_cast<uint16_t>(brainBits(splat(query[i] * scale))[0]);
}

void storeKey(const float *key, uint32_t headDim, std::byte *page,
              uint32_t slot) {
  for (uint32_t i = 0; i < headDim; i += lanes) {
    uint16_t rounded[lanes];
    roundQuery(key + i, lanes, 1, rounded);
    for (uint32_t j = 0; j < lanes; j += 2)
      std::memcpy(page + (i + j) / 2 * (4 * pagePositions) + slot * 4,
                  rounded + j, 4);
  }
}

void storeValue(const float *value, uint32_t headDim, std::byte *page,
                uint32_t slot) {
  // The other half of each pair may be written by another thread: two bytes
  // at a time.
  std::byte *at = page + headPageBytes(headDim) / 2 +
                  uint64_t{slot / 2} * headDim * 4 + slot % 2 * 2;
  for (uint32_t i = 0; i < headDim; i += lanes) {
    uint16_t rounded[lanes];
    roundQuery(value + i, lanes, 1, rounded);
    for (uint32_t j = 0; j < lanes; ++j)
      std::memcpy(at + (i + j) * 4, rounded + j, 2);
  }
}

/// Both bfloat16 of each 32-bit lane as float32: the first and the second.
SGL_ALWAYS_INLINE F16x firstOfPair(U16x pairs) { return (F16x)(pairs << 16); }
SGL_ALWAYS_INLINE F16x secondOfPair(U16x pairs) {
  return (F16x)(pairs & 0xffff0000u);
}

SGL_ALWAYS_INLINE F16x roundToBrain(F16x v) {
  return (F16x)(brainBits(v) << 16);
}

void scorePage(const uint16_t *query, uint32_t headDim, const std::byte *page,
               float *scores) {
  F16x sum{};
  for (uint32_t i = 0; i < headDim / 2; ++i) {
    auto keys = loadLanes<U16x>(page + i * 64);
    sum += firstOfPair(keys) * brainToFloat(query[2 * i]);
    sum += secondOfPair(keys) * brainToFloat(query[2 * i + 1]);
  }
  storeLanes(scores, sum);
}

void addValues(const float *weights, uint32_t headDim, uint32_t pairs,
               const std::byte *const *pages, float *out) {
  for (uint32_t d = 0; d < headDim; d += lanes) {
    auto sum = loadLanes<F16x>(out + d);
    for (uint32_t p = 0; p < pairs; ++p) {
      const std::byte *values = pages[p / 8] + headPageBytes(headDim) / 2 +
                                uint64_t{p % 8} * headDim * 4;
      auto pair = loadLanes<U16x>(values + d * 4);
      sum += firstOfPair(pair) * weights[2 * p];
      sum += secondOfPair(pair) * weights[2 * p + 1];
    }
    storeLanes(out + d, sum);
  }
}

void attendOne(const AttentionTile &t, uint32_t query) {
  uint32_t visible = t.visible[query];
  float *out = t.out + uint64_t{query} * t.headDim;
  float scores[attentionTile];
  for (uint32_t j = 0; j < attentionTile / pagePositions; ++j)
    scorePage(t.queries + uint64_t{query} * t.headDim, t.headDim, t.pages[j],
              scores + j * pagePositions);
  for (uint32_t i = visible; i < attentionTile; ++i)
    scores[i] = minusInfinity;
  float largest = t.max[query];
  for (float score : scores)
    largest = score > largest ? score : largest;
  float shrink = exp2One(t.max[query] - largest);
  t.max[query] = largest;
  F16x sum{};
  for (uint32_t j = 0; j < attentionTile; j += lanes) {
    F16x s = loadLanes<F16x>(scores + j);
    F16x weight = exp2Lanes(s - largest);
    weight = s == minusInfinity ? splat(0) : weight;
    sum += weight;
    storeLanes(scores + j, roundToBrain(weight));
  }
  t.sum[query] = t.sum[query] * shrink + sumLanes(sum);
  for (uint32_t d = 0; d < t.headDim; ++d)
    out[d] *= shrink;
  addValues(scores, t.headDim, (visible + 1) / 2, t.pages, out);
}

void attend(const AttentionTile &t) {
  for (uint32_t query = 0; query < t.count; ++query)
    if (t.visible[query] != 0)
      attendOne(t, query);
}

void mergeBlock(float max, float sum, const float *out, uint32_t headDim,
                float *totalMax, float *totalSum, float *totalOut) {
  float largest = max > *totalMax ? max : *totalMax;
  float oldShare = exp2One(*totalMax - largest);
  float newShare = exp2One(max - largest);
  *totalMax = largest;
  *totalSum = *totalSum * oldShare + sum * newShare;
  for (uint32_t d = 0; d < headDim; ++d)
    totalOut[d] = totalOut[d] * oldShare + out[d] * newShare;
}

/// 16 values of a group's column as float32.
template <Packing packing>
SGL_ALWAYS_INLINE F16x columnOf(const std::byte *group, uint32_t column) {
  if constexpr (packing == Packing::F32)
    return loadLanes<F16x>(group + uint64_t{column} * 64);
  float wide[lanes];
  for (uint32_t i = 0; i < lanes; ++i) {
    uint16_t bits;
    std::memcpy(&bits, group + uint64_t{column} * 32 + 2 * i, 2);
    wide[i] = packing == Packing::BF16 ? brainToFloat(bits) : halfToFloat(bits);
  }
  return loadLanes<F16x>(wide);
}

/// Writes one token's sums of a group; rows behind the matrix are left out.
SGL_ALWAYS_INLINE void storeSums(const PackedMatrix &w, uint32_t group,
                                 F16x sums, float *out, bool add) {
  float lane[lanes];
  storeLanes(lane, sums);
  uint32_t first = group * groupRows;
  uint32_t count = w.rows - first < lanes ? w.rows - first : lanes;
  for (uint32_t i = 0; i < count; ++i)
    out[first + i] = add ? out[first + i] + lane[i] : lane[i];
}

template <Packing packing>
void multiplyPlain(const PackedMatrix &w, uint32_t firstGroup, uint32_t groups,
                   const std::byte *tile, uint32_t tokens, float *out,
                   uint64_t stride, bool add) {
  for (uint32_t g = firstGroup; g < firstGroup + groups; ++g) {
    const std::byte *group = w.data + g * w.groupBytes;
    F16x sums[tileTokens] = {};
    for (uint32_t c = 0; c < w.columns; ++c) {
      F16x weights = columnOf<packing>(group, c);
      for (uint32_t t = 0; t < tokens; ++t) {
        float x;
        std::memcpy(&x, tile + (uint64_t{c} * tokens + t) * 4, 4);
        sums[t] += weights * x;
      }
    }
    for (uint32_t t = 0; t < tokens; ++t)
      storeSums(w, g, sums[t], out + t * stride, add);
  }
}

using Multiply = decltype(Kernels::multiply);

/// The products of matrices that are not quantised.
SGL_ALWAYS_INLINE Multiply plainMultiply(Packing packing) {
  return packing == Packing::F16    ? multiplyPlain<Packing::F16>
         : packing == Packing::BF16 ? multiplyPlain<Packing::BF16>
                                    : multiplyPlain<Packing::F32>;
}

} // namespace
} // namespace sgl::kernels
