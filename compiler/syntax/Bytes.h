// What must hold of a file's bytes before ANTLR may see them.
#pragma once

#include "compiler/syntax/SyntaxLog.h"

namespace sgl::syntax {

/// False, and one error, for bytes that are not UTF-8 or are NUL.
bool checkBytes(std::string_view text, SyntaxLog &log);

} // namespace sgl::syntax
