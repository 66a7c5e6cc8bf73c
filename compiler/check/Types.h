// Written types to types.
#pragma once

#include "compiler/check/Session.h"

namespace sgl {

/// What `expr` means in `module`; fills expr.type all the way down. errorType()
/// where it was reported: E0201 unknown, E0301 where a state or a range cannot
/// stand, E0401 E0402 of patterns, E0407 nothing satisfies it, E0901.
const Type *resolveType(Session &session, ast::Module &module,
                        ast::TypeExpr &expr);
/// The type an alias stands for.
const Type *resolveAlias(Session &session, ast::Module &module,
                         ast::TypeAlias &alias);
/// The basic type of this name (`str`, `int`, …), or null.
const Type *basicType(TypeContext &types, std::string_view name);
/// The type a symbol names, or null where it names none.
const Type *typeOfSymbol(Session &session, const Symbol &symbol);

} // namespace sgl
