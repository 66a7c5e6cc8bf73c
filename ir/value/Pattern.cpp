// The seam to the pattern language. See Convert.h.

#include "ir/value/Convert.h"

#include <atomic>

namespace sgl {

namespace {
std::atomic<PatternMatcher> current{nullptr};
}

void setPatternMatcher(PatternMatcher matcher) { current = matcher; }

Result<bool> matchesPattern(std::string_view pattern, std::string_view text) {
  PatternMatcher matcher = current;
  return matcher ? matcher(pattern, text) : Result<bool>(true);
}

} // namespace sgl
