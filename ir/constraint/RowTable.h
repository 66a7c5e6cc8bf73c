// States by what they do: equal rows get one number.
//
// Entry point: intern. The numbers are those of the states of `graph`, in the
// order in which rows were first met.
#pragma once

#include "ir/constraint/StateGraph.h"

namespace sgl {

class RowTable {
public:
  /// Sets the row that intern and append take. Edges come in ascending order.
  void begin(bool accepts) {
    row.clear();
    accepting = accepts;
  }
  void add(uint8_t low, uint8_t high, StateGraph::State target);

  /// The number of the first equal row, a new one if there is none.
  uint32_t intern();
  /// Adds a row that is known to equal no other.
  uint32_t append();

  StateGraph graph;

private:
  uint32_t hashRow() const;
  /// The slot that holds an equal row or is free.
  uint32_t &findSlot(uint32_t hash);
  uint32_t store(uint32_t &slot, uint32_t hash);
  void grow();

  static constexpr uint32_t free = UINT32_MAX;
  std::vector<StateGraph::Edge> row;
  bool accepting = false;
  std::vector<uint32_t> slots, hashes;
};

} // namespace sgl
