// Where free text ends and what is kept of it; which ids a select scores.
#include "runtime/engine/TextDecoder.h"
#include "runtime/engine/SelectPlan.h"
#include "tests/unit/text/ToyTokenizer.h"

#include <gtest/gtest.h>

#include <random>

namespace sgl {
namespace {

using test::ToyTokenizer;

class TextDecoderTest : public testing::Test {
protected:
  TextDecoder decoder(TextDecoder::Rules rules) {
    return TextDecoder(toy, masks, std::move(rules), std::nullopt);
  }
  /// Feeds the bytes of each text as one token each.
  TextDecoder::Output feed(TextDecoder::Rules rules,
                           std::vector<std::string> texts) {
    TextDecoder one = decoder(std::move(rules));
    for (const std::string &text : texts)
      if (one.accept(toy->id(text)) != Decoder::Step::Continue)
        break;
    return one.result();
  }
  std::shared_ptr<ToyTokenizer> toy = std::make_shared<ToyTokenizer>();
  std::shared_ptr<const TextMasks> masks = std::make_shared<TextMasks>(*toy);
};

TEST_F(TextDecoderTest, keepsWhatStandsBeforeAStop) {
  const struct {
    std::vector<std::string> tokens, stops;
    bool keep;
    std::string text, tail;
    size_t kept;
    Finish finish;
  } cases[] = {
      {{"x", "y"}, {}, false, "xy", "", 2, Finish::Length},
      {{"x", "<|im_end|>"}, {}, false, "x", "", 1, Finish::EndOfTurn},
      {{"x", "abc", "y"}, {"b"}, false, "xa", "a", 1, Finish::Stop},
      {{"x", "abc", "y"}, {"b"}, true, "xab", "ab", 1, Finish::Stop},
      {{"x", "abc", "y"}, {"abc"}, false, "x", "", 1, Finish::Stop},
      {{"x", "abc", "y"}, {"abc"}, true, "xabc", "", 2, Finish::Stop},
      // Over a border: the token in which the stop begins goes.
      {{"x", "ab", "c", "y"}, {"bc"}, false, "xa", "a", 1, Finish::Stop},
      {{"a", "b", "c"}, {"abc"}, false, "", "", 0, Finish::Stop},
      // The first in the text counts, of two at one place the longer.
      {{"x", "abc"}, {"c", "bc"}, false, "xa", "a", 1, Finish::Stop},
      {{"x", "abc"}, {"ab", "abc"}, true, "xabc", "", 2, Finish::Stop},
      {{"a", "b"}, {"", "zz"}, false, "ab", "", 2, Finish::Length},
  };
  for (const auto &test : cases) {
    auto output = feed({test.stops, test.keep, 0}, test.tokens);
    EXPECT_EQ(output.text, test.text);
    EXPECT_EQ(output.tail, test.tail);
    EXPECT_EQ(output.tokens.size(), test.kept) << test.text;
    EXPECT_EQ(output.finish, test.finish);
    EXPECT_EQ(toy->decode(output.tokens) + output.tail, output.text);
  }
}

TEST_F(TextDecoderTest, nothingEndsBeforeTheMinimum) {
  auto output = feed({{"a"}, false, 3}, {"a", "x", "y", "z", "a", "b"});
  EXPECT_EQ(output.text, "axyz");
  TextDecoder one = decoder({{}, false, 1});
  auto has = [&](TokenId id) {
    return (one.mask()[size_t(id) / 32] >> (id % 32) & 1) != 0;
  };
  EXPECT_FALSE(has(2));
  one.accept(toy->id("x"));
  EXPECT_TRUE(has(2));
  EXPECT_TRUE(has(toy->id("x")));
  // Control tokens that end nothing are never text.
  EXPECT_FALSE(has(0));
  EXPECT_FALSE(has(1));
}

TEST_F(TextDecoderTest, valuesAreValidUtf8) {
  EXPECT_EQ(feed({}, {"\xC3", "\xA9", "\xE2", "\x82"}).text, "é\uFFFD");
  EXPECT_EQ(feed({}, {"\x80", "a"}).text, "\uFFFDa");
}

/// The twin: the whole text cut at the first stop that a token completes.
TEST_F(TextDecoderTest, equalsCuttingTheTextAtEveryToken) {
  std::mt19937 random(3);
  const char *tokens[] = {"a", "b", "c", "ab", "abc", "x"};
  const char *stops[] = {"ab", "bc", "ca", "abca", "xx", "b"};
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::string> texts, given;
    for (int n = 1 + int(random() % 6); n-- > 0;)
      texts.push_back(tokens[random() % std::size(tokens)]);
    for (int n = int(random() % 3); n-- > 0;)
      given.push_back(stops[random() % std::size(stops)]);
    std::string all, expected;
    for (const std::string &text : texts) {
      all += text;
      size_t first = std::string::npos;
      for (const std::string &stop : given)
        first = std::min(first, all.find(stop));
      expected = all.substr(0, first);
      if (first != std::string::npos)
        break;
    }
    auto output = feed({given, false, 0}, texts);
    ASSERT_EQ(output.text, expected);
    ASSERT_EQ(toy->decode(output.tokens) + output.tail, output.text);
  }
}

PromptRef authored(std::string text) {
  return extendPrompt(rootPrompt(), PromptNode::Kind::Author, std::move(text));
}

TEST_F(TextDecoderTest, selectScoresBehindTheSharedPrefix) {
  PromptTokens tokens(*toy, Error{"no template"});
  std::vector<std::string> choices = {"c", "d"};
  // "xab" + "c" is cut as x, abc: so "ab" belongs to the choices.
  auto plan = planSelect(tokens, *authored("xab"), choices);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->prompt, std::vector<TokenId>{toy->id("x")});
  EXPECT_EQ(plan->choices[0], std::vector<TokenId>{toy->id("abc")});
  EXPECT_EQ(plan->choices[1],
            (std::vector<TokenId>{toy->id("ab"), toy->id("d")}));
  plan = planSelect(tokens, *authored("ab"), choices); // nothing is shared
  EXPECT_EQ(plan->prompt, std::vector<TokenId>{toy->bos()});
  EXPECT_EQ(plan->choices[0], std::vector<TokenId>{toy->id("abc")});
  choices = {"a", ""};
  auto refused = planSelect(tokens, *authored("x"), choices);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("\"\""), std::string::npos);
}

TEST(SelectScores, areMeansAndTiesGoToTheFirst) {
  std::vector<std::vector<float>> logprobs = {{-1, -3}, {-2}, {-0.5F, -5}};
  EXPECT_EQ(normalizedScores(logprobs), (std::vector<double>{-2, -2, -2.75}));
  EXPECT_EQ(bestChoice(std::vector<double>{-2, -2, -2.75}), 0u);
  EXPECT_EQ(bestChoice(std::vector<double>{-3, -2, -2}), 1u);
}

} // namespace
} // namespace sgl
