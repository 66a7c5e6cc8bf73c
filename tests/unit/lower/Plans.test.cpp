// Plans of whole programs: valid at every level, constraints and options as the
// source says, pools without doubles.
#include "tests/unit/lower/Compiled.h"

#include "ir/plan/Json.h"
#include "ir/plan/Validate.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <set>

namespace sgl {
namespace {

TEST(Plans, OfAllExamplesAreValid) {
  std::filesystem::path folder = SGL_SOURCE_DIR "/examples";
  size_t count = 0;
  for (const auto &entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".sgl")
      continue;
    ++count;
    for (int level : {0, 1, 2}) {
      SCOPED_TRACE(entry.path().string() + " at -O" + std::to_string(level));
      SourceManager sources;
      Diagnostics diagnostics;
      auto file = sources.read(entry.path().string());
      ASSERT_TRUE(file) << file.error().message;
      CheckedProgram program = check(sources, *file, {}, diagnostics);
      for (const Diagnostic &d : diagnostics.all())
        ASSERT_NE(d.severity, Severity::Error) << d.code << ": " << d.message;
      Lowered lowered(program, sources);
      std::string log;
      ASSERT_TRUE(lowered.optimise({level, {}}, log)) << log;
      plan::Plan plan = lowered.emit();
      Status status = plan::validate(plan);
      ASSERT_TRUE(bool(status)) << status.error().message;
      // What is written is read back, and written again to the same bytes.
      std::string text = plan::writePlan(plan);
      Result<plan::Plan> again = plan::readPlan(text);
      ASSERT_TRUE(bool(again)) << again.error().message;
      EXPECT_EQ(plan::writePlan(*again), text);
      EXPECT_NE(dumpGraph(plan).find("digraph"), std::string::npos);
    }
  }
  EXPECT_GE(count, 5u) << "no examples in " << folder;
}

TEST(Plans, HoldTypesAsConstraints) {
  auto compiled = compileText(R"(
enum Grade { A, B }
record Report { summary: str, grade: Grade, score: int in 0..=10 }
fn main(s: state) -> Report {
  s += gen() as free
  s += gen() as grade: Grade
  s += gen(regex: "[0-9]+") as digits
  s += gen(regex: "yes") as only
  s += gen() as same: Grade
  s += gen() as report: Report
  return report
}
)");
  const plan::Plan &plan = compiled->plan;
  auto constraint = [&](const char *name) {
    return genNamed(plan, name)->gen->constraint;
  };
  EXPECT_FALSE(constraint("free"));
  ASSERT_TRUE(constraint("grade") && constraint("digits") &&
              constraint("only") && constraint("report"));
  EXPECT_EQ(constraint("grade"), constraint("same"));
  EXPECT_EQ(plan.constraints.size(), 4u);
  auto accepts = [&](const char *name, const char *text) {
    return plan.constraints[*constraint(name)].automaton->matches(text);
  };
  EXPECT_TRUE(accepts("grade", "A"));
  EXPECT_FALSE(accepts("grade", "C"));
  EXPECT_TRUE(accepts("digits", "42"));
  EXPECT_TRUE(
      accepts("report", R"({"summary": "x", "grade": "B", "score": 10})"));
  EXPECT_FALSE(
      accepts("report", R"({"summary": "x", "grade": "B", "score": 11})"));
  // One text is forced; more are not.
  ASSERT_TRUE(genNamed(plan, "only")->gen->forced);
  EXPECT_EQ(plan.texts[*genNamed(plan, "only")->gen->forced], "yes");
  EXPECT_FALSE(genNamed(plan, "grade")->gen->forced);
}

std::string optionsOf(const plan::Plan &plan, const char *name) {
  std::string text;
  for (const plan::Option &option : genNamed(plan, name)->gen->options)
    text += option.name + "=" +
            (option.value ? toJson(*option.value)
                          : "#" + std::to_string(option.operand)) +
            " ";
  return text;
}

TEST(Plans, MergeDefaultsIntoOptions) {
  auto compiled = compileText(R"(
defaults(temperature: 0.5, max_tokens: 20)
fn main(s: state, n: int) {
  s += gen() as plain
  s += gen(temperature: 0) as own
  s += gen(max_tokens: n, stop: ["a", "b"]) as dynamic
}
)");
  EXPECT_EQ(optionsOf(compiled->plan, "plain"),
            "max_tokens=20 temperature=0.5 ");
  EXPECT_EQ(optionsOf(compiled->plan, "own"), "max_tokens=20 temperature=0.0 ");
  EXPECT_EQ(optionsOf(compiled->plan, "dynamic"),
            "stop=[\"a\", \"b\"] temperature=0.5 max_tokens=#1 ");
}

TEST(Plans, ConstrainByTheDefaultPattern) {
  auto compiled = compileText("defaults(regex: \"[0-9]+\")\n"
                              "fn main(s: state) {\n"
                              "  s += gen() as x\n"
                              "  s += gen(regex: \"a|b\") as y\n}\n");
  const plan::Plan &plan = compiled->plan;
  auto source = [&](const char *name) {
    return plan.constraints[*genNamed(plan, name)->gen->constraint].source;
  };
  EXPECT_EQ(source("x"), "[0-9]+");
  EXPECT_EQ(source("y"), "a|b");
}

TEST(Plans, NameFunctionsOfTheLibraryByTheirModule) {
  auto compiled = compileText("import std.text (fenced)\n"
                              "fn main(t: str) -> str { return fenced(t) }\n");
  EXPECT_TRUE(compiled->plan.find("std.text.fenced"));
  EXPECT_FALSE(compiled->plan.find("std.text.fenced")->entry);
}

TEST(Plans, HoldSelects) {
  auto compiled = compileText(R"(
enum Mood { Good = "good", Bad = "bad" }
fn main(s: state, xs: [str]) -> str {
  s += select(["yes", "no"]) as a
  s += select(Mood) as b
  s += select(xs, method: normalized) as c
  return a + c
}
)");
  const plan::Plan &plan = compiled->plan;
  std::vector<const plan::Node *> selects = nodesOf(plan, plan::Op::Select);
  ASSERT_EQ(selects.size(), 3u);
  auto choices = [&](size_t i) {
    std::string all;
    for (plan::TextId id : selects[i]->select->choices)
      all += plan.texts[id] + " ";
    return all;
  };
  EXPECT_EQ(choices(0), "yes no ");
  EXPECT_EQ(choices(1), "good bad ");
  EXPECT_EQ(plan.types[selects[1]->select->type]->kind, TypeKind::Enum);
  EXPECT_EQ(choices(2), "");
  EXPECT_EQ(selects[2]->in.size(), 2u);
  ASSERT_EQ(selects[2]->select->options.size(), 1u);
  EXPECT_EQ(print(*selects[2]->select->options[0].value), "normalized");
}

TEST(Plans, HoldParametersAndEntries) {
  auto compiled = compileText(R"(
/// Says it.
fn main(s: state, /// How often.
        n: int = 3, t: str? = null) -> str { return helper(s) }
fn helper(s: state) -> str { s += _inner("a") return s.text }
fn _inner(t: str) -> str { return t }
)");
  const plan::Function *main = compiled->plan.find("main");
  ASSERT_TRUE(main);
  EXPECT_TRUE(main->entry);
  EXPECT_EQ(main->doc, "Says it.");
  ASSERT_EQ(main->params.size(), 3u);
  EXPECT_EQ(main->params[1].doc, "How often.");
  EXPECT_EQ(toJson(*main->params[1].defaultValue), "3");
  EXPECT_EQ(toJson(*main->params[2].defaultValue), "null");
  // The result, then the state.
  EXPECT_EQ(main->graph.yield.size(), 2u);
  EXPECT_TRUE(compiled->plan.find("helper")->entry);
  EXPECT_FALSE(compiled->plan.find("_inner")->entry);
}

TEST(Plans, KeepUnusedPrivateFunctionsOut) {
  const char *source = R"(
fn main(s: state) -> str { return _inner("a") }
fn _inner(t: str) -> str { return t + "!" }
)";
  EXPECT_TRUE(compileText(source, 0)->plan.find("_inner"));
  EXPECT_FALSE(compileText(source, 2)->plan.find("_inner"));
}

TEST(Plans, SharePrefixesOfInlinedCalls) {
  auto compiled = compileText(R"(
fn ask(t: str) -> str {
  let s = state()
  s += user("A long preamble. ${t}")
  s += assistant(gen() as x)
  return x
}
fn main(t: str) -> str { return ask("one") + ask("two") + ask(t) }
)",
                              2);
  const plan::Function *main = compiled->plan.find("main");
  ASSERT_TRUE(main);
  size_t roots = 0, opens = 0;
  for (const plan::Node &node : main->graph.nodes) {
    roots += node.op == plan::Op::Root;
    opens += node.op == plan::Op::Open && node.name == "user";
  }
  EXPECT_EQ(roots, 1u);
  EXPECT_EQ(opens, 1u);
}

TEST(Plans, PointIntoTheSource) {
  auto compiled = compileText("fn main(xs: [str], i: int) -> str {\n"
                              "  return xs[i]\n}\n",
                              2);
  std::vector<const plan::Node *> reads =
      nodesOf(compiled->plan, plan::Op::Element);
  ASSERT_EQ(reads.size(), 1u);
  EXPECT_EQ(compiled->sources.text({reads[0]->at.file, reads[0]->at.byte,
                                    reads[0]->at.byte + reads[0]->at.length}),
            "xs[i]");
  EXPECT_EQ(compiled->plan.files[0].lineStarts,
            (std::vector<uint32_t>{0, 36, 51, 53}));
}

TEST(Plans, PoolEachTextOnce) {
  auto compiled =
      compileText("fn main(s: state, t: str) { s += \"a${t}a${t}b\" }\n");
  std::set<std::string> unique(compiled->plan.texts.begin(),
                               compiled->plan.texts.end());
  EXPECT_EQ(unique.size(), compiled->plan.texts.size());
  EXPECT_EQ(unique, (std::set<std::string>{"a", "b"}));
}

} // namespace
} // namespace sgl
