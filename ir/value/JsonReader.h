// Reading JSON that a model wrote.
#pragma once

#include "ir/value/Value.h"

namespace sgl {

/// As parseJson, but a key may come again in one object: its last value
/// counts, in the place of the first.
Result<Value> parseGeneratedJson(std::string_view text);

} // namespace sgl
