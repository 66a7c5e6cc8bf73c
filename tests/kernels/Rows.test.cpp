// Operations on one row: against plain formulas, and bit for bit across tables.
#include "tests/kernels/KernelData.h"

#include <cmath>
#include <gtest/gtest.h>

namespace sgl::test {
namespace {

using namespace kernels;

/// Scale and numbers of a token in a quantised tile of one token.
struct Quantized {
  float scale, sum;
  int32_t count;
  int numbers[32];
};

Quantized readBlock(const std::vector<std::byte> &tile, uint32_t block) {
  Quantized q{};
  const std::byte *at = tile.data() + block * inputBytes;
  for (int i = 0; i < 32; ++i)
    q.numbers[i] =
        static_cast<int8_t>(at[i]) * 256 + static_cast<int8_t>(at[32 + i]);
  std::memcpy(&q.scale, at + 64, 4);
  std::memcpy(&q.sum, at + 68, 4);
  std::memcpy(&q.count, at + 72, 4);
  return q;
}

TEST(Rows, QuantizeKeepsValuesToHalfAStep) {
  for (const Kernels *table : allTables()) {
    Random random(3);
    for (int round = 0; round < 200; ++round) {
      auto x = randomValues(random, 64);
      for (float &value : x)
        value *= std::ldexp(1.f, static_cast<int>(random() % 60) - 30);
      auto tile = makeTile(*table, true, x, 64);
      for (uint32_t b = 0; b < 2; ++b) {
        Quantized q = readBlock(tile, b);
        float largest = 0;
        double sum = 0;
        for (uint32_t i = 0; i < 32; ++i) {
          float value = x[b * 32 + i];
          largest = std::max(largest, std::abs(value));
          sum += q.numbers[i];
          ASSERT_LE(std::abs(q.numbers[i]), inputLimit);
          ASSERT_NEAR(q.scale * q.numbers[i], value, q.scale * 0.501);
        }
        EXPECT_EQ(q.count, sum);
        EXPECT_FLOAT_EQ(q.scale, largest / inputLimit);
        EXPECT_FLOAT_EQ(q.sum, static_cast<float>(q.scale * sum));
      }
    }
  }
}

TEST(Rows, QuantizeOfZerosAndTinyValuesIsFinite) {
  for (const Kernels *table : allTables())
    for (float value : {0.f, -0.f, 0x1p-140f, 0x1p-127f, -0x1p-101f}) {
      std::vector<float> x(32, value);
      Quantized q = readBlock(makeTile(*table, true, x, 32), 0);
      EXPECT_TRUE(std::isfinite(q.scale) && std::isfinite(q.sum));
      EXPECT_NEAR(q.scale * q.numbers[0], value, 0x1p-100);
    }
}

TEST(Rows, RmsNormIsItsFormula) {
  for (const Kernels *table : allTables())
    for (uint32_t count : {1u, 15u, 16u, 576u, 601u}) {
      Random random(count);
      auto x = randomValues(random, count), w = randomValues(random, count);
      std::vector<float> out(count);
      table->rmsNorm(x.data(), w.data(), count, 1e-5f, out.data());
      double squares = 0;
      for (float value : x)
        squares += double{value} * value;
      double scale = 1 / std::sqrt(squares / count + 1e-5);
      for (uint32_t i = 0; i < count; ++i)
        ASSERT_NEAR(out[i], x[i] * scale * w[i],
                    1e-6 * (1 + std::abs(x[i] * scale * w[i])));
    }
}

TEST(Rows, GatedProductIsItsFormula) {
  for (const Kernels *table : allTables()) {
    std::vector<float> gate, up;
    for (int i = -1000; i < 1003; ++i) {
      gate.push_back(static_cast<float>(i) * 0.1f);
      up.push_back(1.5f);
    }
    std::vector<float> got = gate;
    table->gatedProduct(got.data(), up.data(),
                        static_cast<uint32_t>(got.size()));
    for (size_t i = 0; i < gate.size(); ++i) {
      double want = gate[i] / (1 + std::exp(-double{gate[i]})) * 1.5;
      ASSERT_NEAR(got[i], want, 1e-6 * (std::abs(want) + 1)) << gate[i];
    }
  }
}

TEST(Rows, RotateTurnsNeighbouringPairs) {
  for (const Kernels *table : allTables()) {
    float head[] = {1, 0, 0, 2, 5, 6};
    float cosines[] = {0, -1}, sines[] = {1, 0};
    table->rotate(head, cosines, sines, 2);
    const float want[] = {0, 1, 0, -2, 5, 6};
    for (int i = 0; i < 6; ++i)
      EXPECT_EQ(head[i], want[i]) << i;
  }
}

TEST(Rows, StoredKeysAndValuesAreFiniteAndInPlace) {
  uint32_t dim = 32;
  for (const Kernels *table : allTables()) {
    std::vector<std::byte> page(headPageBytes(dim));
    std::vector<float> x(dim, 1.f);
    x[0] = INFINITY;
    x[1] = -INFINITY;
    x[2] = NAN;
    x[3] = 0x1.01p0f; // a tie
    table->storeKey(x.data(), dim, page.data(), 5);
    table->storeValue(x.data(), dim, page.data(), 5);
    auto at = [&](size_t index) {
      uint16_t bits;
      std::memcpy(&bits, page.data() + 2 * index, 2);
      return brainToFloat(bits);
    };
    const float most = 0x1.fep127f;
    const float want[] = {most, -most, most, 1, 1};
    size_t values = size_t{dim} * pagePositions;
    size_t written = 0;
    for (size_t i = 0; i < page.size() / 2; ++i)
      written += at(i) != 0;
    EXPECT_EQ(written, 2 * dim); // nothing but this slot
    for (uint32_t i = 0; i < 5; ++i) {
      EXPECT_EQ(at(i / 2 * 32 + 5 * 2 + i % 2), want[i]) << i;
      EXPECT_EQ(at(values + (2 * dim + i) * 2 + 1), want[i]) << i;
    }
  }
}

TEST(Rows, EveryTableGivesTheBitsOfTheOracle) {
  const Kernels &oracle = *findKernels("scalar");
  for (const Kernels *table : allTables())
    for (int round = 0; round < 50; ++round) {
      Random random(round);
      auto count = static_cast<uint32_t>(1 + random() % 300);
      auto run = [&](const Kernels &k) {
        Random again(round + 1000);
        auto x = randomValues(again, count), w = randomValues(again, count);
        std::vector<float> out(count);
        k.rmsNorm(x.data(), w.data(), count, 1e-6f, out.data());
        k.gatedProduct(x.data(), w.data(), count);
        out.insert(out.end(), x.begin(), x.end());
        k.rotate(out.data(), w.data(), x.data(), std::min(count / 2, 32u));
        std::vector<uint16_t> rounded(count);
        k.roundQuery(w.data(), count, 0.3f, rounded.data());
        for (uint16_t bits : rounded)
          out.push_back(brainToFloat(bits));
        return out;
      };
      ASSERT_TRUE(sameBits(run(oracle), run(*table))) << table->name;
    }
}

} // namespace
} // namespace sgl::test
