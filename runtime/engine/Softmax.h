// Sums of exponentials over a vocabulary, the same bits on every machine.
//
// Weights are single precision, sums double. Additions are made in one fixed
// order (sixteen lanes, blocks of 256) and the exponential is ours, so neither
// the instruction set nor the C library enters.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sgl {

/// Values in one block of `ExpWeights`.
inline constexpr size_t softmaxBlock = 256;

struct ExpWeights {
  std::vector<float> weights; ///< exp((value - top) * scale)
  std::vector<double> blocks; ///< sums of 256 of them
  double total = 0;           ///< NaN when a value is
};

/// Fills `result`; `top` must be the largest value. Weights below exp(-87)
/// count as zero.
void expWeights(std::span<const float> values, float top, float scale,
                ExpWeights &result);

/// log(sum of exp(values)); not finite when a value is NaN or +infinity.
double logSumExp(std::span<const float> values, ExpWeights &scratch);

/// The largest value and the lowest index that has it; values must not be
/// empty. NaN is passed over.
struct Top {
  float value;
  size_t index;
};
Top largest(std::span<const float> values);

/// A value that at least `count` of the values reach, found in one pass and
/// close to the count-th largest; -infinity when there are too few.
float reachedBy(std::span<const float> values, size_t count,
                std::vector<float> &scratch);

} // namespace sgl
