// Minimisation against a table of all pairs, repeats against the same pattern
// written out, and the work that counted repeats may take.
#include "ir/constraint/Minimize.h"

#include "ir/constraint/JsonPattern.h"
#include "ir/constraint/Nfa.h"
#include "ir/constraint/Pattern.h"
#include "ir/constraint/Regex.h"
#include "tests/unit/constraint/Backtrack.h"

#include <gtest/gtest.h>
#include <random>

using namespace sgl;

namespace {

/// A graph over a, b and c with `count` states; edges go onward only where it
/// is to have no cycle.
StateGraph randomGraph(std::mt19937 &random, uint32_t count, bool isAcyclic) {
  StateGraph graph;
  for (uint32_t state = 0; state < count; ++state) {
    uint32_t first = isAcyclic ? state + 1 : 0;
    for (uint8_t byte = 'a'; byte <= 'c'; ++byte)
      if (first < count && random() % 3 != 0)
        graph.add(byte, byte, first + random() % (count - first));
    graph.close(random() % 4 == 0);
  }
  return graph;
}

uint32_t follow(const StateGraph &graph, uint32_t state, unsigned byte) {
  if (state != StateGraph::dead)
    for (const StateGraph::Edge &edge : graph.row(state))
      if (edge.low <= byte && byte <= edge.high)
        return edge.target;
  return StateGraph::dead;
}

/// How many live states can be told apart among those that the start reaches:
/// the textbook table of pairs, with a sink as the last state.
size_t countDistinct(const StateGraph &graph) {
  uint32_t count = graph.stateCount(), sink = count;
  auto next = [&](uint32_t state, unsigned byte) {
    uint32_t to = state == sink ? sink : follow(graph, state, byte);
    return to == StateGraph::dead ? sink : to;
  };
  auto accepts = [&](uint32_t state) {
    return state != sink && graph.accepting[state] != 0;
  };
  std::vector<std::vector<bool>> apart(count + 1,
                                       std::vector<bool>(count + 1, false));
  for (uint32_t i = 0; i <= count; ++i)
    for (uint32_t j = 0; j <= count; ++j)
      apart[i][j] = accepts(i) != accepts(j);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i <= count; ++i)
      for (uint32_t j = 0; j <= count; ++j)
        for (unsigned byte = 'a'; byte <= 'c' && !apart[i][j]; ++byte)
          if (apart[next(i, byte)][next(j, byte)])
            apart[i][j] = changed = true;
  }
  std::vector<uint32_t> reached{0}, kept;
  for (size_t i = 0; i < reached.size(); ++i)
    for (unsigned byte = 'a'; byte <= 'c'; ++byte) {
      uint32_t to = next(reached[i], byte);
      if (std::find(reached.begin(), reached.end(), to) == reached.end())
        reached.push_back(to);
    }
  for (uint32_t state : reached)
    if (apart[state][sink] &&
        std::all_of(kept.begin(), kept.end(),
                    [&](uint32_t other) { return apart[state][other]; }))
      kept.push_back(state);
  return kept.size();
}

TEST(Minimize, EqualsTheTableOfPairs) {
  std::mt19937 random(3);
  size_t joined = 0, cyclic = 0;
  for (int round = 0; round < 3000; ++round) {
    uint32_t count = 1 + random() % 14;
    StateGraph graph = randomGraph(random, count, round % 3 == 0);
    Automaton automaton = minimize(graph);
    size_t distinct = countDistinct(graph);
    ASSERT_EQ(automaton.stateCount(), distinct) << automaton.print();
    joined += distinct < count;
    cyclic += !automaton.isFinite();
    for (int i = 0; i < 20; ++i) {
      uint32_t state = 0;
      std::string text;
      for (unsigned n = random() % 10; n > 0; --n) {
        text += static_cast<char>('a' + random() % 3);
        state = follow(graph, state, static_cast<uint8_t>(text.back()));
      }
      bool expected = state != StateGraph::dead && graph.accepting[state] != 0;
      ASSERT_EQ(automaton.matches(text), expected) << text;
    }
  }
  EXPECT_GT(joined, 100u);
  EXPECT_GT(cyclic, 100u);
}

/// A repeat without a repeat: copies, then copies inside each other.
PatternRef writtenOut(const PatternRef &part, uint32_t least, uint32_t most) {
  using namespace pattern;
  PatternRef tail = text("");
  for (uint32_t i = least; i < most; ++i)
    tail = optional(sequence({part, tail}));
  std::vector<PatternRef> parts(least, part);
  parts.push_back(tail);
  return sequence(std::move(parts));
}

TEST(Repeat, EqualsThePatternWrittenOut) {
  std::mt19937 random(8);
  // What follows may begin inside the repeat, and a repeat may be in a loop.
  const char *rests[] = {"", "\"", "a", "[a-z]*", "ab|b"};
  size_t trials = 0, compared = 0;
  for (int round = 0; round < 1500; ++round) {
    auto part = parseRegex(test::randomTree(random, 2).print());
    auto rest = parseRegex(rests[random() % std::size(rests)]);
    ASSERT_TRUE(part && rest);
    uint32_t least = random() % 4, most = 4 + random() % 3;
    auto around = [&](PatternRef inner) {
      inner = pattern::sequence({std::move(inner), *rest});
      return round % 4 == 0 ? pattern::repeat(inner, 0, Pattern::unbounded)
                            : inner;
    };
    CompileWork work;
    auto repeated =
        compilePattern(around(pattern::repeat(*part, least, most)), work);
    auto expected = compilePattern(around(writtenOut(*part, least, most)));
    if (!expected) // too large
      continue;
    ASSERT_TRUE(repeated) << repeated.error().message;
    ASSERT_TRUE(*repeated == *expected) << repeated->print() << "\n"
                                        << expected->print();
    ++compared;
    for (const auto &[key, tried] : work.parts)
      trials += tried.automaton != nullptr;
  }
  EXPECT_GT(compared, 1400u);
  EXPECT_GT(trials, 300u) << "parts are hardly ever compiled on their own";
}

CompileWork workOf(const PatternRef &tree, uint32_t &states) {
  CompileWork work;
  auto automaton = compilePattern(tree, work);
  EXPECT_TRUE(automaton);
  states = automaton ? automaton->stateCount() : 1;
  return work;
}

/// Steps are edges and positions: a state of a JSON character has up to
/// thirteen edges, and each is met once.
TEST(Repeat, WorkGrowsWithTheStatesAlone) {
  uint64_t before = 0;
  for (uint32_t most : {100u, 200u, 400u}) {
    uint32_t states = 0;
    CompileWork work = workOf(jsonString(1, most), states);
    EXPECT_GT(states, 20 * most - 20);
    EXPECT_LT(work.steps, 16u * states);
    EXPECT_EQ(work.refineSteps, 0u) << "a finite language needs one pass";
    EXPECT_TRUE(before == 0 || work.steps < 2 * before + 1000);
    before = work.steps;
  }
}

TEST(Repeat, PartsAreCompiledOnce) {
  auto tree = parseRegex("(?:(?:\\w+ ){4}-){4}(?:(?:\\w+ ){4}-){4}");
  ASSERT_TRUE(tree);
  uint32_t states = 0;
  CompileWork work = workOf(*tree, states);
  EXPECT_EQ(work.parts.size(), 4u);
  EXPECT_LT(work.trialSteps, 40u * states);
}

/// Only what is on cycles is refined: the string before the list is not.
TEST(Repeat, CyclesAloneAreRefined) {
  using namespace pattern;
  PatternRef loop = repeat(text("ab"), 0, Pattern::unbounded);
  uint32_t states = 0;
  uint64_t small =
      workOf(sequence({jsonString(1, 4), loop}), states).refineSteps;
  uint64_t large =
      workOf(sequence({jsonString(1, 200), loop}), states).refineSteps;
  EXPECT_GT(small, 0u);
  EXPECT_EQ(small, large);
  // A cycle through all copies takes no more than n log n.
  CompileWork work =
      workOf(repeat(jsonString(1, 200), 0, Pattern::unbounded), states);
  EXPECT_LT(work.refineSteps, 150u * states);
}

/// Parts that can end early would only make more ways to be in several places:
/// with them this pattern is beyond the limit of states.
TEST(Repeat, PartsThatCanEndEarlyAreTakenAsTheyAre) {
  auto nested = parseRegex("(?:(?:.[^a]+){3,7}){5,}");
  ASSERT_TRUE(nested);
  uint32_t states = 0;
  CompileWork work = workOf(*nested, states);
  EXPECT_EQ(states, 285u);
  EXPECT_LT(work.trialSteps, 2 * maxTrialSteps);
}

} // namespace
