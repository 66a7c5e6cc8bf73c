// Products of automata.
//
// Entry points: intersect, subtract, shortestText.
#pragma once

#include "ir/constraint/Automaton.h"

namespace sgl {

/// The texts that both accept. Fails where too many pairs of states are met.
Result<Automaton> intersect(const Automaton &a, const Automaton &b);
/// The texts that `a` accepts and `b` does not.
Result<Automaton> subtract(const Automaton &a, const Automaton &b);
/// One of the shortest accepted texts; absent when there is none.
std::optional<std::string> shortestText(const Automaton &automaton);

} // namespace sgl
