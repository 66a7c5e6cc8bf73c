// The smallest automaton of a language, in its one numbering.
//
// Entry point: minimize. Two patterns with the same language give the same
// automaton.
#pragma once

#include "ir/constraint/Automaton.h"

namespace sgl {

/// Drops states that no accepted text passes, joins equal ones and numbers the
/// rest breadth first by rising bytes. State 0 is the start. Adds the edges
/// looked at beyond one pass over the graph to `refineSteps`: none where the
/// language is finite.
Automaton minimize(const StateGraph &graph, uint64_t &refineSteps);
Automaton minimize(const StateGraph &graph);

} // namespace sgl
