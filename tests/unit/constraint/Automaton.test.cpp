// Automata: printed forms, minimality, forced bytes, lengths, and plans that
// must be refused.
#include "ir/constraint/Automaton.h"

#include "ir/constraint/Regex.h"

#include <gtest/gtest.h>
#include <random>

using namespace sgl;

namespace {

Automaton compile(const char *pattern) {
  auto automaton = compileRegex(pattern);
  EXPECT_TRUE(automaton) << pattern << ": " << automaton.error().message;
  return *automaton;
}

struct Printed {
  const char *pattern, *text;
};

const Printed printed[] = {
    {"", "0!\n"},
    {"a", "0 -a-> 1\n1!\n"},
    {"a|b", "0 -[a-b]-> 1\n1!\n"},
    {"(a|b)*", "0! -[a-b]-> 0\n"},
    {"ab|cb", "0 -a-> 1\n0 -c-> 1\n1 -b-> 2\n2!\n"},
    {" \n", "0 -\\x20-> 1\n1 -\\x0a-> 2\n2!\n"},
    {"[^a]",
     "0 -[\\x00-`]-> 1\n0 -[b-\\x7f]-> 1\n0 -[\\xc2-\\xdf]-> 2\n"
     "0 -\\xe0-> 3\n0 -[\\xe1-\\xec]-> 4\n0 -\\xed-> 5\n0 -[\\xee-\\xef]-> 4\n"
     "0 -\\xf0-> 6\n0 -[\\xf1-\\xf3]-> 7\n0 -\\xf4-> 8\n1!\n"
     "2 -[\\x80-\\xbf]-> 1\n3 -[\\xa0-\\xbf]-> 2\n4 -[\\x80-\\xbf]-> 2\n"
     "5 -[\\x80-\\x9f]-> 2\n6 -[\\x90-\\xbf]-> 4\n7 -[\\x80-\\xbf]-> 4\n"
     "8 -[\\x80-\\x8f]-> 4\n"},
};

TEST(Automaton, PrintsTheMinimalOne) {
  for (const Printed &p : printed)
    EXPECT_EQ(compile(p.pattern).print(), p.text) << p.pattern;
}

TEST(Automaton, OneLanguageIsOneAutomaton) {
  const char *pairs[][2] = {{"a*", "(a|aa)*"},
                            {"(ab)*a", "a(ba)*"},
                            {"[a-c]x|[b-d]x", "[abcd]x"},
                            {"(a?){3}", "a{0,3}"},
                            {"\\d+", "[0-9][0-9]*"}};
  for (auto [first, second] : pairs) {
    EXPECT_TRUE(compile(first) == compile(second)) << first;
    EXPECT_EQ(compile(first).write(), compile(second).write());
  }
  EXPECT_FALSE(compile("a") == compile("b"));
}

struct Facts {
  const char *pattern, *forced;
  std::optional<uint64_t> longest;
  std::optional<std::string> only;
};

const Facts facts[] = {
    {"abc", "abc", 3, "abc"},
    {"", "", 0, ""},
    {"abc|abd", "ab", 3, {}},
    {"ab?", "a", 2, {}},
    {"\\{\"name\": \"\\w+\"\\}", "{\"name\": \"", {}, {}},
    {"a*", "", {}, {}},
    {"(a|bc){2}", "", 4, {}},
    {"\u00e9|\u00e8", "\xc3", 2, {}},
};

TEST(Automaton, Facts) {
  for (const Facts &f : facts) {
    Automaton automaton = compile(f.pattern);
    EXPECT_EQ(automaton.forcedFrom(automaton.start()), f.forced) << f.pattern;
    EXPECT_EQ(automaton.maxLength(), f.longest) << f.pattern;
    EXPECT_EQ(automaton.isFinite(), f.longest.has_value());
    EXPECT_EQ(automaton.onlyText(), f.only) << f.pattern;
  }
}

TEST(Automaton, EmptyLanguage) {
  auto tree = parseRegex("a^b");
  ASSERT_TRUE(tree);
  auto automaton = compilePattern(*tree);
  ASSERT_TRUE(automaton);
  EXPECT_TRUE(automaton->isEmpty());
  EXPECT_EQ(automaton->start(), Automaton::dead);
  EXPECT_FALSE(automaton->matches(""));
  EXPECT_EQ(automaton->next(Automaton::dead, 'a'), Automaton::dead);
  auto again = Automaton::read(automaton->write());
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->isEmpty());
}

/// Rows that break an invariant, written as a plan would hold them.
TEST(Automaton, ReadRefusesWhatWouldNotHold) {
  using Rows = std::vector<Automaton::StateRow>;
  const std::pair<Rows, const char *> broken[] = {
      {{{false, {{'a', 'a', 1}}}, {false, {}}}, "states that no text uses"},
      {{{true, {}}, {true, {}}}, "states that no text uses"},
      {{{false, {{0x80, 0xbf, 1}}}, {true, {}}}, "not UTF-8"},
      {{{false, {{0xc3, 0xc3, 1}}}, {true, {}}}, "not UTF-8"},
      {{{false, {{0xed, 0xed, 1}}},
        {false, {{0xa0, 0xa0, 2}}},
        {false, {{0x80, 0x80, 3}}},
        {true, {}}},
       "not UTF-8"},
  };
  for (const auto &[rows, message] : broken) {
    auto read = Automaton::read(Automaton(rows).write());
    ASSERT_FALSE(read) << message;
    EXPECT_NE(read.error().message.find(message), std::string::npos)
        << read.error().message;
  }
}

TEST(Automaton, ReadSurvivesDamage) {
  const std::string good = compile("[a-z]{2,5}(\u00e9|\U0001F642)*|no").write();
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(Automaton::read(good.substr(0, size))) << size;
  EXPECT_FALSE(Automaton::read(good + "A"));
  std::mt19937 random(5);
  size_t read = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string bad = good;
    for (unsigned n = 1 + random() % 3; n > 0; --n)
      bad[random() % bad.size()] = char(random());
    auto automaton = Automaton::read(bad);
    if (!automaton)
      continue;
    ++read;
    EXPECT_LT(automaton->stateCount(), 1000u);
  }
  EXPECT_GT(read, 0u);
}

} // namespace
