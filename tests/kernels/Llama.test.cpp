// The fast llama pass on small random models: near the reference, and the same
// bits however the work is cut. Broken models are refused by name.
#include "runtime/model/LlamaSpec.h"
#include "runtime/model/Transformer.h"
#include "tests/kernels/Schedules.h"
#include "tests/kernels/SyntheticModel.h"

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>

namespace sgl::test {
namespace {

constexpr uint32_t pages = 400;

/// Loads from memory; `bytes` must outlive the model.
Result<std::unique_ptr<Transformer>> load(const std::string &bytes,
                                          TransformerOptions options) {
  options.kvPages = pages;
  auto file = Gguf::parse(std::as_bytes(std::span(bytes)), "test.gguf");
  if (!file)
    return file.error();
  return makeTransformer(*file, options);
}

std::unique_ptr<Transformer> loadOrDie(const std::string &bytes,
                                       TransformerOptions options) {
  auto model = load(bytes, options);
  if (!model) {
    ADD_FAILURE() << model.error().message;
    std::abort();
  }
  return std::move(*model);
}

/// Sets SGL_CPU for its lifetime.
class ForcedCpu {
public:
  explicit ForcedCpu(const char *name) { setenv("SGL_CPU", name, 1); }
  ~ForcedCpu() { unsetenv("SGL_CPU"); }
};

/// Mean difference as a share of the mean size.
double distance(const std::vector<float> &a, const std::vector<float> &b) {
  double difference = 0, size = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    difference += std::abs(a[i] - b[i]);
    size += std::abs(a[i]);
  }
  return difference / size;
}

TEST(Llama, IsNearTheReferenceInAllFormats) {
  for (kernels::Format format : allFormats)
    for (uint32_t headDim : {16u, 24u}) {
      Recipe recipe;
      recipe.format = format;
      recipe.headDim = headDim; // 24 is stored as 32
      recipe.tied = headDim == 16;
      if (!kernels::isQuantized(format))
        recipe.width = 40, recipe.ffn = 70;
      if (headDim == 24)
        recipe.heads = 8, recipe.keys["rope.dimension_count"] = 16;
      std::string bytes = buildModel(recipe);
      auto reference = loadOrDie(bytes, {1, 0, true});
      ScheduleCheck one(*reference, pages, 4);
      Ids ids = one.randomIds(300);
      std::vector<float> want = one.alone(ids);
      for (const kernels::Kernels *table : allTables()) {
        ForcedCpu forced(table->name);
        auto model = loadOrDie(bytes, {1, 0, false});
        EXPECT_EQ(model->instructionSet(), table->name);
        ScheduleCheck two(*model, pages, 4);
        double difference = distance(want, two.alone(ids));
        // Keys, values and queries have 8 bits, half a step is 0.2%; layers
        // with random weights amplify it.
        EXPECT_LT(difference, 0.01)
            << table->name << " format " << static_cast<int>(format);
        EXPECT_GT(difference, 0) << "two different paths";
      }
    }
}

TEST(Llama, BitsDoNotDependOnChunksBatchesPagesOrThreads) {
  struct Case {
    kernels::Format format;
    uint32_t threads;
  };
  for (const kernels::Kernels *table : allTables())
    for (auto [format, threads] :
         {Case{kernels::Format::Q4_1, 1}, Case{kernels::Format::Q8_0, 2},
          Case{kernels::Format::F16, 3}}) {
      Recipe recipe;
      recipe.format = format;
      std::string bytes = buildModel(recipe);
      ForcedCpu forced(table->name);
      auto model = loadOrDie(bytes, {threads, 0, false});
      EXPECT_GT(checkSchedule(*model, pages, threads, 330, 7), 100u);
    }
}

TEST(Llama, ThreadsGiveTheSameBits) {
  std::string bytes = buildModel({});
  auto one = loadOrDie(bytes, {1, 0, false});
  auto three = loadOrDie(bytes, {3, 0, false});
  ScheduleCheck a(*one, pages, 1), b(*three, pages, 2);
  for (uint32_t length : {1u, 2u, 17u, 300u}) {
    Ids ids = a.randomIds(length);
    EXPECT_TRUE(sameBits(a.alone(ids), b.alone(ids))) << length;
  }
}

TEST(Llama, TheReferenceDoesNotDependOnCutsEither) {
  std::string bytes = buildModel({});
  auto model = loadOrDie(bytes, {2, 0, true});
  EXPECT_GT(checkSchedule(*model, pages, 3, 100, 3), 30u);
}

TEST(Llama, BrokenModelsAreRefusedByName) {
  struct Case {
    const char *name;
    std::function<void(Recipe &)> breakIt;
    const char *message; ///< a part of it
  };
  const Case table[] = {
      {"architecture", [](Recipe &r) { r.architecture = "gpt9"; },
       "architecture 'gpt9' is not supported yet"},
      {"no architecture", [](Recipe &r) { r.leftOut = "general.architecture"; },
       "key general.architecture is missing"},
      {"no layers", [](Recipe &r) { r.keys["block_count"] = 0; },
       "key llama.block_count is 0"},
      {"many layers", [](Recipe &r) { r.keys["block_count"] = 513; },
       "key llama.block_count is 513"},
      {"one layer more", [](Recipe &r) { r.keys["block_count"] = 3; },
       "tensor blk.2.attn_norm.weight is missing"},
      {"one layer less", [](Recipe &r) { r.keys["block_count"] = 1; },
       "tensor blk.1."},
      {"no width", [](Recipe &r) { r.leftOut = "embedding_length"; },
       "key llama.embedding_length is missing"},
      {"no heads", [](Recipe &r) { r.keys["attention.head_count"] = 0; },
       "key llama.attention.head_count is 0"},
      {"no KV heads", [](Recipe &r) { r.keys["attention.head_count_kv"] = 0; },
       "key llama.attention.head_count_kv is 0"},
      {"three KV heads",
       [](Recipe &r) { r.keys["attention.head_count_kv"] = 3; },
       "must be a multiple of llama.attention.head_count_kv"},
      {"more heads", [](Recipe &r) { r.keys["attention.head_count"] = 8; },
       "tensor blk.0.attn_q.weight has shape [64, 64], [64, 128] is needed"},
      {"odd head",
       [](Recipe &r) {
         r.keys["attention.key_length"] = 15;
         r.keys["attention.value_length"] = 15;
       },
       "size of a head is 15"},
      {"huge heads",
       [](Recipe &r) { r.keys["attention.head_count"] = 4000000000u; },
       "key llama.attention.head_count is 4000000000"},
      {"rope beyond the head",
       [](Recipe &r) { r.keys["rope.dimension_count"] = 18; },
       "key llama.rope.dimension_count is 18"},
      {"vocabulary", [](Recipe &r) { r.keys["vocab_size"] = 51; },
       "key llama.vocab_size is 51, but tensor token_embd.weight has 50 rows"},
      {"tokens", [](Recipe &r) { r.tokens = 49; },
       "key tokenizer.ggml.tokens has 49 entries, but tensor "
       "token_embd.weight has 50 rows"},
      {"no embedding", [](Recipe &r) { r.leftOut = "token_embd"; },
       "tensor token_embd.weight is missing"},
      {"no norm", [](Recipe &r) { r.leftOut = "output_norm"; },
       "tensor output_norm.weight is missing"},
      {"no down", [](Recipe &r) { r.leftOut = "blk.1.ffn_down"; },
       "tensor blk.1.ffn_down.weight is missing"},
      {"rows", [](Recipe &r) { r.moreRows["blk.1.attn_k"] = 16; },
       "tensor blk.1.attn_k.weight has shape [64, 48], [64, 32] is needed"},
      {"bias", [](Recipe &r) { r.extraTensor = "blk.0.attn_q.bias"; },
       "tensor blk.0.attn_q.bias.weight is not part of a llama model"},
      {"infinite scale", [](Recipe &r) { r.notFinite = "blk.1.ffn_up"; },
       "tensor blk.1.ffn_up.weight holds a number that is not finite"},
      {"infinite head", [](Recipe &r) { r.notFinite = "token_embd"; },
       "tensor token_embd.weight holds a number that is not finite"},
      {"infinite norm", [](Recipe &r) { r.notFinite = "blk.0.attn_norm"; },
       "tensor blk.0.attn_norm.weight holds a value that is not finite"},
  };
  for (const Case &c : table) {
    Recipe recipe;
    c.breakIt(recipe);
    std::string bytes = buildModel(recipe);
    auto model = load(bytes, {1, 0, false});
    ASSERT_FALSE(model) << c.name;
    EXPECT_NE(model.error().message.find(c.message), std::string::npos)
        << c.name << ": " << model.error().message;
    EXPECT_EQ(model.error().message.find("test.gguf: "), 0u) << c.name;
  }
}

TEST(Llama, OtherTensorTypesAreRefusedByName) {
  Recipe recipe;
  recipe.width = 256;
  recipe.headDim = 64;
  recipe.vocab = 1;
  recipe.otherType = "token_embd";
  std::string bytes = buildModel(recipe);
  auto model = load(bytes, {1, 0, false});
  ASSERT_FALSE(model);
  EXPECT_NE(model.error().message.find(
                "tensor token_embd.weight has type Q6_K, which is not "
                "supported yet; supported: F32"),
            std::string::npos)
      << model.error().message;
}

TEST(Llama, ShapeIsThatOfTheFile) {
  std::string bytes = buildModel({});
  auto file = Gguf::parse(std::as_bytes(std::span(bytes)), "test.gguf");
  ASSERT_TRUE(file);
  auto shape = readModelShape(**file);
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->vocabSize, 50u);
  EXPECT_EQ(shape->contextLength, 512u);
  EXPECT_EQ(shape->kvBytesPerPosition, 2u * 2 * 2 * 16 * 2);
}

TEST(Llama, AnUnknownInstructionSetIsRefused) {
  std::string bytes = buildModel({});
  ForcedCpu forced("mmx");
  auto model = load(bytes, {1, 0, false});
  ASSERT_FALSE(model);
  EXPECT_NE(model.error().message.find("SGL_CPU is 'mmx'"), std::string::npos);
}

} // namespace
} // namespace sgl::test
