// Products of automata.
//
// Entry point: intersect.
#pragma once

#include "ir/constraint/Automaton.h"

namespace sgl {

/// The texts that both accept. Fails where too many pairs of states are met.
Result<Automaton> intersect(const Automaton &a, const Automaton &b);

} // namespace sgl
