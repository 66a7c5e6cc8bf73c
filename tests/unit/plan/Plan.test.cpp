// Plans: writing, reading, checking. Round trips, refusals and mutations.

#include "PlanBuilder.h"

#include "ir/plan/Json.h"
#include "ir/plan/OpTable.h"
#include "ir/plan/Validate.h"
#include "ir/value/Value.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>

using namespace sgl;
using namespace sgl::plan;

namespace {

/// A plan with every kind of type and most kinds of nodes.
Plan richPlan() {
  PlanBuilder b;
  TypeContext &types = b.types();
  EnumDecl *grade = types.declareEnum("Grade");
  grade->doc = "how good";
  grade->members = {{"A", "A", ""}, {"Metre", "m", "a length"}};
  RecordDecl *report = types.declareRecord("Report");
  Refinement score, length, chance;
  score.minInt = 0;
  score.maxInt = 10;
  length.minLength = 1;
  length.pattern = "[a-z]+";
  chance.minFloat = 0.0;
  chance.maxFloat = 1.0;
  report->fields = {
      {"grade", types.enumeration(grade), "the grade", {}},
      {"score", types.refined(TypeKind::Int, score), "", "3"},
      {"chance", types.refined(TypeKind::Float, chance), "", {}},
      {"name", types.refined(TypeKind::Str, length), "", {}},
      {"parts", types.list(types.record(report)), "", "[]"},
      {"more", types.optional(types.map(types.jsonType())), "", {}}};
  b.type(types.message());
  b.type(types.record(report));
  const Type *yesNo = types.unionOf({types.text("yes"), types.text("no")});
  const Type *str = types.strType(), *state = types.stateType();
  std::vector<Automaton::StateRow> rows(2);
  rows[0].edges = {{'a', 'z', 1}};
  rows[1].accepting = true;
  b.plan.constraints.push_back(
      {"[a-z]", std::make_shared<const Automaton>(rows)});

  b.function("helper", {{"s", state}, {"t", str}}, str, [&](GraphBuilder &g) {
    ValueId open = g.open(0, "user");
    ValueId data = g.append(g.extend(open, "Hello \"x\"\n"), 1);
    auto call = g.gen(g.close(data), "note", str, {1},
                      {{"stop", Value::text("END"), 0}, {"max_tokens", {}, 1}},
                      {g.integer(50)});
    g.graph.nodes.back().gen->constraint = 0;
    g.graph.nodes.back().gen->follow = {Follow::Kind::EndOfTurn, 0};
    g.yield({call.value, call.state});
  });
  b.function(
      "main", {{"s", state}, {"topic", str}}, yesNo, [&](GraphBuilder &g) {
        g.node(Op::Call, {0, 1}, 2).place = {3};
        ValueId note = g.id(0), after = g.id(1);
        auto choice = g.select(after, "ok", {"yes", "no"}, {4});
        ValueId yes = g.binary("eq", choice.value, g.text("yes"));
        ValueId merged = g.control(Op::If, {yes, note}, 1, {},
                                   {{1, [](GraphBuilder &r) { r.yield({0}); }},
                                    {1, [](GraphBuilder &r) {
                                       r.fail(r.text("no"), "expect");
                                       r.yield({0});
                                     }}});
        ValueId each = g.control(Op::Map, {g.list({merged}), after}, 1, {5},
                                 {{3, [&](GraphBuilder &r) {
                                     r.yield({r.concat({0, 1})});
                                   }}});
        g.graph.nodes.back().hints = {{"level", 2}, {"width", -1}};
        (void)each;
        g.yield({choice.value, choice.state});
      });
  Param &param = b.plan.functions[1].params[1];
  param.doc = "what about";
  param.defaultValue = Value::text("cats");
  return std::move(b.plan);
}

TEST(PlanJson, RoundTripsByteForByte) {
  Plan plan = richPlan();
  ASSERT_TRUE(validate(plan)) << validate(plan).error().message;
  std::string text = writePlan(plan);
  auto again = readPlan(text);
  ASSERT_TRUE(again) << again.error().message << "\n" << text;
  EXPECT_EQ(writePlan(*again), text);
  EXPECT_EQ(showPlan(*again), showPlan(plan));
  EXPECT_EQ(toString(again->types[again->functions[1].params[0].type]),
            "state");
  auto generic = parseJson(text, {.depth = 1000});
  EXPECT_TRUE(generic) << "a plan is plain JSON";
}

TEST(PlanJson, SameLengthWhateverIsAddedTwice) {
  EXPECT_EQ(writePlan(richPlan()), writePlan(richPlan()));
}

struct Refusal {
  const char *what; ///< replaced in the rich plan's text
  const char *with;
  const char *message;
};

TEST(PlanJson, RefusesWithThePath) {
  std::string good = writePlan(richPlan());
  const Refusal table[] = {
      {"\"sgl-plan\"", "\"other\"",
       "not a plan: key \"format\" is not \"sgl-plan\""},
      {"\"version\": [1, 0]", "\"version\": [2, 7], \"new\": 1",
       "version: plan has format 2.7, this program reads 1.x; compile the "
       "source again"},
      {"\"needs\": []", "\"needs\": [\"telepathy\"]",
       "needs[0]: this program does not know \"telepathy\"; a newer one is "
       "needed"},
      {"\"needs\": []", "\"needs\": [], \"extra\": 1", "unknown key \"extra\""},
      {"\"effects\": []", "\"effects\": [\"x\"]",
       "effects[0]: unknown effect \"x\""},
      {"\"op\": \"open\"", "\"op\": \"warp\"",
       "functions[0].graph.nodes[0].op: unknown node \"warp\""},
      {"{\"op\": \"open\", \"in\": [0]", "{\"op\": \"open\", \"in\": [99]",
       "functions[0].graph.nodes[0]: open reads value 99, which is not made "
       "before it"},
      {"{\"op\": \"open\", \"in\": [0]", "{\"op\": \"open\", \"in\": [0, 0]",
       "functions[0].graph.nodes[0]: open has 2 operands"},
      {"\"name\": \"user\"}", "\"name\": \"user\", \"text\": 0}",
       "functions[0].graph.nodes[0]: unknown key \"text\""},
      {"\"yield\": [8, 7]", "\"yield\": [60, 7]",
       "functions[0].graph: yields value 60 of 10"},
      {"\"function\": 0", "\"function\": 9",
       "functions[1].graph.nodes[0]: there is no function 9"},
      {"\"place\": [3]", "\"place\": []",
       "functions[1].graph.nodes[0]: call has no place"},
      {"\"name\": \"eq\"", "\"name\": \"xor\"",
       "functions[1].graph.nodes[3]: unknown name \"xor\""},
      {"\"operand\": 1", "\"operand\": 2",
       "functions[0].graph.nodes[5]: option \"max_tokens\" reads operand 2 of "
       "2"},
      {"\"name\": \"max_tokens\"", "\"name\": \"max_token\"",
       "functions[0].graph.nodes[5]: unknown option \"max_token\""},
      {"\"follow\": \"end_of_turn\"", "\"follow\": \"soon\"",
       "functions[0].graph.nodes[5].gen.follow: expected a whole number from "
       "0"},
      {"\"constraint\": 0", "\"constraint\": 1",
       "functions[0].graph.nodes[5]: there is no constraint 1"},
      {"\"inputs\": 2", "\"inputs\": 3",
       "functions[0]: the graph has 3 inputs for 2 parameters"},
      {"\"name\": \"topic\"", "\"name\": \"s\"",
       "functions[1]: two parameters are called \"s\""},
      {"\"name\": \"main\"", "\"name\": \"helper\"",
       "functions[1]: two functions are called \"helper\""},
      {"\"default\": \"cats\"", "\"default\": 5",
       "functions[1].params[1].default: expected str, found int 5"},
      {"\"hash\": \"0123456789abcdef\"", "\"hash\": 5",
       "files[0].hash: expected a text"},
      {"\"kind\": \"enum\"", "\"kind\": \"emun\"",
       "types[6]: unknown kind of type \"emun\""},
      {"\"outs\": 2", "\"outs\": 1",
       "functions[1].graph.nodes[0]: call of helper has 1 results for 2"}};
  for (const Refusal &r : table) {
    std::string bad = good;
    size_t at = bad.find(r.what);
    ASSERT_NE(at, std::string::npos) << r.what << "\n" << good;
    bad.replace(at, std::string_view(r.what).size(), r.with);
    auto plan = readPlan(bad);
    ASSERT_FALSE(plan) << r.what << " -> " << r.with;
    EXPECT_EQ(plan.error().message, r.message);
  }
}

TEST(PlanJson, RefusesACutPlanAndOtherFiles) {
  std::string good = writePlan(richPlan());
  for (size_t cut = 0; cut + 2 < good.size(); cut += 7)
    EXPECT_FALSE(readPlan(good.substr(0, cut)));
  EXPECT_EQ(readPlan("GGUF").error().message,
            "not a plan: expected a JSON value at line 1, column 1");
  EXPECT_EQ(readPlan("[]").error().message, "not a plan: expected an object");
}

TEST(PlanJson, NestingIsBounded) {
  // If in if in if …
  PlanBuilder b;
  std::function<void(GraphBuilder &, int)> nest = [&](GraphBuilder &g, int n) {
    ValueId yes = g.boolean(true);
    if (n)
      g.control(Op::If, {yes}, 0, {},
                {{0, [&](GraphBuilder &r) { nest(r, n - 1); }},
                 {0, [](GraphBuilder &) {}}});
  };
  b.function("main", {}, nullptr, [&](GraphBuilder &g) { nest(g, 300); });
  auto status = validate(b.plan);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("regions nest deeper than 256"),
            std::string::npos);
  EXPECT_FALSE(readPlan(writePlan(b.plan)));
}

TEST(PlanJson, HostilePlansAreRefusedFast) {
  std::vector<std::string> hostile = {
      std::string(1 << 20, '['),
      "{\"format\": \"sgl-plan\", \"version\": [1, 0], \"needs\": [" +
          std::string(1 << 20, ' '),
      std::string("{\"format\": \"sgl-plan\", \"version\": [1, 0], \"needs\": "
                  "[], \"effects\": [], \"types\": [{\"kind\": \"list\", "
                  "\"of\": 0}], \"text\": [], \"constraints\": [], "
                  "\"functions\": [], \"files\": []}")};
  std::string chain;
  for (int i = 1; i <= 1000; ++i)
    chain += "{\"kind\": \"list\", \"of\": " + std::to_string(i) + "}, ";
  hostile.push_back("{\"format\": \"sgl-plan\", \"version\": [1, 0], "
                    "\"needs\": [], \"effects\": [], \"types\": [" +
                    chain +
                    "\"int\"], \"text\": [], \"constraints\": [], "
                    "\"functions\": [], \"files\": []}");
  for (const std::string &text : hostile) {
    auto start = std::chrono::steady_clock::now();
    EXPECT_FALSE(readPlan(text));
    EXPECT_LT(std::chrono::steady_clock::now() - start,
              std::chrono::milliseconds(500));
  }
}

TEST(PlanJson, MutationsNeverCrash) {
  std::string good = writePlan(richPlan());
  std::mt19937_64 random(42);
  size_t accepted = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string bad = good;
    for (int edit = 0, edits = 1 + int(random() % 3); edit < edits; ++edit) {
      size_t at = random() % bad.size();
      switch (random() % 4) {
      case 0:
        bad[at] = char('0' + random() % 10);
        break;
      case 1:
        bad.erase(at, 1 + random() % 20);
        break;
      case 2:
        bad[at] = char(random());
        break;
      default: {
        size_t from = random() % bad.size();
        bad.insert(at, bad.substr(from, random() % 40));
      }
      }
    }
    auto plan = readPlan(bad);
    if (!plan) {
      EXPECT_FALSE(plan.error().message.empty());
      continue;
    }
    ++accepted;
    // What is accepted is a plan: it validates and writes canonically.
    EXPECT_TRUE(validate(*plan));
    std::string text = writePlan(*plan);
    auto again = readPlan(text);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(writePlan(*again), text);
  }
  EXPECT_GT(accepted, 10u) << "mutations that keep the plan valid exist";
}

TEST(OpTable, NamesAreUnique) {
  for (const OpInfo &op : allOps())
    EXPECT_EQ(findOp(op.name), &op);
}

} // namespace
