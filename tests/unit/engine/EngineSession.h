// An engine over a FakeTransformer whose replies can be waited for.
#pragma once

#include "tests/unit/engine/FakeTransformer.h"

#include <condition_variable>
#include <gtest/gtest.h>
#include <map>
#include <mutex>

namespace sgl::test {

struct SessionOptions {
  uint32_t vocab = 64, context = 256;
  EngineOptions engine;
  SessionOptions() {
    engine.kvPages = 64;
    engine.logTokens = true;
    engine.verify = true;
  }
};

class Session {
public:
  explicit Session(const SessionOptions &options)
      : report(std::make_shared<FakeReport>()), options(options),
        engine(std::make_unique<FakeTransformer>(options.vocab, options.context,
                                                 options.engine.kvPages,
                                                 report),
               options.engine) {}
  ~Session() { EXPECT_EQ(report->broken, 0u) << "a batch broke the rules"; }

  std::vector<Engine::CallId> submit(std::vector<EngineRequest> requests) {
    size_t base = 0;
    {
      std::lock_guard lock(mutex);
      base = total;
      total += requests.size();
    }
    return engine.submit(
        std::move(requests), [this, base](size_t index, EngineReply reply) {
          std::lock_guard lock(mutex);
          EXPECT_TRUE(replies.emplace(base + index, std::move(reply)).second)
              << "answered twice";
          changed.notify_all();
        });
  }

  /// False when `count` replies have not come within the time a hang would
  /// need to be one.
  bool wait(size_t count) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, std::chrono::seconds(60),
                            [&] { return replies.size() >= count; });
  }

  std::vector<EngineReply> run(std::vector<EngineRequest> requests) {
    size_t before = 0, count = requests.size();
    {
      std::lock_guard lock(mutex);
      before = total;
    }
    submit(std::move(requests));
    if (!wait(before + count)) {
      ADD_FAILURE() << "the engine hangs";
      return std::vector<EngineReply>(count);
    }
    std::vector<EngineReply> result;
    for (size_t i = 0; i < count; ++i)
      result.push_back(replies.at(before + i));
    return result;
  }
  EngineReply run(EngineRequest request) {
    return run(std::vector<EngineRequest>{std::move(request)}).front();
  }

  RunStats stats() const {
    RunStats stats;
    engine.addStats(stats);
    return stats;
  }

  std::shared_ptr<FakeReport> report;
  SessionOptions options;
  std::mutex mutex;
  std::condition_variable changed;
  std::map<size_t, EngineReply> replies;
  size_t total = 0;
  Engine engine; ///< last: its thread uses the others
};

inline void expectSame(const EngineReply &got, const EngineReply &expected) {
  EXPECT_EQ(got.finish, expected.finish) << got.error;
  EXPECT_EQ(got.tokens, expected.tokens);
  EXPECT_EQ(got.logprobs, expected.logprobs);
  EXPECT_EQ(got.choiceLogprobs, expected.choiceLogprobs);
  EXPECT_EQ(got.error.empty(), expected.error.empty()) << got.error;
}

} // namespace sgl::test
