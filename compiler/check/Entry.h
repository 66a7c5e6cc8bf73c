// The main module's functions, as a command line and lowering see them.
#pragma once

#include "compiler/check/Session.h"

namespace sgl {

/// Can a command line carry what `main` takes and gives? E0605.
void checkEntry(Session &session, ast::Module &module);
/// The functions of the main module in the order of the source, each followed
/// by those it calls first; each once. Bodies are typed.
std::vector<ast::FnDecl *> functionsInOrder(ast::Module &module);

} // namespace sgl
