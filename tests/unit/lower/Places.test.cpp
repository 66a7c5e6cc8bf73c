// Places: numbers of the source, the same whatever is inlined.
#include "tests/unit/lower/Compiled.h"

#include <gtest/gtest.h>

namespace sgl {
namespace {

using Place = std::vector<uint32_t>;

const char *program = R"(
fn pair(s: state) -> str {
  s += gen(temperature: 0.5) as first
  for i in [1, 2] { s += gen(temperature: 0.5) as inner }
  return first
}
fn main(s: state, c: bool) -> str {
  s += gen(temperature: 0.5) as before
  if c { s += gen(temperature: 0.5) as side }
  let a = pair(s)
  let xs = fork s as f for d in ["x", "y"] {
    f += gen(temperature: 0.5) as branch
    join branch
  }
  retry 2 { s += gen(temperature: 0.5) as tried }
  s += gen(temperature: 0) as fixed
  return a + fixed
}
)";

TEST(Places, AreNumbersOfTheSource) {
  auto compiled = compileText(program, 0);
  const plan::Plan &plan = compiled->plan;
  EXPECT_EQ(genNamed(plan, "first")->place, Place{0});
  EXPECT_EQ(genNamed(plan, "inner")->place, Place{2});
  EXPECT_EQ(genNamed(plan, "before")->place, Place{0});
  // A branch of an `if` opens no frame and has no number.
  EXPECT_EQ(genNamed(plan, "side")->place, Place{1});
  EXPECT_EQ(genNamed(plan, "branch")->place, Place{4});
  EXPECT_EQ(genNamed(plan, "tried")->place, Place{6});
  ASSERT_EQ(nodesOf(plan, plan::Op::Call).size(), 1u);
  EXPECT_EQ(nodesOf(plan, plan::Op::Call)[0]->place, Place{2});
  EXPECT_EQ(nodesOf(plan, plan::Op::Map)[0]->place, Place{3});
  EXPECT_EQ(nodesOf(plan, plan::Op::Retry)[0]->place, Place{5});
}

/// Inlined, what stood in the callee has the call's number in front: the path
/// of numbers from the run's first frame on is the same.
TEST(Places, SurviveInlining) {
  auto compiled = compileText(program, 2);
  const plan::Function *main = compiled->plan.find("main");
  ASSERT_TRUE(main);
  Place first, loop, inner;
  for (const plan::Node &node : main->graph.nodes) {
    EXPECT_NE(node.op, plan::Op::Call);
    if (node.op == plan::Op::Gen && node.gen->name == "first")
      first = node.place;
    if (node.op == plan::Op::For) {
      loop = node.place;
      for (const plan::Node &in : node.regions[0].nodes)
        if (in.op == plan::Op::Gen)
          inner = in.place;
    }
  }
  EXPECT_EQ(first, (Place{2, 0}));
  EXPECT_EQ(loop, (Place{2, 1}));
  EXPECT_EQ(inner, Place{2});
}

/// The numbers of draws may not depend on where a gen is written first.
TEST(Places, OfAFixedGreedyGenDoNotMatter) {
  for (int level : {0, 2})
    EXPECT_EQ(genNamed(compileText(program, level)->plan, "fixed")->place,
              Place{0})
        << "-O" << level;
}

} // namespace
} // namespace sgl
