// Stored weights as float32, one block after another, in plain loops.
#include "kernels/Formats.h"

#include <cassert>
#include <cstring>

namespace sgl::kernels {

namespace {

template <typename T>
T load(const std::byte *at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

/// Four-bit blocks: the low nibble of byte j is value j, the high one j + 16.
void nibbleBlock(const std::byte *nibbles, float scale, float offset,
                 float *out) {
  for (int j = 0; j < 16; ++j) {
    int byte = std::to_integer<int>(nibbles[j]);
    out[j] = static_cast<float>(byte & 15) * scale + offset;
    out[j + 16] = static_cast<float>(byte >> 4) * scale + offset;
  }
}

/// Five-bit blocks: bit j of `high` is bit 4 of value j.
void fiveBitBlock(const std::byte *nibbles, uint32_t high, float scale,
                  float offset, float *out) {
  for (int j = 0; j < 16; ++j) {
    int byte = std::to_integer<int>(nibbles[j]);
    int low = (byte & 15) | static_cast<int>(high >> j & 1) << 4;
    int top = (byte >> 4) | static_cast<int>(high >> (j + 16) & 1) << 4;
    out[j] = static_cast<float>(low) * scale + offset;
    out[j + 16] = static_cast<float>(top) * scale + offset;
  }
}

void dequantizeBlock(Format format, const std::byte *at, float *out) {
  float scale = halfToFloat(load<uint16_t>(at));
  switch (format) {
  case Format::Q4_0:
    return nibbleBlock(at + 2, scale, -8 * scale, out);
  case Format::Q4_1:
    return nibbleBlock(at + 4, scale, halfToFloat(load<uint16_t>(at + 2)), out);
  case Format::Q5_0:
    return fiveBitBlock(at + 6, load<uint32_t>(at + 2), scale, -16 * scale,
                        out);
  case Format::Q5_1:
    return fiveBitBlock(at + 8, load<uint32_t>(at + 4), scale,
                        halfToFloat(load<uint16_t>(at + 2)), out);
  case Format::Q8_0:
    for (int j = 0; j < 32; ++j)
      out[j] = static_cast<float>(load<int8_t>(at + 2 + j)) * scale;
    return;
  case Format::F32:
  case Format::F16:
  case Format::BF16:
    break;
  }
  assert(false && "not a block format");
}

} // namespace

uint64_t rowBytes(Format format, uint64_t columns) {
  switch (format) {
  case Format::F32:
    return columns * 4;
  case Format::F16:
  case Format::BF16:
    return columns * 2;
  case Format::Q4_0:
    return columns / blockColumns * 18;
  case Format::Q4_1:
    return columns / blockColumns * 20;
  case Format::Q5_0:
    return columns / blockColumns * 22;
  case Format::Q5_1:
    return columns / blockColumns * 24;
  case Format::Q8_0:
    return columns / blockColumns * 34;
  }
  return 0;
}

void dequantizeRow(Format format, const std::byte *row, uint64_t columns,
                   float *out) {
  if (format == Format::F32) {
    std::memcpy(out, row, columns * sizeof(float));
    return;
  }
  if (!isQuantized(format)) {
    for (uint64_t i = 0; i < columns; ++i) {
      auto bits = load<uint16_t>(row + 2 * i);
      out[i] = format == Format::F16 ? halfToFloat(bits) : brainToFloat(bits);
    }
    return;
  }
  assert(columns % blockColumns == 0 && "rows are whole blocks");
  uint64_t blockBytes = rowBytes(format, blockColumns);
  for (uint64_t i = 0; i < columns; i += blockColumns, row += blockBytes)
    dequantizeBlock(format, row, out + i);
}

float halfToFloat(uint16_t half) {
  uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
  uint32_t exponent = half >> 10 & 31, mantissa = half & 1023;
  if (exponent == 0) { // zero and subnormals: mantissa * 2^-24
    float value = static_cast<float>(mantissa) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(value));
  }
  if (exponent == 31)
    return std::bit_cast<float>(sign | 0x7f800000 | mantissa << 13);
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
}

} // namespace sgl::kernels
