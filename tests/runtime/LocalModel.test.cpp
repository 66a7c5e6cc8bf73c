// Programs' calls on the real model: texts, stops, constraints, choices, reuse.
#include "runtime/engine/LocalModel.h"

#include "ir/constraint/Regex.h"
#include "runtime/model/Gguf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

namespace sgl {
namespace {

using Kind = PromptNode::Kind;

std::string modelPath() {
  if (const char *given = std::getenv("SGL_TEST_MODEL"))
    return given;
  const char *home = std::getenv("HOME");
  return std::string(home ? home : "") +
         "/.cache/sgl/models/SmolLM2-135M-Instruct.Q4_1.gguf";
}

struct Part {
  Kind kind;
  std::string text;
};

PromptRef build(const std::vector<Part> &parts,
                PromptRef prompt = rootPrompt()) {
  for (const Part &part : parts)
    prompt = extendPrompt(prompt, part.kind, part.text);
  return prompt;
}

PromptRef ask(const std::string &question) {
  return build({{Kind::Open, "user"},
                {Kind::Author, question},
                {Kind::Close, ""},
                {Kind::Open, "assistant"}});
}

PromptRef with(PromptRef prompt, const GenReply &reply) {
  auto node = extendPrompt(std::move(prompt), Kind::Sampled, reply.text);
  node->tokens = reply.tokens;
  node->tail = reply.tail;
  return node;
}

class LocalModelTest : public testing::Test {
protected:
  void SetUp() override {
    if (!Gguf::open(modelPath()))
      GTEST_SKIP() << "the test model is not here: " << modelPath();
    model = load({});
    auto file = Gguf::open(modelPath());
    tokenizer = std::move(*Tokenizer::load(**file));
  }
  static std::unique_ptr<LocalModel> load(EngineOptions engine,
                                          uint32_t threads = 1) {
    LocalModelOptions options;
    options.path = modelPath();
    options.threads = threads;
    options.contextLength = 1024;
    options.kvCacheBytes = 100u << 20;
    options.engine = engine;
    options.engine.verify = true;
    auto loaded = LocalModel::load(options);
    EXPECT_TRUE(loaded) << loaded.error().message;
    return loaded ? std::move(*loaded) : nullptr;
  }
  static GenRequest request(PromptRef prompt, uint32_t maxTokens) {
    GenRequest request;
    request.prompt = std::move(prompt);
    request.maxTokens = maxTokens;
    return request;
  }
  static GenReply run(Model &model, GenRequest request) {
    GenReply reply;
    bool came = false;
    model.gen(std::move(request), [&](GenReply r) {
      reply = std::move(r);
      came = true;
    });
    while (!came && model.wait()) {
    }
    EXPECT_TRUE(came);
    return reply;
  }
  static SelectReply choose(Model &model, PromptRef prompt,
                            std::vector<std::string> choices) {
    SelectRequest request;
    request.prompt = std::move(prompt);
    request.choices = std::move(choices);
    SelectReply reply;
    bool came = false;
    model.select(std::move(request), [&](SelectReply r) {
      reply = std::move(r);
      came = true;
    });
    while (!came && model.wait()) {
    }
    EXPECT_TRUE(came);
    return reply;
  }
  static std::shared_ptr<const Automaton> regex(std::string_view pattern) {
    auto automaton = compileRegex(pattern);
    EXPECT_TRUE(automaton) << pattern;
    return std::make_shared<Automaton>(std::move(*automaton));
  }

  std::unique_ptr<LocalModel> model;
  std::unique_ptr<Tokenizer> tokenizer;
};

TEST_F(LocalModelTest, answersAndEndsWithTheTurn) {
  GenReply reply =
      run(*model, request(ask("What is the capital of France?"), 40));
  ASSERT_FALSE(reply.failure) << reply.failure->message;
  EXPECT_NE(reply.text.find("Paris"), std::string::npos) << reply.text;
  EXPECT_EQ(reply.finish, Finish::EndOfTurn);
  EXPECT_EQ(tokenizer->decode(reply.tokens), reply.text);
  EXPECT_LT(reply.logprob, 0);
}

TEST_F(LocalModelTest, cutsAtStopsThatCrossTokens) {
  PromptRef prompt = ask("What is the capital of France?");
  GenReply whole = run(*model, request(prompt, 40));
  ASSERT_FALSE(whole.failure);
  // Every substring of a few bytes is a stop, wherever token borders are.
  for (size_t at = 1; at + 3 < whole.text.size() && at < 24; at += 3) {
    std::string stop = whole.text.substr(at, 3);
    size_t first = whole.text.find(stop);
    for (bool keep : {false, true}) {
      GenRequest cut = request(prompt, 40);
      cut.stops = {stop, "never said"};
      cut.keepStop = keep;
      GenReply reply = run(*model, cut);
      ASSERT_FALSE(reply.failure);
      EXPECT_EQ(reply.text, whole.text.substr(0, first + (keep ? 3 : 0)));
      EXPECT_EQ(reply.finish, Finish::Stop);
      EXPECT_EQ(tokenizer->decode(reply.tokens) + reply.tail, reply.text);
      for (size_t i = 0; i < reply.tokens.size(); ++i)
        EXPECT_EQ(reply.tokens[i], whole.tokens[i]);
    }
  }
}

TEST_F(LocalModelTest, honoursLengths) {
  GenReply cut = run(*model, request(ask("Count from one to ten."), 5));
  ASSERT_FALSE(cut.failure);
  EXPECT_EQ(cut.finish, Finish::Length);
  EXPECT_EQ(cut.tokens.size(), 5u);
  GenRequest longer = request(ask("What is the capital of France?"), 60);
  longer.minTokens = 30;
  GenReply reply = run(*model, longer);
  ASSERT_FALSE(reply.failure);
  EXPECT_GE(reply.tokens.size(), 30u);
}

TEST_F(LocalModelTest, keepsToItsConstraint) {
  PromptRef prompt = ask("How many legs has a spider?");
  GenRequest number = request(prompt, 20);
  number.constraint = regex("(The answer is )[0-9]{1,3}");
  GenReply reply = run(*model, number);
  ASSERT_FALSE(reply.failure) << reply.failure->message;
  EXPECT_TRUE(number.constraint->matches(reply.text)) << reply.text;
  EXPECT_GT(reply.usage.forcedTokens, 0u);
  EngineOptions slow;
  slow.jumpForward = false;
  auto stepwise = load(slow);
  GenReply same = run(*stepwise, number);
  EXPECT_EQ(same.text, reply.text);
  EXPECT_EQ(same.tokens, reply.tokens);
  EXPECT_EQ(same.usage.forcedTokens, 0u);
  GenRequest only = request(prompt, 20);
  only.forced = "exactly this";
  EXPECT_EQ(run(*model, only).text, "exactly this");
  only.forced = "";
  GenReply nothing = run(*model, only);
  EXPECT_EQ(nothing.text, "");
  EXPECT_EQ(nothing.finish, Finish::Constraint);
}

TEST_F(LocalModelTest, chooses) {
  SelectReply reply =
      choose(*model, ask("Is Paris the capital of France? Answer yes or no."),
             {"No", "Yes"});
  ASSERT_FALSE(reply.failure) << reply.failure->message;
  ASSERT_EQ(reply.scores.size(), 2u);
  EXPECT_LT(reply.scores[0], 0);
  EXPECT_EQ(reply.choice, reply.scores[1] > reply.scores[0] ? 1u : 0u);
  // A choice that changes how the prompt's end is cut, and one inside another.
  SelectReply merged =
      choose(*model, build({{Kind::Author, "The capital of France is Par"}}),
             {"is", "ty", "is, of course", "akeet"});
  ASSERT_FALSE(merged.failure) << merged.failure->message;
  EXPECT_TRUE(merged.choice == 0 || merged.choice == 2);
  // Twice the same text scores the same, whatever the cache holds.
  SelectReply again = choose(
      *model,
      build({{Kind::Author, "The capital of "}, {Kind::Data, "France is Par"}}),
      {"is", "ty", "is, of course", "akeet"});
  EXPECT_EQ(again.scores, merged.scores);
}

TEST_F(LocalModelTest, reusesWhatTurnsShare) {
  PromptRef prompt = ask("Name a colour.");
  GenReply first = run(*model, request(prompt, 12));
  ASSERT_FALSE(first.failure);
  PromptRef next = build({{Kind::Close, ""},
                          {Kind::Open, "user"},
                          {Kind::Author, "Another one."},
                          {Kind::Close, ""},
                          {Kind::Open, "assistant"}},
                         with(prompt, first));
  GenReply second = run(*model, request(next, 12));
  ASSERT_FALSE(second.failure);
  // All of the first prompt and of its answer but perhaps the last token.
  EXPECT_GE(second.usage.cachedTokens,
            first.usage.promptTokens + first.tokens.size() - 1);
  EngineOptions off;
  off.radix = false;
  auto forgetful = load(off);
  GenReply same = run(*forgetful, request(next, 12));
  EXPECT_EQ(same.text, second.text);
  EXPECT_EQ(same.tokens, second.tokens);
  EXPECT_EQ(same.usage.cachedTokens, 0u);
}

TEST_F(LocalModelTest, batchesWhatIsAskedForTogether) {
  std::vector<std::string> together(4), alone(4);
  auto sampledRequest = [&](size_t i) {
    GenRequest one = request(ask("Tell me a story."), 16);
    one.sampling.temperature = 0.9;
    one.drawKey = 100 + i;
    return one;
  };
  size_t left = together.size();
  for (size_t i = 0; i < together.size(); ++i)
    model->gen(sampledRequest(i), [&, i](GenReply reply) {
      EXPECT_FALSE(reply.failure);
      together[i] = reply.text;
      --left;
    });
  while (left && model->wait()) {
  }
  RunStats stats;
  model->addStats(stats);
  EXPECT_EQ(stats.maxBatch, 4u);
  EXPECT_EQ(stats.calls, 4u);
  EngineOptions single;
  single.batching = false;
  auto serial = load(single, 2);
  for (size_t i = 0; i < alone.size(); ++i)
    alone[i] = run(*serial, sampledRequest(i)).text;
  EXPECT_EQ(together, alone);
  EXPECT_NE(together[0], together[1]);
}

TEST_F(LocalModelTest, failsWithOneMessage) {
  std::string essay;
  for (int i = 0; i < 1200; ++i)
    essay += "word ";
  GenReply reply = run(*model, request(ask(essay), 10));
  ASSERT_TRUE(reply.failure);
  EXPECT_TRUE(reply.failure->fatal);
  EXPECT_NE(reply.failure->message.find("1024"), std::string::npos)
      << reply.failure->message;
  GenRequest biased = request(ask("x"), 4);
  biased.sampling.logitBias["two words"] = 1;
  EXPECT_NE(run(*model, biased).failure->message.find("logit_bias"),
            std::string::npos);
  reply = run(*model, request(build({{Kind::Special, "<|nope|>"}}), 4));
  ASSERT_TRUE(reply.failure);
  LocalModelOptions missing;
  missing.path = "/no/such/model.gguf";
  EXPECT_NE(LocalModel::load(missing).error().message.find("/no/such/model"),
            std::string::npos);
}

TEST_F(LocalModelTest, cancelledCallsNeverAnswer) {
  bool answered = false;
  auto first = model->gen(request(ask("Tell me a long story."), 400),
                          [&](GenReply) { answered = true; });
  GenReply other = run(*model, request(ask("Say hi."), 4));
  EXPECT_FALSE(other.failure);
  model->cancel(first);
  EXPECT_FALSE(model->wait());
  EXPECT_FALSE(answered);
}

} // namespace
} // namespace sgl
