// Implements the sums of Softmax.h so that compilers can vectorise them.
#include "runtime/engine/Softmax.h"

#include <algorithm>
#include <bit>
#include <cmath>
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

/// exp(x) for x in [-700, 0], to 2 units in the last place: x = k ln 2 + r with
/// |r| <= ln 2 / 2, a Taylor polynomial of degree 12 in r, then 2^k by its
/// bits.
static inline double exponential(double x) {
  const double magic = 0x1.8p52; // rounds to an integer in the low bits
  double shifted = x * 0x1.71547652b82fep0 + magic;
  double k = shifted - magic;
  double r = (x - k * 0x1.62e42fefa38p-1) - k * 0x1.ef35793c7673p-45;
  double p = 1.0 / 479001600;
  p = p * r + 1.0 / 39916800;
  p = p * r + 1.0 / 3628800;
  p = p * r + 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  uint64_t scale =
      (std::bit_cast<uint64_t>(shifted) << 52) + std::bit_cast<uint64_t>(1.0);
  return p * std::bit_cast<double>(scale);
}

SGL_CLONES
static void exponentials(const float *values, size_t count, float top,
                         double scale, double *out) {
  for (size_t i = 0; i < count; ++i) {
    double x = (static_cast<double>(values[i]) - top) * scale;
    double bounded = x < -700.0 ? -700.0 : x;
    double e = exponential(bounded);
    out[i] = x < -700.0 ? 0.0 : e;
  }
}

/// Eight running sums, added in order at the end.
SGL_CLONES
static double blockSum(const double *weights, size_t count) {
  double lanes[8] = {};
  size_t i = 0;
  for (; i + 8 <= count; i += 8)
    for (size_t lane = 0; lane < 8; ++lane)
      lanes[lane] += weights[i + lane];
  for (size_t lane = 0; i + lane < count; ++lane)
    lanes[lane] += weights[i + lane];
  double sum = 0;
  for (double lane : lanes)
    sum += lane;
  return sum;
}

void sgl::expWeights(std::span<const float> values, float top, double scale,
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
