// Overlap, control flow and depth: what starts when, and with which value.

#include "ExecTest.h"

#include <set>

using namespace sgl;
using Seen = ManualModel::Seen;

namespace {

TEST(Dataflow, IndependentGensAreAllInFlightBeforeAnyReply) {
  PlanBuilder b;
  const Type *str = b.types().strType();
  b.function("main", {}, str, [&](GraphBuilder &g) {
    std::vector<ValueId> values;
    for (uint32_t i = 0; i < 5; ++i) {
      ValueId s = g.extend(g.root(), "hello");
      values.push_back(g.gen(s, &"abcde" [i], str, { i }).value);
    }
    g.yield({g.concat(values)});
  });
  ManualModel model;
  // The last in flight is answered first.
  model.pick = [](const std::vector<Seen> &calls) { return calls.size() - 1; };
  EXPECT_EQ(runMain(b.plan, model), "\"abcde!bcde!cde!de!e!\"");
  EXPECT_EQ(model.mostInFlight, 5u);
}

TEST(Dataflow, AGenWaitsForTheTextInItsPrompt) {
  PlanBuilder b;
  const Type *str = b.types().strType();
  b.function("main", {}, str, [&](GraphBuilder &g) {
    auto first = g.gen(g.extend(g.root(), "a"), "x", str, {1});
    auto second = g.gen(g.append(first.state, first.value), "y", str, {2});
    g.node(Op::Inspect, {second.state}).name = "text";
    g.yield({g.id()});
  });
  ManualModel model;
  EXPECT_EQ(runMain(b.plan, model), "\"ax!x!y!\"");
  ASSERT_EQ(model.seen.size(), 2u);
  EXPECT_EQ(model.seen[1].prompt, "ax!x!");
  EXPECT_EQ(model.mostInFlight, 1u);
}

TEST(Dataflow, BranchesOfAForkAllStartAndKeepTheirOrder) {
  PlanBuilder b;
  TypeContext &t = b.types();
  const Type *str = t.strType();
  b.function("main", {}, t.list(str), [&](GraphBuilder &g) {
    ValueId s = g.extend(g.root(), "prefix ");
    ValueId dims = g.list({g.text("p"), g.text("q"), g.text("r")});
    ValueId xs = g.control(Op::Map, {dims, s}, 1, {1},
                           {{3, [&](GraphBuilder &r) {
                               ValueId f = r.append(2, 0);
                               auto c = r.gen(f, "note", str, {2});
                               r.yield({r.concat({0, 1, c.value})});
                             }}});
    g.yield({xs});
  });
  ManualModel model;
  model.reply = [](const Seen &call) {
    GenReply r;
    r.text = "<" + call.prompt + ">";
    return r;
  };
  model.pick = [](const std::vector<Seen> &calls) { return calls.size() / 2; };
  EXPECT_EQ(runMain(b.plan, model),
            R"(["p0<prefix p>", "q1<prefix q>", "r2<prefix r>"])");
  EXPECT_EQ(model.mostInFlight, 3u);
  std::set<uint64_t> keys;
  for (const Seen &call : model.seen)
    keys.insert(call.drawKey);
  EXPECT_EQ(keys.size(), 3u) << "each branch draws for itself";
}

TEST(Dataflow, OnlyTheChosenArmRuns) {
  PlanBuilder b;
  const Type *str = b.types().strType();
  b.function("main", {{"c", b.types().boolType()}}, str, [&](GraphBuilder &g) {
    ValueId s = g.root();
    ValueId out = g.control(
        Op::If, {0, s}, 1, {},
        {{1,
          [&](GraphBuilder &r) { r.yield({r.gen(0, "yes", str, {1}).value}); }},
         {1, [&](GraphBuilder &r) {
            r.yield({r.gen(0, "no", str, {2}).value});
          }}});
    g.yield({out});
  });
  ManualModel model;
  EXPECT_EQ(runMain(b.plan, model, {Value::boolean(false)}), "\"no!\"");
  EXPECT_EQ(model.seen.size(), 1u);
}

/// for x in 0..n: total += x, with `extra` nodes of work in the body.
plan::Plan sumLoop() {
  PlanBuilder b;
  const Type *i = b.types().intType();
  b.function("main", {{"n", i}}, i, [&](GraphBuilder &g) {
    ValueId xs = g.builtin("range", {g.integer(0), 0});
    ValueId total = g.control(
        Op::For, {xs, g.integer(0)}, 1, {1},
        {{3, [&](GraphBuilder &r) { r.yield({r.binary("add", 2, 0)}); }}}, 1);
    g.yield({total});
  });
  return std::move(b.plan);
}

TEST(Dataflow, LongLoopsNeedNoStack) {
  plan::Plan plan = sumLoop();
  ManualModel model;
  EXPECT_EQ(runMain(plan, model, {Value::integer(0)}), "0");
  EXPECT_EQ(runMain(plan, model, {Value::integer(10)}), "45");
  EXPECT_EQ(runMain(plan, model, {Value::integer(100000)}), "4999950000");
}

TEST(Dataflow, LongWhileLoopOverAState) {
  PlanBuilder b;
  const Type *i = b.types().intType();
  b.function("main", {}, i, [&](GraphBuilder &g) {
    ValueId start = g.integer(0), s = g.root();
    g.control(Op::While, {start, s}, 2, {1},
              {{2,
                [&](GraphBuilder &r) {
                  r.yield({r.binary("lt", 0, r.integer(100000))});
                }},
               {2,
                [&](GraphBuilder &r) {
                  ValueId more = r.binary("add", 0, r.integer(1));
                  r.yield({more, r.extend(1, "x")});
                }}},
              2);
    ValueId n = g.id(0), last = g.id(1);
    g.node(Op::Inspect, {last}).name = "tokens";
    ValueId tokens = g.id();
    g.yield({g.binary("add", n, tokens)});
  });
  ManualModel model;
  EXPECT_EQ(runMain(b.plan, model), "200000");
}

TEST(Dataflow, PassesOverlapWhereOnlyTheListConnectsThem) {
  PlanBuilder b;
  TypeContext &t = b.types();
  const Type *str = t.strType();
  b.function("main", {}, t.list(str), [&](GraphBuilder &g) {
    ValueId s = g.extend(g.root(), "p");
    ValueId xs = g.list({g.text("a"), g.text("b"), g.text("c")});
    ValueId empty = g.list({});
    ValueId out = g.control(Op::For, {xs, empty, s}, 1, {1},
                            {{4,
                              [&](GraphBuilder &r) {
                                auto c = r.gen(r.append(3, 0), "n", str, {2});
                                r.yield({r.builtin("append", {2, c.value})});
                              }}},
                            1);
    g.yield({out});
  });
  ManualModel model;
  model.reply = [](const Seen &call) {
    GenReply r;
    r.text = call.prompt;
    return r;
  };
  model.pick = [](const std::vector<Seen> &calls) { return calls.size() - 1; };
  EXPECT_EQ(runMain(b.plan, model), R"(["pa", "pb", "pc"])");
  EXPECT_EQ(model.mostInFlight, 3u);
}

TEST(Dataflow, RecursionHasALimit) {
  PlanBuilder b;
  const Type *i = b.types().intType();
  b.function("down", {{"n", i}}, i, [&](GraphBuilder &g) {
    ValueId zero = g.binary("eq", 0, g.integer(0));
    ValueId out =
        g.control(Op::If, {zero, 0}, 1, {},
                  {{1, [&](GraphBuilder &r) { r.yield({r.integer(7)}); }},
                   {1, [&](GraphBuilder &r) {
                      ValueId less = r.binary("sub", 0, r.integer(1));
                      r.node(Op::Call, {less}).place = {1};
                      r.yield({r.id()});
                    }}});
    g.yield({out});
  });
  b.function("main", {{"n", i}}, i, [&](GraphBuilder &g) {
    g.node(Op::Call, {0}).place = {1};
    g.yield({g.id()});
  });
  ManualModel model;
  EXPECT_EQ(runMain(b.plan, model, {Value::integer(999)}), "7");
  EXPECT_EQ(runMain(b.plan, model, {Value::integer(1000)}),
            "error: test.sgl:3:1: calls nest deeper than 1,000: does the "
            "recursion of `down` end?");
  EXPECT_EQ(runMain(b.plan, model, {Value::integer(-1)}).substr(0, 6),
            "error:");
}

TEST(Dataflow, RecursionThatBranchesWithoutEndMeetsTheLimitToo) {
  PlanBuilder b;
  const Type *i = b.types().intType();
  b.function("twice", {{"n", i}}, i, [&](GraphBuilder &g) {
    ValueId next = g.binary("add", 0, g.integer(1));
    g.node(Op::Call, {next}).place = {1};
    ValueId left = g.id();
    g.node(Op::Call, {next}).place = {2};
    g.yield({g.binary("add", left, g.id())});
  });
  b.function("main", {}, i, [&](GraphBuilder &g) {
    g.node(Op::Call, {g.integer(0)}).place = {1};
    g.yield({g.id()});
  });
  ManualModel model;
  EXPECT_EQ(runMain(b.plan, model),
            "error: test.sgl:3:1: calls nest deeper than 1,000: does the "
            "recursion of `twice` end?");
}

TEST(Dataflow, ValuesThatNestWithoutEndAreRefused) {
  PlanBuilder b;
  const Type *json = b.types().jsonType();
  b.function("main", {}, json, [&](GraphBuilder &g) {
    ValueId xs = g.builtin("range", {g.integer(0), g.integer(1000)});
    ValueId start = g.list({});
    ValueId out =
        g.control(Op::For, {xs, start}, 1, {1},
                  {{3, [&](GraphBuilder &r) { r.yield({r.list({2})}); }}}, 1);
    g.yield({out});
  });
  ManualModel model;
  EXPECT_EQ(runMain(b.plan, model),
            "error: test.sgl:1:1: value nests deeper than 256");
}

TEST(Dataflow, OptionsComeFromPlanThenCommandLine) {
  PlanBuilder b;
  const Type *str = b.types().strType();
  b.function("main", {{"n", b.types().intType()}}, str, [&](GraphBuilder &g) {
    ValueId s = g.root();
    auto a =
        g.gen(s, "a", str, {1},
              {{"max_tokens", {}, 1},
               {"stop", Value::list({Value::text("X"), Value::text("Y")}), 0}},
              {0});
    auto c = g.gen(s, "b", str, {2}, {{"temperature", Value::integer(0), 0}});
    g.yield({g.concat({a.value, c.value})});
  });
  ManualModel model;
  RunOptions options;
  options.maxTokens = 77;
  options.temperature = 0.5;
  EXPECT_EQ(runMain(b.plan, model, {Value::integer(9)}, options), "\"a!b!\"");
  EXPECT_EQ(model.seen[0].maxTokens, 9u);
  EXPECT_EQ(model.seen[0].stops, (std::vector<std::string>{"X", "Y"}));
  EXPECT_EQ(model.seen[0].temperature, 0.5);
  EXPECT_EQ(model.seen[1].maxTokens, 77u);
  EXPECT_EQ(model.seen[1].temperature, 0.0);
  EXPECT_EQ(runMain(b.plan, model, {Value::integer(0)}),
            "error: test.sgl:2:1: gen `a`: option `max_tokens` takes an int in "
            "1..=16777216, not 0");
}

TEST(Dataflow, CapturesAndMessagesAreReadFromTheState) {
  PlanBuilder b;
  TypeContext &t = b.types();
  const Type *str = t.strType();
  b.function("main", {}, t.jsonType(), [&](GraphBuilder &g) {
    ValueId s = g.close(g.extend(g.open(g.root(), "user"), "hi"));
    auto c = g.gen(g.open(s, "assistant"), "x", str, {1});
    ValueId last = g.close(c.state);
    g.node(Op::Capture, {last}).name = "x";
    ValueId x = g.id();
    g.node(Op::Inspect, {last}).name = "messages";
    ValueId turns = g.id();
    g.yield({g.list({x, turns})});
  });
  ManualModel model;
  EXPECT_EQ(runMain(b.plan, model),
            R"(["x!", [{"role": "user", "content": "hi"}, )"
            R"({"role": "assistant", "content": "x!"}]])");
}

} // namespace
