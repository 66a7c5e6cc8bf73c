// Cycles of a graph of states, and what lies before and behind them.
//
// Entry point: findComponents (R. Tarjan, "Depth-first search and linear graph
// algorithms", 1972), in time linear in the edges.
#pragma once

#include "ir/constraint/StateGraph.h"

namespace sgl {

struct Components {
  /// States met from the start; all that a state leads to, other than what is
  /// on a cycle with it, stands before it.
  std::vector<uint32_t> order;
  // Of each state:
  std::vector<uint8_t> live;    ///< an accepting state can be reached
  std::vector<uint8_t> onCycle; ///< live, and leads back to itself
  std::vector<uint8_t> endless; ///< live, and leads to a state on a cycle
  std::vector<uint8_t> behind;  ///< such a state leads to it, or it is one
};

/// Takes at least one state; state 0 is the start.
Components findComponents(const StateGraph &graph);

} // namespace sgl
