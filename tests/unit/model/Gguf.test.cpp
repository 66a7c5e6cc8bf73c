// The GGUF reader: what it reads, and each thing that it refuses by name.
#include "runtime/model/Gguf.h"

#include "tests/unit/model/GgufBuilder.h"
#include "tests/unit/model/TestModel.h"

#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <random>

using namespace sgl;
using sgl::test::GgufBuilder;

namespace {

std::span<const std::byte> asBytes(const std::string &text) {
  return {reinterpret_cast<const std::byte *>(text.data()), text.size()};
}

GgufBuilder smallFile() {
  GgufBuilder file;
  file.string("general.architecture", "llama");
  file.u32("llama.block_count", 2);
  file.f32("llama.eps", 0.5f);
  file.boolean("tokenizer.ggml.add_bos_token", true);
  file.raw("negative", 5, GgufBuilder::pack(int32_t{-7}));
  file.raw("wide", 10, GgufBuilder::pack(uint64_t{1} << 40));
  file.strings("tokens", {"a", "", "c\n"});
  file.numbers<float>("scores", 6, {1.5f, -2});
  file.numbers<int32_t>("types", 5, {1, -3});
  file.tensor("a.weight", {4, 3}, 0, std::string(48, '\1'));
  file.tensor("b.weight", {32, 2}, 3, std::string(40, '\2'));
  return file;
}

TEST(Gguf, ReadsEveryKind) {
  std::string bytes = smallFile().bytes();
  auto file = Gguf::parse(asBytes(bytes), "small.gguf");
  ASSERT_TRUE(file) << file.error().message;
  const Gguf &gguf = **file;
  EXPECT_EQ(gguf.path(), "small.gguf");
  EXPECT_EQ(gguf.version(), 3u);
  EXPECT_EQ(gguf.fileBytes(), bytes.size());
  EXPECT_EQ(gguf.string("general.architecture"), "llama");
  EXPECT_EQ(gguf.integer("llama.block_count"), 2u);
  EXPECT_EQ(gguf.integer("wide"), uint64_t{1} << 40);
  EXPECT_EQ(gguf.integer("negative"), std::nullopt);
  EXPECT_EQ(gguf.number("negative"), -7.0);
  EXPECT_EQ(gguf.number("llama.eps"), 0.5);
  EXPECT_EQ(gguf.boolean("tokenizer.ggml.add_bos_token"), true);
  EXPECT_EQ(gguf.string("llama.block_count"), std::nullopt);
  EXPECT_EQ(gguf.find("absent"), nullptr);
  ASSERT_TRUE(gguf.array("tokens"));
  EXPECT_EQ(gguf.array("tokens")->strings.at(2), "c\n");
  EXPECT_EQ(gguf.array("scores")->numbers, (std::vector<double>{1.5, -2}));
  EXPECT_EQ(gguf.array("types")->integers, (std::vector<int64_t>{1, -3}));
  EXPECT_EQ(gguf.metadata().at(1).first, "llama.block_count");
  const GgufTensor *tensor = gguf.tensor("b.weight");
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensorTypeName(tensor->type), "Q4_1");
  EXPECT_EQ(tensor->elements(), 64u);
  EXPECT_EQ(tensor->rows(), 2u);
  ASSERT_EQ(tensor->data.size(), 40u);
  EXPECT_EQ(tensor->data[39], std::byte{2});
}

struct Refusal {
  const char *name;
  std::function<void(GgufBuilder &)> spoil;
  const char *message; ///< a part of it
};

const uint64_t huge = uint64_t{1} << 62;

const Refusal refusals[] = {
    {"magic", [](GgufBuilder &f) { f.magic = "GGML"; }, "not a GGUF file"},
    {"version 1", [](GgufBuilder &f) { f.version = 1; }, "version 1 is not"},
    {"big endian", [](GgufBuilder &f) { f.version = 3u << 24; }, "big-endian"},
    {"tensor count", [](GgufBuilder &f) { f.tensorCount = huge; },
     "the tensor count is 4611686018427387904"},
    {"key count", [](GgufBuilder &f) { f.keyCount = huge; },
     "the key count is 4611686018427387904"},
    {"empty key", [](GgufBuilder &f) { f.u32("", 1); }, "key 9 has no name"},
    {"same key", [](GgufBuilder &f) { f.u32("wide", 1); },
     "key 'wide' appears twice"},
    {"value type", [](GgufBuilder &f) { f.raw("k", 13, "xxxx"); },
     "key 'k' has the unknown value type 13"},
    {"bool", [](GgufBuilder &f) { f.raw("k", 7, "\2"); },
     "key 'k' is a bool of value 2"},
    {"string length",
     [](GgufBuilder &f) { f.raw("k", 8, GgufBuilder::pack(huge)); },
     "key 'k' says it has 4611686018427387904 bytes"},
    {"array length",
     [](GgufBuilder &f) {
       f.raw("k", 9, GgufBuilder::pack(uint32_t{8}) + GgufBuilder::pack(huge));
     },
     "key 'k' says it has 4611686018427387904 elements"},
    {"array of arrays",
     [](GgufBuilder &f) {
       f.raw("k", 9, GgufBuilder::pack(uint32_t{9}) + std::string(8, '\0'));
     },
     "key 'k' is an array of arrays"},
    {"element type",
     [](GgufBuilder &f) {
       f.raw("k", 9, GgufBuilder::pack(uint32_t{77}) + std::string(8, '\0'));
     },
     "key 'k' has the unknown element type 77"},
    {"alignment of 24", [](GgufBuilder &f) { f.u32("general.alignment", 24); },
     "'general.alignment' must be a power of two"},
    {"alignment of 0", [](GgufBuilder &f) { f.u32("general.alignment", 0); },
     "'general.alignment' must be a power of two"},
    {"huge alignment",
     [](GgufBuilder &f) { f.u32("general.alignment", 1u << 30); },
     "'general.alignment' must be a power of two"},
    {"split", [](GgufBuilder &f) { f.u32("split.count", 2); },
     "split over several files"},
    {"same tensor",
     [](GgufBuilder &f) { f.tensor("a.weight", {1}, 0, "1234"); },
     "tensor 'a.weight' appears twice"},
    {"long name",
     [](GgufBuilder &f) { f.tensor(std::string(64, 'x'), {1}, 0, "1234"); },
     "tensor 2 has a name of 64 bytes"},
    {"no dimension", [](GgufBuilder &f) { f.tensor("c", {}, 0, "1234"); },
     "tensor 'c' has 0 dimensions"},
    {"five dimensions",
     [](GgufBuilder &f) {
       f.tensor("c", {1, 1, 1, 1, 1}, 0, "1234");
     },
     "tensor 'c' has 5 dimensions"},
    {"zero size",
     [](GgufBuilder &f) {
       f.tensor("c", {4, 0}, 0, "");
     },
     "tensor 'c' has a dimension of 0"},
    {"overflowing size",
     [](GgufBuilder &f) {
       f.tensor("c", {huge, 4}, 0, "1234");
     },
     "its elements overflow"},
    {"overflowing bytes",
     [](GgufBuilder &f) { f.tensor("c", {huge - 32}, 28, "1234"); },
     "more bytes than 64 bits can count"},
    {"removed type", [](GgufBuilder &f) { f.tensor("c", {32}, 4, "1234"); },
     "tensor 'c' has the unknown type 4"},
    {"broken block", [](GgufBuilder &f) { f.tensor("c", {33}, 2, "1234"); },
     "tensor 'c' has rows of 33 elements, not a multiple of 32 as Q4_0"},
    {"offset", [](GgufBuilder &f) { f.tensorInfo("c", {1}, 0, 64); },
     "tensor 'c' lies at offset 64 of the data, 128 was expected"},
    {"size", [](GgufBuilder &f) { f.tensor("c", {1000}, 0, "1234"); },
     "tensor 'c' needs 4000 bytes at offset 128"},
    {"control byte", [](GgufBuilder &f) { f.raw("a\nb", 99, ""); },
     "key 'a?b' has the unknown value type"},
};

TEST(Gguf, RefusesByName) {
  for (const Refusal &refusal : refusals) {
    GgufBuilder file = smallFile();
    refusal.spoil(file);
    std::string bytes = file.bytes();
    auto read = Gguf::parse(asBytes(bytes), "bad.gguf");
    ASSERT_FALSE(read) << refusal.name;
    EXPECT_NE(read.error().message.find(refusal.message), std::string::npos)
        << refusal.name << ": " << read.error().message;
    EXPECT_EQ(read.error().message.rfind("bad.gguf: ", 0), 0u);
  }
}

TEST(Gguf, RefusesEveryTruncation) {
  std::string bytes = smallFile().bytes();
  for (size_t size = 0; size < bytes.size(); ++size) {
    // An exact copy, so that a read past the end is seen by the sanitizer.
    std::vector<std::byte> cut(asBytes(bytes).begin(),
                               asBytes(bytes).begin() + long(size));
    EXPECT_FALSE(Gguf::parse(cut, "cut.gguf")) << size;
  }
}

TEST(Gguf, SurvivesBitFlips) {
  const std::string good = smallFile().bytes();
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = good;
    for (unsigned flips = 1 + random() % 4; flips > 0; --flips)
      bytes[random() % bytes.size()] ^= char(1u << random() % 8);
    auto file = Gguf::parse(asBytes(bytes), "flipped.gguf");
    if (!file) {
      EXPECT_GT(file.error().message.size(), sizeof("flipped.gguf: "));
      continue;
    }
    for (const GgufTensor &tensor : (*file)->tensors()) {
      EXPECT_GE(tensor.data.data(), asBytes(bytes).data());
      EXPECT_LE(tensor.data.data() + tensor.data.size(),
                asBytes(bytes).data() + bytes.size());
    }
  }
}

TEST(Gguf, OpenNamesWhatIsWrong) {
  auto missing = Gguf::open("/nonexistent/x.gguf");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message,
            "/nonexistent/x.gguf: cannot open: No such file or directory");
  auto folder = Gguf::open("/tmp");
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().message, "/tmp: not a regular file");
}

TEST(Gguf, RealModel) {
  std::string path = test::modelPath();
  if (path.empty())
    GTEST_SKIP() << "no test model, 1 case skipped";
  auto file = Gguf::open(path);
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ((*file)->string("general.architecture"), "llama");
  EXPECT_EQ((*file)->array("tokenizer.ggml.tokens")->strings.size(), 49152u);
  EXPECT_EQ((*file)->tensor("token_embd.weight")->shape,
            (std::vector<uint64_t>{576, 49152}));
}

/// The header of the real file cut and damaged: refused, or read whole.
TEST(Gguf, RealHeaderDamaged) {
  std::string path = test::modelPath();
  if (path.empty())
    GTEST_SKIP() << "no test model, 1 case skipped";
  std::string header(2 << 20, '\0');
  std::ifstream stream(path, std::ios::binary);
  ASSERT_TRUE(stream.read(header.data(), long(header.size())));
  std::mt19937 random(2);
  for (int round = 0; round < 100; ++round) {
    size_t size = random() % header.size();
    EXPECT_FALSE(Gguf::parse(asBytes(header).first(size), "cut")) << size;
    std::string flipped = header;
    flipped[random() % flipped.size()] ^= char(1u << random() % 8);
    EXPECT_FALSE(Gguf::parse(asBytes(flipped), "flipped"));
  }
}

} // namespace
