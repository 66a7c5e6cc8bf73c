// The stats line of sglrun.
#pragma once

#include "runtime/exec/Model.h"
#include "runtime/tools/RunFlags.h"

namespace sgl {

/// One line without a newline; empty for StatsForm::None.
std::string statsLine(const RunStats &stats, StatsForm form);

} // namespace sgl
