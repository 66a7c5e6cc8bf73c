// Values that are known when compiled.
#pragma once

#include "compiler/check/Session.h"

namespace sgl {

/// Sets expr.constant where all its parts are constant and the operation is
/// pure and succeeds; `expr` is typed and so are its parts. What fails (a
/// missing key, overflow) is left to the run; `why` then says what. Values of
/// more than a million elements or bytes are not folded.
void foldExpr(Session &session, ast::Expr &expr, std::string *why = nullptr);

} // namespace sgl
