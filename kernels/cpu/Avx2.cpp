// AVX2: 8 rows by up to 4 tokens at a time, integers by vpmaddubsw.
#include "kernels/cpu/Portable.h"
#include "kernels/cpu/Tables.h"

#include <immintrin.h>

namespace sgl::kernels {

namespace {

constexpr int tokensAtOnce = 4;

struct QuantizedShape {
  bool nibbles, hasMin;
};

constexpr QuantizedShape shapeOf(Packing packing) {
  return {packing == Packing::Nibbles || packing == Packing::NibblesMin,
          packing == Packing::NibblesMin || packing == Packing::BytesMin};
}

SGL_ALWAYS_INLINE __m256i inputWord(const std::byte *at) {
  int32_t word;
  std::memcpy(&word, at, 4);
  return _mm256_set1_epi32(word);
}

SGL_ALWAYS_INLINE __m256i load(const std::byte *at) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(at));
}

SGL_ALWAYS_INLINE __m256 loadHalves(const std::byte *at) {
  return _mm256_cvtph_ps(
      _mm_loadu_si128(reinterpret_cast<const __m128i *>(at)));
}

/// Exact integer products of 8 rows with one token's 32 input bytes. Sums of
/// eight nibble products fit 16 bits (8 * 2 * 15 * 128 < 2^15); bytes are taken
/// as two nibbles each.
template <bool nibbles>
SGL_ALWAYS_INLINE __m256i dotBlock(const std::byte *parts,
                                   const std::byte *input) {
  const __m256i mask = _mm256_set1_epi8(15), ones = _mm256_set1_epi16(1);
  __m256i low = _mm256_setzero_si256(), high = low;
  for (int j = 0; j < (nibbles ? 4 : 8); ++j) {
    __m256i q = load(parts + 64 * j);
    __m256i bottom = _mm256_and_si256(q, mask);
    __m256i top = _mm256_and_si256(_mm256_srli_epi16(q, 4), mask);
    __m256i x = inputWord(input + 4 * j);
    low = _mm256_add_epi16(low, _mm256_maddubs_epi16(bottom, x));
    __m256i y = nibbles ? inputWord(input + 16 + 4 * j) : x;
    high = _mm256_add_epi16(high, _mm256_maddubs_epi16(top, y));
  }
  if (nibbles)
    return _mm256_madd_epi16(_mm256_add_epi16(low, high), ones);
  return _mm256_add_epi32(_mm256_madd_epi16(low, ones),
                          _mm256_slli_epi32(_mm256_madd_epi16(high, ones), 4));
}

template <Packing packing, int count>
void multiplyHalf(const PackedMatrix &w, const std::byte *group, uint32_t half,
                  const std::byte *tile, uint32_t tokens, uint32_t token,
                  float (*sums)[lanes]) {
  constexpr QuantizedShape shape = shapeOf(packing);
  constexpr uint64_t head = shape.hasMin ? 64 : 32;
  constexpr uint64_t blockBytes = head + (shape.nibbles ? 256 : 512);
  __m256 total[count] = {};
  const __m256i zero = _mm256_set1_epi32(w.zero);
  for (uint32_t b = 0; b < w.columns / blockColumns; ++b) {
    const std::byte *block = group + b * blockBytes;
    const std::byte *input = tile + uint64_t{b} * tokens * inputBytes;
    __m256 scale = loadHalves(block + 16 * half);
    for (int t = 0; t < count; ++t) {
      const std::byte *q = input + (token + t) * blockColumns;
      const std::byte *parts = block + head + 32 * half;
      __m256i high = dotBlock<shape.nibbles>(parts, q);
      __m256i low = dotBlock<shape.nibbles>(parts, q + tokens * blockColumns);
      __m256i dot = _mm256_add_epi32(_mm256_slli_epi32(high, 8), low);
      const std::byte *scales = input + tokens * 64 + (token + t) * 4;
      if (!shape.hasMin)
        dot = _mm256_sub_epi32(
            dot, _mm256_mullo_epi32(inputWord(scales + tokens * 8), zero));
      __m256 inputScale = _mm256_castsi256_ps(inputWord(scales));
      total[t] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(dot),
                                 _mm256_mul_ps(scale, inputScale), total[t]);
      if (shape.hasMin)
        total[t] = _mm256_fmadd_ps(
            loadHalves(block + 32 + 16 * half),
            _mm256_castsi256_ps(inputWord(scales + tokens * 4)), total[t]);
    }
  }
  for (int t = 0; t < count; ++t)
    _mm256_storeu_ps(sums[t] + 8 * half, total[t]);
}

template <Packing packing, int count>
SGL_ALWAYS_INLINE void multiplySome(const PackedMatrix &w, uint32_t g,
                                    const std::byte *tile, uint32_t tokens,
                                    uint32_t token, float *out, uint64_t stride,
                                    bool add) {
  float sums[count][lanes];
  const std::byte *group = w.data + g * w.groupBytes;
  for (uint32_t half = 0; half < 2; ++half)
    multiplyHalf<packing, count>(w, group, half, tile, tokens, token, sums);
  for (int t = 0; t < count; ++t)
    storeSums(w, g, loadLanes<F16x>(sums[t]), out + (token + t) * stride, add);
}

template <Packing packing>
void multiplyQuantized(const PackedMatrix &w, uint32_t firstGroup,
                       uint32_t groups, const std::byte *tile, uint32_t tokens,
                       float *out, uint64_t stride, bool add) {
  for (uint32_t g = firstGroup; g < firstGroup + groups; ++g) {
    uint32_t t = 0;
    for (; t + tokensAtOnce <= tokens; t += tokensAtOnce)
      multiplySome<packing, tokensAtOnce>(w, g, tile, tokens, t, out, stride,
                                          add);
    for (; t < tokens; ++t)
      multiplySome<packing, 1>(w, g, tile, tokens, t, out, stride, add);
  }
}

void multiply(const PackedMatrix &w, uint32_t firstGroup, uint32_t groups,
              const std::byte *tile, uint32_t tokens, float *out,
              uint64_t stride, bool add) {
  Multiply chosen = plainMultiply(w.packing);
  switch (w.packing) {
  case Packing::Nibbles:
    chosen = multiplyQuantized<Packing::Nibbles>;
    break;
  case Packing::NibblesMin:
    chosen = multiplyQuantized<Packing::NibblesMin>;
    break;
  case Packing::Bytes:
    chosen = multiplyQuantized<Packing::Bytes>;
    break;
  case Packing::BytesMin:
    chosen = multiplyQuantized<Packing::BytesMin>;
    break;
  default:
    break;
  }
  chosen(w, firstGroup, groups, tile, tokens, out, stride, add);
}

} // namespace

const Kernels avx2Kernels = {"avx2",       rmsNorm, quantize,  multiply,
                             gatedProduct, rotate,  storeKey,  storeValue,
                             roundQuery,   attend,  mergeBlock};

} // namespace sgl::kernels
