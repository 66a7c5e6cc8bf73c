// Preparing rows, and one worker's piece of a product.
#include "runtime/model/Products.h"

namespace sgl {

using kernels::tileBytes;
using kernels::tileTokens;

namespace {

/// Groups computed for one tile before the next: their weights and the tile
/// stay in the first-level cache.
constexpr uint32_t groupsAtOnce = 2;

} // namespace

Products::Products(const kernels::Kernels &kernels, uint32_t workers,
                   uint32_t maxRows, uint32_t widest)
    : kernels(kernels), workers(workers) {
  auto makeInputs = [&](uint32_t rows) {
    return Inputs{std::vector<std::byte>(tileBytes(true, widest, rows)),
                  std::vector<std::byte>(tileBytes(false, widest, rows))};
  };
  shared = makeInputs(maxRows);
  for (uint32_t i = 0; i < workers; ++i)
    own.push_back(makeInputs(soloRows));
}

uint32_t Products::groupsOf(std::span<const Target> targets, bool gated) {
  uint32_t groups = 0;
  for (const Target &target : targets.first(gated ? 1 : targets.size()))
    groups += target.matrix->groups();
  return groups;
}

/// Writes a row's values into the tile that holds it.
void Products::prepare(const float *values, uint32_t row, uint32_t count,
                       std::span<const Target> targets, Inputs &inputs) {
  bool quantized = false, plain = false;
  for (const Target &target : targets)
    (target.matrix->quantized() ? quantized : plain) = true;
  uint32_t columns = targets[0].matrix->columns;
  uint32_t first = row / tileTokens * tileTokens;
  uint32_t tokens = std::min(tileTokens, count - first);
  if (quantized)
    kernels.quantize(values, columns, row - first, tokens,
                     inputs.quantized.data() + tileBytes(true, columns, first));
  if (plain)
    kernels::spreadTile(values, columns, row - first, tokens,
                        inputs.plain.data() + tileBytes(false, columns, first));
}

void Products::multiply(const Target &target, uint32_t first, uint32_t groups,
                        const Inputs &inputs, uint32_t tile, uint32_t count) {
  const kernels::PackedMatrix &matrix = *target.matrix;
  bool quantized = matrix.quantized();
  uint32_t row = tile * tileTokens;
  const auto &bytes = quantized ? inputs.quantized : inputs.plain;
  kernels.multiply(matrix, first, groups,
                   bytes.data() + tileBytes(quantized, matrix.columns, row),
                   std::min(tileTokens, count - row),
                   target.out + row * target.stride, target.stride, target.add);
}

void Products::multiplyGated(std::span<const Target> targets, uint32_t first,
                             uint32_t groups, const Inputs &inputs,
                             uint32_t tile, uint32_t count) {
  const Target &gate = targets[0], &up = targets[1];
  multiply(gate, first, groups, inputs, tile, count);
  multiply(up, first, groups, inputs, tile, count);
  uint32_t column = first * kernels::groupRows;
  uint32_t width =
      std::min(groups * kernels::groupRows, gate.matrix->rows - column);
  uint32_t end = std::min(count, (tile + 1) * tileTokens);
  for (uint32_t row = tile * tileTokens; row < end; ++row)
    kernels.gatedProduct(gate.out + row * gate.stride + column,
                         up.out + row * up.stride + column, width);
}

/// Groups first .. last - 1, counted on through the targets; gated: of both.
void Products::runPiece(std::span<const Target> targets, bool gated,
                        uint32_t first, uint32_t last, const Inputs &inputs,
                        uint32_t count) {
  uint32_t tiles = (count + tileTokens - 1) / tileTokens;
  uint32_t before = 0; // groups of earlier targets
  for (const Target &target : targets.first(gated ? 1 : targets.size())) {
    uint32_t groups = target.matrix->groups();
    uint32_t begin = std::max(first, before) - before;
    uint32_t end = std::max(before, std::min(last, before + groups)) - before;
    for (uint32_t g = begin; g < end; g += groupsAtOnce) {
      uint32_t some = std::min(groupsAtOnce, end - g);
      for (uint32_t tile = 0; tile < tiles; ++tile) {
        if (gated)
          multiplyGated(targets, g, some, inputs, tile, count);
        else
          multiply(target, g, some, inputs, tile, count);
      }
    }
    before += groups;
  }
}

} // namespace sgl
