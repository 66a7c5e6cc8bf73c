// The one list of operations that a forward pass is made of.
//
// Entry points: bestKernels, findKernels; Pack.h makes the matrices. Each
// operation is a plain function on pointers and sizes; Kernels is a table of
// them, one for each instruction set. The scalar table is the oracle.
//
// What must hold: a result depends on its own row, token and positions alone,
// bit for bit: not on the number of tokens beside it, nor on who computes it.
// A product adds its blocks of 32 columns in rising order and is never split.
#pragma once

#include "kernels/Formats.h"

#include <cstddef>
#include <cstdint>

namespace sgl::kernels {

inline constexpr uint32_t groupRows = 16;  ///< rows of one packed group
inline constexpr uint32_t tileTokens = 16; ///< most tokens of one tile
inline constexpr uint32_t pagePositions = 16;
inline constexpr uint32_t attentionTile = 64; ///< positions folded at once
inline constexpr uint32_t attentionBlock =
    256; ///< positions of one partial sum

/// How a group of 16 rows is stored. Block b of 32 columns of a quantised group
/// is: 16 half scales, with Min 16 half minima, then the numbers q. A weight is
/// scale * (q - zero), with Min scale * q + minimum.
///   Nibbles: 4 x [16 rows][4 columns] bytes; columns 4 j .. in the low halves
///            of part j, columns 16 + 4 j .. in the high halves.
///   Bytes:   8 x [16 rows][4 columns] bytes.
/// F16, BF16, F32: [columns][16 rows].
enum class Packing : uint8_t {
  Nibbles,
  NibblesMin,
  Bytes,
  BytesMin,
  F16,
  BF16,
  F32
};

struct PackedMatrix {
  Packing packing = Packing::F32;
  int32_t zero = 0; ///< of Nibbles and Bytes
  uint32_t rows = 0, columns = 0;
  uint64_t groupBytes = 0;
  const std::byte *data = nullptr;

  uint32_t groups() const { return (rows + groupRows - 1) / groupRows; }
  bool quantized() const { return packing <= Packing::BytesMin; }
};

/// Bytes of one token in one block of a quantised tile.
inline constexpr uint32_t inputBytes = 76;
/// Largest input number; two signed bytes hold it.
inline constexpr int inputLimit = 127 * 256;

/// A tile holds the inputs of up to 16 tokens. Quantised, for each block of 32
/// columns: int8 high[tokens][32], int8 low[tokens][32], float scale[tokens],
/// float sum[tokens], int32 count[tokens]. An input is scale times its number
/// 256 high + low; count is the sum of the numbers, sum is scale times count.
/// Else: float [columns][tokens].
constexpr uint64_t tileBytes(bool quantized, uint32_t columns,
                             uint32_t tokens) {
  return quantized ? uint64_t{columns} / blockColumns * tokens * inputBytes
                   : uint64_t{columns} * tokens * sizeof(float);
}

/// Some query vectors of one KV head against 64 positions of one sequence.
struct AttentionTile {
  uint32_t headDim = 0; ///< a multiple of 16
  uint32_t count = 0;   ///< of query vectors
  /// Four pages of this head, from storeKey and storeValue; a page that no
  /// query sees may be any page.
  const std::byte *pages[attentionTile / pagePositions] = {};
  const uint16_t *queries = nullptr; ///< [count][headDim], from roundQuery
  const uint32_t *visible = nullptr; ///< [count] positions seen, 0..64
  float *max = nullptr;              ///< [count] running state of the block
  float *sum = nullptr;              ///< [count]
  float *out = nullptr;              ///< [count][headDim]
};

/// Bytes of one KV head in a page: keys [headDim / 2][16][2], then values
/// [8][headDim][2], all bfloat16.
constexpr uint64_t headPageBytes(uint32_t headDim) {
  return uint64_t{4} * pagePositions * headDim;
}

struct Kernels {
  const char *name;

  /// out = x / sqrt(mean(x^2) + epsilon) * weight (Zhang and Sennrich 2019).
  void (*rmsNorm)(const float *x, const float *weight, uint32_t count,
                  float epsilon, float *out);

  /// Writes x[columns] as `token` of a quantised tile of `tokens` tokens: the
  /// numbers are x / scale to the nearest, scale is the largest magnitude of a
  /// block / inputLimit.
  void (*quantize)(const float *x, uint32_t columns, uint32_t token,
                   uint32_t tokens, std::byte *tile);

  /// out[t * stride + r] = (add ? itself : 0) + w[r] . x[t], for the rows r of
  /// `groups` groups from `firstGroup` on and all tokens t of the tile.
  void (*multiply)(const PackedMatrix &w, uint32_t firstGroup, uint32_t groups,
                   const std::byte *tile, uint32_t tokens, float *out,
                   uint64_t stride, bool add);

  /// gate[i] = gate[i] * sigmoid(gate[i]) * up[i] (SwiGLU, Shazeer 2020).
  void (*gatedProduct)(float *gate, const float *up, uint32_t count);

  /// Rotates the pairs (2i, 2i + 1) of a head by the given angles.
  void (*rotate)(float *head, const float *cosines, const float *sines,
                 uint32_t pairs);

  /// Puts one head's key or value (a multiple of 16) at position `slot` of a
  /// page, rounded to bfloat16. What is stored is finite: NaN and infinities
  /// become the largest number, so that a weight of zero always erases a stored
  /// value.
  void (*storeKey)(const float *key, uint32_t headDim, std::byte *page,
                   uint32_t slot);
  void (*storeValue)(const float *value, uint32_t headDim, std::byte *page,
                     uint32_t slot);

  /// out = query * scale as bfloat16; scores are taken to base 2, so `scale`
  /// is log2(e) / sqrt(head size).
  void (*roundQuery)(const float *query, uint32_t headDim, float scale,
                     uint16_t *out);

  /// Folds 64 positions into the running softmax of a block, whose state
  /// starts as max = -inf, sum = 0, out = 0.
  void (*attend)(const AttentionTile &tile);

  /// Folds a finished block (max, sum, out[headDim]) into the running total.
  void (*mergeBlock)(float max, float sum, const float *out, uint32_t headDim,
                     float *totalMax, float *totalSum, float *totalOut);
};

/// "scalar", "avx2" or "avx512"; null where unknown or where this processor
/// lacks the instructions.
const Kernels *findKernels(const char *name);

/// The fastest that this processor runs.
const Kernels &bestKernels();

/// Writes x[columns] as `token` of a float tile.
void spreadTile(const float *x, uint32_t columns, uint32_t token,
                uint32_t tokens, std::byte *tile);

} // namespace sgl::kernels
