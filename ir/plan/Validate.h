// What every plan must keep before it runs: numbers in range, arities, types.
#pragma once

#include "ir/plan/Plan.h"

namespace sgl::plan {

/// One forward pass over all graphs; the first fault, with its path.
Status validate(const Plan &plan);

} // namespace sgl::plan
