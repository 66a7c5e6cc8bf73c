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
  if (!matcher)
    return Error{"patterns cannot be checked before a matcher is set"};
  return matcher(pattern, text);
}

} // namespace sgl
