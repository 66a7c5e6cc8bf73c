// Early exits become values: every shape gives a valid plan whose calls stand
// where they would run.
#include "tests/unit/lower/Compiled.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace sgl {
namespace {

struct Row {
  const char *name, *body;
};

const Row rows[] = {
    {"return in a branch", R"(if n > 1 { return "a" } s += "x" return "b")"},
    {"return in both", R"(if n > 1 { return "a" } else { return "b" })"},
    {"return in else",
     R"(if n > 1 { s += "x" } else { return "a" } return s.text)"},
    {"return deep",
     R"(if n > 1 { if n > 2 { return "a" } s += "x" } return "b")"},
    {"return in a loop",
     R"(for i in 0..n { if i == 2 { return "a" } s += "x" } return "b")"},
    {"break",
     R"(for i in 0..n { if i == 2 { break } s += "x" } return s.text)"},
    {"continue",
     R"(for i in 0..n { if i == 2 { continue } s += "x" } return s.text)"},
    {"break and return",
     R"(for i in 0..n { if i == 2 { break } if i == 3 { return "a" } s += "x" } return "b")"},
    {"nested loops",
     R"(for i in 0..n { for j in 0..i { if j == 2 { break } s += "x" } if i == 3 { continue } s += "y" } return "b")"},
    {"while",
     R"(var i = 0 while i < n { i += 1 if i == 2 { continue } if i == 3 { break } s += "x" } return text(i))"},
    {"while over a call", R"(while more(s) { s += "x" } return s.text)"},
    {"while over a call with break",
     R"(while more(s) { if n == 1 { break } s += "x" } return s.text)"},
    {"return in a retry",
     R"(retry 2 { s += gen() as x expect x != "", "empty" return x } else { return "no" })"},
    {"retry goes on",
     R"(var k = 0 retry 2 { k += 1 s += gen() as x expect x != "a" } return s.x + text(k))"},
    {"break out of a retry",
     R"(for i in 0..n { retry 2 { if i == 2 { break } s += gen() as x expect x != "" } } return s.text)"},
    {"match",
     R"(match n { 1 => { return "a" } 2 => { s += "x" } _ => { return "c" } } return s.text)"},
    {"join in a branch",
     R"(let xs = fork s as f for i in 0..n { if i == 2 { join "two" } f += gen() as x join x } return lines(xs))"},
    {"join in a retry",
     R"(let xs = fork s as f for i in 0..n { retry 2 { f += gen() as x expect x != "" join x } else { join "no" } } return lines(xs))"},
    {"join in a loop",
     R"(let xs = fork s as f for i in 0..n { for j in 0..i { if j == 2 { join "j" } f += "x" } join f.text } return lines(xs))"},
    {"an aside",
     R"(let x = fork s as f { if n > 1 { join "a" } f += gen() as y join y } return x)"},
    {"role block left early",
     R"(user(s) { s += "a" if n > 1 { return "a" } s += "b" } return s.text)"},
    {"short circuit",
     R"(let xs = ["a"] if n > 3 and xs[n] == "a" { return "a" } return "b")"},
    {"conditional value",
     R"(let t = if n > 1 { "a" } else { text(div(n, 2)) } return t)"},
    {"states of a list",
     R"(let fs = fork(s, 2) for f in fs { f += gen() as x } fs[0] += "y" return fs[1].x)"},
    {"counted copies",
     R"(let fs = fork(s, n) for f in fs { f += gen() as x } return text(len(fs)))"},
};

TEST(Exits, EveryShapeGivesAValidPlan) {
  for (const Row &row : rows)
    for (int level : {0, 1, 2}) {
      SCOPED_TRACE(std::string(row.name) + " at -O" + std::to_string(level));
      compileText("fn more(s: state) -> bool { s += gen() as m  return m == "
                  "\"yes\" }\n"
                  "fn main(s: state, n: int) -> str {\n" +
                      std::string(row.body) + "\n}\n",
                  level);
    }
}

uint32_t depthOf(const plan::Graph &graph) {
  uint32_t deepest = 0;
  for (const plan::Node &node : graph.nodes)
    for (const plan::Graph &region : node.regions)
      deepest = std::max(deepest, depthOf(region));
  return deepest + 1;
}

/// Long functions stay within the depth that plans are read to.
TEST(Exits, DoNotNestWithoutBound) {
  std::string returns, jumps, arms;
  for (int i = 0; i < 100; ++i) {
    std::string n = std::to_string(i);
    returns += "  if n == " + n + " { return \"r" + n + "\" }\n  let v" + n +
               " = \"${n}" + n + "\"\n  s += v" + n + "\n";
    jumps += "    if n == " + n + " { if i > 3 { break } s += \"x\" }\n";
    arms += "    " + n + " => { s += \"a" + n + "\" }\n";
  }
  for (const std::string &body :
       {returns + "  return s.text + v0 + v99\n",
        "  for i in 0..n {\n" + jumps + "  }\n  return s.text\n",
        "  match n {\n" + arms +
            "    _ => { return \"none\" }\n  }\n"
            "  return s.text\n"})
    for (int level : {0, 2}) {
      auto compiled = compileText(
          "fn main(s: state, n: int) -> str {\n" + body + "}\n", level);
      const plan::Function *main = compiled->plan.find("main");
      ASSERT_TRUE(main);
      EXPECT_LE(depthOf(main->graph), 40u) << body.substr(0, 80);
    }
}

/// Where one arm leaves, the rest moves into the other and needs no flag.
TEST(Exits, NeedNoFlagWhereOneArmLeaves) {
  auto compiled = compileText(
      "fn main(s: state, n: int) -> str {\n"
      "  if n > 1 { return \"a\" }\n  s += gen() as x\n  return x\n}\n",
      2);
  std::vector<const plan::Node *> branches =
      nodesOf(compiled->plan, plan::Op::If);
  ASSERT_EQ(branches.size(), 1u);
  EXPECT_EQ(nodesOf(compiled->plan, plan::Op::Binary).size(), 1u);
  // Result and state; the call stands in the side that goes on.
  EXPECT_EQ(branches[0]->outs, 2u);
  EXPECT_TRUE(branches[0]->regions[0].nodes.empty());
  ASSERT_EQ(branches[0]->regions[1].nodes.size(), 1u);
  EXPECT_EQ(branches[0]->regions[1].nodes[0].op, plan::Op::Gen);
}

} // namespace
} // namespace sgl
