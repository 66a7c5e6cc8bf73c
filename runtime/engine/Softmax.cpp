// Implements the sums of Softmax.h so that compilers can vectorise them.
#include "runtime/engine/Softmax.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

using namespace sgl;

// One clone for each instruction set; without fused multiply-add (the build
// forbids contraction) all give the same bits. Sanitizers do not support the
// resolver that picks a clone.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&         \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SGL_CLONES                                                             \
  __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define SGL_CLONES
#endif

/// exp(x) for x in [-87, 0], to about 1e-7: x = k ln 2 + r with |r| <= ln 2 /
/// 2, a Taylor polynomial of degree 7 in r, then 2^k by its bits.
static inline float exponential(float x) {
  const float magic = 0x1.8p23f; // rounds to an integer in the low bits
  float shifted = x * 0x1.715476p0f + magic;
  float k = shifted - magic;
  float r = (x - k * 0x1.63p-1f) - k * -0x1.bd0106p-13f;
  float r2 = r * r;
  float low = (r + 1.0f) + r2 * (r * (1.0f / 6) + 0.5f);
  float high =
      (r * (1.0f / 120) + 1.0f / 24) + r2 * (r * (1.0f / 5040) + 1.0f / 720);
  float p = low + (r2 * r2) * high;
  uint32_t scale =
      (std::bit_cast<uint32_t>(shifted) << 23) + std::bit_cast<uint32_t>(1.0f);
  return p * std::bit_cast<float>(scale);
}

SGL_CLONES
static void exponentials(const float *values, size_t count, float top,
                         float scale, float *out) {
  for (size_t i = 0; i < count; ++i) {
    float x = (values[i] - top) * scale;
    float e = exponential(x < -87.0f ? -87.0f : x);
    out[i] = x < -87.0f ? 0.0f : e;
  }
}

/// Sixteen running sums, added in order at the end.
SGL_CLONES
static double blockSum(const float *weights, size_t count) {
  double lanes[16] = {};
  size_t i = 0;
  for (; i + 16 <= count; i += 16)
    for (size_t lane = 0; lane < 16; ++lane)
      lanes[lane] += static_cast<double>(weights[i + lane]);
  for (size_t lane = 0; i + lane < count; ++lane)
    lanes[lane] += static_cast<double>(weights[i + lane]);
  double sum = 0;
  for (double lane : lanes)
    sum += lane;
  return sum;
}

void sgl::expWeights(std::span<const float> values, float top, float scale,
                     ExpWeights &result) {
  result.weights.resize(values.size());
  result.blocks.clear();
  result.total = 0;
  exponentials(values.data(), values.size(), top, scale, result.weights.data());
  for (size_t i = 0; i < values.size(); i += softmaxBlock) {
    size_t count = std::min(softmaxBlock, values.size() - i);
    result.blocks.push_back(blockSum(result.weights.data() + i, count));
    result.total += result.blocks.back();
  }
}

SGL_CLONES
static float largestValue(const float *values, size_t count) {
  float lanes[16];
  std::fill(lanes, lanes + 16, -std::numeric_limits<float>::infinity());
  size_t i = 0;
  for (; i + 16 <= count; i += 16)
    for (size_t lane = 0; lane < 16; ++lane)
      lanes[lane] =
          values[i + lane] > lanes[lane] ? values[i + lane] : lanes[lane];
  float top = lanes[0];
  for (float lane : lanes)
    top = lane > top ? lane : top;
  for (; i < count; ++i)
    top = values[i] > top ? values[i] : top;
  return top;
}

Top sgl::largest(std::span<const float> values) {
  float top = largestValue(values.data(), values.size());
  auto at = std::find(values.begin(), values.end(), top);
  return {top,
          at == values.end() ? 0 : static_cast<size_t>(at - values.begin())};
}

double sgl::logSumExp(std::span<const float> values, ExpWeights &scratch) {
  float top = largest(values).value;
  expWeights(values, top, 1, scratch);
  return top + std::log(scratch.total);
}

SGL_CLONES
static void raise(float *tops, const float *values, size_t count) {
  for (size_t i = 0; i < count; ++i)
    tops[i] = values[i] > tops[i] ? values[i] : tops[i];
}

float sgl::reachedBy(std::span<const float> values, size_t count,
                     std::vector<float> &scratch) {
  // The count-th largest of the groups' largest values is reached in at least
  // `count` groups. Group g holds every groups-th value from g on.
  constexpr size_t groups = 4096;
  if (count == 0 || count > groups || values.size() <= groups)
    return -std::numeric_limits<float>::infinity();
  scratch.assign(groups, -std::numeric_limits<float>::infinity());
  for (size_t i = 0; i < values.size(); i += groups)
    raise(scratch.data(), values.data() + i,
          std::min(groups, values.size() - i));
  auto nth = scratch.begin() + static_cast<std::ptrdiff_t>(count) - 1;
  std::nth_element(scratch.begin(), nth, scratch.end(), std::greater<>());
  return *nth;
}
