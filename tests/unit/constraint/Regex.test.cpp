// Regular expressions: languages by table, refusals by message, and random
// patterns against the backtracking twin.
#include "ir/constraint/Regex.h"

#include "tests/unit/constraint/Backtrack.h"

#include <gtest/gtest.h>

using namespace sgl;

namespace {

struct Language {
  const char *pattern;
  std::vector<std::string> in, out;
};

const Language languages[] = {
    {"", {""}, {"a"}},
    {"a+?b", {"ab", "aab"}, {"b", "a", "abb"}},
    {"^ab$", {"ab"}, {"ab\n", "a"}},
    {"(^a|b)c", {"ac", "bc"}, {"c"}},
    {"a|", {"a", ""}, {"aa"}},
    {"(a|)b", {"ab", "b"}, {"a"}},
    {".", {"a", "\u00e9", "\U0001F642", "\x7f"}, {"\n", "\r", "\u2028", ""}},
    {"(?s:.)", {"a", "\n", "\u2028"}, {"", "\xc3"}},
    {"[^a]", {"\n", "\u00e9", "\U0001F642"}, {"a", "\x80", "\xc3", ""}},
    {"\\d", {"0", "9"}, {"\u09ea", "a"}},
    {"\\w+", {"aZ_09"}, {"\u00e9", "a-b"}},
    {"\\s", {" ", "\u00a0", "\ufeff", "\n"}, {"a", "\u180e"}},
    {"\\p{L}+", {"a\u00e9\u4e2d"}, {"1", ""}},
    {"\\p{Letter}cole", {"\u00e9cole"}, {"1cole"}},
    {"\\P{N}", {"a"}, {"1", "\u00bd"}},
    {"\\pN\\p{Lu}", {"\u00bdA"}, {"\u00bda"}},
    {"a{2,4}", {"aa", "aaa", "aaaa"}, {"a", "aaaaa"}},
    {"a{3}", {"aaa"}, {"aa", "aaaa"}},
    {"a{2,}", {"aa", "aaaaaaa"}, {"a"}},
    {"{\"a\": [0-9]+}", {"{\"a\": 12}"}, {"{\"a\": }"}},
    {"a{", {"a{"}, {"a"}},
    {"a{,3}", {"a{,3}"}, {"aa"}},
    {"(a|ab)(c|bcd)", {"abcd", "ac", "abc"}, {"abbcdd"}},
    {"[\U0001F600-\U0001F64F]+", {"\U0001F642\U0001F600"}, {"\U0001F650"}},
    {"^\U0001F432*$", {"", "\U0001F432\U0001F432"}, {"\xf0\x9f"}},
    {"\\x41\\u00e9\\u{1F642}\\x{42}", {"A\u00e9\U0001F642B"}, {"A"}},
    {"[\\]\\-a]", {"]", "-", "a"}, {"\\"}},
    {"[a-]", {"a", "-"}, {"b"}},
    {"[\\d.]+", {"1.5"}, {"a"}},
    {"[\\b]", {"\b"}, {"b"}},
    {"\\$\\.\\{", {"$.{"}, {"a"}},
    {"(?<year>\\d{4})-(?P<m>\\d\\d)", {"2026-11"}, {"26-11"}},
    {"yes|yesterday|no", {"yes", "yesterday", "no"}, {"yest"}},
    {"\\x00", {std::string(1, '\0')}, {""}},
    {"(a*)*b", {"b", "aaab"}, {"a"}},
    {"(|a)+", {"", "aaa"}, {"b"}},
};

TEST(Regex, Languages) {
  for (const Language &language : languages) {
    auto automaton = compileRegex(language.pattern);
    ASSERT_TRUE(automaton) << language.pattern << ": "
                           << automaton.error().message;
    for (const std::string &text : language.in)
      EXPECT_TRUE(automaton->matches(text)) << language.pattern << " " << text;
    for (const std::string &text : language.out)
      EXPECT_FALSE(automaton->matches(text)) << language.pattern << " " << text;
  }
}

struct Refusal {
  std::string pattern;
  const char *message;
};

const Refusal refusals[] = {
    {"a^b", "the pattern matches no text at all"},
    {"a$b", "the pattern matches no text at all"},
    {"\\bfoo", "a word boundary '\\b' is not supported at byte 0 of the "
               "pattern"},
    {"a(?=b)b", "look-ahead '(?=' is not supported at byte 1 of the pattern"},
    {"(?!ab)a", "look-ahead '(?!' is not supported at byte 0 of the pattern"},
    {"(?<=x)y", "look-behind '(?<=' is not supported at byte 0 of the pattern"},
    {"(a)\\1", "a back-reference is not regular and not supported at byte 3 "
               "of the pattern"},
    {"(?<n>a)\\k<n>", "a back-reference is not regular and not supported at "
                      "byte 7 of the pattern"},
    {"a{2147483647}", "a repeat of more than 10000 times at byte 1 of the "
                      "pattern"},
    {"a{99999999999999999999}", "a repeat of more than 10000 times at byte 1 "
                                "of the pattern"},
    {"a{5,2}", "a repeat from more to less at byte 1 of the pattern"},
    {"a**", "a repeat of a repeat; put the first in a group at byte 2 of the "
            "pattern"},
    {"*a", "nothing to repeat at byte 0 of the pattern"},
    {"a|{3}", "nothing to repeat at byte 2 of the pattern"},
    {"a*+", "a possessive repeat is not supported at byte 2 of the pattern"},
    {"[z-a]", "a range from high to low at byte 1 of the pattern"},
    {"[\\d-z]", "a range between classes at byte 1 of the pattern"},
    {"(a", "a group without ')' at byte 0 of the pattern"},
    {"a)", "')' closes no group at byte 1 of the pattern"},
    {"[a", "a class without ']' at byte 0 of the pattern"},
    {"[]", "an empty class; write '\\]' for a bracket, at byte 0 of the "
           "pattern"},
    {"[^]", "an empty class; write '\\]' for a bracket, at byte 0 of the "
            "pattern"},
    {"[[:alpha:]]", "a POSIX class '[:' is not supported at byte 1 of the "
                    "pattern"},
    {"\\x4", "a character number needs 2 hexadecimal digits, or one to six in "
             "braces, at byte 0 of the pattern"},
    {"\\ud800", "a number that is no character at byte 0 of the pattern"},
    {"\\q", "the escape '\\q' is not known at byte 0 of the pattern"},
    {"a\\", "nothing follows '\\' at byte 1 of the pattern"},
    {"\\p{Klingon}", "the property 'Klingon' is not known, general categories "
                     "are, at byte 0 of the pattern"},
    {"(?i)a", "a group '(?' of an unknown kind; '(?:', '(?s:' and '(?<name>' "
              "are known, at byte 0 of the pattern"},
    {"a\xff", "not UTF-8 at byte 1 of the pattern"},
    {std::string("a\0b", 3), "a zero byte at byte 1 of the pattern; write "
                             "\\x00"},
    {std::string(300, '('), "groups nest deeper than 200 at byte 200 of the "
                            "pattern"},
    {std::string(300000, 'a'), "the pattern has 300000 bytes, at most 262144 "
                               "are allowed"},
    {"((a{1000}){1000}){1000}", "the pattern is too large: it needs more than "
                                "500000 positions"},
    {"(.*a.{20}b)", "the pattern is too large: it needs more than 100000 "
                    "states"},
};

TEST(Regex, RefusesByNameAndPlace) {
  for (const Refusal &refusal : refusals) {
    auto automaton = compileRegex(refusal.pattern);
    ASSERT_FALSE(automaton) << refusal.pattern.substr(0, 40);
    EXPECT_EQ(automaton.error().message, refusal.message);
  }
}

TEST(Regex, LargeRepeatsStaySmall) {
  auto nested = compileRegex("(a{1,30}){1,30}");
  ASSERT_TRUE(nested);
  EXPECT_EQ(nested->stateCount(), 901u);
  EXPECT_TRUE(nested->matches(std::string(900, 'a')));
  EXPECT_FALSE(nested->matches(std::string(901, 'a')));
  auto fields = compileRegex("[^,\"\\\\]{1,100}(,[^,\"\\\\]{1,100}){0,50}");
  EXPECT_TRUE(fields) << fields.error().message;
}

TEST(Regex, EqualsBacktracking) {
  std::mt19937 random(11);
  size_t accepted = 0, compiled = 0;
  for (int round = 0; round < 4000; ++round) {
    test::Tree tree = test::randomTree(random, 3);
    std::string text = tree.print();
    auto parsed = parseRegex(text);
    ASSERT_TRUE(parsed) << text << ": " << parsed.error().message;
    auto automaton = compilePattern(*parsed);
    ASSERT_TRUE(automaton) << text << ": " << automaton.error().message;
    ++compiled;
    for (int i = 0; i < 30; ++i) {
      auto word = test::randomText(random, 6);
      bool expected = tree.matches(word);
      accepted += expected;
      ASSERT_EQ(automaton->matches(test::toBytes(word)), expected)
          << text << " on " << test::toBytes(word) << "\n"
          << automaton->print();
    }
    auto again = Automaton::read(automaton->write());
    ASSERT_TRUE(again) << text << ": " << again.error().message;
    EXPECT_TRUE(*again == *automaton) << text;
  }
  EXPECT_GT(accepted, compiled) << "the texts hardly ever match";
}

} // namespace
