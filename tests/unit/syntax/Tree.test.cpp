// Sentences and their trees.

#include "Parsed.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

/// The tree of one expression, as `let x = …` at the top gives it.
std::string treeOf(const std::string &expression) {
  Parsed parsed("let x = " + expression);
  if (!parsed.places().empty())
    return parsed.messages();
  std::string tree = parsed.tree(), out;
  std::istringstream lines(tree);
  std::string line;
  std::getline(lines, line); // const x
  while (std::getline(lines, line))
    out += line.substr(2) + "\n";
  return out;
}

TEST(Tree, BindsByPrecedence) {
  // Both sides must give one tree: the right one says it by parentheses.
  const char *rows[][2] = {
      {"1 + 2 * 3", "1 + (2 * 3)"},
      {"1 - 2 - 3", "(1 - 2) - 3"},
      {"-a * b", "(-a) * b"},
      {"- -a", "-(-a)"},
      {"a + b .. c - d", "(a + b) .. (c - d)"},
      {"a..=b == c", "(a..=b) == c"},
      {"a < b == c", "(a < b) == c"},
      {"not a == b", "not (a == b)"},
      {"not not a and b", "(not (not a)) and b"},
      {"a == not b and c", "(a == (not b)) and c"},
      {"a or b and c", "a or (b and c)"},
      {"a and b or c", "(a and b) or c"},
      {"a not in b and c in d", "(a not in b) and (c in d)"},
      {"a % b / c * d", "((a % b) / c) * d"},
      {"-a.b[0]", "-(a.b[0])"},
      {"x + if c { 1 } else { 2 } + 3", "(x + if c { 1 } else { 2 }) + 3"},
  };
  for (auto &[left, right] : rows)
    EXPECT_EQ(treeOf(left), treeOf(right)) << left;
}

struct Row {
  const char *source, *tree;
};

TEST(Tree, ReadsExpressions) {
  const Row rows[] = {
      {"1_000", "int 1000\n"},
      {"1e-3", "float 1e-3\n"},
      {"0.5", "float 0.5\n"},
      {"true", "bool true\n"},
      {"null", "null\n"},
      {"a.in.if", "field if\n  field in\n    name a\n"},
      {"f(1, if: 2, x)(3)",
       "call\n  call\n    name f\n    int 1\n    if:\n      int 2\n    name x\n"
       "  int 3\n"},
      {"m[\"k\"]", "index\n  name m\n  text\n    \"k\"\n"},
      {"[1, 2,]", "list\n  int 1\n  int 2\n"},
      {"[]", "list\n"},
      {"{}", "map\n"},
      {"{\"a\": 1,}", "map\n  entry\n    text\n      \"a\"\n    int 1\n"},
      {"gen(stop: \"x\") as n: int in 0..=9",
       "gen as n: int in 0..=9\n  stop:\n    text\n      \"x\"\n"},
      {"select([\"a\"]) as b", "select as b\n  list\n    text\n      \"a\"\n"},
      {"fork(s, 3)", "fork\n  name s\n  int 3\n"},
      {"fork s as f { join 1 }",
       "fork as f\n  name s\n  body\n    join\n      int 1\n"},
      {"fork state() as f for x in xs { }",
       "fork as f\n  call\n    name state\n  for x\n    name xs\n  body\n"},
      {"fork(s) as f { }", "fork as f\n  name s\n  body\n"},
      {"if a { 1 } else if b { 2 } else { 3 }",
       "if\n  name a\n  int 1\n  if\n    name b\n    int 2\n    int 3\n"},
      {"image + video + tool + test + state",
       "binary +\n  binary +\n    binary +\n      binary +\n"
       "        name image\n        name video\n      name tool\n"
       "    name test\n  name state\n"},
  };
  for (const Row &row : rows)
    EXPECT_EQ(treeOf(row.source), row.tree) << row.source;
}

/// The tree of statements, without what stands around them.
std::string bodyOf(const std::string &statements) {
  Parsed parsed("fn f() {\n" + statements + "\n}");
  if (!parsed.places().empty())
    return parsed.messages();
  std::istringstream lines(parsed.tree());
  std::string line, out;
  std::getline(lines, line);
  std::getline(lines, line);
  while (std::getline(lines, line))
    out += line.substr(4) + "\n";
  return out;
}

TEST(Tree, ReadsStatements) {
  const Row rows[] = {
      {"let a: [str; 1..=5] = b", "let a: [str; 1..=5]\n  name b\n"},
      {"var a = 1; a = 2;", "var a\n  int 1\nassign\n  place\n    name a\n"
                            "  int 2\n"},
      {"s += \"a\", b\nextend s with c",
       "extend\n  place\n    name s\n  text\n    \"a\"\n  name b\n"
       "extend\n  place\n    name s\n  name c\n"},
      {"fs[0].x += 1", "extend\n  place\n    field x\n      index\n"
                       "        name fs\n        int 0\n  int 1\n"},
      {"user(s) { s += 1 }",
       "role user\n  place\n    name s\n  body\n    extend\n      place\n"
       "        name s\n      int 1\n"},
      {"role(\"critic\", s) { }",
       "role role\n  place\n    name s\n  message\n    text\n"
       "      \"critic\"\n  body\n"},
      {"if a { } else if b { } else { c() }",
       "if\n  name a\n  body\n  else\n    if\n      name b\n      body\n"
       "      else\n        call\n          call\n            name c\n"},
      {"match x { 1 | -2 => a() \"t\" => { } G.A => b() R(p, q) => c() "
       "null | true => d() y => e() _ => return }",
       "match\n  name x\n  arm 1 | -2\n    call\n      call\n        name a\n"
       "  arm \"t\"\n  arm G.A\n    call\n      call\n        name b\n"
       "  arm R(p, q)\n    call\n      call\n        name c\n"
       "  arm null | true\n    call\n      call\n        name d\n"
       "  arm y\n    call\n      call\n        name e\n  arm _\n    return\n"},
      {"for i in 0..n { break }\nwhile true { continue }",
       "for i\n  binary ..\n    int 0\n    name n\n  body\n    break\n"
       "while\n  bool true\n  body\n    continue\n"},
      {"retry 2 { expect a, \"m\" } else { return null }",
       "retry\n  int 2\n  body\n    expect\n      name a\n      message\n"
       "        text\n          \"m\"\n  else\n    return\n      null\n"},
      {"retry = 1\nexpect += 2\nparallel(3)",
       "assign\n  place\n    name retry\n  int 1\nextend\n  place\n"
       "    name expect\n  int 2\ncall\n  call\n    name parallel\n    int "
       "3\n"},
      {"parallel { let a = f() }",
       "parallel\n  body\n    let a\n      call\n        name f\n"},
      {"fork s as f { }", "fork as f\n  name s\n  body\n"},
      {"assert a == b", "assert\n  binary ==\n    name a\n    name b\n"},
  };
  for (const Row &row : rows)
    EXPECT_EQ(bodyOf(row.source), row.tree) << row.source;
}

TEST(Tree, JoinAndReturnTakeWhatFollows) {
  EXPECT_EQ(bodyOf("return\n\n  f(x)"), "return\n  call\n    name f\n"
                                        "    name x\n");
  EXPECT_EQ(bodyOf("join fs"), "join\n  name fs\n");
  EXPECT_EQ(bodyOf("join fs into s"), "join\n  name fs\n  into\n    name s\n");
  EXPECT_EQ(bodyOf("if a { return }"), "if\n  name a\n  body\n    return\n");
  // An arm's pattern is no value, even where it could be one.
  EXPECT_EQ(bodyOf("match x { 1 => return\n 2 => join\n y => return 3\n"
                   "-1 => return\n \"a\" => return\n}"),
            "match\n  name x\n  arm 1\n    return\n  arm 2\n    join\n"
            "  arm y\n    return\n      int 3\n  arm -1\n    return\n"
            "  arm \"a\"\n    return\n");
}

TEST(Tree, ReadsItems) {
  Parsed parsed("//! About\n//! this.\n"
                "import std.reason as r\nimport std.io (ask, print)\n"
                "import \"lib/a.sgl\"\n"
                "defaults(temperature: 0)\n"
                "/// No doc of a comment.\n"
                "// really\n"
                "let X: int = 1\n"
                "type T = \"a\" | int? | {str: [j.G]}\n"
                "/// What it is.\n/// More.\n"
                "record R { /// a field\n a: int in -1..=1, if: str = \"x\"\n"
                " c: str in 1..=80 matching r\"\\d\" }\n"
                "enum E { A, B = \"b\"\n C }\n"
                "/// Look up.\ntool w(/// title\n t: str) -> str\n"
                "fn f(s: state, n: int = 3) -> [str; 3] { }\n"
                "test \"t\": live { }\n");
  EXPECT_EQ(parsed.messages(), "");
  EXPECT_EQ(parsed.tree(), "doc \"About\\nthis.\"\n"
                           "import std.reason as r\n"
                           "import std.io (ask, print)\n"
                           "import \"lib/a.sgl\"\n"
                           "defaults\n  temperature:\n    int 0\n"
                           "const X: int\n  int 1\n"
                           "type T = \"a\" | int? | {str: [j.G]}\n"
                           "record R\n  doc \"What it is.\\nMore.\"\n"
                           "  field a: int in -1..=1\n    doc \"a field\"\n"
                           "  field if: str\n    text\n      \"x\"\n"
                           "  field c: str in 1..=80 matching \"\\\\d\"\n"
                           "enum E\n  A\n  B = \"b\"\n  C\n"
                           "tool w -> str\n  doc \"Look up.\"\n"
                           "  param t: str\n    doc \"title\"\n"
                           "fn f -> [str; 3]\n  param s: state\n"
                           "  param n: int\n    int 3\n  body\n"
                           "test \"t\": live\n");
}

TEST(Tree, GivesEveryNodeItsPlace) {
  Parsed parsed("let x = é\n");
  EXPECT_EQ(parsed.places(), "1:9 E0100\n");
  Parsed text("let x = \"é${ab}\"\n");
  const auto &parts = text.module->constants[0]->value->parts;
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(text.sources.text(parts[0].span), "é");
  EXPECT_EQ(text.sources.text(parts[1].span), "${ab}");
  EXPECT_EQ(text.sources.text(parts[1].hole->span), "ab");
}

TEST(Tree, ReadsTheExamplesAndTheLibrary) {
  size_t count = 0;
  for (const char *folder : {"/examples", "/stdlib"})
    for (const auto &entry : std::filesystem::directory_iterator(
             std::string(SGL_SOURCE_DIR) + folder)) {
      if (entry.path().extension() != ".sgl")
        continue;
      ++count;
      std::ifstream file(entry.path());
      std::stringstream text;
      text << file.rdbuf();
      EXPECT_EQ(Parsed(text.str()).messages(), "") << entry.path();
    }
  EXPECT_GT(count, 5u);
}

TEST(Tokens, AreListedWithTheirPlaces) {
  sgl::SourceManager sources;
  sgl::Diagnostics diagnostics;
  uint32_t file = sources.add("a.sgl", "fn f() { // c\n  \"é${x}\\n\"\n}\n");
  EXPECT_EQ(sgl::dumpTokens(sources, file, diagnostics),
            "1:1 FN \"fn\"\n1:4 IDENTIFIER \"f\"\n1:5 LEFT_PAREN \"(\"\n"
            "1:6 RIGHT_PAREN \")\"\n1:8 LEFT_BRACE \"{\"\n"
            "2:3 OPEN_TEXT \"\\\"\"\n2:4 TEXT \"é\"\n2:6 OPEN_HOLE \"${\"\n"
            "2:8 IDENTIFIER \"x\"\n2:9 RIGHT_BRACE \"}\"\n"
            "2:10 ESCAPE \"\\\\n\"\n2:12 CLOSE_TEXT \"\\\"\"\n"
            "3:1 RIGHT_BRACE \"}\"\n");
  EXPECT_FALSE(diagnostics.hasErrors());
}

} // namespace
