// Every chunk once, every stage after the one before, with any number of
// threads and many short runs.
#include "runtime/device/WorkerPool.h"

#include <atomic>
#include <gtest/gtest.h>
#include <vector>

namespace sgl::test {
namespace {

TEST(WorkerPool, RunsEachChunkOnceAndStagesInOrder) {
  for (uint32_t threads : {1u, 2u, 3u, 5u}) {
    WorkerPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (int run = 0; run < 200; ++run) {
      constexpr uint32_t stages = 30;
      std::vector<std::atomic<uint32_t>> counts(stages * 8);
      std::atomic<bool> inOrder{true};
      pool.run([&](Worker &worker) {
        for (uint32_t s = 0; s < stages; ++s) {
          uint32_t chunks = (s + run) % 8;
          worker.stage(chunks, [&](uint32_t chunk) {
            // All chunks of the stage before are complete.
            for (uint32_t c = 0; s > 0 && c < (s - 1 + run) % 8; ++c)
              if (counts[(s - 1) * 8 + c].load() != 1)
                inOrder = false;
            std::this_thread::yield(); // lets the helpers arrive
            counts[s * 8 + chunk].fetch_add(1);
          });
        }
      });
      EXPECT_TRUE(inOrder.load());
      for (uint32_t s = 0; s < stages; ++s)
        for (uint32_t c = 0; c < 8; ++c)
          ASSERT_EQ(counts[s * 8 + c].load(), c < (s + run) % 8 ? 1u : 0u);
    }
  }
}

TEST(WorkerPool, HelpersTakePart) {
  WorkerPool pool(2);
  std::atomic<uint32_t> byHelper{0};
  // The caller holds its chunk until the helper has come for the other.
  pool.run([&](Worker &worker) {
    worker.stage(2, [&](uint32_t) {
      if (worker.index() == 1)
        byHelper.fetch_add(1);
      while (byHelper.load() == 0)
        std::this_thread::yield();
    });
  });
  EXPECT_GE(byHelper.load(), 1u);
}

} // namespace
} // namespace sgl::test
