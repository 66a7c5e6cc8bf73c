// The oracle: products in plain loops over rows, blocks and columns.
#include "kernels/cpu/Portable.h"
#include "kernels/cpu/Tables.h"

namespace sgl::kernels {

namespace {

float halfAt(const std::byte *at) {
  uint16_t bits;
  std::memcpy(&bits, at, 2);
  return halfToFloat(bits);
}

/// The stored number of a row's column within the block's parts.
int numberAt(const std::byte *parts, bool nibbles, uint32_t row,
             uint32_t column) {
  if (!nibbles)
    return std::to_integer<int>(parts[column / 4 * 64 + row * 4 + column % 4]);
  uint32_t low = column % 16;
  int byte = std::to_integer<int>(parts[low / 4 * 64 + row * 4 + low % 4]);
  return column < 16 ? byte & 15 : byte >> 4;
}

/// An input number of the block, high and low byte together.
int inputAt(const std::byte *input, uint32_t tokens, uint32_t token,
            uint32_t column) {
  const std::byte *high = input + token * blockColumns + column;
  return static_cast<int8_t>(high[0]) * 256 +
         static_cast<int8_t>(high[tokens * blockColumns]);
}

/// One row against one token: blocks in order, integers within a block, then
/// fused steps: scales times the integer sum, minimum times the input sum.
float rowProduct(const PackedMatrix &w, const std::byte *group, uint32_t row,
                 const std::byte *tile, uint32_t tokens, uint32_t token) {
  bool nibbles =
      w.packing == Packing::Nibbles || w.packing == Packing::NibblesMin;
  bool hasMin =
      w.packing == Packing::NibblesMin || w.packing == Packing::BytesMin;
  uint32_t blocks = w.columns / blockColumns;
  float sum = 0;
  for (uint32_t b = 0; b < blocks; ++b) {
    const std::byte *block = group + b * (w.groupBytes / blocks);
    const std::byte *input = tile + uint64_t{b} * tokens * inputBytes;
    int32_t dot = 0;
    for (uint32_t i = 0; i < blockColumns; ++i)
      dot += (numberAt(block + (hasMin ? 64 : 32), nibbles, row, i) - w.zero) *
             inputAt(input, tokens, token, i);
    float inputScale, inputSum;
    std::memcpy(&inputScale, input + tokens * 64 + token * 4, 4);
    std::memcpy(&inputSum, input + tokens * 68 + token * 4, 4);
    sum = __builtin_fmaf(static_cast<float>(dot),
                         halfAt(block + 2 * row) * inputScale, sum);
    if (hasMin)
      sum = __builtin_fmaf(halfAt(block + 32 + 2 * row), inputSum, sum);
  }
  return sum;
}

void multiply(const PackedMatrix &w, uint32_t firstGroup, uint32_t groups,
              const std::byte *tile, uint32_t tokens, float *out,
              uint64_t stride, bool add) {
  if (!w.quantized())
    return plainMultiply(w.packing)(w, firstGroup, groups, tile, tokens, out,
                                    stride, add);
  for (uint32_t g = firstGroup; g < firstGroup + groups; ++g)
    for (uint32_t t = 0; t < tokens; ++t) {
      float sums[lanes];
      for (uint32_t row = 0; row < lanes; ++row)
        sums[row] =
            rowProduct(w, w.data + g * w.groupBytes, row, tile, tokens, t);
      storeSums(w, g, loadLanes<F16x>(sums), out + t * stride, add);
    }
}

} // namespace

const Kernels scalarKernels = {"scalar",     rmsNorm, quantize,  multiply,
                               gatedProduct, rotate,  storeKey,  storeValue,
                               roundQuery,   attend,  mergeBlock};

} // namespace sgl::kernels
