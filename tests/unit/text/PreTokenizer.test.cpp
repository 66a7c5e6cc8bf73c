// Where the patterns of each model cut, and that long input costs little.
#include "runtime/text/PreTokenizer.h"

#include <gtest/gtest.h>
#include <vector>

using namespace sgl;

namespace {

std::string cut(std::string_view name, std::string_view text) {
  auto splitter = PreTokenizer::create(name);
  EXPECT_TRUE(splitter);
  std::string out;
  (*splitter)->split(text, [&](std::string_view piece) {
    if (!out.empty())
      out += "|";
    out += piece;
  });
  return out;
}

struct Case {
  const char *name, *text, *pieces;
};

// By hand from the regular expressions in the models' tokenizer.json files.
const Case cases[] = {
    {"gpt-2", "it's 123 a.b", "it|'s| 123| a|.|b"},
    {"gpt-2", "a  b", "a| | b"},
    {"gpt-2", "a   ", "a|   "},
    {"gpt-2", "IT'S", "IT|'|S"},
    {"gpt-2", "a \n b", "a| \n| b"},
    {"gpt-2", "x\u00a0\u00a0y", "x|\u00a0|\u00a0|y"},
    // U+180E was a space once and is none any more.
    {"gpt-2", "x \u180ey", "x| \u180e|y"},
    {"smollm", "a12 b", "a|1|2| b"},
    {"smollm", "x  5", "x|  |5"},
    {"smollm", "\u00bd\u2167", "\u00bd|\u2167"},
    {"llama-bpe", "IT'S", "IT|'S"},
    {"llama-bpe", "12345", "123|45"},
    {"llama-bpe", "a.b\n\n c", "a|.b|\n\n| c"},
    {"llama-bpe", "a!!\n\nb", "a|!!\n\n|b"},
    {"llama-bpe", "a  \n  b", "a|  \n| | b"},
    {"llama-bpe", "a   b", "a|  | b"},
    {"llama-bpe", "a   ", "a|   "},
    {"qwen2", "123 ab", "1|2|3| ab"},
};

TEST(PreTokenizer, Cuts) {
  for (const Case &c : cases)
    EXPECT_EQ(cut(c.name, c.text), c.pieces) << c.name << ": " << c.text;
}

TEST(PreTokenizer, InvalidBytesAreTheirOwnPieces) {
  EXPECT_EQ(cut("gpt-2", "ab\xff\xfe cd\xc3"), "ab|\xff\xfe| cd|\xc3");
}

TEST(PreTokenizer, UnknownNameIsRefused) {
  auto splitter = PreTokenizer::create("mystery");
  ASSERT_FALSE(splitter);
  EXPECT_EQ(splitter.error().message,
            "the pre-tokenizer 'mystery' is not known, known are gpt-2, "
            "smollm, llama-bpe, qwen2");
}

/// Runs of one kind that are longer than any matcher stack.
TEST(PreTokenizer, LongRuns) {
  for (const char *name : {"gpt-2", "smollm", "llama-bpe", "qwen2"})
    for (const char *unit : {"a", "\u4e2d", " ", "\n", "!", "5", "\u3000",
                             " \n", "a ", "'s", "  x"}) {
      std::string text;
      while (text.size() < 1 << 18)
        text += unit;
      text += "x";
      auto splitter = PreTokenizer::create(name);
      ASSERT_TRUE(splitter);
      std::string joined;
      (*splitter)->split(text,
                         [&](std::string_view piece) { joined += piece; });
      EXPECT_EQ(joined, text) << name << " " << unit;
    }
}

} // namespace
