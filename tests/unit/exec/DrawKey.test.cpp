// Draw keys: the same for a call wherever the compiler put it, different for
// all others.

#include "ExecTest.h"

#include "runtime/exec/DrawKey.h"

#include <set>

using namespace sgl;
using Seen = ManualModel::Seen;

namespace {

std::vector<uint64_t> keysOf(const plan::Plan &plan, uint64_t seed = 0) {
  ManualModel model;
  RunOptions options;
  options.seed = seed;
  EXPECT_EQ(runMain(plan, model, {}, options).substr(0, 6).find("error"),
            std::string::npos);
  std::vector<uint64_t> keys;
  for (const Seen &call : model.seen)
    keys.push_back(call.drawKey);
  return keys;
}

/// main calls `f` at places 4 and 7; f gens at place 2 in a loop at place 1.
plan::Plan called() {
  PlanBuilder b;
  const Type *str = b.types().strType();
  auto f = b.function(
      "f", {{"s", b.types().stateType()}}, str, [&](GraphBuilder &g) {
        ValueId xs = g.list({g.integer(0), g.integer(1)});
        ValueId out = g.control(Op::Map, {xs, 0}, 1, {1},
                                {{3, [&](GraphBuilder &r) {
                                    r.yield({r.gen(2, "x", str, {2}).value});
                                  }}});
        g.yield({g.builtin("lines", {out})});
      });
  b.function("main", {}, str, [&](GraphBuilder &g) {
    ValueId s = g.root();
    std::vector<ValueId> values;
    for (uint32_t place : {4, 7}) {
      plan::Node &n = g.node(Op::Call, {s});
      n.place = {place};
      n.function = f;
      values.push_back(g.id());
    }
    g.yield({g.concat(values)});
  });
  return std::move(b.plan);
}

/// The same, inlined and unrolled.
plan::Plan inlined() {
  PlanBuilder b;
  const Type *str = b.types().strType();
  b.function("main", {}, str, [&](GraphBuilder &g) {
    ValueId s = g.root();
    std::vector<ValueId> values;
    for (uint32_t place : {4, 7})
      for (uint32_t pass : {0, 1})
        values.push_back(g.gen(s, "x", str, {place, 1, pass, 2}).value);
    g.yield({g.concat(values)});
  });
  return std::move(b.plan);
}

TEST(DrawKey, InliningAndUnrollingChangeNothing) {
  auto a = keysOf(called()), b = keysOf(inlined());
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  EXPECT_EQ(a, b);
  EXPECT_EQ(std::set<uint64_t>(a.begin(), a.end()).size(), 4u);
}

TEST(DrawKey, TheSeedChangesEveryKey) {
  auto a = keysOf(inlined(), 0), b = keysOf(inlined(), 1);
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i)
    EXPECT_NE(a[i], b[i]);
}

TEST(DrawKey, IsXxHashOfLittleEndianNumbers) {
  unsigned char bytes[8] = {0x2A, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(foldPlace(7, uint64_t(42)), XXH64(bytes, 8, 7));
  std::vector<uint32_t> place = {1, 2};
  EXPECT_EQ(foldPlace(0, std::span<const uint32_t>(place)),
            foldPlace(foldPlace(0, uint64_t(1)), uint64_t(2)));
  EXPECT_NE(foldPlace(0, uint64_t(0)), 0u);
}

} // namespace
