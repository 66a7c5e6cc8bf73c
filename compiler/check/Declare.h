// The names of files: symbols, records, enums, signatures.
#pragma once

#include "compiler/check/Session.h"

namespace sgl {

/// Enters what the file itself declares; E0207.
void declareSymbols(Session &session, ast::Module &module);
/// Enters what the file imports; all modules are declared. E0201, E0207.
void importSymbols(Session &session, ast::Module &module);
/// Resolves aliases, fields and signatures.
void resolveDeclarations(Session &session, ast::Module &module);
/// Of all modules, resolved: E0407 for a record that holds itself.
void checkContainment(Session &session);

/// Is `name` one of system, user, assistant, tool, role?
bool isRoleName(std::string_view name);

} // namespace sgl
