// Implements the rows of a batch; see BatchBuilder.h.
#include "runtime/engine/BatchBuilder.h"

using namespace sgl;

const Batch &BatchBuilder::build(std::span<const Slice> slices) {
  batch.rows.clear();
  batch.sequences.clear();
  logits = 0;
  for (const Slice &slice : slices) {
    const Sequence &sequence = slice.sequence();
    uint32_t number = static_cast<uint32_t>(batch.sequences.size());
    uint32_t end = sequence.computed + slice.rows;
    for (uint32_t at = sequence.computed; at < end; ++at)
      batch.rows.push_back(
          {sequence.tokens[at], at, number, at + slice.logits >= end});
    batch.sequences.push_back({sequence.table, end});
    logits += slice.logits;
  }
  return batch;
}
