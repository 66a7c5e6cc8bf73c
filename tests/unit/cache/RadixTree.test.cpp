// The radix tree case by case: matches, splits, tails, locks, eviction.
#include "runtime/cache/RadixTree.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace sgl;

namespace {

std::vector<TokenId> ids(uint32_t count, TokenId from = 0) {
  std::vector<TokenId> result(count);
  std::iota(result.begin(), result.end(), from);
  return result;
}

std::vector<TokenId> operator+(std::vector<TokenId> a,
                               const std::vector<TokenId> &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

struct Cache {
  explicit Cache(uint32_t pages = 32) : pool(pages), tree(pool) {}

  /// Inserts whole pages and a tail, as a finished request does.
  void insert(const std::vector<TokenId> &tokens, uint64_t space = 0) {
    auto found = tree.match(space, {});
    std::vector<PageId> table;
    for (size_t i = 0; i < tokens.size(); i += pageSize)
      table.push_back(*pool.take());
    size_t full = tokens.size() / pageSize;
    tree.extend(found.node, RadixTree::Tokens(tokens).first(full * pageSize),
                std::span(table).first(full));
    if (full < table.size())
      tree.addTail(found.node,
                   RadixTree::Tokens(tokens).subspan(full * pageSize),
                   table.back());
    tree.release(found.node);
    EXPECT_EQ(tree.verify(), "");
  }

  /// Full and partial tokens that a match finds; peek must agree.
  std::pair<uint32_t, uint32_t> find(const std::vector<TokenId> &tokens,
                                     uint64_t space = 0) {
    uint32_t peeked = tree.peek(space, tokens);
    auto found = tree.match(space, tokens);
    uint32_t full = static_cast<uint32_t>(found.pages.size()) * pageSize;
    EXPECT_EQ(peeked, full + found.partialTokens);
    EXPECT_EQ(tree.path(found.node), found.pages);
    tree.release(found.node);
    EXPECT_EQ(tree.verify(), "");
    return {full, found.partialTokens};
  }

  PagePool pool;
  RadixTree tree;
};

using Found = std::pair<uint32_t, uint32_t>;

TEST(RadixTree, FindsNothingInAnEmptyTree) {
  Cache cache;
  EXPECT_EQ(cache.find({}), Found(0, 0));
  EXPECT_EQ(cache.find(ids(40)), Found(0, 0));
}

TEST(RadixTree, CountsHitsByToken) {
  struct Case {
    std::vector<TokenId> stored, asked;
    Found found;
  };
  const Case cases[] = {
      {ids(48), ids(48), {48, 0}},
      {ids(48), ids(60), {48, 0}},
      {ids(48), ids(47), {32, 15}},
      {ids(48), ids(33), {32, 1}},
      {ids(48), ids(32), {32, 0}},
      {ids(48), ids(5), {0, 5}},
      {ids(48), ids(20) + ids(30, 900), {16, 4}},
      {ids(48), ids(30, 900), {0, 0}},
      {ids(40), ids(48), {32, 8}}, // a tail of 8
      {ids(40), ids(35), {32, 3}}, // a part of it
      {ids(7), ids(100), {0, 7}},  // shorter than a page
      {ids(7), ids(3) + ids(9, 50), {0, 3}},
  };
  for (const Case &c : cases) {
    Cache cache;
    cache.insert(c.stored);
    EXPECT_EQ(cache.find(c.asked), c.found)
        << c.stored.size() << " " << c.asked.size();
  }
}

TEST(RadixTree, SplitsAtPagesAndKeepsBothBranches) {
  Cache cache;
  auto left = ids(32) + ids(32, 100), right = ids(32) + ids(32, 200);
  cache.insert(left);
  cache.insert(right);
  EXPECT_EQ(cache.find(left), Found(64, 0));
  EXPECT_EQ(cache.find(right), Found(64, 0));
  // Two shared pages, two of each branch: the duplicates went back.
  EXPECT_EQ(cache.pool.free(), 32u - 6u);
}

TEST(RadixTree, RewritesTheTableBeforeItFreesDuplicates) {
  Cache cache;
  cache.insert(ids(32));
  auto first = cache.tree.match(0, ids(32));
  auto second = cache.tree.match(0, {});
  std::vector<PageId> table{*cache.pool.take(), *cache.pool.take(),
                            *cache.pool.take()};
  std::vector<PageId> own = table;
  cache.tree.extend(second.node, ids(48), table);
  EXPECT_EQ(table[0], first.pages[0]);
  EXPECT_EQ(table[1], first.pages[1]);
  EXPECT_EQ(table[2], own[2]);
  EXPECT_TRUE(cache.pool.isFree(own[0]));
  EXPECT_TRUE(cache.pool.isFree(own[1]));
  EXPECT_EQ(cache.tree.path(second.node), table);
  cache.tree.release(first.node);
  cache.tree.release(second.node);
  EXPECT_EQ(cache.tree.verify(), "");
}

TEST(RadixTree, LongerTailsReplaceShorterOnes) {
  Cache cache;
  cache.insert(ids(20));
  cache.insert(ids(25)); // 9 positions in place of 4
  EXPECT_EQ(cache.pool.free(), 30u);
  EXPECT_EQ(cache.find(ids(40)), Found(16, 9));
  cache.insert(ids(18)); // nothing new
  EXPECT_EQ(cache.pool.free(), 30u);
  cache.insert(ids(32)); // the whole page in place of the tail
  EXPECT_EQ(cache.pool.free(), 30u);
  EXPECT_EQ(cache.find(ids(40)), Found(32, 0));
  cache.insert(ids(20) + ids(3, 70)); // another tail stays beside it
  EXPECT_EQ(cache.pool.free(), 29u);
  EXPECT_EQ(cache.find(ids(20) + ids(8, 70)), Found(16, 7));
}

TEST(RadixTree, EvictsTheLeastRecentlyUsedLeafFromItsEnd) {
  Cache cache(8);
  auto old = ids(48), young = ids(48, 500);
  cache.insert(old);
  cache.insert(young);
  EXPECT_EQ(cache.tree.evictablePages(), 6u);
  EXPECT_EQ(cache.tree.evict(1), 1u);
  EXPECT_EQ(cache.find(young), Found(48, 0));
  EXPECT_EQ(cache.find(old), Found(32, 0)); // now the younger one
  EXPECT_EQ(cache.tree.evict(2), 2u);
  EXPECT_EQ(cache.find(young), Found(16, 0));
  EXPECT_EQ(cache.find(old), Found(32, 0));
  EXPECT_EQ(cache.tree.evict(100), 3u);
  EXPECT_EQ(cache.pool.free(), 8u);
  EXPECT_EQ(cache.tree.evictedTokens(), 96u);
}

TEST(RadixTree, LocksProtectThePathToTheRoot) {
  Cache cache;
  cache.insert(ids(32) + ids(16, 100));
  cache.insert(ids(32) + ids(16, 200));
  auto held = cache.tree.match(0, ids(32) + ids(16, 100));
  EXPECT_EQ(cache.tree.protectedPages(), 3u);
  EXPECT_EQ(cache.tree.evict(100), 1u);
  EXPECT_EQ(cache.tree.peek(0, ids(32) + ids(16, 100)), 48u);
  auto again = cache.tree.match(0, ids(16)); // splits a locked node
  EXPECT_EQ(cache.tree.verify(), "");
  cache.tree.release(held.node);
  EXPECT_EQ(cache.tree.protectedPages(), 1u);
  EXPECT_EQ(cache.tree.evict(100), 2u);
  cache.tree.release(again.node);
  EXPECT_EQ(cache.tree.evict(100), 1u);
  EXPECT_EQ(cache.tree.verify(), "");
}

TEST(RadixTree, KeepsSpacesApart) {
  Cache cache;
  cache.insert(ids(32), 1);
  EXPECT_EQ(cache.find(ids(32), 2), Found(0, 0));
  cache.insert(ids(40), 2);
  EXPECT_EQ(cache.find(ids(32), 1), Found(32, 0));
  EXPECT_EQ(cache.find(ids(40), 2), Found(32, 8));
  cache.tree.drop(1);
  EXPECT_EQ(cache.find(ids(32), 1), Found(0, 0));
  EXPECT_EQ(cache.pool.free(), 29u);
  cache.tree.drop(2);
  EXPECT_EQ(cache.pool.free(), 32u);
  EXPECT_EQ(cache.tree.verify(), "");
}

TEST(RadixTree, DeepTreesNeedNoStack) {
  const uint32_t depth = 3000;
  Cache cache(2 * depth);
  auto handle = cache.tree.match(0, {});
  std::vector<TokenId> tokens;
  for (uint32_t i = 0; i < depth; ++i) {
    PageId page = *cache.pool.take(), other = *cache.pool.take();
    auto pinned = handle.node;
    cache.tree.lock(pinned); // another handle: the node cannot grow
    auto next = ids(pageSize, static_cast<TokenId>(i));
    cache.tree.extend(handle.node, next, std::span(&page, 1));
    cache.tree.release(pinned);
    cache.pool.give(other);
  }
  EXPECT_EQ(cache.tree.verify(), "");
  cache.tree.release(handle.node);
  EXPECT_EQ(cache.tree.evict(depth), depth);
}

} // namespace
