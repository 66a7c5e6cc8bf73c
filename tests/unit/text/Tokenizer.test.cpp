// The test model's tokenizer against Hugging Face's (reference data), and what
// a file must have to be taken.
#include "runtime/text/Tokenizer.h"

#include "runtime/model/Gguf.h"
#include "runtime/text/Utf8Stream.h"
#include "tests/unit/model/GgufBuilder.h"
#include "tests/unit/model/TestModel.h"

#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace sgl;
using sgl::test::GgufBuilder;

namespace {

std::vector<nlohmann::json> readLines(const std::string &path) {
  std::vector<nlohmann::json> rows;
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);)
    if (!line.empty())
      rows.push_back(nlohmann::json::parse(line));
  return rows;
}

/// The real file's tokenizer; the file stays open behind it.
const Tokenizer *realTokenizer() {
  static std::shared_ptr<const Gguf> file;
  static std::unique_ptr<Tokenizer> tokenizer;
  if (tokenizer || test::modelPath().empty())
    return tokenizer.get();
  auto opened = Gguf::open(test::modelPath());
  EXPECT_TRUE(opened);
  file = *opened;
  auto loaded = Tokenizer::load(*file);
  EXPECT_TRUE(loaded) << loaded.error().message;
  tokenizer = std::move(*loaded);
  return tokenizer.get();
}

TEST(Tokenizer, EqualsTheReference) {
  std::string path = test::referencePath("golden/tokenizer/smollm2.jsonl");
  const Tokenizer *tokenizer = realTokenizer();
  if (!tokenizer || path.empty())
    GTEST_SKIP() << "no model or reference data, 734 cases skipped";
  auto rows = readLines(path);
  ASSERT_EQ(rows.size(), 734u);
  for (const auto &row : rows) {
    auto text = row["text"].get<std::string>();
    auto ids = tokenizer->encode(text, row["special"].get<bool>());
    ASSERT_EQ(ids, row["ids"].get<std::vector<TokenId>>()) << row.dump();
    auto back = toValidUtf8(tokenizer->decode(ids));
    ASSERT_EQ(back, row.value("decode", text)) << row.dump();
  }
}

TEST(Tokenizer, DisagreementsAreSettled) {
  std::string path = test::referencePath("golden/tokenizer/disagree.jsonl");
  const Tokenizer *tokenizer = realTokenizer();
  if (!tokenizer || path.empty())
    GTEST_SKIP() << "no model or reference data, 13 cases skipped";
  size_t checked = 0;
  for (const auto &row : readLines(path)) {
    if (row["model"] != "smollm2")
      continue;
    ++checked;
    auto right = row[row["right"].get<std::string>()];
    EXPECT_EQ(tokenizer->encode(row["text"].get<std::string>(),
                                row["special"].get<bool>()),
              right.get<std::vector<TokenId>>())
        << row.dump();
  }
  EXPECT_GT(checked, 0u);
}

TEST(Tokenizer, StreamsLikeTheReference) {
  std::string path =
      test::referencePath("golden/tokenizer/pieces_smollm2.jsonl");
  const Tokenizer *tokenizer = realTokenizer();
  if (!tokenizer || path.empty())
    GTEST_SKIP() << "no model or reference data, 40 cases skipped";
  auto rows = readLines(path);
  ASSERT_EQ(rows.size(), 40u);
  for (const auto &row : rows) {
    Utf8Stream stream;
    std::vector<std::string> emitted;
    for (TokenId id : row["ids"].get<std::vector<TokenId>>())
      emitted.push_back(stream.push(tokenizer->bytes(id)));
    emitted.push_back(stream.flush());
    EXPECT_EQ(emitted, row["emit"].get<std::vector<std::string>>());
  }
}

TEST(Tokenizer, KnowsTheModelsTokens) {
  const Tokenizer *tokenizer = realTokenizer();
  if (!tokenizer)
    GTEST_SKIP() << "no test model, 1 case skipped";
  EXPECT_EQ(tokenizer->size(), 49152u);
  EXPECT_EQ(tokenizer->bos(), 1);
  EXPECT_EQ(tokenizer->eos(), 2);
  EXPECT_FALSE(tokenizer->addBos());
  EXPECT_EQ(tokenizer->controlToken("<|im_start|>"), 1);
  EXPECT_EQ(tokenizer->controlToken("<|im_start"), -1);
  EXPECT_EQ(tokenizer->endTokens(), (std::vector<TokenId>{0, 2}));
  EXPECT_EQ(tokenizer->kind(1), TokenKind::Control);
  EXPECT_EQ(tokenizer->bytes(2), "<|im_end|>");
}

/// User text is data: a control token's text never becomes the token.
TEST(Tokenizer, ControlTextsStayData) {
  const Tokenizer *tokenizer = realTokenizer();
  if (!tokenizer)
    GTEST_SKIP() << "no test model, 1 case skipped";
  for (TokenId id = 0; id < TokenId(tokenizer->size()); ++id) {
    if (tokenizer->kind(id) != TokenKind::Control)
      continue;
    std::string text(tokenizer->bytes(id));
    for (TokenId part : tokenizer->encode("a" + text + "b", false))
      EXPECT_NE(tokenizer->kind(part), TokenKind::Control) << text;
    EXPECT_EQ(tokenizer->encode(text, true), std::vector<TokenId>{id});
  }
}

TEST(Tokenizer, LongTexts) {
  const Tokenizer *tokenizer = realTokenizer();
  if (!tokenizer)
    GTEST_SKIP() << "no test model, 1 case skipped";
  for (const char *unit : {"a", " ", "1", "ab cd\n", "\xff", "\u4e2d"}) {
    std::string text;
    while (text.size() < 100000)
      text += unit;
    auto ids = tokenizer->encode(text, true);
    EXPECT_EQ(tokenizer->decode(ids).empty(), *unit == '\xff');
  }
}

GgufBuilder tinyFile() {
  GgufBuilder file;
  file.string("tokenizer.ggml.model", "gpt2");
  file.string("tokenizer.ggml.pre", "gpt-2");
  file.strings("tokenizer.ggml.tokens", {"a", "b", "ab", "<s>", "<user>"});
  file.numbers<int32_t>("tokenizer.ggml.token_type", 5, {1, 1, 1, 3, 4});
  file.strings("tokenizer.ggml.merges", {"a b"});
  file.u32("tokenizer.ggml.eos_token_id", 3);
  return file;
}

Result<std::unique_ptr<Tokenizer>> load(const std::string &bytes) {
  auto file = Gguf::parse(
      {reinterpret_cast<const std::byte *>(bytes.data()), bytes.size()},
      "t.gguf");
  EXPECT_TRUE(file) << file.error().message;
  return Tokenizer::load(**file);
}

TEST(Tokenizer, TinyFile) {
  auto tokenizer = load(tinyFile().bytes());
  ASSERT_TRUE(tokenizer) << tokenizer.error().message;
  using Ids = std::vector<TokenId>;
  EXPECT_EQ((*tokenizer)->encode("abba", false), (Ids{2, 1, 0}));
  EXPECT_EQ((*tokenizer)->encode("a<s>b", true), (Ids{0, 3, 1}));
  // '<', 's' and '>' are not in the vocabulary: they vanish, and a meets b
  // only within one piece.
  EXPECT_EQ((*tokenizer)->encode("a<s>b", false), (Ids{0, 1}));
  EXPECT_EQ((*tokenizer)->encode("a<user>b", false), (Ids{0, 4, 1}));
  EXPECT_EQ((*tokenizer)->bos(), -1);
  EXPECT_EQ((*tokenizer)->endTokens(), (Ids{3}));
}

struct Refusal {
  std::function<void(GgufBuilder &)> write;
  const char *message;
};

void writeHead(GgufBuilder &file, const char *model, const char *pre) {
  file.string("tokenizer.ggml.model", model);
  file.string("tokenizer.ggml.pre", pre);
}

const Refusal refusals[] = {
    {[](GgufBuilder &) {},
     "t.gguf: key 'tokenizer.ggml.model' must name the tokenizer"},
    {[](GgufBuilder &f) { writeHead(f, "bert", "x"); },
     "t.gguf: the tokenizer 'bert' (key 'tokenizer.ggml.model') is not "
     "supported, gpt2 is"},
    {[](GgufBuilder &f) { writeHead(f, "gpt2", "mystery"); },
     "t.gguf: the pre-tokenizer 'mystery' is not known, known are gpt-2, "
     "smollm, llama-bpe, qwen2"},
    {[](GgufBuilder &f) { writeHead(f, "gpt2", "smollm"); },
     "t.gguf: key 'tokenizer.ggml.tokens' must be a list of token texts"},
    {[](GgufBuilder &f) {
       writeHead(f, "gpt2", "smollm");
       f.strings("tokenizer.ggml.tokens", {"a"});
       f.numbers<float>("tokenizer.ggml.token_type", 6, {1.0f});
     },
     "t.gguf: key 'tokenizer.ggml.token_type' must hold one integer for each "
     "token"},
    {[](GgufBuilder &f) {
       writeHead(f, "gpt2", "smollm");
       f.strings("tokenizer.ggml.tokens", {"a"});
       f.u32("tokenizer.ggml.bos_token_id", 1);
     },
     "t.gguf: key 'tokenizer.ggml.bos_token_id' must be a token id below 1"},
    {[](GgufBuilder &f) {
       writeHead(f, "gpt2", "smollm");
       f.strings("tokenizer.ggml.tokens", {"a"});
     },
     "t.gguf: key 'tokenizer.ggml.merges' must be a list of pairs"},
    {[](GgufBuilder &f) {
       writeHead(f, "gpt2", "smollm");
       f.strings("tokenizer.ggml.tokens", {"a", "b"});
       f.strings("tokenizer.ggml.merges", {"a b"});
     },
     "t.gguf: entry 0 of key 'tokenizer.ggml.merges' must be two tokens of "
     "the vocabulary whose joined text is one too"},
};

TEST(Tokenizer, RefusesByName) {
  for (const Refusal &refusal : refusals) {
    GgufBuilder file;
    refusal.write(file);
    auto tokenizer = load(file.bytes());
    ASSERT_FALSE(tokenizer) << refusal.message;
    EXPECT_EQ(tokenizer.error().message, refusal.message);
  }
}

} // namespace
