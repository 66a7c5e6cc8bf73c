// Optimal string alignment distance, bounded; see Names.h.
#include "compiler/check/Names.h"

#include <algorithm>
#include <cctype>

namespace sgl {

namespace {

constexpr size_t maxLength = 64;
constexpr size_t maxCandidates = 4096;

/// Upper and lower case differ by less than any other edit: `dim` finds `DIM`.
size_t replaceCost(char a, char b) {
  if (a == b)
    return 0;
  return std::tolower(uint8_t(a)) == std::tolower(uint8_t(b)) ? 1 : 2;
}

/// Twice the number of edits.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1),
      row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    last[j] = 2 * j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = 2 * i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 2, row[j - 1] + 2,
                         last[j - 1] + replaceCost(a[i - 1], b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 2);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

} // namespace

std::string nearestName(std::string_view name,
                        const std::vector<std::string> &candidates) {
  if (name.empty() || name.size() > maxLength)
    return "";
  size_t limit = 2 * std::max<size_t>(1, (name.size() + 1) / 3);
  // Of a name that differs in case alone each letter costs one.
  size_t caseLimit = name.size();
  std::string best;
  size_t bestCost = SIZE_MAX;
  size_t count = std::min(candidates.size(), maxCandidates);
  for (size_t i = 0; i < count; ++i) {
    const std::string &candidate = candidates[i];
    size_t longer = std::max(candidate.size(), name.size());
    size_t shorter = std::min(candidate.size(), name.size());
    if (candidate.size() > maxLength || candidate == name ||
        2 * (longer - shorter) > limit)
      continue;
    size_t cost = distance(name, candidate);
    bool sameLetters = candidate.size() == name.size() && cost <= caseLimit &&
                       std::equal(name.begin(), name.end(), candidate.begin(),
                                  [](char a, char b) {
                                    return std::tolower(uint8_t(a)) ==
                                           std::tolower(uint8_t(b));
                                  });
    bool better = cost < bestCost || (cost == bestCost && candidate < best);
    if ((cost <= limit || sameLetters) && better) {
      best = candidate;
      bestCost = cost;
    }
  }
  return best;
}

} // namespace sgl
