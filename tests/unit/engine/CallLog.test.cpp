// The optimum against a set of prefixes, case by case and on random calls.
#include "runtime/engine/CallLog.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace sgl;

namespace {

using Ids = std::vector<TokenId>;
struct Logged {
  Ids prompt, output;
};

/// The definition, with whole prefixes in sets.
uint64_t optimum(const std::vector<Logged> &calls) {
  std::set<Ids> middle, last, generated;
  uint64_t prompts = 0;
  for (const Logged &call : calls) {
    prompts += call.prompt.size();
    Ids prefix;
    for (TokenId token : call.prompt) {
      prefix.push_back(token);
      (prefix.size() < call.prompt.size() ? middle : last).insert(prefix);
    }
    for (TokenId token : call.output) {
      prefix.push_back(token);
      generated.insert(prefix);
    }
  }
  uint64_t misses = calls.size();
  for (const Ids &prefix : middle)
    misses += !last.count(prefix) && !generated.count(prefix);
  return prompts - misses;
}

uint64_t logged(const std::vector<Logged> &calls) {
  CallLog log;
  for (const Logged &call : calls) {
    log.addPrompt(call.prompt);
    log.addOutput(call.prompt, call.output);
  }
  return log.optimalCachedTokens();
}

TEST(CallLog, CountsEachPositionOnce) {
  EXPECT_EQ(logged({}), 0u);
  EXPECT_EQ(logged({{{1, 2, 3}, {}}}), 0u);
  // The second time all but its last token are there.
  EXPECT_EQ(logged({{{1, 2, 3}, {}}, {{1, 2, 3}, {}}}), 2u);
  // Branches: the second shares two positions.
  EXPECT_EQ(logged({{{1, 2, 3}, {}}, {{1, 2, 4}, {}}}), 2u);
  // A turn: prompt and output of the first are the beginning of the second.
  EXPECT_EQ(logged({{{1, 2}, {5, 6}}, {{1, 2, 5, 6, 7, 8}, {}}}), 4u);
  // The shorter prompt computes what the longer one needs.
  EXPECT_EQ(logged({{{1, 2, 3}, {}}, {{1, 2}, {}}}), 2u);
}

TEST(CallLog, EqualsTheDefinitionOnRandomCalls) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<Logged> calls;
    for (int i = 0; i < 12; ++i) {
      Logged call;
      if (!calls.empty() && random() % 2) {
        const Logged &old = calls[random() % calls.size()];
        call.prompt = old.prompt;
        call.prompt.insert(call.prompt.end(), old.output.begin(),
                           old.output.end());
      }
      do
        call.prompt.push_back(random() % 2);
      while (random() % 4);
      while (random() % 3)
        call.output.push_back(random() % 2);
      calls.push_back(call);
    }
    EXPECT_EQ(logged(calls), optimum(calls)) << round;
  }
}

} // namespace
