// The scripted model: its rules, and that no order of replies shows.

#include "ExecTest.h"

#include "runtime/exec/ScriptedModel.h"

#include <set>

using namespace sgl;

namespace {

std::unique_ptr<ScriptedModel> scripted(const char *json) {
  auto model = ScriptedModel::parse(json);
  EXPECT_TRUE(model) << model.error().message;
  return std::move(*model);
}

/// Three forked notes, a select and a sum-up, with a helper and a loop.
plan::Plan judge() {
  PlanBuilder b;
  TypeContext &t = b.types();
  const Type *str = t.strType(), *state = t.stateType();
  auto opinion = b.function(
      "opinion", {{"s", state}, {"dim", str}}, str, [&](GraphBuilder &g) {
        ValueId s = g.append(g.extend(0, "Judge the "), 1);
        auto draft =
            g.gen(s, "draft", str, {1}, {{"temperature", Value::number(1), 0}});
        auto note = g.gen(g.extend(draft.state, "\n"), "note", str, {2});
        g.yield({note.value, note.state});
      });
  b.function("main", {}, t.jsonType(), [&](GraphBuilder &g) {
    ValueId s = g.extend(g.root(), "Essay. ");
    auto related = g.select(s, "related", {"yes", "no"}, {1});
    ValueId dims =
        g.list({g.text("clarity"), g.text("style"), g.text("proof")});
    ValueId notes = g.control(Op::Map, {dims, related.state}, 1, {2},
                              {{3, [&](GraphBuilder &r) {
                                  plan::Node &n = r.node(Op::Call, {2, 0}, 2);
                                  n.place = {3};
                                  n.function = opinion;
                                  r.yield({r.id(0)});
                                }}});
    ValueId summary = g.append(related.state, g.builtin("lines", {notes}));
    ValueId passes = g.list({g.integer(1), g.integer(2), g.integer(3)});
    ValueId last = g.control(
        Op::For, {passes, summary}, 1, {4},
        {{3,
          [&](GraphBuilder &r) {
            ValueId out = r.control(
                Op::Retry, {r.integer(3), 2}, 1, {5},
                {{3,
                  [&](GraphBuilder &q) {
                    auto c = q.gen(q.extend(2, "Sum up: "), "sum", str, {6});
                    ValueId text = q.builtin("len", {c.value});
                    ValueId even =
                        q.binary("eq", q.binary("mod", text, q.integer(2)),
                                 q.integer(0));
                    q.control(Op::If, {even}, 0, {},
                              {{0, [](GraphBuilder &) {}},
                               {0, [](GraphBuilder &f) {
                                  f.fail(f.text("odd"), "expect");
                                }}});
                    q.yield({c.state});
                  }},
                 {2,
                  [&](GraphBuilder &q) { q.yield({q.extend(1, "none")}); }}});
            r.yield({out});
          }}},
        1);
    g.node(Op::Inspect, {last}).name = "text";
    ValueId text = g.id();
    g.yield({g.list({related.value, notes, text})});
  });
  return std::move(b.plan);
}

TEST(Scripted, NoOrderOfRepliesShows) {
  plan::Plan plan = judge();
  auto first = scripted(R"({"*": {"hash": true}})");
  std::string expected = runMain(plan, *first);
  ASSERT_EQ(expected.substr(0, 2), "[\"") << expected;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    auto model = scripted(R"({"*": {"hash": true}})");
    model->answerInRandomOrder(seed);
    ASSERT_EQ(runMain(plan, *model), expected) << "seed " << seed;
  }
}

TEST(Scripted, ListsAreHandedOutInProgramOrder) {
  plan::Plan plan = judge();
  const char *replies = R"({"related": "no", "draft": ["a", "b", "c"],
                            "note": ["x", "y", "z"], "sum": "even"})";
  std::string expected = runMain(plan, *scripted(replies));
  EXPECT_EQ(expected.substr(0, 24), R"(["no", ["x", "y", "z"], )");
  for (uint64_t seed = 0; seed < 200; ++seed) {
    auto model = scripted(replies);
    model->answerInRandomOrder(seed);
    ASSERT_EQ(runMain(plan, *model), expected) << "seed " << seed;
  }
}

TEST(Scripted, RefusesWhatDoesNotFit) {
  plan::Plan plan = judge();
  const std::pair<const char *, const char *> table[] = {
      {R"({"related": "yes"})",
       "error: test.sgl:3:1: gen `draft`: no reply for `draft` in the mock"},
      {R"({"related": "perhaps", "*": "x"})",
       "error: test.sgl:3:1: select `related`: mock of `related`: \"perhaps\" "
       "is none of the choices"},
      {R"({"related": "yes", "draft": ["a", "b"], "*": "x"})",
       "error: test.sgl:3:1: gen `draft`: mock of `draft` has 2 replies and "
       "all are used up"},
      {R"({"related": "yes", "draft": 5, "*": "x"})",
       "error: test.sgl:3:1: gen `draft`: mock of `draft`: reply does not fit: "
       "expected str, found int 5"}};
  for (auto [replies, message] : table)
    EXPECT_EQ(runMain(plan, *scripted(replies)), message) << replies;
  EXPECT_EQ(ScriptedModel::parse("[]").error().message,
            "replies must be a JSON object {CAPTURE: reply}");
  EXPECT_EQ(ScriptedModel::parse("{").error().message,
            "replies are not JSON: expected a key in quotes at line 1, column "
            "2");
}

TEST(Scripted, StopsCutAndConstraintsHold) {
  PlanBuilder b;
  TypeContext &t = b.types();
  std::vector<Automaton::StateRow> rows(2);
  rows[0].edges = {{'0', '9', 1}};
  rows[1].accepting = true;
  b.plan.constraints.push_back(
      {"digit", std::make_shared<const Automaton>(rows)});
  b.function("main", {}, t.jsonType(), [&](GraphBuilder &g) {
    ValueId s = g.root();
    auto a = g.gen(s, "a", t.strType(), {1}, {{"stop", Value::text("END"), 0}});
    auto n = g.gen(s, "n", t.intType(), {2});
    g.graph.nodes.back().gen->constraint = 0;
    g.yield({g.list({a.value, n.value})});
  });
  EXPECT_EQ(runMain(b.plan, *scripted(R"({"a": "well END x", "n": 7})")),
            R"(["well ", 7])");
  EXPECT_EQ(runMain(b.plan, *scripted(R"({"a": "x", "n": 77})")),
            "error: test.sgl:3:1: gen `n`: mock of `n`: reply \"77\" does not "
            "satisfy the constraint");
  // Drawn replies satisfy it by themselves.
  std::string drawn =
      runMain(b.plan, *scripted(R"({"a": "x", "n": {"hash": true}})"));
  EXPECT_EQ(drawn.substr(0, 6), "[\"x\", ") << drawn;
}

TEST(Scripted, SampledBranchesDrawApartGreedyOnesDoNot) {
  for (double temperature : {0.0, 1.0}) {
    PlanBuilder b;
    TypeContext &t = b.types();
    b.function("main", {}, t.list(t.strType()), [&](GraphBuilder &g) {
      ValueId s = g.extend(g.root(), "p");
      ValueId xs = g.builtin("range", {g.integer(0), g.integer(5)});
      g.yield({g.control(Op::Map, {xs, s}, 1, {1},
                         {{3, [&](GraphBuilder &r) {
                             auto c = r.gen(2, "x", t.strType(), {2},
                                            {{"temperature",
                                              Value::number(temperature), 0}});
                             r.yield({c.value});
                           }}})});
    });
    Value list =
        *parseJson(runMain(b.plan, *scripted(R"({"*": {"hash": true}})")));
    std::set<std::string> texts;
    for (const Value &item : *list.asList())
      texts.insert(*item.asText());
    EXPECT_EQ(texts.size(), temperature == 0 ? 1u : 5u);
  }
}

} // namespace
