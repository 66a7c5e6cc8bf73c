// Turns the slices of a step into the rows that the transformer runs.
#pragma once

#include "runtime/engine/Scheduler.h"

namespace sgl {

class BatchBuilder {
public:
  /// The batch, valid until the next call and while the tables stay; rows with
  /// logits stand in the order of the slices.
  const Batch &build(std::span<const Slice> slices);
  /// Rows with logits in the last batch.
  size_t logitRows() const { return logits; }

private:
  Batch batch; ///< kept for its memory
  size_t logits = 0;
};

} // namespace sgl
