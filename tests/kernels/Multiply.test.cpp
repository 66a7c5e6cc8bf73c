// Products: the oracle against sums in double, every table against the oracle.
#include "tests/kernels/KernelData.h"

#include <cmath>
#include <gtest/gtest.h>

namespace sgl::test {
namespace {

using namespace kernels;

/// Every result [token][row] of one tile.
std::vector<float> multiplyAll(const Kernels &table, const PackedMatrix &matrix,
                               const std::vector<std::byte> &tile,
                               uint32_t tokens, bool add) {
  std::vector<float> out(uint64_t{tokens} * matrix.rows, 0.5f);
  table.multiply(matrix, 0, matrix.groups(), tile.data(), tokens, out.data(),
                 matrix.rows, add);
  return out;
}

struct Shape {
  uint32_t rows, columns, tokens;
};

Shape randomShape(Random &random) {
  return {1 + static_cast<uint32_t>(random() % 70),
          32 * (1 + static_cast<uint32_t>(random() % 7)),
          1 + static_cast<uint32_t>(random() % tileTokens)};
}

/// How far a product may be from the exact one: half a step of each input, and
/// the rounding of sums whose terms, scale * q and minimum, may cancel.
double allowance(Format format, const std::byte *stored,
                 const std::vector<float> &row, const float *inputs) {
  bool hasMin = format == Format::Q4_1 || format == Format::Q5_1;
  double steps = 0, sizes = 0;
  for (size_t b = 0; b < row.size() / blockColumns; ++b) {
    float largest = 0;
    double weights = 0, terms = 0, inputSum = 0;
    for (size_t c = b * blockColumns; c < (b + 1) * blockColumns; ++c) {
      largest = std::max(largest, std::abs(inputs[c]));
      weights += std::abs(row[c]);
      terms += std::abs(double{row[c]} * inputs[c]);
      inputSum += std::abs(inputs[c]);
    }
    if (hasMin) {
      uint16_t halves[2];
      std::memcpy(halves, stored + b * rowBytes(format, blockColumns), 4);
      terms = inputSum * (31 * std::abs(halfToFloat(halves[0])) +
                          std::abs(halfToFloat(halves[1])));
    }
    steps += isQuantized(format) ? largest / inputLimit / 2 * weights : 0;
    sizes += terms;
  }
  return steps * 1.01 + sizes * 1e-6 + 1e-6;
}

TEST(Multiply, OracleEqualsSumsInDouble) {
  const Kernels &oracle = *findKernels("scalar");
  for (Format format : allFormats) {
    Random random(static_cast<unsigned>(format) + 1);
    for (int round = 0; round < 20; ++round) {
      auto [rows, columns, tokens] = randomShape(random);
      auto stored = randomRows(random, format, rows, columns);
      auto inputs = randomValues(random, uint64_t{tokens} * columns);
      Packed packed = pack(format, rows, columns, stored);
      auto tile = makeTile(oracle, packed.matrix.quantized(), inputs, columns);
      auto got = multiplyAll(oracle, packed.matrix, tile, tokens, false);
      std::vector<float> row(columns);
      for (uint32_t r = 0; r < rows; ++r) {
        dequantizeRow(format, stored.data() + r * rowBytes(format, columns),
                      columns, row.data());
        for (uint32_t t = 0; t < tokens; ++t) {
          double want = 0;
          for (uint32_t c = 0; c < columns; ++c)
            want += double{row[c]} * inputs[t * columns + c];
          const std::byte *at = stored.data() + r * rowBytes(format, columns);
          ASSERT_NEAR(got[uint64_t{t} * rows + r], want,
                      allowance(format, at, row, &inputs[t * columns]))
              << "format " << static_cast<int>(format);
        }
      }
    }
  }
}

TEST(Multiply, EveryTableGivesTheBitsOfTheOracle) {
  const Kernels &oracle = *findKernels("scalar");
  for (const Kernels *table : allTables())
    for (Format format : allFormats) {
      Random random(static_cast<unsigned>(format) + 50);
      for (int round = 0; round < 40; ++round) {
        auto [rows, columns, tokens] = randomShape(random);
        auto stored = randomRows(random, format, rows, columns);
        auto inputs = randomValues(random, uint64_t{tokens} * columns);
        Packed packed = pack(format, rows, columns, stored);
        bool quantized = packed.matrix.quantized(), add = round % 2;
        auto want = multiplyAll(oracle, packed.matrix,
                                makeTile(oracle, quantized, inputs, columns),
                                tokens, add);
        auto got = multiplyAll(*table, packed.matrix,
                               makeTile(*table, quantized, inputs, columns),
                               tokens, add);
        ASSERT_TRUE(sameBits(want, got))
            << table->name << " format " << static_cast<int>(format) << " "
            << rows << "x" << columns << ", " << tokens << " tokens";
      }
    }
}

TEST(Multiply, ATokenDoesNotDependOnItsNeighbours) {
  for (const Kernels *table : allTables())
    for (Format format : allFormats) {
      Random random(9);
      uint32_t rows = 37, columns = 160;
      auto stored = randomRows(random, format, rows, columns);
      Packed packed = pack(format, rows, columns, stored);
      bool quantized = packed.matrix.quantized();
      for (uint32_t tokens = 1; tokens <= tileTokens; ++tokens) {
        auto inputs = randomValues(random, uint64_t{tokens} * columns);
        auto all = multiplyAll(*table, packed.matrix,
                               makeTile(*table, quantized, inputs, columns),
                               tokens, false);
        uint32_t t = static_cast<uint32_t>(random() % tokens);
        std::vector<float> one(inputs.begin() + t * columns,
                               inputs.begin() + (t + 1) * columns);
        auto alone =
            multiplyAll(*table, packed.matrix,
                        makeTile(*table, quantized, one, columns), 1, false);
        std::vector<float> part(all.begin() + t * rows,
                                all.begin() + (t + 1) * rows);
        ASSERT_TRUE(sameBits(alone, part)) << table->name << " " << tokens;
      }
    }
}

TEST(Multiply, GroupsCanBeComputedApart) {
  for (const Kernels *table : allTables()) {
    Random random(10);
    uint32_t rows = 70, columns = 96, tokens = 5;
    auto stored = randomRows(random, Format::Q4_1, rows, columns);
    auto inputs = randomValues(random, tokens * columns);
    Packed packed = pack(Format::Q4_1, rows, columns, stored);
    auto tile = makeTile(*table, true, inputs, columns);
    auto whole = multiplyAll(*table, packed.matrix, tile, tokens, false);
    std::vector<float> pieces(whole.size());
    for (uint32_t g = 0; g < packed.matrix.groups(); ++g)
      table->multiply(packed.matrix, g, 1, tile.data(), tokens, pieces.data(),
                      rows, false);
    EXPECT_TRUE(sameBits(whole, pieces)) << table->name;
  }
}

} // namespace
} // namespace sgl::test
