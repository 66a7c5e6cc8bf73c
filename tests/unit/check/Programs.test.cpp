// Programs without a fault: no message at all, and the annotations that
// lowering reads.
#include "tests/unit/check/Harness.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace sgl {
namespace {

namespace fs = std::filesystem;

class ValidProgram : public testing::TestWithParam<const char *> {};

TEST_P(ValidProgram, HasNoDiagnostics) {
  auto checked = checkText(GetParam());
  EXPECT_EQ(codes(*checked), "") << GetParam() << "\n" << messages(*checked);
}

const char *const programs[] = {
    // Files and names.
    "",
    "//! text\n",
    "import std.text\nfn f() -> str { return text.fenced(\"a\") }",
    "import std.text as t\nfn f() -> str { return t.fenced(\"a\") }",
    "import std.text (fenced)\nfn f(fenced: str) -> str { return "
    "fenced(fenced) }",
    "fn f() -> int { return g() }\nfn g() -> int { return 1 }",
    "fn lines(x: str) -> str { return x }\nfn f() -> str { return lines(\"a\") "
    "}",
    "fn f(lines: [str], user: str) -> str { return \"${user} "
    "${lines(lines)}\" }",
    "let A = B + 1\nlet B = len(\"abc\")",
    "enum G { A, B }\nrecord R { g: G = G.A, n: int = 2 }\nlet X = R()\n"
    "let Y = X.n * 2\nfn f(n: int = Y) -> int { return n }",
    "fn f(s: state) { let x = 1 if x == 1 { let x = \"a\" s += x } }",
    // Types.
    "fn f(x: float = 1) -> float { return x + 1 }",
    "fn f() -> json { return {\"a\": 1, \"b\": [\"x\"], \"c\": {}} }",
    "fn f() -> json { let m = {\"a\": 1, \"b\": [\"x\", \"y\",], \"c\": {}} "
    "return m }",
    "record R { a: int }\nfn f() -> json { return R(a: 1) }",
    "fn f(x: str) { let y: \"a\" | \"b\" = x let z: str = y }",
    "fn f(x: int) -> int in 0..=9 { return x }",
    "type E = str matching r\"[^@]+@[a-z.]+\"\nfn f(x: E) -> str { return x }",
    "record N { v: int, next: N?, all: [N] }\nfn f(n: N) -> int { return n.v }",
    "fn f(j: json) -> int { return int(j.a[0].b[\"c\"]) + len(j) }",
    "enum G { A, B }\nrecord R { a: int }\n"
    "fn f(j: json) -> int { let g = G(\"A\") let r = R(j) if g == G.A { return "
    "r.a } return 0 }",
    "fn f() -> [float] { return [1, 2.5] }",
    "fn f(m: {str: int}) -> int { for k in m { return m[k] } return or_else("
    "get(m, \"a\"), 0) }",
    "fn f() -> int { return -9223372036854775808 }",
    // Narrowing.
    "fn f(x: str?) -> str { if x == null { return \"\" } return x }",
    "fn f(x: str?) -> str { if x != null and len(x) > 1 { return x } return "
    "\"\" }",
    "fn f(x: str?) -> str { if not (x != null) or x == \"a\" { return \"\" } "
    "return x }",
    "fn f(x: str?) -> str { return if x == null { \"none\" } else { x } }",
    "record R { a: str? }\nfn f(r: R) -> str { if r.a == null { return \"\" } "
    "return r.a }",
    "fn f() -> str { var x: str? = null x = \"a\" return x }",
    "fn f(xs: [str?]) -> int { var n = 0 for x in xs { if x == null { continue "
    "} n += len(x) } return n }",
    "fn f(x: str?) -> str { while x == null { return \"\" } return x }",
    "fn f(x: \"a\" | \"b\" | \"c\") -> \"b\" | \"c\" { if x == \"a\" { return "
    "\"b\" } return x }",
    "fn f(x: int?) -> int { match x { null => return 0 n => return n } }",
    // Prompts.
    "fn f(s: state) -> str { s += \"Name: ${gen(stop: \"\\n\") as n}\\n\" + "
    "gen() as m return n + s.m }",
    "fn f(s: state) -> str { extend s with \"a\", gen(max_tokens: 5) as x "
    "return x }",
    "fn f(s: state) -> int { s += assistant(gen() as n: int in 0..=9) return n "
    "}",
    "fn f(s: state) -> str { s += role(\"critic\", \"a\", gen() as x) return "
    "x }",
    "fn f(s: state, xs: [str]) { user(s) { s += \"a\" for x in xs { s += x } } "
    "s += assistant(gen()) }",
    "fn f(s: state) { s += special(\"<|fim_mid|>\"), \"x\" }",
    "fn f(s: state) -> str { s += select([\"yes\", \"no\"]) as x let p = "
    "prob(x) let t = scores(s.x) let m = meta(x) return \"${p} ${t} "
    "${m.finish} ${m.tokens}\" }",
    "enum M { A, B }\nfn f(s: state) -> M { s += select(M, method: normalized) as "
    "m "
    "return m }",
    "fn f(s: state, xs: [str]) -> str { s += select(xs) as m return m }",
    "defaults(temperature: 0.7, max_tokens: 10, heal: off)\nfn f(s: state) { s "
    "+= gen() }",
    "fn f(s: state) -> str { return \"${s.text} ${s.tokens} "
    "${len(s.messages)}\" }",
    "record P { name: str in 1..=40, age: int? in 0..=130, tags: [str; 0..=3] "
    "}\nfn f(s: state) -> P { s += gen() as p: P return p }",
    "fn f(s: state, t: float) { s += gen(temperature: t, seed: 1 + 2, stop: "
    "[\"a\", \"b\"]) }",
    "fn f(s: state, c: bool) -> str { if c { s += gen() as x } else { s += "
    "gen() as x } return s.x }",
    "fn f(s: state) -> str { for i in 0..3 { s += gen() as x } return s.x }",
    "fn f(s: state) -> str { retry 3 { s += gen() as x expect len(x) > 0, "
    "\"empty\" } else { s += \"none\" return or_else(last_error(), \"\") } "
    "return s.x }",
    // Forks.
    "fn f(s: state) -> [str] { let xs = fork s as f for i in 0..3 { f += gen() "
    "as x join x } return xs }",
    "fn f(s: state) -> str { let x = fork s as f { f += gen() as x join x } "
    "return x }",
    "fn f(s: state) { fork s as f for x in [\"a\", \"b\"] { f += x, gen() join "
    "} }",
    "fn f(s: state) -> str { let fs = fork(s, 2) fs[0] += gen() as a fs[1] += "
    "gen() as b join fs return fs[0].a + fs[1].b }",
    "fn f(s: state) -> str { let fs = fork s as f for i in 0..2 { f += gen() "
    "as "
    "a join f } return fs[0].a }",
    "fn f(s: state) -> [str] { var out: [str] = [] let fs = fork(s, 3) for f "
    "in "
    "fs { f += gen() as a out += [f.a] } return out }",
    "fn f(s: state) -> state { let t = fork(s) t += \"a\" return t }",
    "fn g(s: state) -> str { s += gen() as x return x }\nfn f(s: state) -> str "
    "{ return g(s) + g(fork(s)) + g(state()) }",
    "fn f(s: state) -> [int] { return fork s as f for i in 0..9 { if i > 3 { "
    "join 0 } for k in 0..i { if k == 2 { join k } } retry 2 { join i } else { "
    "join 1 } } }",
    "fn f(s: state) -> [int?] { return fork s as f for i in 0..9 { if i > 3 { "
    "join null } join i } }",
    "fn f(s: state) -> [state] { var fs: [state] = [] fs += [fork(s)] return "
    "fs }",
    // Control flow.
    "enum G { A, B, C }\nfn f(g: G) -> int { match g { G.A => return 1 G.B | "
    "G.C => return 2 } }",
    "fn f(x: \"a\" | \"b\") -> int { match x { \"a\" => return 1 \"b\" => "
    "return "
    "2 } }",
    "record A { n: int }\nrecord B { t: str }\nfn f(x: A | B | int) -> str { "
    "match x { A(n) => return \"${n}\" B => return x.t int(k) => return "
    "\"${k}\" } }",
    "fn f(x: int) -> str { match x { 0 => return \"none\" n => return \"${n}\" "
    "} }",
    "fn f() -> int { while true { return 1 } }",
    "fn f(n: int) -> int { if n <= 1 { return 1 } return n * f(n - 1) }",
    "fn f(a: int, b: int = 2, c: str? ) -> int { return a + b }\nfn g() -> int "
    "{ return f(1) + f(1, c: \"x\") + f(b: 1, a: 2) }",
    "fn f() { var m = {\"a\": 1} m[\"b\"] = 2 m[\"a\"] += 1 var xs = [1] xs[0] "
    "= 2 xs += [3] }",
    "record R { a: int, xs: [int] }\nfn f() -> R { var r = R(a: 1, xs: [1]) "
    "r.a = 2 r.xs[0] += 3 return r }",
    "fn f(xs: [str]) -> [str] { return reverse(sort(unique(xs))) }",
    "record R { a: int }\nfn f(xs: [R]) -> [R] { return sort_by(xs, \"a\") }",
    "fn f(a: [int], b: [str]) -> str { let z = zip(a, b) return "
    "\"${z[0].first + 1}${z[0].second}\" }",
    "fn f(xs: [int]) -> float { return mean(xs) + sum(xs) + max(xs) }",
    "fn f(s: state) -> str { var r: str? = null while r == null { s += gen() "
    "as x r = x } return r }",
    // Tests are read by `sglc test` alone.
    "test \"a\" { mock(x: \"y\") assert nothing(state()) == 1 }",
};
INSTANTIATE_TEST_SUITE_P(All, ValidProgram, testing::ValuesIn(programs));

//===-- Annotations -------------------------------------------------------===//

TEST(Annotations, ArgumentsFindTheirParameters) {
  auto checked = checkText("fn g(a: int, b: int = 2, c: str?) { }\n"
                           "fn f() { g(c: \"x\", a: 1) }");
  ASSERT_EQ(codes(*checked), "");
  const auto &main = *checked->program.program.modules[0];
  const ast::Expr &call = *main.functions[1]->body.statements[0]->value;
  EXPECT_EQ(call.callee, ast::CalleeKind::Function);
  EXPECT_EQ(call.function, main.functions[0].get());
  EXPECT_EQ(call.argOrder, (std::vector<int>{1, -1, 0}));
}

TEST(Annotations, ConstantsAreFolded) {
  auto checked = checkText(
      "enum G { A, B = \"b\" }\nrecord R { g: G = G.B, n: float }\n"
      "let X = [R(n: 1), R(g: G.A, n: 2 * 1.5)]\n"
      "let T = \"${X} ${len(X)} ${1..4} ${if 1 in [1] { \"y\" } else { \"n\" "
      "}}\"");
  ASSERT_EQ(codes(*checked), "") << messages(*checked);
  const auto &text = checked->program.program.modules[0]->constants[1];
  ASSERT_TRUE(text->binding->constant);
  EXPECT_EQ(print(*text->binding->constant),
            "[{\"g\": \"b\", \"n\": 1.0}, {\"g\": \"A\", \"n\": 3.0}] 2 "
            "[1, 2, 3] y");
}

TEST(Annotations, SignsBelongToNumbers) {
  auto checked = checkText("let A = [-1, - 2.5, -9223372036854775808, -(-3)]");
  ASSERT_EQ(codes(*checked), "") << messages(*checked);
  const auto &list = checked->program.program.modules[0]->constants[0];
  EXPECT_EQ(print(*list->binding->constant),
            "[-1.0, -2.5, -9.223372036854776e18, 3.0]");
}

TEST(Annotations, LiteralsTakeTheExpectedType) {
  auto checked = checkText("fn f() { let a: float = 1\n let b: \"x\" | \"y\" = "
                           "\"x\"\n let c: json = [1]\n let d = \"x\" }");
  ASSERT_EQ(codes(*checked), "") << messages(*checked);
  const auto &body =
      checked->program.program.modules[0]->functions[0]->body.statements;
  EXPECT_EQ(toString(body[0]->value->type), "float");
  EXPECT_NE(body[0]->value->constant->asFloat(), nullptr);
  EXPECT_EQ(toString(body[1]->value->type), "\"x\"");
  EXPECT_EQ(toString(body[1]->binding->type), "\"x\" | \"y\"");
  EXPECT_EQ(toString(body[2]->value->type), "json");
  EXPECT_EQ(toString(body[3]->binding->type), "str");
}

TEST(Annotations, FunctionsStandInTheOrderOfFirstUse) {
  auto checked = checkText("import std.judge (opinions)\n"
                           "fn a(s: state) { c() let x = opinions(s, []) b() "
                           "}\nfn b() { }\nfn c() { b() }");
  ASSERT_EQ(codes(*checked), "") << messages(*checked);
  std::string order;
  for (const ast::FnDecl *function : checked->program.functions)
    order += function->name.text + " ";
  EXPECT_EQ(order, "a c b opinions opinion ");
}

TEST(Annotations, CapturesOfASelectHaveTheUnionOfItsChoices) {
  auto checked = checkText("fn f(s: state) { s += select([\"yes\", \"no\"]) as "
                           "x let y = x }");
  ASSERT_EQ(codes(*checked), "") << messages(*checked);
  const auto &body =
      checked->program.program.modules[0]->functions[0]->body.statements;
  const ast::Expr &select = *body[0]->parts[0];
  ASSERT_NE(select.binding, nullptr);
  EXPECT_EQ(body[1]->value->binding, select.binding);
  EXPECT_EQ(toString(select.type), "\"yes\" | \"no\"");
}

//===-- Files -------------------------------------------------------------===//

class ImportFiles : public testing::Test {
protected:
  void SetUp() override {
    folder = fs::path(testing::TempDir()) / "sgl-check-imports";
    fs::remove_all(folder);
    fs::create_directories(folder / "lib");
  }
  void TearDown() override { fs::remove_all(folder); }

  void write(const std::string &name, const std::string &text) {
    std::ofstream(folder / name) << text;
  }

  std::string run(const std::string &name, ImportOptions options = {}) {
    Checked checked;
    auto file = checked.sources.read((folder / name).string());
    if (!file)
      return file.error().message;
    checked.program =
        check(checked.sources, *file, options, checked.diagnostics);
    return codes(checked);
  }

  fs::path folder;
};

TEST_F(ImportFiles, AreRelativeToTheImportingFile) {
  write("lib/a.sgl", "import \"b.sgl\"\nfn a() -> int { return b.LIMIT + "
                     "b.twice(2) }");
  write("lib/b.sgl", "let LIMIT = 3\nfn twice(n: int) -> int { return 2 * n }");
  write("main.sgl", "import \"lib/a.sgl\" (a)\nimport \"lib/b.sgl\" as other\n"
                    "fn main() -> int { return a() + other.LIMIT }");
  EXPECT_EQ(run("main.sgl"), "");
}

TEST_F(ImportFiles, AreFoundInFoldersOfTheCommandLine) {
  write("lib/a.sgl", "enum G { A, B }");
  write("main.sgl", "import \"a.sgl\"\nfn main() -> a.G { return a.G.B }");
  EXPECT_EQ(run("main.sgl"), "E0201@1:8");
  EXPECT_EQ(run("main.sgl", {{(folder / "lib").string()}}), "");
}

TEST_F(ImportFiles, CyclesAreErrors) {
  write("a.sgl", "import \"b.sgl\"\n");
  write("b.sgl", "import \"c.sgl\"\n");
  write("c.sgl", "import \"a.sgl\"\n");
  write("self.sgl", "import \"self.sgl\"\n");
  EXPECT_EQ(run("a.sgl"), "E0206@1:8");
  EXPECT_EQ(run("self.sgl"), "E0206@1:8");
}

TEST_F(ImportFiles, PrivateAndForeignNamesStayHidden) {
  write("b.sgl", "import \"c.sgl\" (far)\nlet _secret = 1\nlet open = 2");
  write("c.sgl", "let far = 3");
  write("main.sgl", "import \"b.sgl\"\nimport \"b.sgl\" (_secret, far)\n"
                    "fn main() -> int { return b._secret }");
  EXPECT_EQ(run("main.sgl"), "E0201@2:17 E0201@2:26 E0201@3:29");
}

TEST(Examples, AreCheckedWithoutAMessage) {
  size_t count = 0;
  for (const auto &entry :
       fs::directory_iterator(fs::path(SGL_SOURCE_DIR) / "examples")) {
    if (entry.path().extension() != ".sgl")
      continue;
    Checked checked;
    auto file = checked.sources.read(entry.path().string());
    ASSERT_TRUE(file) << file.error().message;
    checked.program = check(checked.sources, *file, {}, checked.diagnostics);
    EXPECT_EQ(codes(checked), "") << entry.path() << "\n" << messages(checked);
    ++count;
  }
  EXPECT_GE(count, 5u);
}

//===-- Limits ------------------------------------------------------------===//

TEST(Limits, ConstantsDoNotExplode) {
  std::string source = "let A0 = \"0123456789abcdef\"\n";
  for (int i = 1; i < 60; ++i)
    source += "let A" + std::to_string(i) + " = A" + std::to_string(i - 1) +
              " + A" + std::to_string(i - 1) + "\n";
  auto checked = checkText(source);
  ASSERT_EQ(checked->diagnostics.all().size(), 1u) << messages(*checked);
  EXPECT_EQ(checked->diagnostics.all()[0].code, "E0208");
}

TEST(Limits, ManyErrorsAreCut) {
  std::string source = "fn f() {\n";
  for (int i = 0; i < 5000; ++i)
    source += "let v" + std::to_string(i) + " = missing\n";
  auto checked = checkText(source + "}");
  EXPECT_EQ(checked->diagnostics.all().size(), 1000u);
}

} // namespace
} // namespace sgl
