// Which states of a graph do the same: partition refinement.
//
// Entry point: refine (J. Hopcroft, "An n log n algorithm for minimizing states
// in a finite automaton", 1971).
#pragma once

#include "ir/constraint/StateGraph.h"

namespace sgl {

/// Gives each state the number of its block: states are in one block when
/// their colours are equal and so are, byte by byte, the blocks of their
/// targets. Colours are numbers below `colourCount`, each in use; blocks are
/// numbered densely. `accepting` is not looked at. Adds the edges looked at to
/// `steps`.
std::vector<uint32_t> refine(const StateGraph &graph,
                             const std::vector<uint32_t> &colours,
                             uint32_t colourCount, uint64_t &steps);

} // namespace sgl
