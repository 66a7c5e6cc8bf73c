// What must hold for the states of an automaton.
//
// Entry point: findBrokenRule, for automata that come from outside.
#pragma once

#include "ir/constraint/Automaton.h"

namespace sgl {

/// Looks at numbering, liveness and UTF-8. Takes one state at least, edges in
/// order, and targets that are states.
std::optional<Error> findBrokenRule(const StateGraph &graph);

/// An upper bound on the cells of the automaton's table, before it is made.
uint64_t countCells(const StateGraph &graph);

} // namespace sgl
