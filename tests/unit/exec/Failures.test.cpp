// Errors, retries, cancellation and effects: program order always decides.

#include "ExecTest.h"

#include <set>

using namespace sgl;
using Seen = ManualModel::Seen;

namespace {

GenReply failed(const char *message, bool fatal = false) {
  GenReply r;
  r.failure = CallFailure{message, fatal};
  return r;
}

GenReply text(std::string t) {
  GenReply r;
  r.text = std::move(t);
  return r;
}

TEST(Failures, TheFirstInProgramOrderCounts) {
  PlanBuilder b;
  const Type *str = b.types().strType();
  b.function("main", {}, str, [&](GraphBuilder &g) {
    ValueId s = g.root();
    auto x = g.gen(s, "x", str, {1});
    auto y = g.gen(s, "y", str, {2});
    auto z = g.gen(s, "z", str, {3});
    g.yield({g.concat({x.value, y.value, z.value})});
  });
  // Whatever is answered first: x is fine, y and z fail, y is reported.
  for (std::vector<size_t> order :
       {std::vector<size_t>{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0}}) {
    ManualModel model;
    size_t step = 0;
    model.pick = [&](const std::vector<Seen> &calls) {
      return std::min(order[step++], calls.size() - 1);
    };
    model.reply = [](const Seen &call) {
      return call.name == "x" ? text("fine") : failed("broken");
    };
    EXPECT_EQ(runMain(b.plan, model), "error: test.sgl:3:1: gen `y`: broken");
  }
}

TEST(Failures, WhatIsBehindAnErrorIsCancelled) {
  PlanBuilder b;
  const Type *str = b.types().strType();
  b.function("main", {}, str, [&](GraphBuilder &g) {
    ValueId s = g.root();
    auto x = g.gen(s, "x", str, {1});
    g.fail(g.text("stop here"), "expect");
    auto y = g.gen(s, "y", str, {2});
    g.yield({g.concat({x.value, y.value})});
  });
  ManualModel model;
  EXPECT_EQ(runMain(b.plan, model),
            "error: test.sgl:4:1: expect failed: stop here");
  // x, which comes before, was waited for: it might have failed first.
  EXPECT_EQ(model.answered, 1u);
  for (const Seen &call : model.seen)
    EXPECT_EQ(call.name, "x");
}

/// retry n { gen x; if x is not wanted fail } [else { "else " + last error }]
plan::Plan retryPlan(bool withElse) {
  PlanBuilder b;
  const Type *str = b.types().strType();
  b.function("main", {{"n", b.types().intType()}}, str, [&](GraphBuilder &g) {
    ValueId s = g.extend(g.root(), "p");
    auto body = [&](GraphBuilder &r) { // try, last error, s
      ValueId s2 = r.append(2, r.concat({1}));
      auto c = r.gen(s2, "x", str, {2});
      auto other = r.gen(2, "slow", str, {3});
      ValueId good = r.binary("eq", c.value, r.text("good"));
      r.control(
          Op::If, {good}, 0, {},
          {{0, [](GraphBuilder &) {}},
           {0, [](GraphBuilder &q) { q.fail(q.text("not good"), "expect"); }}});
      r.yield({r.concat({c.value, r.text("/"), other.value})});
    };
    std::vector<std::pair<uint32_t, GraphBuilder::Body>> regions = {{3, body}};
    if (withElse)
      regions.push_back({2, [](GraphBuilder &r) {
                           r.yield({r.concat({r.text("else: "), 0})});
                         }});
    g.yield({g.control(Op::Retry, {0, s}, 1, {1}, std::move(regions))});
  });
  return std::move(b.plan);
}

TEST(Retry, StartsEachTryFromTheSnapshotWithAnotherDraw) {
  plan::Plan plan = retryPlan(false);
  ManualModel model;
  size_t tries = 0;
  model.reply = [&](const Seen &call) {
    return call.name == "slow" ? text("slow")
                               : text(++tries == 3 ? "good" : "bad");
  };
  EXPECT_EQ(runMain(plan, model, {Value::integer(5)}), "\"good/slow\"");
  std::vector<Seen> xs;
  for (const Seen &call : model.seen)
    if (call.name == "x")
      xs.push_back(call);
  ASSERT_EQ(xs.size(), 3u);
  EXPECT_EQ(xs[0].prompt, "pnull");
  EXPECT_EQ(xs[1].prompt, "pexpect failed: not good");
  EXPECT_EQ(xs[2].prompt, xs[1].prompt) << "nothing of a try is kept";
  EXPECT_EQ(xs[0].temperature, 0.0);
  EXPECT_EQ(xs[1].temperature, 0.7);
  std::set<uint64_t> keys;
  for (const Seen &call : xs)
    keys.insert(call.drawKey);
  EXPECT_EQ(keys.size(), 3u);
}

TEST(Retry, CancelsWhatAFailedTryStarted) {
  plan::Plan plan = retryPlan(false);
  ManualModel model;
  size_t tries = 0;
  model.reply = [&](const Seen &call) {
    return call.name == "slow" ? text("slow")
                               : text(++tries == 2 ? "good" : "bad");
  };
  // x first: it comes before `slow`, so the failure behind both must wait.
  EXPECT_EQ(runMain(plan, model, {Value::integer(5)}), "\"good/slow\"");
  EXPECT_EQ(model.cancels, std::vector<std::string>{});

  // An x that fails itself ends the try while `slow` is in flight.
  ManualModel second;
  second.reply = [first = true](const Seen &call) mutable {
    bool fails = call.name == "x" && first;
    first = first && !fails;
    return fails ? failed("broken") : text(call.name == "x" ? "good" : "slow");
  };
  EXPECT_EQ(runMain(plan, second, {Value::integer(5)}), "\"good/slow\"");
  EXPECT_EQ(second.cancels, std::vector<std::string>{"slow"});
}

TEST(Retry, EndsInTheElseOrWithTheLastError) {
  ManualModel model;
  EXPECT_EQ(runMain(retryPlan(true), model, {Value::integer(2)}),
            "\"else: expect failed: not good\"");
  EXPECT_EQ(model.seen.size(), 4u);
  EXPECT_EQ(runMain(retryPlan(false), model, {Value::integer(2)}),
            "error: test.sgl:2:1: expect failed: not good");
  EXPECT_EQ(runMain(retryPlan(false), model, {Value::integer(0)}),
            "error: test.sgl:3:1: `retry` needs a number of tries from 1");
}

TEST(Retry, FatalFailuresAreNotCaught) {
  ManualModel model;
  model.reply = [](const Seen &) { return failed("prompt is too long", true); };
  EXPECT_EQ(runMain(retryPlan(true), model, {Value::integer(3)}),
            "error: test.sgl:3:1: gen `x`: prompt is too long");
}

TEST(Retry, ASeedThatIsFixedKeepsItGreedy) {
  PlanBuilder b;
  const Type *str = b.types().strType();
  b.function("main", {}, str, [&](GraphBuilder &g) {
    ValueId s = g.root();
    g.yield({g.control(
        Op::Retry, {g.integer(2), s}, 1, {1},
        {{3, [&](GraphBuilder &r) {
            auto c = r.gen(2, "x", str, {2}, {{"seed", Value::integer(5), 0}});
            r.fail(c.value);
            r.yield({c.value});
          }}})});
  });
  ManualModel model;
  EXPECT_EQ(runMain(b.plan, model), "error: test.sgl:2:1: x!");
  ASSERT_EQ(model.seen.size(), 2u);
  EXPECT_EQ(model.seen[1].temperature, 0.0);
}

TEST(Truncation, TypedValuesFailAndTextsWarnOnce) {
  PlanBuilder b;
  TypeContext &t = b.types();
  const Type *str = t.strType(), *i = t.intType();
  b.function("main", {}, str, [&](GraphBuilder &g) {
    ValueId xs = g.list({g.text("a"), g.text("b")});
    ValueId s = g.root();
    ValueId out = g.control(Op::Map, {xs, s}, 1, {1},
                            {{3, [&](GraphBuilder &r) {
                                auto c = r.gen(r.append(2, 0), "x", str, {2});
                                r.yield({c.value});
                              }}});
    g.yield({g.builtin("lines", {out})});
  });
  ManualModel model;
  model.reply = [](const Seen &) {
    GenReply r = text("cut");
    r.finish = Finish::Length;
    r.usage.generatedTokens = 3;
    return r;
  };
  std::vector<std::string> warnings;
  RunOptions options;
  options.warn = [&](const std::string &w) { warnings.push_back(w); };
  EXPECT_EQ(runMain(b.plan, model, {}, options), "\"cut\\ncut\"");
  EXPECT_EQ(warnings, std::vector<std::string>{
                          "test.sgl:2:1: gen `x` was cut after 3 tokens "
                          "(max_tokens)"});

  PlanBuilder typed;
  std::vector<Automaton::StateRow> rows(3);
  rows[0].edges = {{'0', '9', 1}};
  rows[1].edges = {{'0', '9', 2}};
  rows[2].accepting = true;
  typed.plan.constraints.push_back(
      {"int", std::make_shared<const Automaton>(rows)});
  i = typed.types().intType();
  typed.function("main", {}, i, [&](GraphBuilder &g) {
    auto c = g.gen(g.root(), "n", i, {1});
    g.graph.nodes.back().gen->constraint = 0;
    g.yield({c.value});
  });
  model.reply = [](const Seen &) {
    GenReply r = text("4");
    r.finish = Finish::Length;
    r.usage.generatedTokens = 1;
    return r;
  };
  EXPECT_EQ(runMain(typed.plan, model),
            "error: test.sgl:2:1: gen `n` was cut after 1 tokens (max_tokens) "
            "before its value was whole");
  model.reply = [](const Seen &) {
    GenReply r = text("42");
    r.finish = Finish::Length;
    return r;
  };
  EXPECT_EQ(runMain(typed.plan, model), "42");
}

TEST(Effects, RunInProgramOrderAndNeverBehindAnError) {
  PlanBuilder b;
  const Type *str = b.types().strType();
  b.plan.effects = {"print"};
  b.function("main", {}, nullptr, [&](GraphBuilder &g) {
    ValueId s = g.root();
    auto x = g.gen(s, "x", str, {1});
    g.node(Op::Print, {x.value}, 0);
    g.node(Op::Print, {g.text("two")}, 0);
    auto y = g.gen(s, "y", str, {2});
    g.node(Op::Print, {g.text("three")}, 0);
    (void)y;
  });
  std::vector<std::string> printed;
  RunOptions options;
  options.print = [&](const std::string &line) { printed.push_back(line); };
  ManualModel model;
  model.pick = [](const std::vector<Seen> &calls) { return calls.size() - 1; };
  EXPECT_EQ(runMain(b.plan, model, {}, options), "nothing");
  EXPECT_EQ(printed, (std::vector<std::string>{"x!", "two", "three"}));

  printed.clear();
  model.reply = [](const Seen &call) {
    return call.name == "y" ? failed("broken") : text("x!");
  };
  EXPECT_EQ(runMain(b.plan, model, {}, options),
            "error: test.sgl:6:1: gen `y`: broken");
  EXPECT_EQ(printed, (std::vector<std::string>{"x!", "two"}));
}

TEST(Admission, RefusesWhatIsNotSupportedWithThePlace) {
  PlanBuilder b;
  const Type *str = b.types().strType();
  b.function("main", {}, str, [&](GraphBuilder &g) {
    auto c =
        g.gen(g.root(), "x", str, {1}, {{"timeout", Value::integer(5), 0}});
    g.yield({c.value});
  });
  ManualModel model;
  EXPECT_EQ(runMain(b.plan, model),
            "refused: test.sgl:2:1: option `timeout` is not supported yet");
}

} // namespace
