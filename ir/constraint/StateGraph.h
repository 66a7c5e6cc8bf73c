// States and byte edges of a deterministic automaton, in flat arrays.
//
// Entry points: `add` and `close` fill it state by state. Construction works on
// it; an Automaton holds one that is minimal or was checked when read.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

namespace sgl {

struct StateGraph {
  using State = uint32_t;
  static constexpr State dead = UINT32_MAX;

  /// A run of bytes that lead from one state to another.
  struct Edge {
    uint8_t low = 0, high = 0; ///< both included
    State target = dead;
    bool operator==(const Edge &) const = default;
  };

  std::vector<uint8_t> accepting;
  std::vector<uint32_t> begin{0}; ///< where each state's edges begin; the end
  std::vector<Edge> edges;        ///< ascending and apart in each state

  uint32_t stateCount() const {
    return static_cast<uint32_t>(accepting.size());
  }
  std::span<const Edge> row(State state) const {
    return {edges.data() + begin[state], edges.data() + begin[state + 1]};
  }

  /// Adds an edge to the state that is not closed yet, behind its others;
  /// edges that touch and have one target become one.
  void add(uint8_t low, uint8_t high, State target) {
    if (edges.size() > begin.back() && edges.back().target == target &&
        edges.back().high + 1u == low) {
      edges.back().high = high;
      return;
    }
    assert((edges.size() == begin.back() || edges.back().high < low) &&
           "edges of a state ascend");
    edges.push_back({low, high, target});
  }
  /// Ends a state; what is added next belongs to the one behind it.
  void close(bool accepts) {
    accepting.push_back(accepts ? 1 : 0);
    begin.push_back(static_cast<uint32_t>(edges.size()));
  }
};

} // namespace sgl
