// The free list of KV pages.
#include "runtime/cache/PagePool.h"

#include <gtest/gtest.h>
#include <set>

using namespace sgl;

namespace {

TEST(PagePool, HandsOutEachPageOnce) {
  PagePool pool(5);
  std::set<PageId> seen;
  while (auto page = pool.take())
    EXPECT_TRUE(seen.insert(*page).second);
  EXPECT_EQ(seen, (std::set<PageId>{0, 1, 2, 3, 4}));
  EXPECT_EQ(pool.free(), 0u);
  EXPECT_EQ(pool.size(), 5u);
}

TEST(PagePool, TakesPagesBack) {
  PagePool pool(3);
  PageId first = *pool.take();
  ASSERT_TRUE(pool.take());
  EXPECT_FALSE(pool.isFree(first));
  pool.give(first);
  EXPECT_TRUE(pool.isFree(first));
  EXPECT_EQ(pool.free(), 2u);
  EXPECT_EQ(pool.take(), first);
}

TEST(PagePool, CanBeEmpty) { EXPECT_FALSE(PagePool(0).take()); }

} // namespace
