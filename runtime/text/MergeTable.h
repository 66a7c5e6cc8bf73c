// The merges of byte-pair encoding and the one algorithm that applies them.
//
// Entry point: MergeTable::apply. Of all adjacent pairs the one with the best
// rank is merged, of equal ranks the leftmost, until none is left. A heap keeps
// this near-linear: a text of one million letters is one problem.
#pragma once

#include "runtime/model/Transformer.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace sgl {

class MergeTable {
public:
  /// Adds a pair; the first one of equal pairs counts.
  void add(TokenId left, TokenId right, uint32_t rank, TokenId merged);
  void reserve(size_t merges) { table.reserve(merges); }

  /// Merges `symbols` in place.
  void apply(std::vector<TokenId> &symbols) const;

private:
  struct Merge {
    uint32_t rank = 0;
    TokenId merged = -1;
  };
  std::optional<Merge> find(TokenId left, TokenId right) const;

  std::unordered_map<uint64_t, Merge> table; ///< left << 32 | right
};

} // namespace sgl
