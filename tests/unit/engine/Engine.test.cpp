// The engine case by case: reuse, limits, refusals, cancellation, forced ids.
#include "tests/unit/engine/EngineSession.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <thread>

using namespace sgl;
using namespace sgl::test;

namespace {

std::vector<TokenId> ids(uint32_t count, TokenId from = 0) {
  std::vector<TokenId> result(count);
  for (uint32_t i = 0; i < count; ++i)
    result[i] = static_cast<TokenId>((from + i) % 64);
  return result;
}

std::vector<TokenId> operator+(std::vector<TokenId> a,
                               const std::vector<TokenId> &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

EngineRequest gen(std::vector<TokenId> prompt, uint32_t maxTokens) {
  EngineRequest request;
  request.prompt = std::move(prompt);
  request.maxTokens = maxTokens;
  return request;
}

void expectAlone(Session &session, const EngineRequest &request,
                 const EngineReply &reply) {
  expectSame(reply, answerAlone(request, session.options.vocab,
                                session.options.context));
}

TEST(Engine, GeneratesAsAlone) {
  Session session({});
  auto request = gen(ids(20), 10);
  EngineReply reply = session.run(request);
  expectAlone(session, request, reply);
  EXPECT_EQ(reply.tokens.size(), 10u);
  EXPECT_EQ(reply.finish, EngineFinish::Length);
  EXPECT_EQ(reply.usage.promptTokens, 20u);
  EXPECT_EQ(reply.usage.cachedTokens, 0u);
  EXPECT_EQ(reply.usage.generatedTokens, 10u);
  EXPECT_EQ(session.stats().decodeSteps, 10u);
  EXPECT_EQ(session.stats().device, "cpu fake");
}

TEST(Engine, TheSecondTimeOnlyTheLastTokenIsComputed) {
  for (uint32_t length : {1u, 2u, 15u, 16u, 17u, 32u, 33u, 60u}) {
    Session session({});
    auto request = gen(ids(length), 5);
    EngineReply first = session.run(request), second = session.run(request);
    expectAlone(session, request, first);
    expectAlone(session, request, second);
    EXPECT_EQ(second.usage.cachedTokens, length - 1) << length;
    RunStats stats = session.stats();
    EXPECT_EQ(stats.cachedTokens, stats.optimalCachedTokens);
    EXPECT_EQ(stats.promptTokens, 2 * length);
  }
}

TEST(Engine, OutputsAreKeptToo) {
  Session session({});
  auto first = gen(ids(20), 13);
  EngineReply one = session.run(first);
  auto second = gen(first.prompt + one.tokens + ids(7, 40), 4);
  EngineReply two = session.run(second);
  expectAlone(session, second, two);
  // All but the last output token, which was drawn and never fed.
  EXPECT_EQ(two.usage.cachedTokens, 20u + 13u - 1u);
}

TEST(Engine, BranchesSubmittedTogetherComputeTheirPrefixOnce) {
  for (uint32_t maxRows : {16u, 64u, 512u}) {
    SessionOptions options;
    options.engine.maxRows = maxRows;
    Session session(options);
    std::vector<EngineRequest> branches;
    for (TokenId i = 0; i < 3; ++i)
      branches.push_back(gen(ids(150) + ids(9, 10 * i + 1), 6));
    auto replies = session.run(branches);
    for (size_t i = 0; i < branches.size(); ++i)
      expectAlone(session, branches[i], replies[i]);
    EXPECT_EQ(replies[0].usage.cachedTokens, 0u);
    EXPECT_EQ(replies[1].usage.cachedTokens, 150u);
    EXPECT_EQ(replies[2].usage.cachedTokens, 150u);
    RunStats stats = session.stats();
    EXPECT_EQ(stats.cachedTokens, stats.optimalCachedTokens);
    EXPECT_EQ(stats.maxBatch, 3u);
    // Prompt rows once, and one row for each token fed.
    EXPECT_EQ(session.report->rows, 150u + 3 * 9u + 3 * 5u);
  }
}

TEST(Engine, SamplesOfOnePromptShareItsUnfinishedPage) {
  Session session({});
  std::vector<EngineRequest> samples(5, gen(ids(39), 8));
  for (size_t i = 0; i < samples.size(); ++i) {
    samples[i].sampling.temperature = 1;
    samples[i].drawKey = i;
  }
  auto replies = session.run(samples);
  std::set<std::vector<TokenId>> texts;
  for (size_t i = 0; i < samples.size(); ++i) {
    expectAlone(session, samples[i], replies[i]);
    EXPECT_EQ(replies[i].usage.cachedTokens, i ? 38u : 0u);
    texts.insert(replies[i].tokens);
  }
  EXPECT_EQ(texts.size(), 5u);
}

TEST(Engine, WithoutRadixTheBytesStayAndTheWorkGrows) {
  SessionOptions off;
  off.engine.radix = false;
  Session with({}), without(off);
  std::vector<EngineRequest> branches;
  for (TokenId i = 0; i < 4; ++i)
    branches.push_back(gen(ids(70) + ids(5, 7 * i + 1), 6));
  auto a = with.run(branches), b = without.run(branches);
  for (size_t i = 0; i < branches.size(); ++i)
    expectSame(a[i], b[i]);
  EXPECT_EQ(without.stats().cachedTokens, 0u);
  EXPECT_EQ(without.report->rows - with.report->rows, 3 * 70u);
}

TEST(Engine, WithoutBatchingOneSequenceRuns) {
  SessionOptions off;
  off.engine.batching = false;
  Session session(off);
  std::vector<EngineRequest> requests;
  for (TokenId i = 0; i < 4; ++i)
    requests.push_back(gen(ids(10, 9 * i), 6));
  auto replies = session.run(requests);
  for (size_t i = 0; i < requests.size(); ++i)
    expectAlone(session, requests[i], replies[i]);
  EXPECT_EQ(session.stats().maxBatch, 1u);
}

TEST(Engine, MaxTokensAreCutToTheContext) {
  SessionOptions options;
  options.context = 50;
  Session session(options);
  EngineReply reply = session.run(gen(ids(40), 1000));
  EXPECT_EQ(reply.finish, EngineFinish::Context);
  EXPECT_EQ(reply.tokens.size(), 10u);
  reply = session.run(gen(ids(40), 10));
  EXPECT_EQ(reply.finish, EngineFinish::Length);
}

TEST(Engine, RefusesWithTheNumbers) {
  SessionOptions options;
  options.context = 300;
  options.engine.kvPages = 8;
  Session session(options);
  struct Case {
    EngineRequest request;
    std::string why;
  };
  EngineRequest scored = gen(ids(100), 0), outside = gen({1, 64}, 3),
                biased = gen({1}, 3), heated = gen({1}, 3);
  scored.choices = {{1}, ids(40)};
  biased.sampling.bias = {{99, 1.0f}};
  heated.sampling.temperature = NAN;
  const Case cases[] = {
      {gen({}, 3), "the prompt is empty"},
      {gen(ids(300), 1), "the prompt has 300 tokens, the context of 300 has no "
                         "room for one more"},
      {gen(ids(100), 200),
       "the prompt has 100 tokens and up to 200 more: that takes 304 KV "
       "positions, the cache has 128"},
      {scored, "the prompt has 100 tokens and up to 40 more: that takes 160 KV "
               "positions, the cache has 128"},
      {outside, "token 64 is not in the vocabulary"},
      {biased, "the bias of token 99 is not usable"},
      {heated, "a sampling option is negative or not a number"},
  };
  for (const Case &c : cases) {
    EngineReply reply = session.run(c.request);
    EXPECT_EQ(reply.finish, EngineFinish::Failed);
    EXPECT_EQ(reply.error, c.why);
    EXPECT_TRUE(reply.fatal);
  }
  EXPECT_EQ(session.report->forwards, 0u);
  // The cache holds just this, and others go on.
  EXPECT_EQ(session.run(gen(ids(100), 29)).tokens.size(), 29u);
  EXPECT_EQ(session.run(gen(ids(128), 1)).tokens.size(), 1u);
}

TEST(Engine, APromptAloneIsComputedAndKept) {
  Session session({});
  EngineReply reply = session.run(gen(ids(50), 0));
  EXPECT_EQ(reply.finish, EngineFinish::Length);
  EXPECT_TRUE(reply.tokens.empty());
  EXPECT_EQ(session.run(gen(ids(50) + ids(5, 3), 1)).usage.cachedTokens, 50u);
}

TEST(Engine, NoLegalTokenFailsThatRequestAlone) {
  struct Dead : Decoder {
    std::vector<uint32_t> none{0, 0};
    std::span<const uint32_t> mask() override { return none; }
    Step accept(TokenId) override { return Step::Continue; }
    std::string describe() const override { return "at byte 0"; }
  };
  Session session({});
  auto dead = gen(ids(10), 5), alive = gen(ids(12), 5);
  dead.decoder = std::make_shared<Dead>();
  auto replies = session.run({dead, alive});
  EXPECT_EQ(replies[0].finish, EngineFinish::Failed);
  EXPECT_EQ(replies[0].error, "no token is legal (at byte 0)");
  EXPECT_FALSE(replies[0].fatal);
  expectAlone(session, alive, replies[1]);
}

TEST(Engine, ForcedIdsAreOneChunkOrManySteps) {
  struct Forcing : Decoder {
    size_t at = 0;
    std::vector<TokenId> forced() override {
      return at == 2 ? ids(20, 30) : std::vector<TokenId>{};
    }
    Step accept(TokenId) override {
      return ++at == 25 ? Step::Stop : Step::Continue;
    }
  };
  SessionOptions off;
  off.engine.jumpForward = false;
  Session jumping({}), walking(off);
  auto request = [] {
    auto request = gen(ids(9), 100);
    request.decoder = std::make_shared<Forcing>();
    return request;
  };
  EngineReply a = jumping.run(request()), b = walking.run(request());
  expectSame(a, b);
  expectAlone(jumping, request(), a);
  EXPECT_EQ(a.tokens.size(), 25u);
  EXPECT_EQ(a.usage.forcedTokens, 20u);
  EXPECT_EQ(b.usage.forcedTokens, 0u);
  EXPECT_EQ(jumping.stats().decodeSteps, 5u);
  EXPECT_EQ(walking.stats().decodeSteps, 25u);
  EXPECT_EQ(a.usage.generatedTokens, 25u);
}

TEST(Engine, CancelledCallsAreNotAnswered) {
  SessionOptions options;
  options.context = 4096;
  options.engine.kvPages = 300;
  Session session(options);
  // Runs long enough to be cancelled while it decodes.
  auto running = session.submit({gen(ids(4), 4000)});
  while (session.report->forwards < 5)
    std::this_thread::yield();
  session.engine.cancel(running[0]);
  uint64_t steps = session.report->forwards;
  session.submit({gen(ids(8), 3)});
  ASSERT_TRUE(session.wait(1)); // this one's answer, and no other
  EXPECT_LT(session.report->forwards, steps + 8);
  EXPECT_EQ(session.replies.count(0), 0u);
  EXPECT_EQ(session.replies.size(), 1u);
  session.engine.cancel(running[0]); // again, and of a finished call: nothing
  session.engine.cancel(12345);
}

TEST(Engine, ADestroyedEngineStopsAtOnce) {
  SessionOptions options;
  options.context = 100000;
  options.engine.kvPages = 7000;
  options.engine.verify = false;
  auto session = std::make_unique<Session>(options);
  session->submit({gen(ids(4), 90000)});
  while (session->report->forwards < 3)
    std::this_thread::yield();
  session.reset();
}

TEST(Engine, RepliesMaySubmitAndCancel) {
  Session session({});
  std::mutex mutex;
  std::condition_variable changed;
  int depth = 0;
  std::function<void(size_t, EngineReply)> again = [&](size_t, EngineReply) {
    auto ids2 = session.engine.submit({gen(ids(5), 200)}, again);
    session.engine.cancel(ids2[0]);
    std::lock_guard lock(mutex);
    if (++depth < 10)
      session.engine.submit({gen(ids(5), 2)}, again);
    changed.notify_all();
  };
  session.engine.submit({gen(ids(5), 2)}, again);
  std::unique_lock lock(mutex);
  EXPECT_TRUE(changed.wait_for(lock, std::chrono::seconds(60),
                               [&] { return depth == 10; }));
}

TEST(Engine, AFullCacheRetractsAndRecomputes) {
  SessionOptions options;
  options.engine.kvPages = 8;
  Session session(options);
  std::vector<EngineRequest> requests;
  for (TokenId i = 0; i < 3; ++i)
    requests.push_back(gen(ids(10, 20 * i), 80));
  auto replies = session.run(requests);
  for (size_t i = 0; i < requests.size(); ++i)
    expectAlone(session, requests[i], replies[i]);
  EXPECT_GT(session.stats().retractions, 0u);
  EXPECT_GT(session.stats().evictedTokens, 0u);
  EXPECT_EQ(session.stats().peakKvTokens, 128u);
}

} // namespace
