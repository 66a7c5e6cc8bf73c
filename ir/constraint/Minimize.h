// The smallest automaton of a language, in its one numbering.
//
// Entry point: minimize. Two patterns with the same language give the same
// automaton.
#pragma once

#include "ir/constraint/Determinize.h"

namespace sgl {

/// Drops states that no accepted text passes, joins equal ones (Hopcroft) and
/// numbers the rest breadth first by rising bytes.
Automaton minimize(const Dfa &dfa);

} // namespace sgl
