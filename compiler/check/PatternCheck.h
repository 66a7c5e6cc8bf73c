// Can a pattern or a type constrain a `gen`, and if not, where and why?
#pragma once

#include "compiler/check/Session.h"

namespace sgl {

/// Checks `pattern`, written as the text literal at `literal`; E0401 (does not
/// compile) or E0402 (look-around, back-references) points into it.
bool checkPattern(Session &session, const std::string &pattern, Span literal);
/// Checks that a `gen` can write values of `type`, asked for at `span`: E0403,
/// E0407, E0901.
bool checkGenerable(Session &session, const Type *type, Span span);

} // namespace sgl
