// The merges of byte-pair encoding and the one algorithm that applies them.
//
// Entry point: MergeTable::apply. Of all adjacent pairs the one with the best
// rank is merged, of equal ranks the leftmost, until none is left. A heap keeps
// this near-linear: a text of one million letters is one problem.
#pragma once

#include "runtime/model/Transformer.h"

#include <vector>

namespace sgl {

class MergeTable {
public:
  /// Adds a pair; the first one of equal pairs counts.
  void add(TokenId left, TokenId right, uint32_t rank, TokenId merged);
  /// Makes room before the pairs are added.
  void reserve(size_t merges);

  /// Merges `symbols` in place.
  void apply(std::vector<TokenId> &symbols) const;

private:
  struct Merge {
    uint64_t pair = empty; ///< left << 32 | right
    uint32_t rank = 0;
    TokenId merged = -1;
  };
  static constexpr uint64_t empty = UINT64_MAX; ///< no pair of ids
  const Merge *find(TokenId left, TokenId right) const;
  size_t slotOf(uint64_t pair) const;
  void grow(size_t slots);

  /// Open addressing, a power of two of slots, at most half full: one look
  /// costs one miss of the processor's cache.
  std::vector<Merge> table = std::vector<Merge>(16);
  size_t used = 0;
};

} // namespace sgl
