// Byte-pair merging over a linked list of symbols and a heap of candidates.
#include "runtime/text/MergeTable.h"

#include <algorithm>
#include <bit>
#include <queue>

namespace sgl {

namespace {

uint64_t pairKey(TokenId left, TokenId right) {
  return uint64_t{static_cast<uint32_t>(left)} << 32 |
         static_cast<uint32_t>(right);
}

constexpr uint32_t none = UINT32_MAX;

struct Symbol {
  TokenId id = -1; ///< -1: swallowed by a merge
  uint32_t previous = none, next = none;
};

/// A pair that could be merged when it was pushed; it still can if both ids
/// are the ones it was made for.
struct Candidate {
  uint32_t rank = 0;
  uint32_t left = 0, right = 0; ///< places of the symbols
  TokenId leftId = -1, rightId = -1, merged = -1;

  bool operator<(const Candidate &other) const {
    return rank != other.rank ? rank > other.rank : left > other.left;
  }
};

} // namespace

/// The slot that holds `pair`, or the free one where it belongs.
size_t MergeTable::slotOf(uint64_t pair) const {
  uint64_t hash = pair * 0x9e3779b97f4a7c15u;
  size_t slot = (hash ^ hash >> 32) & (table.size() - 1);
  while (table[slot].pair != empty && table[slot].pair != pair)
    slot = (slot + 1) & (table.size() - 1);
  return slot;
}

void MergeTable::grow(size_t slots) {
  std::vector<Merge> old(slots);
  old.swap(table);
  for (const Merge &merge : old)
    if (merge.pair != empty)
      table[slotOf(merge.pair)] = merge;
}

void MergeTable::reserve(size_t merges) {
  grow(std::max(table.size(), std::bit_ceil(2 * merges)));
}

void MergeTable::add(TokenId left, TokenId right, uint32_t rank,
                     TokenId merged) {
  if (2 * (used + 1) > table.size())
    grow(2 * table.size());
  uint64_t pair = pairKey(left, right);
  Merge &slot = table[slotOf(pair)];
  if (slot.pair == pair)
    return;
  slot = {pair, rank, merged};
  ++used;
}

const MergeTable::Merge *MergeTable::find(TokenId left, TokenId right) const {
  const Merge &slot = table[slotOf(pairKey(left, right))];
  return slot.pair == empty ? nullptr : &slot;
}

void MergeTable::apply(std::vector<TokenId> &ids) const {
  if (ids.size() < 2)
    return;
  auto count = static_cast<uint32_t>(ids.size());
  std::vector<Symbol> symbols(count);
  for (uint32_t i = 0; i < count; ++i)
    symbols[i] = {ids[i], i == 0 ? none : i - 1, i + 1 < count ? i + 1 : none};
  std::priority_queue<Candidate> heap;
  auto consider = [&](uint32_t left, uint32_t right) {
    if (left == none || right == none)
      return;
    TokenId leftId = symbols[left].id, rightId = symbols[right].id;
    if (const Merge *merge = find(leftId, rightId))
      heap.push({merge->rank, left, right, leftId, rightId, merge->merged});
  };
  for (uint32_t i = 0; i + 1 < count; ++i)
    consider(i, i + 1);
  while (!heap.empty()) {
    Candidate best = heap.top();
    heap.pop();
    Symbol &left = symbols[best.left];
    Symbol &right = symbols[best.right];
    if (left.id != best.leftId || right.id != best.rightId ||
        left.next != best.right)
      continue;
    left.id = best.merged;
    right.id = -1;
    left.next = right.next;
    if (left.next != none)
      symbols[left.next].previous = best.left;
    consider(left.previous, best.left);
    consider(best.left, left.next);
  }
  ids.clear();
  for (uint32_t i = 0; i != none; i = symbols[i].next)
    ids.push_back(symbols[i].id);
}

} // namespace sgl
