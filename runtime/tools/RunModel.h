// Opens what --model names.
#pragma once

#include "runtime/exec/Model.h"
#include "runtime/tools/RunFlags.h"

namespace sgl {

/// `mock:FILE.json` or the path of a GGUF file. Errors are refusals (exit
/// status 1).
Result<std::unique_ptr<Model>> openModel(const RunFlags &flags);

/// A kind of model that is known and comes later, by its prefix.
bool isLaterModel(const std::string &name);

} // namespace sgl
