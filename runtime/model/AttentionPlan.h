// How the attention of a batch is cut into pieces of work.
//
// Entry point: planAttention. Long runs of rows of one sequence (a prompt) are
// cut into short tiles that are finished at once. Other rows are cut at blocks
// of 256 positions, and those that share the pages of a block form one item, so
// that a shared prefix is read once. A row's sums never depend on the cut: each
// block is folded alone and blocks are merged in order.
#pragma once

#include "runtime/model/Transformer.h"

#include <vector>

namespace sgl {

/// Most rows of one item: enough to reuse keys and values, few enough for the
/// caches.
inline constexpr uint32_t maxItemRows = 16;

/// A row of the batch in the order in which the model computes.
struct PlannedRow {
  TokenId token = 0;
  uint32_t position = 0;
  uint32_t logits = 0; ///< index of its row of logits + 1; 0: none wanted
  std::span<const PageId> pages;
};

struct AttentionItem {
  uint32_t firstRow = 0, rows = 0;
  uint32_t firstBlock = 0, blocks = 0;
  bool whole = false; ///< covers all that its rows see: no parts to merge
  uint64_t part = 0;  ///< else: index of its first row among all parts
};

struct AttentionPlan {
  std::vector<PlannedRow> rows; ///< rows that share pages stand together
  std::vector<AttentionItem> items;
  uint64_t parts = 0; ///< rows of all items that are not whole
  /// Block b of row i is in items[itemOf[firstItem[i] + b]]; firstItem is
  /// noItem for rows of whole items.
  std::vector<uint32_t> firstItem, itemOf;
  static constexpr uint32_t noItem = UINT32_MAX;
};

/// Plans rows first .. first + count - 1 of the batch. `firstLogits` is the
/// number of rows that want logits before them.
AttentionPlan planAttention(const Batch &batch, size_t first, size_t count,
                            uint32_t firstLogits);

} // namespace sgl
