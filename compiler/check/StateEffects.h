// Which functions write to the states they are handed, and which begin turns.
#pragma once

#include "compiler/check/Session.h"

namespace sgl {

/// Fills session.effects for every function of the program: one entry for each
/// parameter. Goes by names alone, before bodies are typed, and follows calls
/// through recursion to a fixed point; linear in the size of the program.
void findStateEffects(Session &session);

} // namespace sgl
