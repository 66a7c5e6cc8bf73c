// Masks on the real vocabulary against brute force, and random walks to texts
// that independent matchers accept.
#include "ir/constraint/Regex.h"
#include "runtime/mask/MaskedDecoder.h"
#include "runtime/model/Gguf.h"
#include "tests/unit/model/TestModel.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <regex>

using namespace sgl;
using Outcome = MaskedDecoder::Outcome;

namespace {

struct Real {
  std::shared_ptr<const Gguf> file;
  std::shared_ptr<const Tokenizer> tokenizer;
  std::shared_ptr<MaskCache> cache;
};

/// Null when the model is not on this machine.
const Real *real() {
  static const std::unique_ptr<Real> loaded = []() -> std::unique_ptr<Real> {
    if (test::modelPath().empty())
      return nullptr;
    auto file = Gguf::open(test::modelPath());
    EXPECT_TRUE(file);
    auto tokenizer = Tokenizer::load(**file);
    EXPECT_TRUE(tokenizer);
    auto made = std::make_unique<Real>();
    made->file = *file;
    made->tokenizer = std::move(*tokenizer);
    made->cache = std::make_shared<MaskCache>(
        std::make_shared<TokenTrie>(*made->tokenizer));
    return made;
  }();
  return loaded.get();
}

/// Patterns that std::regex reads as ours do, on ASCII texts.
const char *const patterns[] = {
    "(yes|no|maybe)",
    "-?(0|[1-9][0-9]{0,5})",
    "[a-z]{1,12}( [a-z]{1,12}){0,3}",
    "\\{\"name\": \"[A-Za-z ]{1,20}\", \"age\": [0-9]{1,3}\\}",
    "(ab|a)(bc|c)*x",
    "The answer is (one|two|twenty-one)\\.",
};

std::shared_ptr<const Automaton> compile(const std::string &pattern) {
  auto automaton = compileRegex(pattern);
  EXPECT_TRUE(automaton) << pattern;
  return std::make_shared<const Automaton>(*automaton);
}

bool hasBit(std::span<const uint32_t> mask, TokenId id) {
  return mask[size_t(id) / 32] >> (id % 32) & 1;
}

TEST(RealVocabulary, MasksEqualBruteForce) {
  if (!real())
    GTEST_SKIP() << "no test model, 7 cases skipped";
  const Tokenizer &tokenizer = *real()->tokenizer;
  std::vector<std::string> all(std::begin(patterns), std::end(patterns));
  all.push_back("(?s:.){0,3}[^\\p{L}]\U0001F642?");
  for (const std::string &pattern : all) {
    auto automaton = compile(pattern);
    auto masks = real()->cache->get(automaton);
    for (Automaton::State state = 0;
         state < std::min(automaton->stateCount(), 40u); ++state) {
      auto mask = masks->mask(state);
      for (TokenId id = 0; id < TokenId(tokenizer.size()); ++id) {
        bool legal =
            isTextKind(tokenizer.kind(id)) && !tokenizer.bytes(id).empty() &&
            automaton->run(state, tokenizer.bytes(id)) != Automaton::dead;
        ASSERT_EQ(hasBit(*mask, id), legal)
            << pattern << " state " << state << " id " << id;
      }
    }
  }
}

/// A token with a bit is taken, one without is not, whatever has been forced or
/// withheld; the text at the end is in the language.
TEST(RealVocabulary, RandomWalks) {
  if (!real())
    GTEST_SKIP() << "no test model, 6 cases skipped";
  const Tokenizer &tokenizer = *real()->tokenizer;
  std::mt19937 random(1);
  for (const char *pattern : patterns) {
    std::regex oracle(pattern);
    auto masks = real()->cache->get(compile(pattern));
    for (int walk = 0; walk < 30; ++walk) {
      MaskedDecoder decoder(real()->tokenizer, masks,
                            {EndRule::Follow::EndOfTurn, "", 0});
      while (true) {
        auto mask = decoder.mask();
        std::vector<TokenId> legal;
        for (TokenId id = 0; id < TokenId(tokenizer.size()); ++id)
          if (hasBit(mask, id))
            legal.push_back(id);
        ASSERT_FALSE(legal.empty()) << pattern << " behind " << decoder.text();
        for (int i = 0; i < 200; ++i) {
          TokenId id = TokenId(random() % tokenizer.size());
          MaskedDecoder copy = decoder;
          ASSERT_EQ(copy.accept(id) != Outcome::Illegal,
                    std::binary_search(legal.begin(), legal.end(), id))
              << pattern << " " << tokenizer.bytes(id);
        }
        auto outcome = decoder.accept(legal[random() % legal.size()]);
        ASSERT_NE(outcome, Outcome::Illegal);
        if (outcome != Outcome::Continue)
          break;
      }
      EXPECT_TRUE(std::regex_match(decoder.text(), oracle))
          << pattern << ": " << decoder.text();
    }
  }
}

/// Drives a decoder along a text as the model would write it: forced tokens
/// as a chunk, others as the canonical ids have them.
struct Drive {
  std::vector<TokenId> ids;
  size_t forced = 0;
  bool reached = true; ///< every canonical id was legal
};

Drive drive(MaskedDecoder decoder, const std::vector<TokenId> &canonical,
            bool asChunk) {
  Drive result;
  while (result.ids.size() < canonical.size()) {
    std::vector<TokenId> ids = decoder.forced();
    if (!asChunk && ids.size() > 1)
      ids.resize(1);
    result.forced += ids.size();
    if (ids.empty())
      ids = {canonical[result.ids.size()]};
    for (TokenId id : ids) {
      result.ids.push_back(id);
      if (decoder.accept(id) == Outcome::Illegal) {
        result.reached = false;
        return result;
      }
    }
  }
  return result;
}

TEST(RealVocabulary, ForcedIdsAreThoseOfTheWholeText) {
  if (!real())
    GTEST_SKIP() << "no test model, 5 cases skipped";
  const std::pair<const char *, const char *> cases[] = {
      {"\\{\"name\": \"[A-Za-z ]{1,20}\", \"age\": [0-9]{1,3}\\}",
       "{\"name\": \"Ada Lovelace\", \"age\": 36}"},
      {"\\{\"order(Id|Name)\": \"[a-z0-9]+\"\\}",
       "{\"orderName\": \"widget\"}"},
      {"The answer is (one|two|twenty-one)\\.", "The answer is twenty-one."},
      {"\\{\"summary\": \"[^\"]{1,80}\", \"grade\": \"[ABCD]\", \"score\": "
       "(10|[0-9])\\}",
       "{\"summary\": \"Clear, but thin.\", \"grade\": \"B\", \"score\": 7}"},
      {"(Paris|London|New York)", "New York"},
  };
  size_t forced = 0, total = 0;
  for (auto [pattern, text] : cases) {
    auto masks = real()->cache->get(compile(pattern));
    MaskedDecoder decoder(real()->tokenizer, masks,
                          {EndRule::Follow::EndOfTurn, "", 0});
    auto canonical = real()->tokenizer->encode(text, false);
    Drive chunk = drive(decoder, canonical, true);
    EXPECT_TRUE(chunk.reached) << text;
    EXPECT_EQ(chunk.ids, canonical) << text;
    Drive single = drive(decoder, canonical, false);
    EXPECT_EQ(single.ids, chunk.ids) << text;
    forced += chunk.forced;
    total += canonical.size();
  }
  EXPECT_GT(forced * 3, total) << "hardly anything was forced";
}

/// Letters of the vocabulary's own words that begin with a blank.
std::vector<std::string> plainWords(const Tokenizer &tokenizer) {
  std::vector<std::string> words;
  for (TokenId id = 0; id < TokenId(tokenizer.size()); ++id) {
    std::string_view bytes = tokenizer.bytes(id);
    if (bytes.size() > 2 && bytes[0] == ' ' &&
        std::all_of(bytes.begin() + 1, bytes.end(), [](char c) {
          return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        }))
      words.emplace_back(bytes.substr(1));
  }
  return words;
}

/// Records with random names and values: every id that is forced is the one
/// that the whole text has there.
TEST(RealVocabulary, ForcedIdsOfRandomRecordsAreCanonical) {
  if (!real())
    GTEST_SKIP() << "no test model, 300 cases skipped";
  const Tokenizer &tokenizer = *real()->tokenizer;
  std::vector<std::string> words = plainWords(tokenizer);
  ASSERT_GT(words.size(), 1000u);
  std::mt19937 random(3);
  auto word = [&] { return words[random() % words.size()]; };
  size_t forced = 0, total = 0;
  for (int round = 0; round < 300; ++round) {
    std::string pattern = "\\{", text = "{";
    for (unsigned field = 0, fields = 1 + random() % 3; field < fields;
         ++field) {
      std::string head = (field ? ", \"" : "\"") + word() + "\": ";
      std::string first = word(), second = word();
      pattern += head;
      text += head;
      if (random() % 2) {
        pattern += "\"(" + first + "|" + second + ")\"";
        text += "\"" + second + "\"";
      } else {
        pattern += "\"[A-Za-z .]{0,60}\"";
        text += "\"" + first + " " + second + ".\"";
      }
    }
    auto masks = real()->cache->get(compile(pattern + "\\}"));
    MaskedDecoder decoder(real()->tokenizer, masks,
                          {EndRule::Follow::EndOfTurn, "", 0});
    auto canonical = tokenizer.encode(text + "}", false);
    Drive driven = drive(decoder, canonical, true);
    ASSERT_EQ(driven.ids, canonical) << text;
    ASSERT_TRUE(driven.reached) << text;
    forced += driven.forced;
    total += canonical.size();
  }
  EXPECT_GT(forced * 2, total) << "hardly anything was forced";
}

} // namespace
