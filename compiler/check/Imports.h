// Reads and parses every file that the main file reaches by `import`.
#pragma once

#include "compiler/check/Session.h"

namespace sgl {

/// Fills session.program.modules, the main module first, and links each Import
/// to its module. Paths are relative to the importing file, then to the `-I`
/// folders; `std.…` comes from the embedded library. A file is read once,
/// however it is named. Errors: E0201 (no such module), E0206 (cycle), and
/// those of parsing. Limits: 1,000 modules, nesting 100.
void loadModules(Session &session, uint32_t mainFile);

} // namespace sgl
