// Scoring: every log-probability equals that of the whole prefix alone.
#include "tests/unit/engine/EngineSession.h"

#include <gtest/gtest.h>

using namespace sgl;
using namespace sgl::test;

namespace {

EngineRequest score(uint32_t promptLength,
                    std::vector<std::vector<TokenId>> choices) {
  EngineRequest request;
  for (uint32_t i = 0; i < promptLength; ++i)
    request.prompt.push_back(static_cast<TokenId>(i * 7 % 64));
  request.choices = std::move(choices);
  return request;
}

TEST(EngineScoring, EqualsEachChoiceAlone) {
  const std::vector<std::vector<TokenId>> choices = {
      {1},       {2, 3},
      {2, 3, 4}, {},
      {5},       std::vector<TokenId>(20, 9),
      {2, 4},    std::vector<TokenId>(17, 8)};
  for (uint32_t length : {1u, 15u, 16u, 17u, 31u, 48u, 90u})
    for (uint32_t logitRows : {1u, 7u, 256u}) {
      SessionOptions options;
      options.engine.maxLogitRows = logitRows;
      Session session(options);
      EngineRequest request = score(length, choices);
      EngineReply reply = session.run(request);
      EngineReply expected =
          answerAlone(request, options.vocab, options.context);
      EXPECT_EQ(reply.choiceLogprobs, expected.choiceLogprobs) << length;
      EXPECT_EQ(reply.finish, EngineFinish::Stopped);
      // The prompt once, and all ids but the last of each choice.
      EXPECT_EQ(session.report->rows, length + 1 + 2 + 19 + 1 + 16);
      EXPECT_EQ(session.stats().promptTokens, length);
    }
}

TEST(EngineScoring, TheChosenTextIsCached) {
  Session session({});
  session.run(score(30, {{1, 2, 3, 4}, {5, 6, 7, 8, 9}}));
  EngineRequest next = score(30, {});
  for (TokenId id : {5, 6, 7, 8, 9, 40, 41})
    next.prompt.push_back(id);
  next.maxTokens = 2;
  EngineReply reply = session.run(next);
  EXPECT_EQ(reply.usage.cachedTokens, 34u); // not the last id of the choice
  expectSame(reply, answerAlone(next, 64, 256));
}

TEST(EngineScoring, AuxiliaryRequestsAreNotCounted) {
  Session session({});
  EngineRequest request = score(1, {{1, 2}, {3}});
  request.auxiliary = true;
  session.run(request);
  RunStats stats = session.stats();
  EXPECT_EQ(stats.calls, 0u);
  EXPECT_EQ(stats.promptTokens, 0u);
  session.run(score(8, {{1, 2}, {3}}));
  EXPECT_EQ(session.stats().calls, 1u);
  EXPECT_EQ(session.stats().promptTokens, 8u);
}

TEST(EngineScoring, FitsInTheSmallestCache) {
  for (bool radix : {true, false}) {
    SessionOptions options;
    options.engine.kvPages = 6; // 20 + 40 tokens and a copy of the last page
    options.engine.radix = radix;
    Session session(options);
    EngineRequest request =
        score(20, {std::vector<TokenId>(40, 3), std::vector<TokenId>(40, 4),
                   std::vector<TokenId>(40, 5)});
    EngineReply reply = session.run(request);
    EXPECT_EQ(reply.error, "");
    EXPECT_EQ(reply.choiceLogprobs,
              answerAlone(request, 64, 256).choiceLogprobs);
  }
}

} // namespace
