// Byte-pair merging against a quadratic twin on random tables.
#include "runtime/text/MergeTable.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace sgl;

namespace {

using Merges = std::map<std::pair<TokenId, TokenId>, std::pair<int, TokenId>>;

/// The definition: again and again the best rank, leftmost first.
std::vector<TokenId> mergeSlowly(const Merges &merges,
                                 std::vector<TokenId> ids) {
  for (;;) {
    size_t best = 0;
    int rank = INT_MAX;
    for (size_t i = 0; i + 1 < ids.size(); ++i)
      if (auto it = merges.find({ids[i], ids[i + 1]});
          it != merges.end() && it->second.first < rank) {
        best = i;
        rank = it->second.first;
      }
    if (rank == INT_MAX)
      return ids;
    ids[best] = merges.at({ids[best], ids[best + 1]}).second;
    ids.erase(ids.begin() + long(best) + 1);
  }
}

TEST(MergeTable, EqualsTheDefinition) {
  std::mt19937 random(7);
  size_t merged = 0;
  for (int round = 0; round < 2000; ++round) {
    Merges twin;
    MergeTable table;
    TokenId next = 3;
    for (int rank = 0; rank < 20; ++rank) {
      std::pair<TokenId, TokenId> pair{TokenId(random() % unsigned(next)),
                                       TokenId(random() % unsigned(next))};
      if (!twin.emplace(pair, std::pair{rank, next}).second)
        continue;
      table.add(pair.first, pair.second, uint32_t(rank), next++);
    }
    std::vector<TokenId> ids(random() % 40);
    for (TokenId &id : ids)
      id = TokenId(random() % 3);
    std::vector<TokenId> expected = mergeSlowly(twin, ids);
    merged += ids.size() - expected.size();
    table.apply(ids);
    ASSERT_EQ(ids, expected) << "round " << round;
  }
  EXPECT_GT(merged, 1000u) << "the tables hardly merge anything";
}

TEST(MergeTable, AMillionSymbolsAreNoProblem) {
  MergeTable table;
  table.add(0, 0, 0, 1);
  table.add(1, 1, 1, 2);
  std::vector<TokenId> ids(1000000, 0);
  table.apply(ids);
  EXPECT_EQ(ids, std::vector<TokenId>(250000, 2));
}

} // namespace
