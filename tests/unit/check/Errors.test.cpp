// Each code of the checker with the places where it is reported. The first
// lines of a source are spelt out, so that columns can be counted by eye.
#include "tests/unit/check/Harness.h"

#include <gtest/gtest.h>

namespace sgl {
namespace {

struct Case {
  const char *source;
  const char *expected; ///< "CODE@line:column …"
};

class CheckErrors : public testing::TestWithParam<Case> {};

TEST_P(CheckErrors, AreReportedOnceAtTheirPlace) {
  auto checked = checkText(GetParam().source);
  EXPECT_EQ(codes(*checked), GetParam().expected) << GetParam().source << "\n"
                                                  << messages(*checked);
}

const Case names[] = {
    // E0201: unknown names.
    {"fn f(question: str) -> str { return qestion }", "E0201@1:37"},
    {"fn f() -> int { return lenn(\"a\") }", "E0201@1:24"},
    {"fn f(x: strr) { }", "E0201@1:9"},
    {"enum G { A, B }\nfn f() -> G { return G.C }", "E0201@2:24"},
    {"record R { a: int }\nfn f(r: R) -> int { return r.b }", "E0201@2:30"},
    {"import std.nowhere (x)\nfn f() -> int { return x() }", "E0201@1:8"},
    {"import std.text (fence)\nfn f() -> str { return fence(\"a\") }",
     "E0201@1:18"},
    {"import std.text\nfn f() -> str { return text.fence(\"a\") }",
     "E0201@2:29"},
    {"import \"none.sgl\"\n", "E0201@1:8"},
    {"fn f(s: state) { usr(s) { s += \"a\" } }", "E0201@1:18"},
    {"fn f() -> str? { return last_error() }", "E0201@1:25"},
    // One cause, one message.
    {"fn f() -> int { let x = y + 1 return x + x * 2 }", "E0201@1:25"},
    {"fn f() -> int { return a + b }", "E0201@1:24 E0201@1:28"},
    // E0202: read before generated.
    {"fn f(s: state) -> str {\n  s += \"${x}\"\n  s += gen() as x\n  return "
     "x\n}",
     "E0202@2:11"},
    {"fn f(s: state) -> str {\n  let y = s.x\n  s += gen() as x\n  return y\n}",
     "E0202@2:13"},
    // E0203: on some paths only.
    {"fn f(s: state, c: bool) -> str {\n  if c { s += gen() as x }\n  return "
     "s.x\n}",
     "E0203@3:12"},
    {"fn f(s: state, xs: [str]) -> str {\n  for y in xs { s += gen() as x }\n"
     "  return s.x\n}",
     "E0203@3:12"},
    {"fn f(s: state, c: bool) -> str {\n  if c { s += gen() as x }\n"
     "  return x\n}",
     "E0203@3:10"},
    {"fn f(s: state, c: bool) -> str {\n"
     "  if c { s += gen() as x } else { s += gen() as x: int }\n"
     "  return s.x\n}",
     "E0203@3:12"},
    // E0204: belongs to the branches.
    {"fn f(s: state) -> str {\n  let n = fork s as f { f += gen() as x join x "
     "}\n  return x\n}",
     "E0204@3:10"},
    {"fn f(s: state) -> str {\n  let n = fork s as f { f += gen() as x join x "
     "}\n  return s.x\n}",
     "E0204@3:12"},
    // E0205: generated twice.
    {"fn f(s: state) {\n  s += gen() as x\n  s += gen() as x\n}", "E0205@3:17"},
    {"fn f(s: state) {\n  s += gen() as x, \"a\", select([\"a\", \"b\"]) as "
     "x\n}",
     "E0205@2:47"},
    // E0207: name taken.
    {"fn f() { }\nfn f() { }", "E0207@2:4"},
    {"fn user() { }", "E0207@1:4"},
    {"fn f(a: int, a: int) { }", "E0207@1:14"},
    {"fn f(a: int) { let a = 1 }", "E0207@1:20"},
    {"fn f(s: state) { s += gen() as text }", "E0207@1:32"},
    {"record R { a: int, a: str }", "E0207@1:20"},
    {"enum E { A, A }", "E0207@1:13"},
    {"import std.text (fenced)\nfn fenced() { }", "E0207@1:18"},
    // E0208: not constant.
    {"let A = B\nlet B = A", "E0208@1:5"},
    {"fn g() -> int { return 1 }\nlet A = g()", "E0208@2:9"},
    {"fn f(a: int, b: int = a) { }", "E0201@1:23"},
    {"let A = [1, 2][5]", "E0208@1:9"},
    {"let A = gen() as x", "E0509@1:9"},
    {"let A = fork A as f { join 1 }", "E0208@1:9"},
    {"let A = 1 + Bcd\nlet Bde = gen()", "E0201@1:13 E0509@2:11"},
    {"fn f(s: state, x: str) { s += special(x) }", "E0208@1:39"},
    {"fn f(s: state, x: str) { s += role(x, \"a\") }", "E0208@1:36"},
    // E0209: not assignable.
    {"fn f(a: int) { a = 2 }", "E0209@1:16"},
    {"fn f() { let a = 1 a = 2 }", "E0209@1:20"},
    {"fn f() { let a = 1 a += 2 }", "E0209@1:20"},
    {"fn f() { for i in 0..3 { i = 2 } }", "E0209@1:26"},
    {"record R { a: int }\nfn f() { let r = R(a: 1) r.a = 2 }", "E0209@2:26"},
};
INSTANTIATE_TEST_SUITE_P(Names, CheckErrors, testing::ValuesIn(names));

const Case typeErrors[] = {
    // E0301: type mismatch.
    {"fn f() -> int { return \"a\" }", "E0301@1:24"},
    {"fn f(s: state) -> int {\n  s += gen() as age\n  return age\n}",
     "E0301@3:10"},
    {"fn f() { let x: int in 0..=9 = 10 }", "E0301@1:32"},
    {"fn f() { let x: \"a\" | \"b\" = \"c\" }", "E0301@1:29"},
    {"fn f() { let x = [] }", "E0301@1:18"},
    {"fn f() -> str { return \"a\" + 1 }", "E0301@1:24"},
    {"fn f() { if 1 { } }", "E0301@1:13"},
    {"fn f() { let x = 9223372036854775808 }", "E0301@1:18"},
    {"fn f() -> int { return len(1) }", "E0301@1:28"},
    {"fn f(xs: [bool]) -> [bool] { return sort(xs) }", "E0301@1:42"},
    {"fn f(s: state) { s += \"${s}\" }", "E0301@1:26"},
    {"fn f(a: int, b: str) -> bool { return a == b }", "E0301@1:39"},
    {"fn f(a: state, b: state) -> bool { return a == b }", "E0301@1:43"},
    {"record R { s: state }", "E0301@1:15"},
    {"fn f(s: state?) { }", "E0301@1:9"},
    {"fn f() -> int { return f }", "E0301@1:24"},
    {"fn f() { } fn g() { let x = f() }", "E0301@1:29"},
    {"fn f() { return 1 }", "E0301@1:17"},
    {"fn f() -> int { return }", "E0301@1:17"},
    {"fn f(s: state) { s += gen() as x: int | float }", "E0403@1:35"},
    {"fn f(s: state) { s += select([1, 2]) as x }", "E0301@1:30"},
    {"fn f(x: int) { for i in x { } }", "E0301@1:25"},
    {"fn f(s: state) -> [str] {\n"
     "  return fork s as f for i in 0..2 { if i == 0 { join \"a\" } join 1 "
     "}\n}",
     "E0301@2:66"},
    // E0302: unknown options.
    {"fn f(s: state) { s += gen(max_token: 5) as x }", "E0302@1:27"},
    {"fn f(s: state) { s += select([\"a\"], max_tokens: 5) as x }",
     "E0302@1:37"},
    {"fn f(s: state) { s += gen(n: 5) as x }", "E0302@1:27"},
    {"fn f(s: state) { s += gen(5) as x }", "E0302@1:27"},
    {"defaults(temprature: 0)", "E0302@1:10"},
    {"fn f(s: state) { s += gen(seed: 1, seed: 2) as x }", "E0302@1:36"},
    // E0303: out of range.
    {"fn f(s: state) { s += gen(temperature: 2.5) as x }", "E0303@1:40"},
    {"fn f(s: state) { s += gen(max_tokens: 0) as x }", "E0303@1:39"},
    {"fn f(s: state) { s += gen(heal: maybe) as x }", "E0303@1:33"},
    {"fn f(s: state) { s += gen(temperature: \"hot\") as x }", "E0303@1:40"},
    {"fn f(s: state) { s += gen(top_p: 0) as x }", "E0303@1:34"},
    {"fn f() { retry 0 { } }", "E0303@1:16"},
    {"fn f(s: state) { let fs = fork(s, -1) }", "E0303@1:35"},
    // E0304: two constraints.
    {"fn f(s: state) { s += gen(regex: r\"\\d\") as x: int }", "E0304@1:27"},
    {"fn f(s: state) { s += gen(regex: r\"a\") as x: \"a\" | \"b\" }",
     "E0304@1:27"},
    // E0305: never true.
    {"fn f(s: state) -> bool {\n  s += select([\"yes\", \"no\"]) as x\n"
     "  return x == \"No\"\n}",
     "E0305@3:10"},
    {"fn f(x: str) -> bool { return x == null }", "E0305@1:31"},
    {"fn f(x: int in 0..=9) -> bool { return 10 != x }", "E0305@1:40"},
    {"fn f(x: \"a\" | \"b\") {\n  if x == \"a\" { return }\n"
     "  if x == \"a\" { }\n}",
     "E0305@3:6"},
    // E0306: match not exhaustive.
    {"enum G { A, B }\nfn f(g: G) { match g { G.A => { } } }", "E0306@2:20"},
    {"fn f(x: \"a\" | \"b\") { match x { \"a\" => { } } }", "E0306@1:28"},
    {"fn f(x: int) { match x { 1 => { } } }", "E0306@1:22"},
    {"fn f(x: str?) { match x { null => { } } }", "E0306@1:23"},
    {"fn f(x: bool) { match x { true => { } } }", "E0306@1:23"},
    // E0307: a path ends without return.
    {"fn f(c: bool) -> int { if c { return 1 } }", "E0307@1:42"},
    {"fn f() -> int { }", "E0307@1:17"},
    {"fn f() -> int { while true { break } }", "E0307@1:38"},
    {"fn f() -> int { retry 2 { expect false, \"x\" } else { return 1 } }",
     "E0307@1:65"},
    // E0308: may be null.
    {"fn f(x: str?) -> str { return x }", "E0308@1:31"},
    {"fn f(x: str?) -> str { return \"${x}\" }", "E0308@1:34"},
    {"fn f(x: int?) -> int { return x + 1 }", "E0308@1:31"},
    {"fn f(x: str?) -> int { return len(x) }", "E0308@1:35"},
    {"record R { a: str? }\nfn f(r: R) -> str { return r.a }", "E0308@2:28"},
    {"fn f(m: {str: str}) -> str { return get(m, \"k\") }", "E0308@1:37"},
};
INSTANTIATE_TEST_SUITE_P(Types, CheckErrors, testing::ValuesIn(typeErrors));

const Case constraints[] = {
    // E0401: the caret stands inside of the literal.
    {"fn f(s: state) { s += gen(regex: r\"ab(c\") as x }", "E0401@1:38"},
    {"type T = str matching r\"a**\"", "E0401@1:27"},
    {"fn f(s: state) { s += gen(regex: \"\\\\d[\") as x }", "E0401@1:38"},
    // E0402: not regular.
    {"fn f(s: state) { s += gen(regex: r\"a(?=b)\") as x }", "E0402@1:37"},
    {"type T = str matching r\"(a)\\1\"", "E0402@1:28"},
    // E0404, W0405, W0406: choices.
    {"fn f(s: state) { s += select([\"a\", \"b\", \"a\"]) as x }",
     "E0404@1:41"},
    {"enum E { A = \"x\", B = \"x\" }", "E0404@1:19"},
    {"fn f(s: state) { s += select([\"yes\", \"yes, but\"]) as x }",
     "W0405@1:31"},
    {"fn f(s: state) { s += select([\" a\", \"b\"]) as x }", "W0406@1:30"},
    // E0407: nothing satisfies it.
    {"type T = int in 9..=0", "E0407@1:17"},
    {"type T = [int; 3..=1]", "E0407@1:16"},
    {"type T = str in 5..5", "E0407@1:17"},
    {"fn f(s: state) { s += select([]) as x }", "E0301@1:30"},
    {"let C: [str] = []\nfn f(s: state) { s += select(C) as x }", "E0407@2:30"},
    {"record R { r: R }", "E0407@1:8"},
    {"record A { b: B }\nrecord B { a: A }", "E0407@1:8"},
    {"type T = T", "E0407@1:6"},
    {"enum E { }", "E0407@1:6"},
};
INSTANTIATE_TEST_SUITE_P(Constraints, CheckErrors,
                         testing::ValuesIn(constraints));

const Case states[] = {
    // E0501: join without fork.
    {"fn f() { join 1 }", "E0501@1:10"},
    {"fn f(s: state) { join s }", "E0501@1:18"},
    {"fn f() { join }", "E0501@1:10"},
    // E0502: branches write to what they share.
    {"fn f(s: state) { fork s as f { s += \"a\" join } }", "E0502@1:32"},
    {"fn f(s: state) { var n = 0 fork s as f { n = 1 join } }", "E0502@1:42"},
    {"fn g(s: state) { s += \"a\" }\n"
     "fn f(s: state) { fork s as f { g(s) join } }",
     "E0502@2:34"},
    {"fn f(s: state) { fork s as f { user(s) { s += \"a\" } join } }",
     "E0502@1:37 E0502@1:42"},
    // E0503: joined already.
    {"fn f(s: state) { let fs = fork(s, 2) join fs fs[0] += \"a\" }",
     "E0503@1:46"},
    {"fn f(s: state) { let fs = fork(s, 2) join fs join fs }", "E0503@1:46"},
    {"fn f(s: state) { let t = fork(s) for i in 0..2 { join t } }",
     "E0503@1:50"},
    {"fn g(s: state) { s += \"a\" }\n"
     "fn f(s: state) { let t = fork(s) join t g(t) }",
     "E0503@2:43"},
    // E0504: turns do not nest.
    {"fn f(s: state) { s += user(assistant(\"a\")) }", "E0504@1:28"},
    {"fn f(s: state) { user(s) { s += assistant(\"a\") } }", "E0504@1:33"},
    {"fn g(s: state) { s += user(\"a\") }\n"
     "fn f(s: state) { user(s) { g(s) } }",
     "E0504@2:30"},
    {"fn g(s: state) { h(s) }\nfn h(s: state) { s += user(\"a\") g(s) }\n"
     "fn f(s: state) { user(s) { g(fork(s)) } }",
     "E0504@3:30"},
    {"fn f(s: state) { user(s) { fork s as f { f += user(\"a\") join } } }",
     "E0504@1:47"},
    // W0505: gen speaks for the user.
    {"fn f(s: state) { s += user(gen() as x) }", "W0505@1:28"},
    {"fn f(s: state) { user(s) { s += gen() as x } }", "W0505@1:33"},
    // E0506: a state with two names.
    {"fn f(s: state) { let t = s }", "E0506@1:26"},
    {"fn f(s: state) { let t = [s] }", "E0506@1:27"},
    {"fn f(s: state) { let fs = fork(s, 2) let t = fs[0] }", "E0506@1:46"},
    {"fn f(s: state) -> state { return s }", "E0506@1:34"},
    {"fn g(a: state, b: state) { }\nfn f(s: state) { g(s, s) }", "E0506@2:23"},
    {"fn g(a: state, b: state) { }\n"
     "fn f(s: state) { let fs = fork(s, 2) g(fs[0], fs[1]) }",
     "E0506@2:47"},
    // W0507, W0508.
    {"fn f(s: state) { let t = fork(s) t += \"a\" }", "W0507@1:34"},
    {"fn f(s: state) { s += \"a \", gen(heal: off) as x }", "W0508@1:23"},
    {"fn f(s: state) { s += assistant(\"a \", gen(heal: off) as x) }",
     "W0508@1:33"},
    // E0509: parts outside of +=.
    {"fn f(s: state) { let x = gen() as y }", "E0509@1:26"},
    {"fn f(s: state) { let x = \"a ${gen() as y}\" }", "E0509@1:31"},
    {"fn f(s: state) { user(\"a\") }", "E0509@1:18"},
    {"fn f(s: state) { let x = \"a\" + gen() }", "E0509@1:26"},
    {"fn f() { let x = special(\"a\") }", "E0509@1:18"},
    // E0510: extended inside its own +=.
    {"fn g(s: state) -> str { s += \"a\" return \"b\" }\n"
     "fn f(s: state) { s += \"x ${g(s)}\" }",
     "E0510@2:30"},
    {"fn g(s: state) -> str { s += \"a\" return \"b\" }\n"
     "fn f(s: state) { s += user(g(s)) }",
     "E0510@2:30"},
    // E0511: a branch without join.
    {"fn f(s: state) { fork s as f { f += \"a\" } }", "E0511@1:28"},
    {"fn f(s: state, c: bool) {\n  let x = fork s as f { if c { join 1 } }\n}",
     "E0511@2:21"},
    // E0512: jumps.
    {"fn f(s: state) { fork s as f { return } }", "E0512@1:32"},
    {"fn f() { break }", "E0512@1:10"},
    {"fn f(s: state) { for i in 0..2 { fork s as f { continue } } }",
     "E0512@1:48"},
};
INSTANTIATE_TEST_SUITE_P(States, CheckErrors, testing::ValuesIn(states));

const Case rest[] = {
    // W0107: plain text that looks like a value.
    {"fn f(s: state, topic: str) { s += \"on {topic}\" }", "W0107@1:36"},
    {"fn f(s: state, topic: str) { s += \"on {other} {{topic}}\" }", ""},
    // W0601, W0602.
    {"fn f() -> int { return 1 let x = 2 }", "W0601@1:26"},
    {"fn f(x: bool) { match x { true => { } false => { } _ => { } } }",
     "W0601@1:52"},
    {"fn f() { while true { } }", "W0602@1:16"},
    // E0604: wrong arguments.
    {"fn g(a: int) { }\nfn f() { g(1, 2) }", "E0604@2:15"},
    {"fn g(a: int) { }\nfn f() { g() }", "E0604@2:10"},
    {"fn g(a: int) { }\nfn f() { g(b: 1) }", "E0604@2:12"},
    {"fn g(a: int) { }\nfn f() { g(1, a: 1) }", "E0604@2:15"},
    {"fn g(a: int, b: int) { }\nfn f() { g(a: 1, 2) }", "E0604@2:18"},
    {"record R { a: int, b: int }\nfn f() { let r = R(a: 1) }", "E0604@2:18"},
    {"fn f() -> int { return len() }", "E0604@1:24"},
    // E0605: what a command line cannot carry.
    {"fn main(s: [state]) { }", "E0605@1:12"},
    {"fn main(s: state) -> state { let t = fork(s) return t }", "E0605@1:22"},
    // E0106: assert outside of tests.
    {"fn f() { assert true }", "E0106@1:10"},
    // E0901: parsed, but not carried yet; one message each.
    {"fn f(p: image) { }", "E0901@1:9"},
    {"tool wiki(title: str) -> str", "E0901@1:6"},
    {"import std.io (ask)\nfn f() { let x = ask(\">\") }", "E0901@1:8"},
    {"fn f(s: state) { s += gen(stream: true) as x }", "E0901@1:27"},
    {"enum E { A }\nfn f() { let x = E() }", "E0604@2:18"},
    {"fn f(s: state) { let fs = fork(s, 2) join fs into s }", "E0901@1:38"},
    {"fn f() -> str { return read_file(\"a\") }", "E0901@1:24"},
};
INSTANTIATE_TEST_SUITE_P(Rest, CheckErrors, testing::ValuesIn(rest));

} // namespace
} // namespace sgl
