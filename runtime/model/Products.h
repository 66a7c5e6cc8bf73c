// Multiplies rows of a batch with packed matrices, on all workers.
//
// Entry point: Products::run. The inputs of a product are prepared once (made,
// quantised, put into tiles of 16 rows), then the workers share out the groups
// of 16 matrix rows. A sum is never split, so no result depends on the cut.
#pragma once

#include "kernels/Kernels.h"
#include "runtime/device/WorkerPool.h"

#include <algorithm>
#include <span>
#include <vector>

namespace sgl {

/// Calls each(row) for all rows, several at a time where there are many.
template <typename Each>
void forRows(Worker &worker, uint32_t rows, Each &&each) {
  uint32_t some = std::clamp(rows / 8, 1u, 8u);
  worker.stage((rows + some - 1) / some, [&](uint32_t chunk) {
    uint32_t end = std::min(rows, (chunk + 1) * some);
    for (uint32_t row = chunk * some; row < end; ++row)
      each(row);
  });
}

class Products {
public:
  /// One matrix and where its results go.
  struct Target {
    const kernels::PackedMatrix *matrix = nullptr;
    float *out = nullptr;
    uint64_t stride = 0; ///< floats between rows of `out`
    bool add = false;
  };

  /// Up to `maxRows` rows of up to `widest` values.
  Products(const kernels::Kernels &kernels, uint32_t workers, uint32_t maxRows,
           uint32_t widest);

  /// Multiplies `count` rows with all targets, which have the same columns.
  /// make(row) returns the values of a row, valid until the worker's next call.
  /// Gated: two targets of one shape; the first gets silu(first) * second.
  template <typename Make>
  void run(Worker &worker, uint32_t count, std::span<const Target> targets,
           bool gated, Make &&make) {
    bool solo = count <= soloRows, ready = false;
    Inputs &inputs = solo ? own[worker.index()] : shared;
    auto prepareRow = [&](uint32_t row) {
      prepare(make(row), row, count, targets, inputs);
    };
    if (!solo)
      forRows(worker, count, prepareRow);
    uint32_t groups = groupsOf(targets, gated);
    uint32_t pieces = std::min(groups, workers * piecesPerWorker);
    worker.stage(pieces, [&](uint32_t piece) {
      for (uint32_t row = 0; solo && !ready && row < count; ++row)
        prepareRow(row);
      ready = true;
      auto bound = [&](uint64_t i) {
        return static_cast<uint32_t>(i * groups / pieces);
      };
      runPiece(targets, gated, bound(piece), bound(piece + 1), inputs, count);
    });
  }

private:
  /// The inputs in tiles of 16 rows, in the forms that matrices read.
  struct Inputs {
    std::vector<std::byte> quantized, plain;
  };

  /// Up to this many rows each worker prepares its own inputs, which costs
  /// less than waiting for another to do it.
  static constexpr uint32_t soloRows = 2;
  /// The last worker to finish is late by little.
  static constexpr uint32_t piecesPerWorker = 4;

  static uint32_t groupsOf(std::span<const Target> targets, bool gated);
  void prepare(const float *values, uint32_t row, uint32_t count,
               std::span<const Target> targets, Inputs &inputs);
  void runPiece(std::span<const Target> targets, bool gated, uint32_t first,
                uint32_t last, const Inputs &inputs, uint32_t count);
  void multiply(const Target &target, uint32_t first, uint32_t groups,
                const Inputs &inputs, uint32_t tile, uint32_t count);
  void multiplyGated(std::span<const Target> targets, uint32_t first,
                     uint32_t groups, const Inputs &inputs, uint32_t tile,
                     uint32_t count);

  const kernels::Kernels &kernels;
  uint32_t workers;
  Inputs shared;
  std::vector<Inputs> own; ///< of each worker
};

} // namespace sgl
