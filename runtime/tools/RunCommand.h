// One run of sglrun, from flags to exit status.
#pragma once

#include "runtime/exec/Model.h"
#include "runtime/tools/RunFlags.h"

namespace sgl {

/// Writes the result to stdout, all else to stderr. Returns 0 done, 1 refused
/// before the first call, 2 wrong usage, 3 failed; `stats` is filled in as far
/// as the run came.
int runCommand(const RunFlags &flags, RunStats &stats);

} // namespace sgl
