// The same promises on the real model, where shapes are those that are used.
#include "runtime/model/Gguf.h"
#include "tests/kernels/Schedules.h"
#include "tests/unit/model/TestModel.h"

#include <gtest/gtest.h>

namespace sgl::test {
namespace {

constexpr uint32_t pages = 600;

class RealLlama : public ::testing::Test {
protected:
  void SetUp() override {
    std::string path = modelPath();
    if (path.empty())
      GTEST_SKIP() << "1 case skipped: the test model is not on this machine";
    auto opened = Gguf::open(path);
    ASSERT_TRUE(opened) << opened.error().message;
    file = *opened;
  }

  std::unique_ptr<Transformer> load(uint32_t threads, bool reference = false) {
    auto model = makeTransformer(file, {threads, pages, reference});
    EXPECT_TRUE(model) << model.error().message;
    return std::move(*model);
  }

  std::shared_ptr<const Gguf> file;
};

TEST_F(RealLlama, BitsDoNotDependOnChunksBatchesOrPages) {
  for (uint32_t threads : {1u, 2u}) {
    auto model = load(threads);
    EXPECT_GT(checkSchedule(*model, pages, 20 + threads, 300, 6), 100u);
  }
}

TEST_F(RealLlama, BitsDoNotDependOnThreads) {
  auto one = load(1), two = load(2);
  ScheduleCheck a(*one, pages, 1), b(*two, pages, 2);
  for (uint32_t length : {1u, 40u, 280u}) {
    Ids ids = a.randomIds(length);
    EXPECT_TRUE(sameBits(a.alone(ids), b.alone(ids))) << length;
  }
}

TEST_F(RealLlama, ShapeIsThatOfTheFile) {
  auto shape = readModelShape(*file);
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->vocabSize, 49152u);
  EXPECT_EQ(shape->contextLength, 8192u);
  EXPECT_EQ(shape->kvBytesPerPosition, 30u * 3 * 64 * 2 * 2);
}

} // namespace
} // namespace sgl::test
