// Random requests under every option and cache size: each answer equals that of
// the one-by-one twin, everything is answered, nothing hangs.
#include "tests/unit/engine/EngineSession.h"

#include <gtest/gtest.h>
#include <random>
#include <set>
#include <thread>

using namespace sgl;
using namespace sgl::test;

namespace {

constexpr uint32_t vocab = 48, context = 120;

/// A request and what it needs to be made again: decoders have state.
struct Spec {
  EngineRequest request;
  std::optional<uint64_t> decoder;
  bool dead = false;

  EngineRequest make() const {
    EngineRequest copy = request;
    if (decoder)
      copy.decoder = std::make_shared<HashDecoder>(*decoder, vocab, dead);
    return copy;
  }
};

class Requests {
public:
  explicit Requests(uint64_t seed) : random(seed) {}

  Spec next() {
    Spec spec;
    spec.request.prompt = prompt();
    spec.request.order = pick(4) ? 0 : pick(100);
    uint32_t room = context - static_cast<uint32_t>(spec.request.prompt.size());
    if (pick(5) == 0) {
      for (uint32_t i = 0; i < 1 + pick(5); ++i)
        spec.request.choices.push_back(tokens(pick(std::min(room, 30u))));
      return spec;
    }
    spec.request.maxTokens = pick(10) ? pick(60) : 1000;
    TokenSampling &sampling = spec.request.sampling;
    sampling.temperature = pick(2) ? 0 : 0.8;
    if (pick(4) == 0)
      sampling.topP = 0.8;
    if (pick(4) == 0)
      sampling.repetitionPenalty = 1.3;
    if (pick(4) == 0)
      sampling.frequencyPenalty = 0.2;
    spec.request.drawKey = random();
    if (pick(2))
      spec.decoder = random();
    spec.dead = pick(4) == 0;
    return spec;
  }

  uint32_t pick(uint32_t below) {
    return static_cast<uint32_t>(random() % below);
  }

private:
  std::vector<TokenId> tokens(uint32_t count) {
    std::vector<TokenId> result(count);
    for (TokenId &token : result)
      token = static_cast<TokenId>(pick(3) ? pick(2) : pick(vocab));
    return result;
  }

  /// Often the beginning of an earlier prompt and something more.
  std::vector<TokenId> prompt() {
    std::vector<TokenId> result;
    if (!history.empty() && pick(5)) {
      result = history[pick(static_cast<uint32_t>(history.size()))];
      result.resize(1 + pick(static_cast<uint32_t>(result.size())));
    }
    auto more = tokens(1 + pick(pick(3) ? 12 : 70));
    result.insert(result.end(), more.begin(), more.end());
    if (result.size() >= context)
      result.resize(context - 1);
    history.push_back(result);
    return result;
  }

  std::mt19937_64 random;
  std::vector<std::vector<TokenId>> history;
};

struct Totals {
  uint64_t retractions = 0, evicted = 0, cached = 0, forced = 0, copies = 0,
           cancelled = 0, failed = 0, batched = 0;
};

void runRandom(uint64_t seed, const SessionOptions &options, Totals &totals) {
  Requests source(seed);
  Session session(options);
  std::vector<Spec> specs;
  std::set<size_t> cancelled;
  while (specs.size() < 60) {
    std::vector<EngineRequest> group;
    size_t base = specs.size();
    for (uint32_t i = 0; i < 1 + source.pick(8); ++i) {
      specs.push_back(source.next());
      group.push_back(specs.back().make());
    }
    auto ids = session.submit(std::move(group));
    for (size_t i = 0; i < ids.size(); ++i) {
      if (source.pick(8))
        continue;
      uint64_t until = session.report->forwards + source.pick(6);
      for (int spin = 0; session.report->forwards < until && spin < 1000;
           ++spin)
        std::this_thread::yield();
      session.engine.cancel(ids[i]);
      std::lock_guard lock(session.mutex);
      if (!session.replies.count(base + i))
        cancelled.insert(base + i);
    }
  }
  ASSERT_TRUE(session.wait(specs.size() - cancelled.size()))
      << "the engine hangs";
  std::lock_guard lock(session.mutex);
  ASSERT_EQ(session.replies.size(), specs.size() - cancelled.size());
  for (const auto &[index, reply] : session.replies) {
    ASSERT_FALSE(cancelled.count(index)) << "answered after cancel returned";
    Spec &spec = specs[index];
    EngineReply expected = answerAlone(spec.make(), vocab, context);
    expectSame(reply, expected);
    ASSERT_FALSE(testing::Test::HasFailure())
        << "request " << index << " of seed " << seed << " " << reply.error;
    totals.failed += reply.finish == EngineFinish::Failed;
  }
  RunStats stats = session.stats();
  EXPECT_LE(stats.cachedTokens, stats.promptTokens);
  totals.retractions += stats.retractions;
  totals.evicted += stats.evictedTokens;
  totals.cached += stats.cachedTokens;
  totals.forced += stats.forcedTokens;
  totals.batched = std::max(totals.batched, stats.maxBatch);
  totals.copies += session.report->copies;
  totals.cancelled += cancelled.size();
}

TEST(EngineRandom, EqualsTheTwinForEveryOption) {
  Totals totals;
  uint64_t seed = 0;
  for (uint32_t pages : {9u, 12u, 30u, 400u})
    for (uint32_t maxRows : {1u, 5u, 33u, 512u})
      for (uint32_t off = 0; off < 8; ++off) {
        SessionOptions options;
        options.vocab = vocab;
        options.context = context;
        options.engine.kvPages = pages;
        options.engine.maxRows = maxRows;
        options.engine.maxLogitRows = 1 + seed % 40;
        options.engine.radix = !(off & 1);
        options.engine.batching = !(off & 2);
        options.engine.jumpForward = !(off & 4);
        runRandom(++seed, options, totals);
        if (HasFailure())
          FAIL() << pages << " pages, " << maxRows << " rows, off " << off;
      }
  EXPECT_GT(totals.retractions, 100u);
  EXPECT_GT(totals.evicted, 1000u);
  EXPECT_GT(totals.cached, 1000u);
  EXPECT_GT(totals.forced, 1000u);
  EXPECT_GT(totals.copies, 100u);
  EXPECT_GT(totals.cancelled, 50u);
  EXPECT_GT(totals.failed, 10u);
  EXPECT_GT(totals.batched, 5u);
}

} // namespace
