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
      {{{false, {{'a', 'a', 1}}}, {false, {{'b', 'b', 1}}}},
       "states that no text uses"},
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

void damage(const std::string &good) {
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
    EXPECT_LE(automaton->stateCount(), maxAutomatonStates);
    EXPECT_TRUE(Automaton::read(automaton->write()));
  }
  EXPECT_GT(read, 0u);
}

TEST(Automaton, ReadSurvivesDamage) {
  damage(compile("[a-z]{2,5}(\u00e9|\U0001F642)*|no").write());
  damage(compile("(ab?c|\u00e9*d){2,70}x").write());
}

/// Copies are written as such, also where they have a way out, loops, or are
/// left for what lies before them.
TEST(Automaton, CopiesAreStoredOnce) {
  const char *const patterns[] = {"a{%}", "[^a]{1,%}", "(a|bcd*e){%}x",
                                  "\"([^\"\\\\]|\\\\.){1,%}\", [0-9]+"};
  for (std::string pattern : patterns) {
    size_t at = pattern.find('%');
    Automaton small = compile(pattern.replace(at, 1, "100").c_str());
    Automaton large = compile(pattern.replace(at, 3, "1000").c_str());
    EXPECT_GE(large.stateCount(), 9 * small.stateCount());
    EXPECT_LE(large.write().size(), small.write().size() + 16) << pattern;
    auto again = Automaton::read(large.write());
    ASSERT_TRUE(again) << pattern << ": " << again.error().message;
    EXPECT_TRUE(*again == large) << pattern;
  }
}

/// The digits of base64, for texts that no automaton is written as.
std::string store(const std::vector<unsigned> &bytes) {
  std::string text = "A2";
  unsigned bits = 0, count = 0;
  auto put = [&](unsigned digit) {
    text += "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        [digit & 63];
  };
  for (unsigned byte : bytes) {
    bits = bits << 8 | byte;
    for (count += 8; count >= 6; count -= 6)
      put(bits >> (count - 6));
  }
  if (count > 0)
    put(bits << (6 - count));
  return text;
}

TEST(Automaton, ReadTakesOneSpelling) {
  // a{4}: four states with an edge onward, one that accepts.
  const std::vector<unsigned> row = {2, 'a', 'a', 2};
  std::vector<unsigned> bytes = {5};
  bytes.insert(bytes.end(), row.begin(), row.end());
  std::vector<unsigned> good = bytes;
  good.insert(good.end(), {0, 1, 3, 1});
  auto read = Automaton::read(store(good));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(*read == compile("a{4}"));
  EXPECT_EQ(read->write(), store(good));
  const std::vector<unsigned> broken[] = {
      {0, 0, 3, 1},                 // nowhere to copy from
      {0, 2, 3, 1},                 // from before the first state
      {0, 1, 2, 2, 'a', 'a', 2, 1}, // a copy that is too short
      {0, 1, 5},                    // longer than the automaton
      {0, 0x81, 0, 3, 1},           // a number with a byte to spare
      {4, 'a', 'a', 2, 'b', 'b', 2, 0, 1, 2, 1}, // one edge in two parts
      {2, 'a', 'a', 3, 0, 1, 2, 1}, // what is near, told from the start
  };
  for (const std::vector<unsigned> &tail : broken) {
    std::vector<unsigned> bad = bytes;
    bad.insert(bad.end(), tail.begin(), tail.end());
    auto refused = Automaton::read(store(bad));
    ASSERT_FALSE(refused) << store(bad);
    EXPECT_NE(refused.error().message.find("not in the form 'A2'"),
              std::string::npos)
        << refused.error().message;
  }
}

/// A short text that stands for a hundred thousand states of 128 edges.
TEST(Automaton, ReadBoundsWhatCopiesMake) {
  std::vector<unsigned> bytes = {0xa0, 0x8d, 0x06, 0x80, 0x02};
  for (unsigned byte = 0; byte < 128; ++byte)
    bytes.insert(bytes.end(), {byte, byte, byte % 2 == 0 ? 0u : 2u});
  bytes.insert(bytes.end(), {0, 1, 0x9e, 0x8d, 0x06, 1});
  auto read = Automaton::read(store(bytes));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, "the automaton is larger than is allowed");
}

TEST(Automaton, ReadTakesCellsFromOneBudget) {
  std::string text = compile("[ab]{1,500}").write();
  uint64_t budget = 4000; // an automaton takes 501 x 3
  for (int i = 0; i < 2; ++i)
    EXPECT_TRUE(Automaton::read(text, budget)) << i;
  EXPECT_EQ(budget, 4000u - 2 * 501 * 3);
  EXPECT_FALSE(Automaton::read(text, budget));
}

} // namespace
