// Writing results: whole or not at all.
#pragma once

#include "ir/value/Result.h"

#include <string>
#include <string_view>

namespace sgl {

/// Writes `bytes` to `path`. A regular file is written beside its place and
/// then renamed, so that no part of it is ever seen; a device or a pipe is
/// written as it is.
Status writeOutput(const std::string &path, std::string_view bytes);

/// Writes `bytes` to standard output.
Status writeStdout(std::string_view bytes);

} // namespace sgl
