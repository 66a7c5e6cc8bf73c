// What is known to follow a gen: decided from the source, at every level.
#include "tests/unit/lower/Compiled.h"

#include <gtest/gtest.h>

namespace sgl {
namespace {

struct Row {
  const char *name, *body, *follow; ///< "text", "<end>", "" for unknown
};

const Row rows[] = {
    {"a literal", R"(s += gen() as x, "END")", "END"},
    {"a literal in the next statement", R"(s += gen() as x  s += "END")",
     "END"},
    {"however the text is cut", R"(s += gen() as x  s += "E"  s += "N" + "D")",
     "END"},
    {"around a hole in a text", R"(s += "a ${gen() as x}, b")", ", b"},
    {"a constant in a hole", R"(let e = "END"  s += gen() as x, "${e}.")",
     "END."},
    {"a value ends it", R"(s += gen() as x, ".", t, "!")", "."},
    {"a value next", R"(s += gen() as x, t)", ""},
    {"the turn ends", R"(s += assistant(gen() as x))", "<end>"},
    {"text before the turn's end", R"(s += assistant(gen() as x, "."))", "."},
    {"the block's turn ends", R"(assistant(s) { s += gen() as x })", "<end>"},
    {"not through the end of a block", R"(if c { s += gen() as x }  s += "E")",
     ""},
    {"not past a branch that writes",
     R"(s += gen() as x  if c { s += "a" }  s += "E")", ""},
    {"past a branch that leaves s alone",
     R"(var n = 0  s += gen() as x  if c { n = 1 }  s += "E${n}")", "E"},
    {"past an early return", R"(s += gen() as x  if c { return }  s += "E")",
     "E"},
    {"not past a call that takes s", R"(s += gen() as x  add(s)  s += "E")",
     ""},
    {"another state does not matter",
     R"(let o = fork(s)  s += gen() as x  o += "no"  s += "E"  s += o.text)",
     "E"},
    {"not in the loop's next pass",
     R"(for i in [1, 2] { s += "a"  s += gen() as x })", ""},
    {"the end of the prompt", R"(s += gen() as x)", ""},
};

TEST(Follow, Table) {
  for (const Row &row : rows)
    for (int level : {0, 2}) {
      auto compiled =
          compileText(std::string("fn add(s: state) { s += \"!\" }\n"
                                  "fn main(s: state, t: str, c: bool) {\n") +
                          row.body + "\n}\n",
                      level);
      const plan::Node *gen = genNamed(compiled->plan, "x");
      ASSERT_TRUE(gen) << row.name;
      const plan::Follow &follow = gen->gen->follow;
      std::string found = follow.kind == plan::Follow::Kind::EndOfTurn ? "<end>"
                          : follow.kind == plan::Follow::Kind::Text
                              ? compiled->plan.texts[follow.text]
                              : "";
      EXPECT_EQ(found, row.follow) << row.name << " at -O" << level;
    }
}

} // namespace
} // namespace sgl
