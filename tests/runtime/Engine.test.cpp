// The engine over the real model: the same bits whatever the engine does, and
// scores within the distance of the reference data.
#include "runtime/engine/Engine.h"
#include "runtime/engine/Sampler.h"
#include "runtime/model/Gguf.h"
#include "tests/unit/model/TestModel.h"

#include <cmath>
#include <condition_variable>
#include <fstream>
#include <gtest/gtest.h>
#include <mutex>
#include <nlohmann/json.hpp>
#include <random>

using namespace sgl;
using sgl::test::modelPath;
using sgl::test::referencePath;

namespace {

using Ids = std::vector<TokenId>;

std::unique_ptr<Transformer> load(uint32_t pages, uint32_t threads) {
  auto file = Gguf::open(modelPath());
  EXPECT_TRUE(file) << file.error().message;
  TransformerOptions options;
  options.kvPages = pages;
  options.threads = threads;
  auto model = makeTransformer(*file, options);
  EXPECT_TRUE(model) << model.error().message;
  return std::move(*model);
}

/// Submits all at once and waits for all.
std::vector<EngineReply> run(Engine &engine,
                             const std::vector<EngineRequest> &requests) {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<EngineReply> replies(requests.size());
  size_t count = 0;
  engine.submit(requests, [&](size_t index, EngineReply reply) {
    std::lock_guard lock(mutex);
    replies[index] = std::move(reply);
    ++count;
    changed.notify_one();
  });
  std::unique_lock lock(mutex);
  EXPECT_TRUE(changed.wait_for(lock, std::chrono::seconds(200), [&] {
    return count == requests.size();
  })) << "the engine hangs";
  return replies;
}

/// One request, one sequence, one row of output at a time.
EngineReply alone(Transformer &model, const EngineRequest &request) {
  std::vector<PageId> pages;
  for (PageId page = 0; page < 40; ++page)
    pages.push_back(page);
  Ids tokens = request.prompt;
  EngineReply reply;
  reply.finish = EngineFinish::Length;
  std::vector<float> logits(model.shape().vocabSize);
  Sampler sampler;
  for (uint32_t from = 0; reply.tokens.size() < request.maxTokens;) {
    Batch batch;
    for (; from < tokens.size(); ++from)
      batch.rows.push_back({tokens[from], from, 0, from + 1 == tokens.size()});
    batch.sequences.push_back({pages, from});
    model.forward(batch, logits);
    auto draw = sampler.draw(
        logits,
        {&request.sampling, {}, nullptr, request.drawKey, reply.tokens.size()});
    EXPECT_TRUE(draw);
    tokens.push_back(draw->token);
    reply.tokens.push_back(draw->token);
    reply.logprobs.push_back(draw->logprob);
  }
  return reply;
}

/// Branches of one long prefix, two of them equal, and a stranger; greedy and
/// sampled.
std::vector<EngineRequest> branches() {
  std::mt19937 random(11);
  auto ids = [&](size_t count) {
    Ids result(count);
    for (TokenId &id : result)
      id = static_cast<TokenId>(200 + random() % 20000);
    return result;
  };
  Ids prefix = ids(90), tail = ids(7);
  std::vector<EngineRequest> requests(6);
  for (size_t i = 0; i < requests.size(); ++i) {
    EngineRequest &request = requests[i];
    request.prompt = prefix;
    Ids own = i < 2 ? tail : ids(3 + 4 * i);
    if (i == 5)
      request.prompt = ids(20);
    request.prompt.insert(request.prompt.end(), own.begin(), own.end());
    request.maxTokens = 30;
    request.drawKey = 1000 + i;
    request.sampling.temperature = i % 2 ? 0.8 : 0;
  }
  return requests;
}

class RealEngine : public testing::Test {
protected:
  void SetUp() override {
    if (modelPath().empty())
      GTEST_SKIP() << "the test model is not on this machine";
  }
};

TEST_F(RealEngine, SameBitsWhateverTheEngineDoes) {
  auto requests = branches();
  std::vector<EngineReply> expected;
  {
    auto model = load(40, 1);
    for (const EngineRequest &request : requests)
      expected.push_back(alone(*model, request));
  }
  struct Case {
    const char *name;
    uint32_t pages, rows, threads;
    bool radix, batching;
  };
  const Case cases[] = {
      {"plain", 200, 512, 2, true, true},
      {"one thread", 200, 512, 1, true, true},
      {"small chunks", 200, 9, 2, true, true},
      {"no radix", 200, 512, 2, false, true},
      {"no batching", 200, 512, 2, true, false},
      {"a cache that retracts", 11, 64, 2, true, true},
  };
  for (const Case &c : cases) {
    SCOPED_TRACE(c.name);
    EngineOptions options;
    options.kvPages = c.pages;
    options.maxRows = c.rows;
    options.radix = c.radix;
    options.batching = c.batching;
    options.verify = true;
    options.logTokens = true;
    Engine engine(load(c.pages, c.threads), options);
    for (int round = 0; round < 2; ++round) {
      auto replies = run(engine, requests);
      for (size_t i = 0; i < replies.size(); ++i) {
        EXPECT_EQ(replies[i].error, "");
        EXPECT_EQ(replies[i].tokens, expected[i].tokens) << i;
        EXPECT_EQ(replies[i].logprobs, expected[i].logprobs) << i;
      }
    }
    RunStats stats;
    engine.addStats(stats);
    EXPECT_EQ(stats.cachedTokens > 0, c.radix);
    EXPECT_EQ(stats.maxBatch > 1, c.batching);
    EXPECT_EQ(stats.retractions > 0, c.pages == 11u);
    if (c.radix && c.pages > 11) {
      EXPECT_EQ(stats.cachedTokens, stats.optimalCachedTokens);
    }
  }
}

TEST_F(RealEngine, ScoresAreWithinTheReferencesDistance) {
  std::string path = referencePath("golden/model/score.jsonl");
  std::string limits = referencePath("golden/model/yardstick.json");
  if (path.empty() || limits.empty())
    GTEST_SKIP() << "the reference data is not here: 12 cases skipped";
  EngineOptions options;
  options.kvPages = 64;
  Engine engine(load(options.kvPages, 2), options);
  std::ifstream file(path), limitFile(limits);
  auto yardstick = nlohmann::json::parse(limitFile)["smollm2"]["score"];
  double sum = 0, worst = 0;
  size_t count = 0;
  for (std::string line; std::getline(file, line);) {
    auto item = nlohmann::json::parse(line);
    if (item["model"] != "smollm2")
      continue;
    EngineRequest request;
    request.prompt = item["prompt_ids"].get<Ids>();
    for (const auto &choice : item["choices"])
      request.choices.push_back(choice["ids"].get<Ids>());
    auto reply = run(engine, {request}).front();
    ASSERT_EQ(reply.choiceLogprobs.size(), request.choices.size());
    for (size_t i = 0; i < request.choices.size(); ++i) {
      auto expected = item["choices"][i]["logprobs"].get<std::vector<double>>();
      ASSERT_EQ(reply.choiceLogprobs[i].size(), expected.size());
      for (size_t j = 0; j < expected.size(); ++j) {
        double difference = std::abs(reply.choiceLogprobs[i][j] - expected[j]);
        sum += difference;
        worst = std::max(worst, difference);
        ++count;
      }
    }
  }
  EXPECT_GT(count, 80u);
  EXPECT_LE(sum / static_cast<double>(count),
            1.1 * yardstick["dlogprob_mean"].get<double>());
  EXPECT_LE(worst, 1.5 * yardstick["dlogprob_max"].get<double>());
}

} // namespace
