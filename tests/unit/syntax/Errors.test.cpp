// Syntax errors: one for each cause, at its place, and the rest is read.

#include "Parsed.h"

#include <gtest/gtest.h>

namespace {

struct Row {
  const char *name, *source, *places;
};

TEST(SyntaxErrors, AreOnePerCause) {
  const Row rows[] = {
      {"no item", "fn f() { }\n42\nfn g() { }\n", "2:1 E0100\n"},
      {"no expression", "let x =\nfn f() { }\n", "2:1 E0100\n"},
      {"missing name", "fn f() {\n  let = 4\n  g()\n}\n", "2:6 E0100\n"},
      {"two on two lines", "fn f() {\n  let = 4\n  let 5\n  g()\n}\n",
       "2:6 E0100\n3:7 E0100\n"},
      {"assignment in a condition", "fn f() {\n  if x = 3 { g() }\n  h()\n}\n",
       "2:8 E0100\n"},
      {"over several lines", "fn f() {\n  g(a\n    b\n    c\n  )\n  h()\n}\n",
       "3:5 E0100\n"},
      {"in a hole", "fn f() {\n  s += \"${x y}\"\n  g()\n}\n", "2:13 E0100\n"},
      {"empty hole", "fn f() {\n  s += \"${}\"\n}\n", "2:11 E0100\n"},
      {"arrow", "fn f() {\n  match x {\n    1 -> a()\n    2 => b()\n  }\n}\n",
       "3:7 E0100\n"},
      {"field without colon", "record R {\n  a int\n  b: str\n}\n",
       "2:4 E0100\n"},
      {"operator twice", "let x = 1 + * 2\nlet y = 3\n", "1:13 E0100\n"},
      {"double comma", "let x = [1,, 2]\nlet y = 3\n", "1:12 E0100\n"},
      {"unknown sign", "let x = 1 @ 2\nlet y = 3\n", "1:11 E0100\n"},
      {"sign beyond ASCII", "let x = 1 × 2\nlet y = 3\n", "1:11 E0100\n"},
      {"end of file", "let x = ", "1:9 E0100\n"},
      {"map key", "fn f(m: {int: str}) { }\n", "1:10 E0100\n"},
      {"hole where none may be", "import \"a${b}\"\n", "1:10 E0100\n"},
      {"value alone", "fn f() {\n  a.b\n}\n", "2:3 E0100\n"},
      {"block behind a value", "fn f() {\n  a.b { }\n}\n", "2:3 E0100\n"},
      {"type of a select", "fn f(s: state) {\n  s += select(E) as x: int\n}\n",
       "2:24 E0100\n"},
  };
  for (const Row &row : rows) {
    Parsed parsed(row.source);
    EXPECT_EQ(parsed.places(), row.places) << row.name << "\n"
                                           << parsed.messages();
  }
}

TEST(SyntaxErrors, KnowWordsOfOtherLanguages) {
  const Row rows[] = {
      {"elif", "fn f() {\n  if a { } elif b { g() } else { }\n  h()\n}\n",
       "2:12 E0106\n"},
      {"foreach", "fn f() {\n  foreach x in y { }\n  h()\n}\n", "2:3 E0106\n"},
      {"bare name", "fn f() {\n  x\n  h()\n}\n", "2:3 E0106\n"},
  };
  for (const Row &row : rows)
    EXPECT_EQ(Parsed(row.source).places(), row.places) << row.name;
  EXPECT_NE(Parsed("fn f() { if a && b { } }").messages().find("`&`"),
            std::string::npos);
  Parsed elif (rows[0].source);
  ASSERT_TRUE(elif.diagnostics.all()[0].fix);
  EXPECT_EQ(elif.diagnostics.all()[0].fix->replacement, "else if");
}

TEST(SyntaxErrors, FindTheUnmatchedBracket) {
  const Row rows[] = {
      {"stray", "fn f() {\n}\n}\nfn g() { }\n", "3:1 E0105\n"},
      {"stray in a call", "fn f() {\n  g(a))\n  h()\n}\n", "2:7 E0105\n"},
      {"inner brace", "fn f() {\n  if a {\n    b()\n  c()\n}\n\nfn g() { }\n",
       "2:8 E0105\n"},
      {"last brace", "fn f() {\n  a()\n\nfn g() {\n  b()\n}\n", "1:8 E0105\n"},
      {"record", "record R {\n  a: int\n\nfn g() {\n  b()\n}\n",
       "1:10 E0105\n"},
      {"parenthesis before +=",
       "fn f() {\n  s += user(\"a\"\n  s += user(\"b\")\n}\n", "2:12 E0105\n"},
      {"parenthesis before let", "fn f() {\n  g(a\n  let b = 1\n}\n",
       "2:4 E0105\n"},
      {"parenthesis before a brace", "fn f() {\n  g(a\n}\nfn h() { }\n",
       "2:4 E0105\n"},
      {"list", "fn f() {\n  let a = [1, 2\n  let b = 1\n}\n", "2:11 E0105\n"},
      {"mixed", "fn f() {\n  g([1, 2)\n  h()\n}\n", "2:5 E0105\n"},
      {"hole in a line", "fn f() {\n  s += \"a ${b\"\n  h()\n}\n",
       "2:11 E0105\n"},
      {"hole in a block",
       "fn f() {\n  s += \"\"\"\n    a ${b\n    \"\"\"\n  h()\n}\n",
       "3:7 E0105\n"},
      {"odd layout that matches", "fn f() {\nif a {\n  b() }\n    }\n", ""},
  };
  for (const Row &row : rows) {
    Parsed parsed(row.source);
    EXPECT_EQ(parsed.places(), row.places) << row.name << "\n"
                                           << parsed.messages();
  }
}

TEST(SyntaxErrors, OfATextDoNotSpoilTheFile) {
  const Row rows[] = {
      {"line", "fn f() {\n  s += \"abc\n  g()\n}\nfn h() { }\n", "2:8 E0101\n"},
      {"block",
       "fn f() {\n  s += user(\"\"\"\n    a\n}\n\nfn g() {\n"
       "  s += user(\"\"\"\n    b\n    \"\"\")\n}\n",
       "2:13 E0101\n"},
      {"last block", "fn f() {\n  s += \"\"\"\n  abc\n}\n", "2:8 E0101\n"},
      {"comment", "fn f() {\n  /* a /* b */\n}\n", "2:3 E0101\n"},
  };
  for (const Row &row : rows) {
    Parsed parsed(row.source);
    EXPECT_EQ(parsed.places(), row.places) << row.name << "\n"
                                           << parsed.messages();
  }
}

TEST(SyntaxErrors, LeaveTheRestOfTheTree) {
  Parsed parsed("fn a() {\n  let x = \n  g()\n}\n"
                "fn b() {\n  if y = 3 { h() }\n  i()\n}\n"
                "record R {\n  c int\n  d: str\n}\nfn e() { j() }\n");
  EXPECT_EQ(parsed.module->functions.size(), 3u);
  std::string tree = parsed.tree();
  for (const char *name : {"fn a", "name g", "fn b", "name i", "record R",
                           "field d: str", "fn e", "name j"})
    EXPECT_NE(tree.find(name), std::string::npos) << name << "\n" << tree;
}

/// While a file is typed, it is cut off somewhere: no crash, and no error
/// behind the end of what is there.
TEST(SyntaxErrors, OfEveryPrefixStayInIt) {
  const std::string source =
      "/// d\nfn f(s: state, n: int = 3) -> [str; 1..=2] {\n"
      "  s += user(\"\"\"\n    a ${g(\"x\")} b\n    \"\"\")\n"
      "  let y = fork s as f for z in [1, 2] { join f(z) }\n"
      "  match y { 1 | -2 => return\n R(a) => { } _ => join 3 }\n"
      "  retry 2 { expect a not in b, \"m\" } else { return {\"k\": null} }\n"
      "  s += assistant(gen(stop: \"\\n\") as t: int? in 0..=9)\n}\n"
      "record R { a: {str: \"x\" | int}\n b: str matching r\"\\d\" }\n"
      "enum E { A, B = \"b\" }\ntest \"t\": live { assert a.if == 1e-3 }\n";
  ASSERT_EQ(Parsed(source).places(), "");
  for (size_t size = 0; size < source.size(); ++size) {
    Parsed parsed(source.substr(0, size));
    for (const sgl::Diagnostic &error : parsed.diagnostics.all())
      EXPECT_LE(error.primary.span.end, size + 3) << size;
    EXPECT_LE(parsed.diagnostics.all().size(), 3u)
        << source.substr(0, size) << "\n"
        << parsed.messages();
  }
}

} // namespace
