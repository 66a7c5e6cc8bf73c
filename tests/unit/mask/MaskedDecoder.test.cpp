// The constrained decoder on small vocabularies: masks, forced tokens, ends.
#include "runtime/mask/MaskedDecoder.h"

#include "ir/constraint/Regex.h"
#include "tests/unit/mask/FakeTokenizer.h"

#include <gtest/gtest.h>

using namespace sgl;
using sgl::test::FakeTokenizer;
using Outcome = MaskedDecoder::Outcome;
using Follow = EndRule::Follow;

namespace {

struct Small {
  std::shared_ptr<FakeTokenizer> tokenizer;
  std::shared_ptr<MaskCache> cache;

  explicit Small(std::vector<std::string> texts)
      : tokenizer(std::make_shared<FakeTokenizer>(std::move(texts))),
        cache(std::make_shared<MaskCache>(
            std::make_shared<TokenTrie>(*tokenizer))) {}

  MaskedDecoder decoder(const char *pattern, EndRule rule,
                        std::vector<TokenId> context = {}) const {
    auto automaton = compileRegex(pattern);
    EXPECT_TRUE(automaton) << pattern;
    return {tokenizer,
            cache->get(std::make_shared<const Automaton>(*automaton)), rule,
            std::move(context)};
  }

  /// The allowed tokens' texts, by id, joined by blanks.
  std::string allowed(MaskedDecoder &decoder) const {
    std::string out;
    auto mask = decoder.mask();
    for (TokenId id = 0; id < TokenId(tokenizer->size()); ++id)
      if (mask[size_t(id) / 32] >> (id % 32) & 1)
        out += (out.empty() ? "" : " ") + std::string(tokenizer->bytes(id));
    return out;
  }
  std::string texts(const std::vector<TokenId> &ids) const {
    std::string out;
    for (TokenId id : ids)
      out += (out.empty() ? "" : " ") + std::string(tokenizer->bytes(id));
    return out;
  }
};

const EndRule unknown{Follow::Unknown, "", 0};
const EndRule endOfTurn{Follow::EndOfTurn, "", 0};

TEST(MaskedDecoder, TokensCrossEveryBorderOfThePattern) {
  Small setup({"<end>", "a", "b", "ab", "abc", "c", "x"});
  MaskedDecoder decoder = setup.decoder("(ab|b)c?x", endOfTurn);
  EXPECT_EQ(setup.allowed(decoder), "a b ab abc");
  EXPECT_EQ(decoder.accept(setup.tokenizer->id("ab")), Outcome::Continue);
  EXPECT_EQ(setup.allowed(decoder), "c x");
  EXPECT_EQ(decoder.accept(setup.tokenizer->id("x")), Outcome::Finished);
  EXPECT_EQ(decoder.text(), "abx");
  EXPECT_EQ(decoder.accept(setup.tokenizer->id("x")), Outcome::Illegal);
}

TEST(MaskedDecoder, AnIllegalTokenChangesNothing) {
  Small setup({"<end>", "a", "b", "c"});
  MaskedDecoder decoder = setup.decoder("[ab]c", endOfTurn);
  for (TokenId id : {-1, 0, 3, 4, 1000})
    EXPECT_EQ(decoder.accept(id), Outcome::Illegal) << id;
  EXPECT_EQ(setup.allowed(decoder), "a b");
  EXPECT_EQ(decoder.text(), "");
}

TEST(MaskedDecoder, EqualTextsAreBothAllowed) {
  Small setup({"<end>", "a", "b", "a", ""});
  MaskedDecoder decoder = setup.decoder("[ab]", endOfTurn);
  EXPECT_EQ(setup.allowed(decoder), "a b a");
}

TEST(MaskedDecoder, ControlTextsAreNoText) {
  Small setup({"<end>", "<", "e", "n", "d", ">"});
  MaskedDecoder decoder = setup.decoder("[<>a-z]*", unknown);
  // As an end, not as a text.
  EXPECT_EQ(decoder.accept(0), Outcome::FinishedDrop);
  EXPECT_EQ(decoder.text(), "");
  decoder = setup.decoder("[<>a-z]+", unknown);
  EXPECT_EQ(decoder.accept(0), Outcome::Illegal);
}

struct EndCase {
  EndRule rule;
  const char *allowed; ///< behind "1"
};

TEST(MaskedDecoder, WhatEndsANumber) {
  Small setup(
      {"<end>", "1", "2", "\n", "\n\n", ",", ", ", " ", "x", ", b", "\nx"});
  const EndCase cases[] = {
      {unknown, "<end> 1 2 \n \n\n \nx"},
      {endOfTurn, "<end> 1 2"},
      {{Follow::Text, ", ", 0}, "<end> 1 2 , ,  , b"},
      {{Follow::Text, ", both", 0}, "<end> 1 2 , ,  , b"},
      {{Follow::Text, "\n", 0}, "<end> 1 2 \n \n\n \nx"},
      // The text is in the language: it continues.
      {{Follow::Text, "2", 0}, "<end> 1 2"},
      {{Follow::Text, "", 0}, "<end> 1 2"},
      {{Follow::Unknown, "", 2}, "1 2"},
  };
  for (const EndCase &c : cases) {
    MaskedDecoder decoder = setup.decoder("[12]+", c.rule);
    EXPECT_EQ(setup.allowed(decoder), "1 2") << "an end before the first";
    EXPECT_EQ(decoder.accept(1), Outcome::Continue);
    EXPECT_EQ(setup.allowed(decoder), c.allowed) << c.rule.text;
  }
  MaskedDecoder decoder = setup.decoder("[12]+", unknown);
  decoder.accept(1);
  EXPECT_EQ(decoder.accept(setup.tokenizer->id("\n\n")), Outcome::FinishedDrop);
  EXPECT_EQ(decoder.text(), "1");
}

TEST(MaskedDecoder, AnEmptyTextEndsBeforeTheFirstToken) {
  Small setup({"<end>", "a"});
  EXPECT_TRUE(setup.decoder("", unknown).finished());
  EXPECT_FALSE(setup.decoder("a?", unknown).finished());
}

TEST(MaskedDecoder, NoTokenForWhatIsWanted) {
  Small setup({"<end>", "a"});
  MaskedDecoder decoder = setup.decoder("a[bc]", unknown);
  EXPECT_EQ(setup.texts(decoder.forced()), "a");
  EXPECT_EQ(decoder.accept(1), Outcome::Continue);
  EXPECT_EQ(setup.allowed(decoder), "");
  EXPECT_EQ(decoder.describe(),
            "no token of the model can continue the constraint behind 'a' "
            "(state 1)");
}

TEST(MaskedDecoder, ForcedTokensAreCanonical) {
  Small setup({"<end>", "a", "b", "c", "ab", "bc", "x", "y"});
  MaskedDecoder decoder = setup.decoder("abc[xy]", endOfTurn);
  EXPECT_EQ(setup.texts(decoder.forced()), "ab c");
  EXPECT_EQ(setup.allowed(decoder), "ab") << "one by one, the same tokens";
  EXPECT_EQ(decoder.accept(setup.tokenizer->id("a")), Outcome::Illegal);
  EXPECT_EQ(decoder.accept(setup.tokenizer->id("ab")), Outcome::Continue);
  EXPECT_EQ(setup.texts(decoder.forced()), "c");
  EXPECT_EQ(decoder.accept(setup.tokenizer->id("c")), Outcome::Continue);
  EXPECT_EQ(setup.texts(decoder.forced()), "");
  EXPECT_EQ(setup.allowed(decoder), "x y");
}

TEST(MaskedDecoder, AnUnsureEndIsWithheld) {
  Small setup({"<end>", "{\"", "order", "orderId", "orderName", "Id", "Name",
               "or", "\"", "I", "d"});
  MaskedDecoder decoder = setup.decoder("\\{\"order(Id|Name)\"", endOfTurn);
  EXPECT_EQ(setup.texts(decoder.forced()), "{\"");
  decoder.accept(1);
  EXPECT_EQ(setup.texts(decoder.forced()), "");
  // "or" does not have the withheld bytes as a prefix.
  EXPECT_EQ(setup.allowed(decoder), "order orderId orderName");
  MaskedDecoder copy = decoder;
  EXPECT_EQ(decoder.accept(setup.tokenizer->id("or")), Outcome::Illegal);
  EXPECT_EQ(decoder.accept(setup.tokenizer->id("orderId")), Outcome::Continue);
  EXPECT_EQ(setup.texts(decoder.forced()), "\"");
  EXPECT_EQ(copy.accept(setup.tokenizer->id("order")), Outcome::Continue);
  EXPECT_EQ(setup.allowed(copy), "Id Name I");
}

/// A longer token that the automaton cannot read withholds nothing.
TEST(MaskedDecoder, AnEndThatCannotGrowIsForced) {
  Small setup({"<end>", "order", "orders", "I", "N"});
  MaskedDecoder decoder = setup.decoder("order(I|N)", endOfTurn);
  EXPECT_EQ(setup.texts(decoder.forced()), "order");
}

TEST(MaskedDecoder, AnEndForcesWholeTexts) {
  Small setup({"<end>", "yes", "yesterday", "ye", "s"});
  MaskedDecoder decoder = setup.decoder("yes", endOfTurn);
  EXPECT_EQ(setup.texts(decoder.forced()), "yes");
  EXPECT_EQ(decoder.accept(1), Outcome::Finished);
}

TEST(MaskedDecoder, CommittedTokensAreNeverChanged) {
  Small setup({"<end>", "\"", ":", "\":", "a", "b"});
  // The prompt ends in a quote; the canonical `":` would swallow it.
  MaskedDecoder decoder = setup.decoder(":[ab]", endOfTurn, {1});
  EXPECT_EQ(setup.texts(decoder.forced()), ":");
}

TEST(MaskedDecoder, BytesWithoutTokensAreNotForced) {
  Small setup({"<end>", "a", "b", "ac"});
  MaskedDecoder decoder = setup.decoder("acb|acd", endOfTurn);
  EXPECT_EQ(setup.texts(decoder.forced()), "ac");
  decoder = setup.decoder("cb", endOfTurn);
  EXPECT_EQ(setup.texts(decoder.forced()), "");
}

TEST(MaskedDecoder, HalfACharacterIsNotForced) {
  Small setup({"<end>", "\xc3", "\xa9", "\xa8", "x"});
  MaskedDecoder decoder = setup.decoder("x(\u00e9|\u00e8)", endOfTurn);
  EXPECT_EQ(setup.texts(decoder.forced()), "x");
  decoder.accept(4);
  EXPECT_EQ(setup.texts(decoder.forced()), "");
  EXPECT_EQ(setup.allowed(decoder), "\xc3");
}

} // namespace
