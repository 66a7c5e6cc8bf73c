// The exponential sums against the C library.
#include "runtime/engine/Softmax.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace sgl;

namespace {

TEST(Softmax, WeightsAreExponentials) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> value(-60, 40);
  std::vector<float> values(1003);
  for (float &v : values)
    v = value(random);
  values[5] = -87;
  values[6] = -1000;
  values[7] = -INFINITY;
  Top top = largest(values);
  ExpWeights out;
  for (float scale : {1.0f, 0.25f, 3.0f}) {
    expWeights(values, top.value, scale, out);
    long double total = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      double x = (double{values[i]} - top.value) * scale;
      double expected = x < -87 ? 0 : std::exp(x);
      // One rounding of x, and two units of the result.
      double bound = 1.2e-7 * std::min(-x, 100.0) + 2.4e-7;
      EXPECT_NEAR(out.weights[i], expected, bound * expected) << x;
      total += expected;
    }
    EXPECT_NEAR(out.total, static_cast<double>(total), 1e-6 * total);
    EXPECT_EQ(out.blocks.size(), 4u);
  }
}

TEST(Softmax, LargestTakesTheLowestIndexOfATie) {
  for (size_t size : {1u, 2u, 15u, 16u, 17u, 100u}) {
    std::vector<float> values(size, -3);
    EXPECT_EQ(largest(values).index, 0u);
    values[size - 1] = 5;
    values[size / 2] = 5;
    Top top = largest(values);
    EXPECT_EQ(top.value, 5);
    EXPECT_EQ(top.index, size / 2);
  }
}

TEST(Softmax, ReachedByLeavesEnough) {
  std::mt19937 random(2);
  std::normal_distribution<float> value;
  std::vector<float> values(20000), scratch;
  for (float &v : values)
    v = value(random);
  for (size_t count : {1u, 2u, 50u, 4096u, 4097u, 20000u}) {
    float floor = reachedBy(values, count, scratch);
    auto reached = static_cast<size_t>(std::count_if(
        values.begin(), values.end(), [&](float v) { return v >= floor; }));
    EXPECT_GE(reached, count);
    if (count <= 50) {
      EXPECT_LE(reached, 2 * count); // and few more
    }
  }
}

TEST(Softmax, LogSumExpShowsWhatIsNotANumber) {
  ExpWeights scratch;
  std::vector<float> values(300, 2);
  EXPECT_NEAR(logSumExp(values, scratch), 2 + std::log(300.0), 1e-12);
  values[299] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(std::isfinite(logSumExp(values, scratch)));
  values[299] = INFINITY;
  EXPECT_FALSE(std::isfinite(logSumExp(values, scratch)));
}

TEST(Softmax, ExtremeLogitsStayFinite) {
  ExpWeights scratch;
  EXPECT_EQ(logSumExp(std::vector<float>{-3e38f, 3e38f}, scratch), 3e38f);
  EXPECT_NEAR(logSumExp(std::vector<float>{-5e4f, -5e4f}, scratch),
              -5e4 + std::log(2.0), 1e-9);
}

} // namespace
