// Runs the items of an attention plan on one layer's keys and values.
//
// Entry point: LlamaAttention::runItem, then mergeRow for rows that were cut
// into parts. Rotated queries are kept as [KV head][row][query heads of it].
#pragma once

#include "runtime/model/AttentionPlan.h"
#include "runtime/model/PagedKv.h"

#include <vector>

namespace sgl {

class LlamaAttention {
public:
  LlamaAttention(const LlamaSpec &spec, const kernels::Kernels &kernels,
                 const PagedKv &kv, uint32_t maxRows);

  /// Working memory of one thread.
  struct Scratch {
    std::vector<uint32_t> visible;
    std::vector<float> states;
  };
  Scratch makeScratch() const;

  /// Takes the plan for the coming calls; it must outlive them.
  void begin(const AttentionPlan &plan);

  /// Stores a row's query head (rotated, headDim floats, rounded here).
  void putQuery(uint32_t row, uint32_t head, const float *query);

  /// Work of one item and KV head; whole items write `out` [rows][all heads].
  void runItem(uint32_t layer, uint32_t item, uint32_t kvHead, float *out,
               Scratch &scratch);

  /// Merges a row's parts into out [all heads]; nothing for whole rows.
  void mergeRow(uint32_t row, float *out, Scratch &scratch) const;

private:
  /// Running softmax of `count` query vectors.
  struct State {
    uint32_t count = 0;
    float *max = nullptr, *sum = nullptr, *out = nullptr;
  };
  State stateAt(float *memory, uint32_t count) const;
  State partState(const AttentionItem &item, uint32_t kvHead) const;
  void clear(const State &state) const;
  void foldBlock(uint32_t layer, const AttentionItem &item, uint32_t block,
                 uint32_t kvHead, const State &state, Scratch &scratch) const;
  void foldTile(uint32_t layer, const AttentionItem &item, uint32_t start,
                uint32_t kvHead, const State &state, Scratch &scratch) const;
  void finish(const State &state, uint32_t vector, float *out) const;
  uint64_t stateFloats(uint64_t count) const { return count * (paddedDim + 2); }

  const LlamaSpec &spec;
  const kernels::Kernels &kernels;
  const PagedKv &kv;
  const AttentionPlan *plan = nullptr;
  uint32_t group; ///< query heads of one KV head
  uint32_t paddedDim, maxRows;
  float queryScale;
  std::vector<uint16_t> queries; ///< [KV head][maxRows][group][paddedDim]
  mutable std::vector<float> parts;
};

} // namespace sgl
