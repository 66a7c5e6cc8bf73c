// Pages for sequences: from the cache, from the pool, and back.
//
// Owns page pool and radix tree, and is the only place that moves pages between
// them and the tables of sequences. Positions are stored in full pages that go
// to the tree as soon as they are computed, and one private page at the end.
#pragma once

#include "runtime/engine/Call.h"

namespace sgl {

class SequenceStore {
public:
  /// Pages of `model`, which must outlive the store.
  SequenceStore(Transformer &model, uint32_t pages);

  /// How many leading tokens the cache holds.
  uint32_t cached(uint64_t space, RadixTree::Tokens tokens) const {
    return tree.peek(space, tokens);
  }
  /// Gives a detached sequence what the cache, or the private page of one of
  /// `others`, holds of its tokens but the last, which is always computed.
  void attach(Sequence &sequence, uint64_t space,
              std::span<const Sequence *const> others);
  /// Attaches `branch`, whose tokens continue those of `prompt`. False, and
  /// still detached, when no page is left.
  bool fork(const Sequence &prompt, Sequence &branch);
  /// Pages for all positions below `length`, evicting; false when none is left
  /// (the sequence keeps those it got).
  bool reserve(Sequence &sequence, uint32_t length);
  /// Hands the full pages computed so far to the tree.
  void commit(Sequence &sequence);
  /// Detaches; `keep`: what was computed stays in the cache.
  void release(Sequence &sequence, bool keep);
  void drop(uint64_t space) { tree.drop(space); }

  uint32_t pages() const { return pool.size(); }
  /// Pages that could be taken now.
  uint32_t available() const { return pool.free() + tree.evictablePages(); }
  uint64_t evictedTokens() const { return tree.evictedTokens(); }
  /// Most pages held by running sequences at one time.
  uint32_t peakPages() const { return peak; }

  /// The first broken invariant, given all attached sequences; "" if none.
  std::string verify(std::span<const Sequence *const> attached) const;

private:
  std::optional<PageId> take();
  void copyTail(Sequence &sequence, const RadixTree::Match &found,
                std::span<const Sequence *const> others);
  bool copyFrom(Sequence &sequence, PageId page, uint32_t count);

  Transformer &model;
  PagePool pool;
  RadixTree tree;
  uint32_t peak = 0;
};

} // namespace sgl
