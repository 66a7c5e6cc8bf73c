// Number formats of stored weights and how one row becomes float32.
//
// Entry point: dequantizeRow, the definition that every packed or vectorised
// path is held against. Layouts: ggml's block_q4_0 and its sisters; a block is
// 32 values of one row. 16-bit floats are little endian.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

// Also used in files built for one instruction set: an out-of-line copy from
// there must never be linked into the rest.
#define SGL_ALWAYS_INLINE inline __attribute__((always_inline))

namespace sgl::kernels {

enum class Format : uint8_t { F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0 };

/// Values of one row that share a scale in the quantised formats.
inline constexpr uint32_t blockColumns = 32;

/// Whether rows are made of blocks of 32 values with a scale each.
constexpr bool isQuantized(Format format) { return format >= Format::Q4_0; }

/// Bytes of `columns` values of a row; a multiple of 32 where quantised.
uint64_t rowBytes(Format format, uint64_t columns);

/// Writes the `columns` values of one stored row.
void dequantizeRow(Format format, const std::byte *row, uint64_t columns,
                   float *out);

float halfToFloat(uint16_t half);

SGL_ALWAYS_INLINE float brainToFloat(uint16_t brain) {
  return std::bit_cast<float>(static_cast<uint32_t>(brain) << 16);
}

/// Nearest bfloat16, ties to even. `value` must be finite.
SGL_ALWAYS_INLINE uint16_t floatToBrain(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

} // namespace sgl::kernels
