// A hash table with open addressing over the rows of a graph.
#include "ir/constraint/RowTable.h"

#include <algorithm>

namespace sgl {

void RowTable::add(uint8_t low, uint8_t high, StateGraph::State target) {
  if (!row.empty() && row.back().target == target &&
      row.back().high + 1u == low)
    row.back().high = high;
  else
    row.push_back({low, high, target});
}

uint32_t RowTable::hashRow() const {
  uint64_t hash = accepting ? 1 : 2;
  for (const StateGraph::Edge &edge : row) {
    hash ^= uint64_t{edge.target} << 16 | uint64_t{edge.low} << 8 | edge.high;
    hash *= 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  return static_cast<uint32_t>(hash);
}

uint32_t &RowTable::findSlot(uint32_t hash) {
  size_t mask = slots.size() - 1;
  for (size_t i = hash & mask;; i = (i + 1) & mask) {
    uint32_t state = slots[i];
    if (state == free)
      return slots[i];
    if (hashes[state] == hash && (graph.accepting[state] != 0) == accepting &&
        std::ranges::equal(graph.row(state), row))
      return slots[i];
  }
}

uint32_t RowTable::store(uint32_t &slot, uint32_t hash) {
  slot = graph.stateCount();
  hashes.push_back(hash);
  graph.edges.insert(graph.edges.end(), row.begin(), row.end());
  graph.close(accepting);
  return graph.stateCount() - 1;
}

void RowTable::grow() {
  if (2 * hashes.size() < slots.size())
    return;
  slots.assign(std::max<size_t>(64, 2 * slots.size()), free);
  size_t mask = slots.size() - 1;
  for (uint32_t state = 0; state < hashes.size(); ++state) {
    size_t i = hashes[state] & mask;
    while (slots[i] != free)
      i = (i + 1) & mask;
    slots[i] = state;
  }
}

uint32_t RowTable::intern() {
  grow();
  uint32_t hash = hashRow();
  uint32_t &slot = findSlot(hash);
  return slot != free ? slot : store(slot, hash);
}

uint32_t RowTable::append() {
  grow();
  uint32_t hash = hashRow();
  uint32_t &slot = findSlot(hash);
  assert(slot == free && "the row is new");
  return store(slot, hash);
}

} // namespace sgl
