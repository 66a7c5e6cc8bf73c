// Names, types, roles, branches: every error of the user ends here.
//
// Entry point: check. It loads what the main module imports, resolves and types
// every tree in place (the fields marked "check:" in Ast.h), and reports with
// the codes of the reference. When no error is reported, lowering cannot fail.
#pragma once

#include "compiler/source/Diagnostic.h"
#include "compiler/syntax/Ast.h"
#include "ir/constraint/Automaton.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sgl {

/// Where imports are looked for.
struct ImportOptions {
  std::vector<std::string> folders; ///< -I, in order
};

/// A checked program; owns trees, types and declarations.
struct CheckedProgram {
  std::unique_ptr<TypeContext> types;
  ast::Program program;
  /// Functions in the order of first use from the main module's items.
  std::vector<ast::FnDecl *> functions;
  /// What the gens are constrained by, compiled once: of each constraining type
  /// and of each constant pattern. Not in any order that matters.
  std::map<const Type *, std::shared_ptr<const Automaton>> automata;
  std::map<std::string, std::shared_ptr<const Automaton>> patterns;
};

/// Checks file `mainFile` of `sources` and all it imports. Parse errors are
/// reported too. The result is complete unless `diagnostics.hasErrors()`.
CheckedProgram check(SourceManager &sources, uint32_t mainFile,
                     const ImportOptions &options, Diagnostics &diagnostics);

} // namespace sgl
