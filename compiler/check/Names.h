// The nearest name to a misspelt one, for "did you mean".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sgl {

/// The candidate with the fewest edits (insert, delete, replace, swap of two
/// neighbours), or "" where all are further than a third of the name. Of equals
/// the first in the alphabet. Looks at the first 4,096 candidates.
std::string nearestName(std::string_view name,
                        const std::vector<std::string> &candidates);

} // namespace sgl
