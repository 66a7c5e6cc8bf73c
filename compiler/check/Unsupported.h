// What the grammar knows and the rest of the product does not carry yet.
//
// One table; a row is deleted when its feature lands. Each use is one E0901
// with its place, so that nothing is ever ignored in silence.
#pragma once

#include "compiler/source/Diagnostic.h"

#include <string>
#include <string_view>

namespace sgl {

/// Is `feature` ("video", "option json") in the table?
bool isUnsupported(std::string_view feature);
/// Reports E0901 at `span` where `feature` is in the table. True: it was.
bool refuseUnsupported(Diagnostics &diagnostics, std::string_view feature,
                       Span span);

} // namespace sgl
