// Text to tree. The only door to ANTLR.
//
// Never throws; every error is a Diagnostic (E01xx). After an error the tree
// holds what could be read, so that the rest of the file can still be checked.
// Budgets: 16 MiB a file, nesting 256, 1,000 errors.
#pragma once

#include "compiler/source/Diagnostic.h"
#include "compiler/syntax/Ast.h"

#include <memory>
#include <string>

namespace sgl {

/// Parses one file of `sources`.
std::unique_ptr<ast::Module> parse(const SourceManager &sources, uint32_t file,
                                   Diagnostics &diagnostics);
/// One token a line: `line:column KIND "text"` (--emit=tokens).
std::string dumpTokens(const SourceManager &sources, uint32_t file,
                       Diagnostics &diagnostics);
/// The tree as indented text (--emit=ast); with `types` what check wrote
/// (--emit=typed).
std::string dumpAst(const ast::Module &module, bool types);

} // namespace sgl
