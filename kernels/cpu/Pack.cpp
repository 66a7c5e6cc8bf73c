// One row of a group after another, block by block.
#include "kernels/Pack.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

namespace sgl::kernels {

namespace {

Packing packingOf(Format format) {
  switch (format) {
  case Format::F32:
    return Packing::F32;
  case Format::F16:
    return Packing::F16;
  case Format::BF16:
    return Packing::BF16;
  case Format::Q4_0:
    return Packing::Nibbles;
  case Format::Q4_1:
    return Packing::NibblesMin;
  case Format::Q5_0:
  case Format::Q8_0:
    return Packing::Bytes;
  case Format::Q5_1:
    return Packing::BytesMin;
  }
  return Packing::F32;
}

int32_t zeroOf(Format format) {
  switch (format) {
  case Format::Q4_0:
    return 8;
  case Format::Q5_0:
    return 16;
  case Format::Q8_0:
    return 128;
  default:
    return 0;
  }
}

bool hasMinimum(Packing packing) {
  return packing == Packing::NibblesMin || packing == Packing::BytesMin;
}

uint64_t packedBlockBytes(Packing packing) {
  bool nibbles = packing == Packing::Nibbles || packing == Packing::NibblesMin;
  return 2 * groupRows * (hasMinimum(packing) ? 2 : 1) +
         groupRows * blockColumns / (nibbles ? 2 : 1);
}

bool isFiniteHalf(const std::byte *half) {
  return (std::to_integer<int>(half[1]) & 0x7c) != 0x7c;
}

/// The numbers q of one stored block as bytes.
void blockNumbers(Format format, const std::byte *block, uint8_t *q) {
  if (format == Format::Q8_0) {
    for (int i = 0; i < 32; ++i)
      q[i] = static_cast<uint8_t>(std::to_integer<int>(block[2 + i]) ^ 0x80);
    return;
  }
  uint32_t high = 0;
  const std::byte *nibbles = block + rowBytes(format, blockColumns) - 16;
  if (format == Format::Q5_0 || format == Format::Q5_1)
    std::memcpy(&high, nibbles - 4, 4);
  for (int i = 0; i < 16; ++i) {
    int byte = std::to_integer<int>(nibbles[i]);
    q[i] = static_cast<uint8_t>((byte & 15) | (high >> i & 1) << 4);
    q[i + 16] = static_cast<uint8_t>((byte >> 4) | (high >> (i + 16) & 1) << 4);
  }
}

bool packBlock(Format format, Packing packing, const std::byte *block,
               uint32_t row, std::byte *out) {
  if (!isFiniteHalf(block))
    return false;
  std::memcpy(out + 2 * row, block, 2);
  std::byte *parts = out + 2 * groupRows;
  if (hasMinimum(packing)) {
    if (!isFiniteHalf(block + 2))
      return false;
    std::memcpy(parts + 2 * row, block + 2, 2);
    parts += 2 * groupRows;
  }
  uint8_t q[blockColumns];
  blockNumbers(format, block, q);
  bool nibbles = packing == Packing::Nibbles || packing == Packing::NibblesMin;
  for (uint32_t part = 0; part < (nibbles ? 4 : 8); ++part)
    for (uint32_t i = 0; i < 4; ++i) {
      int value = q[4 * part + i];
      if (nibbles)
        value |= q[16 + 4 * part + i] << 4;
      parts[64 * part + 4 * row + i] = static_cast<std::byte>(value);
    }
  return true;
}

bool packPlain(Format format, const std::byte *stored, uint32_t columns,
               uint32_t row, std::byte *out) {
  uint64_t bytes = rowBytes(format, 1);
  for (uint32_t i = 0; i < columns; ++i) {
    float value = 0;
    dequantizeRow(format, stored + i * bytes, 1, &value);
    if (!std::isfinite(value))
      return false;
    std::memcpy(out + (uint64_t{i} * groupRows + row) * bytes,
                stored + i * bytes, bytes);
  }
  return true;
}

} // namespace

PackedMatrix layOut(Format format, uint32_t rows, uint32_t columns) {
  PackedMatrix matrix;
  matrix.packing = packingOf(format);
  matrix.zero = zeroOf(format);
  matrix.rows = rows;
  matrix.columns = columns;
  assert((!matrix.quantized() || columns % blockColumns == 0) &&
         "rows are whole blocks");
  matrix.groupBytes =
      matrix.quantized()
          ? columns / blockColumns * packedBlockBytes(matrix.packing)
          : rowBytes(format, uint64_t{columns} * groupRows);
  return matrix;
}

bool packGroup(Format format, const PackedMatrix &matrix, const std::byte *rows,
               uint32_t group, std::byte *out) {
  uint32_t columns = matrix.columns, first = group * groupRows;
  uint32_t count = std::min(groupRows, matrix.rows - first);
  uint64_t stride = rowBytes(format, columns);
  if (count < groupRows)
    std::memset(out, 0, matrix.groupBytes);
  for (uint32_t row = 0; row < count; ++row) {
    const std::byte *stored = rows + (uint64_t{first} + row) * stride;
    if (!matrix.quantized()) {
      if (!packPlain(format, stored, columns, row, out))
        return false;
      continue;
    }
    uint64_t storedBytes = rowBytes(format, blockColumns);
    uint64_t packedBytes = packedBlockBytes(matrix.packing);
    for (uint32_t b = 0; b < columns / blockColumns; ++b)
      if (!packBlock(format, matrix.packing, stored + b * storedBytes, row,
                     out + b * packedBytes))
        return false;
  }
  return true;
}

} // namespace sgl::kernels
