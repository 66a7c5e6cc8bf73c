// Matching of whole texts, with the compiled patterns kept.
#include "ir/constraint/Regex.h"
#include "ir/value/Convert.h"

#include <map>
#include <mutex>

namespace sgl {

namespace {
/// Patterns that are kept; beyond that all are dropped.
constexpr size_t maxKept = 256;
} // namespace

Result<bool> matchesRegex(std::string_view pattern, std::string_view text) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const Automaton>, std::less<>>
      kept;
  std::shared_ptr<const Automaton> automaton;
  {
    std::lock_guard lock(mutex);
    if (auto it = kept.find(pattern); it != kept.end())
      automaton = it->second;
  }
  if (!automaton) {
    auto compiled = compileRegex(pattern);
    if (!compiled)
      return compiled.error();
    automaton = std::make_shared<const Automaton>(std::move(*compiled));
    std::lock_guard lock(mutex);
    if (kept.size() >= maxKept)
      kept.clear();
    kept.emplace(pattern, automaton);
  }
  return automaton->matches(text);
}

void useRegexForTypes() { setPatternMatcher(matchesRegex); }

} // namespace sgl
