// The radix tree against a twin that knows no nodes: a map from prefixes to
// pages. All of the tree is compared with it after each of 10^5 random steps.
#include "tests/unit/cache/RadixTwin.h"

#include <gtest/gtest.h>
#include <random>

using namespace sgl;
using namespace sgl::test;

namespace {

/// A running sequence: its prefix is locked in tree and twin.
struct Handle {
  uint64_t space;
  Ids tokens; ///< whole pages
  RadixTree::Node *node;
};

class RandomRun {
public:
  RandomRun(uint64_t seed, uint32_t pages)
      : random(seed), pool(pages), tree(pool) {}

  void step() {
    switch (pick(10)) {
    case 0:
    case 1:
    case 2:
      return match();
    case 3:
    case 4:
      return extend();
    case 5:
    case 6:
      return finish();
    case 7:
      return evict();
    case 8:
      return abort();
    case 9:
      if (pick(50) == 0)
        return drop();
      return match();
    }
  }

  void compare() {
    ASSERT_EQ(tree.verify(), "");
    auto entries = tree.entries();
    ASSERT_EQ(entries.size(), twin.map.size());
    uint32_t locked = 0;
    for (const auto &entry : entries) {
      auto it = twin.map.find({entry.space, entry.tokens});
      ASSERT_NE(it, twin.map.end());
      ASSERT_EQ(entry.page, it->second.page);
      ASSERT_EQ(entry.time, it->second.time);
      ASSERT_EQ(entry.locks, it->second.locks);
      locked += entry.locks > 0;
    }
    // Nothing is held outside the tree between two steps.
    ASSERT_EQ(pool.free() + tree.evictablePages() + tree.protectedPages(),
              pool.size());
    ASSERT_EQ(tree.protectedPages(), locked);
    ASSERT_EQ(tree.evictedTokens(), twin.evicted);
  }

  void finishAll() {
    while (!handles.empty())
      abort();
    ASSERT_EQ(tree.protectedPages(), 0u);
    uint64_t kept = pool.size() - pool.free();
    ASSERT_EQ(tree.evict(pool.size()), kept);
  }

  uint64_t partialHits = 0, duplicates = 0, tails = 0, evictions = 0,
           refused = 0;

private:
  uint32_t pick(uint32_t below) {
    return static_cast<uint32_t>(random() % below);
  }

  /// Two ids only, and often the beginning of an earlier sequence, so that
  /// prefixes meet inside pages and at their borders.
  Ids randomTokens() {
    Ids tokens;
    if (!history.empty() && pick(4)) {
      const Ids &old = history[pick(static_cast<uint32_t>(history.size()))];
      tokens = Twin::prefix(old, pick(static_cast<uint32_t>(old.size()) + 1));
    }
    uint32_t more = pick(3 * pageSize);
    for (uint32_t i = 0; i < more; ++i)
      tokens.push_back(static_cast<TokenId>(pick(2)));
    if (tokens.size() > 6 * pageSize)
      tokens.resize(6 * pageSize);
    history.push_back(tokens);
    if (history.size() > 40)
      history.erase(history.begin());
    return tokens;
  }

  void match() {
    if (handles.size() > 6)
      return abort();
    Ids tokens = randomTokens();
    uint64_t space = pick(2);
    size_t full = twin.fullPages(space, tokens);
    Ids at = Twin::prefix(tokens, full * pageSize);
    uint32_t partial = twin.partial(space, at, tokens);
    ASSERT_EQ(tree.peek(space, tokens), at.size() + partial);
    auto found = tree.match(space, tokens);
    ASSERT_EQ(found.pages.size(), full);
    ASSERT_EQ(found.partialTokens, partial);
    if (partial) {
      ++partialHits;
      auto of = std::find_if(twin.map.begin(), twin.map.end(), [&](auto &e) {
        return e.second.page == found.partialPage;
      });
      ASSERT_NE(of, twin.map.end());
      ASSERT_TRUE(std::equal(tokens.begin(),
                             tokens.begin() + at.size() + partial,
                             of->first.second.begin()));
    }
    twin.touch(space, tokens, full);
    twin.lock(space, tokens, full, 1);
    handles.push_back({space, at, found.node});
  }

  /// Pages for `count` new pages, evicting in tree and twin alike.
  std::optional<std::vector<PageId>> take(size_t count) {
    std::vector<PageId> pages;
    while (pages.size() < count) {
      if (auto page = pool.take()) {
        pages.push_back(*page);
        continue;
      }
      auto expected = twin.evict();
      EXPECT_EQ(tree.evict(1), expected ? 1u : 0u);
      if (!expected) {
        ++refused;
        for (PageId page : pages)
          pool.give(page);
        return std::nullopt;
      }
      ++evictions;
      EXPECT_TRUE(pool.isFree(*expected));
    }
    return pages;
  }

  /// Inserts what a sequence computed; tokens may exist in the tree already.
  void grow(Handle &handle, const Ids &tokens) {
    size_t from = handle.tokens.size() / pageSize;
    size_t to = tokens.size() / pageSize, tail = tokens.size() % pageSize;
    auto pages = take(to - from + (tail > 0));
    if (!pages)
      return;
    std::vector<PageId> table = *pages;
    size_t before = twin.map.size();
    tree.extend(handle.node,
                RadixTree::Tokens(tokens).subspan(from * pageSize,
                                                  (to - from) * pageSize),
                std::span(table).first(to - from));
    growTwin(handle, tokens, *pages, table);
    duplicates += twin.map.size() == before;
    if (tail) {
      tree.addTail(handle.node,
                   RadixTree::Tokens(tokens).subspan(to * pageSize),
                   table.back());
      addTwinTail(handle, tokens, table.back());
    }
  }

  void growTwin(Handle &handle, const Ids &tokens,
                const std::vector<PageId> &own,
                const std::vector<PageId> &table) {
    size_t from = handle.tokens.size() / pageSize,
           to = tokens.size() / pageSize;
    twin.lock(handle.space, handle.tokens, from, -1);
    for (size_t i = from; i < to; ++i) {
      Twin::Key key{handle.space, Twin::prefix(tokens, (i + 1) * pageSize)};
      auto it = twin.map.find(key);
      if (it == twin.map.end()) {
        twin.dropTail(handle.space, key.second, i);
        twin.map[key] = {own[i - from], 0};
        ASSERT_EQ(table[i - from], own[i - from]);
      } else {
        ASSERT_EQ(table[i - from], it->second.page);
        ASSERT_TRUE(pool.isFree(own[i - from]));
      }
    }
    twin.touch(handle.space, tokens, to);
    twin.lock(handle.space, tokens, to, 1);
    handle.tokens = Twin::prefix(tokens, to * pageSize);
  }

  void addTwinTail(const Handle &handle, const Ids &tokens, PageId page) {
    if (twin.partial(handle.space, handle.tokens, tokens) ==
        tokens.size() % pageSize) {
      ASSERT_TRUE(pool.isFree(page));
      return;
    }
    ++tails;
    size_t full = tokens.size() / pageSize;
    twin.dropTail(handle.space, tokens, full);
    twin.touch(handle.space, tokens, full);
    twin.map[{handle.space, tokens}] = {page, twin.clock};
  }

  Ids longer(const Handle &handle) {
    Ids tokens = handle.tokens;
    Ids more = randomTokens();
    // Continue as some earlier sequence did where one fits.
    for (const Ids &old : history)
      if (old.size() > tokens.size() && pick(2) &&
          std::equal(tokens.begin(), tokens.end(), old.begin()))
        return old;
    tokens.insert(tokens.end(), more.begin(),
                  more.begin() + std::min<size_t>(more.size(), 40));
    return tokens;
  }

  void extend() {
    if (handles.empty())
      return match();
    Handle &handle = handles[pick(static_cast<uint32_t>(handles.size()))];
    Ids tokens = longer(handle);
    tokens.resize(tokens.size() / pageSize * pageSize);
    if (tokens.size() <= 8 * pageSize)
      grow(handle, tokens);
  }

  void finish() {
    if (handles.empty())
      return match();
    Handle &handle = handles[pick(static_cast<uint32_t>(handles.size()))];
    Ids tokens = longer(handle);
    if (tokens.size() <= 8 * pageSize)
      grow(handle, tokens);
    release(&handle - handles.data());
  }

  void abort() {
    if (!handles.empty())
      release(pick(static_cast<uint32_t>(handles.size())));
  }

  void release(size_t index) {
    Handle &handle = handles[index];
    tree.release(handle.node);
    twin.lock(handle.space, handle.tokens, handle.tokens.size() / pageSize, -1);
    handles.erase(handles.begin() + static_cast<ptrdiff_t>(index));
  }

  void evict() {
    uint32_t count = pick(4), freed = 0;
    for (uint32_t i = 0; i < count; ++i)
      freed += twin.evict().has_value();
    ASSERT_EQ(tree.evict(count), freed);
  }

  void drop() {
    uint64_t space = pick(2);
    for (const Handle &handle : handles)
      if (handle.space == space)
        return;
    tree.drop(space);
    std::erase_if(twin.map,
                  [&](auto &entry) { return entry.first.first == space; });
  }

  std::mt19937_64 random;
  PagePool pool;
  RadixTree tree;
  Twin twin;
  std::vector<Handle> handles;
  std::vector<Ids> history;
};

TEST(RadixRandom, EqualsTheMapOfPrefixes) {
  uint64_t partialHits = 0, duplicates = 0, tails = 0, evictions = 0,
           refused = 0;
  for (uint32_t pages : {3u, 8u, 24u, 60u}) {
    RandomRun run(pages, pages);
    for (int i = 0; i < 30000; ++i) {
      run.step();
      run.compare();
      if (HasFatalFailure())
        FAIL() << "step " << i << " of " << pages << " pages";
    }
    run.finishAll();
    partialHits += run.partialHits;
    duplicates += run.duplicates;
    tails += run.tails;
    evictions += run.evictions;
    refused += run.refused;
  }
  EXPECT_GT(partialHits, 1000u);
  EXPECT_GT(duplicates, 1000u);
  EXPECT_GT(tails, 1000u);
  EXPECT_GT(evictions, 1000u);
  EXPECT_GT(refused, 100u);
}

} // namespace
