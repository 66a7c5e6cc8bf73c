// Subset construction: from a nondeterministic automaton to a deterministic.
//
// Entry point: determinize. The
// budgets count steps, not time, so that a pattern is refused on every machine
// or on none.
#pragma once

#include "ir/constraint/Nfa.h"

namespace sgl {

/// Most steps that determinizing may take, about half a second.
inline constexpr uint64_t maxDeterminizeSteps = 40'000'000;

/// A graph that may have dead and equal states; state 0 is the start. Counts on
/// from `steps` and fails beyond `maxSteps`, or when there are too many states.
Result<StateGraph> determinize(const Nfa &nfa, uint64_t &steps,
                               uint64_t maxSteps);

} // namespace sgl
