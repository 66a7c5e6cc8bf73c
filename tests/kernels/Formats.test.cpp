// Stored formats against values worked out by hand, and the packer.
#include "tests/kernels/KernelData.h"

#include <cmath>
#include <gtest/gtest.h>

namespace sgl::test {
namespace {

using namespace kernels;

TEST(Formats, HalvesAreTheirValues) {
  const struct {
    uint16_t half;
    float value;
  } table[] = {{0x0000, 0},
               {0x3c00, 1},
               {0xc000, -2},
               {0x7bff, 65504},
               {0x0400, 0x1p-14f},
               {0x0001, 0x1p-24f},
               {0x83ff, -0x1.ff8p-15f},
               {0x3555, 0x1.554p-2f}};
  for (auto [half, value] : table)
    EXPECT_EQ(halfToFloat(half), value) << std::hex << half;
  EXPECT_TRUE(std::isinf(halfToFloat(0x7c00)));
  EXPECT_TRUE(std::isnan(halfToFloat(0x7e01)));
}

TEST(Formats, BrainRoundsToNearestEven) {
  const struct {
    float value;
    uint16_t brain;
  } table[] = {{1.f, 0x3f80},
               {0x1.01p0f, 0x3f80},   // a tie: to even
               {0x1.03p0f, 0x3f82},   // a tie: to even
               {0x1.0101p0f, 0x3f81}, // just above
               {-0.f, 0x8000}};
  for (auto [value, brain] : table)
    EXPECT_EQ(floatToBrain(value), brain) << value;
}

/// One block: scale 2 (0x4000), minimum -1 (0xbc00), numbers 0x21 43 65 ...
TEST(Formats, BlocksAreTheirValues) {
  std::vector<std::byte> nibbles(16);
  for (int i = 0; i < 16; ++i)
    nibbles[i] = static_cast<std::byte>(i == 0 ? 0x2f : 0x11);
  auto block = [&](std::vector<int> head) {
    std::vector<std::byte> bytes;
    for (int byte : head)
      bytes.push_back(static_cast<std::byte>(byte));
    bytes.insert(bytes.end(), nibbles.begin(), nibbles.end());
    return bytes;
  };
  // Numbers 15, 1 and, from the high halves, 2, 1; fifth bits of values 0, 17.
  std::vector<int> fifth = {0x01, 0x00, 0x02, 0x00};
  const struct {
    Format format;
    std::vector<std::byte> bytes;
    float first, second, seventeenth, eighteenth;
  } table[] = {
      {Format::Q4_0, block({0, 0x40}), 14, -14, -12, -14},
      {Format::Q4_1, block({0, 0x40, 0, 0xbc}), 29, 1, 3, 1},
      {Format::Q5_0, block({0, 0x40, 1, 0, 2, 0}), 30, -30, -28, 2},
      {Format::Q5_1, block({0, 0x40, 0, 0xbc, 1, 0, 2, 0}), 61, 1, 3, 33}};
  for (const auto &c : table) {
    ASSERT_EQ(c.bytes.size(), rowBytes(c.format, 32));
    float out[32];
    dequantizeRow(c.format, c.bytes.data(), 32, out);
    EXPECT_EQ(out[0], c.first);
    EXPECT_EQ(out[1], c.second);
    EXPECT_EQ(out[16], c.seventeenth);
    EXPECT_EQ(out[17], c.eighteenth);
  }
  std::vector<std::byte> bytes(34);
  bytes[1] = std::byte{0x40};
  bytes[2] = std::byte{0x80};
  bytes[33] = std::byte{0x7f};
  float out[32];
  dequantizeRow(Format::Q8_0, bytes.data(), 32, out);
  EXPECT_EQ(out[0], -256);
  EXPECT_EQ(out[31], 254);
}

TEST(Pack, RefusesNumbersThatAreNotFinite) {
  for (Format format : allFormats) {
    Random random(7);
    uint32_t rows = 20, columns = 96;
    auto stored = randomRows(random, format, rows, columns);
    PackedMatrix matrix = layOut(format, rows, columns);
    std::vector<std::byte> out(matrix.groupBytes);
    ASSERT_TRUE(packGroup(format, matrix, stored.data(), 1, out.data()));
    // Row 18, last block or value: infinity, then NaN.
    size_t bytes = rowBytes(format, isQuantized(format) ? 32 : 1);
    size_t at = 19 * rowBytes(format, columns) - bytes;
    for (uint32_t bits : {0x7f800000u, 0xffc00001u}) {
      uint16_t half = format == Format::BF16
                          ? static_cast<uint16_t>(bits >> 16)
                          : static_cast<uint16_t>(bits >> 31 ? 0xfe01 : 0x7c00);
      if (format == Format::F32)
        std::memcpy(stored.data() + at, &bits, 4);
      else
        std::memcpy(stored.data() + at, &half, 2);
      EXPECT_FALSE(packGroup(format, matrix, stored.data(), 1, out.data()))
          << static_cast<int>(format);
      EXPECT_TRUE(packGroup(format, matrix, stored.data(), 0, out.data()));
    }
  }
}

} // namespace
} // namespace sgl::test
