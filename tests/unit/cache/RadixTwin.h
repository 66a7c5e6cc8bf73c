// The radix tree's twin: a map from whole prefixes to pages.
//
// Knows no nodes and no splits; each page is an entry of its own, found by all
// the tokens up to its end. Slow and obvious.
#pragma once

#include "runtime/cache/RadixTree.h"

#include <algorithm>
#include <map>

namespace sgl::test {

using Ids = std::vector<TokenId>;

/// One entry for each page: its whole prefix, and what the tree should know.
class Twin {
public:
  struct Page {
    PageId page;
    uint64_t time;
    uint32_t locks = 0;
  };
  using Key = std::pair<uint64_t, Ids>;

  /// The longest run of stored whole pages that `tokens` begins with.
  size_t fullPages(uint64_t space, const Ids &tokens) const {
    size_t pages = 0;
    while ((pages + 1) * pageSize <= tokens.size() &&
           map.count({space, prefix(tokens, (pages + 1) * pageSize)}))
      ++pages;
    return pages;
  }

  /// The longest agreement with any page one step below `at`.
  uint32_t partial(uint64_t space, const Ids &at, const Ids &tokens) const {
    uint32_t best = 0;
    for (const auto &[key, page] : map) {
      const Ids &ids = key.second;
      if (key.first != space || ids.size() <= at.size() ||
          ids.size() > at.size() + pageSize ||
          !std::equal(at.begin(), at.end(), ids.begin()))
        continue;
      uint32_t count = 0;
      while (at.size() + count < std::min(ids.size(), tokens.size()) &&
             ids[at.size() + count] == tokens[at.size() + count])
        ++count;
      best = std::max(best, count);
    }
    return best;
  }

  void touch(uint64_t space, const Ids &tokens, size_t pages) {
    ++clock;
    each(space, tokens, pages, [&](Page &page) { page.time = clock; });
  }
  void lock(uint64_t space, const Ids &tokens, size_t pages, int by) {
    each(space, tokens, pages, [&](Page &page) { page.locks += by; });
  }

  /// Removes the tail that `tokens` (longer than it) begins with.
  std::optional<PageId> dropTail(uint64_t space, const Ids &tokens,
                                 size_t pages) {
    for (size_t n = pages * pageSize + 1;
         n < std::min((pages + 1) * pageSize, tokens.size() + 1); ++n)
      if (auto it = map.find({space, prefix(tokens, n)}); it != map.end()) {
        PageId page = it->second.page;
        map.erase(it);
        return page;
      }
    return std::nullopt;
  }

  /// The oldest page without locks and without anything behind it.
  std::optional<PageId> evict() {
    auto victim = map.end();
    for (auto it = map.begin(); it != map.end(); ++it) {
      if (it->second.locks || !isLeaf(it))
        continue;
      if (victim == map.end() || it->second.time < victim->second.time)
        victim = it;
    }
    if (victim == map.end())
      return std::nullopt;
    PageId page = victim->second.page;
    evicted += (victim->first.second.size() - 1) % pageSize + 1;
    map.erase(victim);
    return page;
  }

  static Ids prefix(const Ids &tokens, size_t count) {
    return Ids(tokens.begin(), tokens.begin() + count);
  }

  std::map<Key, Page> map;
  uint64_t clock = 0, evicted = 0;

private:
  /// In the order of keys, what extends a prefix comes right behind it.
  bool isLeaf(std::map<Key, Page>::const_iterator it) const {
    auto next = std::next(it);
    if (next == map.end() || next->first.first != it->first.first)
      return true;
    const Ids &a = it->first.second, &b = next->first.second;
    return b.size() < a.size() || !std::equal(a.begin(), a.end(), b.begin());
  }

  template <typename F>
  void each(uint64_t space, const Ids &tokens, size_t pages, F &&change) {
    for (size_t i = 1; i <= pages; ++i)
      change(map.at({space, prefix(tokens, i * pageSize)}));
  }
};

} // namespace sgl::test
