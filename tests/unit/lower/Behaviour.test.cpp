// What lowered programs do, with a scripted model: the same at every level.
//
// Each row's result was worked out by hand from the language reference.
#include "tests/unit/lower/Compiled.h"

#include "runtime/exec/Executor.h"
#include "runtime/exec/ScriptedModel.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <set>

namespace sgl {
namespace {

struct Row {
  const char *name, *body;
  int64_t n;
  const char *replies, *result; ///< an error begins with "error: "
};

const char *prelude = R"(
record Pair { a: int, b: str }
enum Grade { A, B }
fn more(s: state) -> bool { s += "?"  s += gen() as m  return m == "yes" }
fn twice(s: state, t: str) { s += t  s += t }
fn fact(n: int) -> int { if n <= 1 { return 1 } return n * fact(n - 1) }
fn maybe(n: int) -> str? { if n > 1 { return "many" } return null }
)";

const Row rows[] = {
    {"straight", R"(s += "a", gen() as x, "b"  return s.text + x)", 0,
     R"({"x": "1"})", "a1b1"},
    {"return in then", R"(if n > 1 { return "a" } s += "x" return s.text)", 2,
     "{}", "a"},
    {"return not taken", R"(if n > 1 { return "a" } s += "x" return s.text)", 1,
     "{}", "x"},
    {"return in else",
     R"(if n > 1 { s += "x" } else { return "a" } return s.text)", 2, "{}",
     "x"},
    {"rest behind two ifs",
     R"(if n == 1 { return "a" } s += "x" if n == 2 { return s.text + "b" } s += "y" return s.text)",
     2, "{}", "xb"},
    {"deep return",
     R"(if n > 1 { if n > 2 { return "a" } s += "x" } return s.text + "b")", 2,
     "{}", "xb"},
    {"return in a loop",
     R"(for i in 0..n { if i == 2 { return s.text } s += "${i}" } return "b")",
     5, "{}", "01"},
    {"loop runs out",
     R"(for i in 0..n { if i == 2 { return "a" } s += "${i}" } return s.text)",
     2, "{}", "01"},
    {"break",
     R"(for i in 0..n { if i == 2 { break } s += "${i}" } return s.text)", 5,
     "{}", "01"},
    {"continue",
     R"(for i in 0..n { if i == 2 { continue } s += "${i}" } return s.text)", 5,
     "{}", "0134"},
    {"break behind a continue",
     R"(for i in 0..n { if i == 1 { continue } if i == 3 { break } s += "${i}" } return s.text + "!")",
     5, "{}", "02!"},
    {"nested loops",
     R"(for i in 0..n { for j in 0..n { if j > i { break } s += "${i}${j} " } if i == 1 { break } } return s.text)",
     3, "{}", "00 10 11 "},
    {"return from an inner loop",
     R"(for i in 0..n { for j in 0..n { if i + j == 3 { return "${i}${j}" } } s += "x" } return s.text)",
     3, "{}", "12"},
    {"while",
     R"(var i = 0 while i < n { i += 1 if i == 2 { continue } if i == 4 { break } s += "${i}" } return s.text + "/" + text(i))",
     9, "{}", "13/4"},
    {"while over a call", R"(while more(s) { s += "x" } return s.text)", 0,
     R"({"m": ["yes", "yes", "no"]})", "?yesx?yesx?no"},
    {"while over a call, break",
     R"(var k = 0 while more(s) { k += 1 if k == 2 { break } s += "x" } return s.text)",
     0, R"({"m": ["yes", "yes", "no"]})", "?yesx?yes"},
    {"while never runs", R"(while n > 0 { s += "x" } return s.text + "e")", 0,
     "{}", "e"},
    {"retry succeeds later",
     R"(retry 3 { s += gen() as x expect x == "b", "not b" s += "!" } return s.text)",
     0, R"({"x": ["a", "b"]})", "b!"},
    {"retry gives up to else",
     R"(var k = 0 retry 2 { k += 1 s += gen() as x expect x == "b", "not b" } else { s += "else" } return s.text + text(k))",
     0, R"({"x": ["a", "c"]})", "else0"},
    {"retry returns",
     R"(retry 2 { s += gen() as x expect x == "b" return s.text } else { return "no" })",
     0, R"({"x": ["a", "b"]})", "b"},
    {"the last error",
     R"(retry 2 { s += gen() as x expect x == "b", "no ${x}" return x } else { return or_else(last_error(), "?") })",
     0, R"({"x": ["a", "c"]})", "expect failed: no c"},
    {"without else the error is raised",
     R"(retry 2 { s += gen() as x expect x == "b", "no ${x}" } return "?")", 0,
     R"({"x": ["a", "c"]})", "error: expect failed: no c"},
    {"break out of a retry",
     R"(for i in 0..n { retry 2 { if i == 1 { break } s += "${i}" } } return s.text)",
     3, "{}", "0"},
    {"expect raises", R"(expect n > 1, "too few" return "ok")", 1, "{}",
     "error: expect failed: too few"},
    {"without words the condition is the reason",
     R"(expect n > 1 and true return "ok")", 1, "{}",
     "error: expect failed: n > 1 and true"},
    {"match on a number",
     R"(match n { 1 => { return "one" } 2 | 3 => { s += "some" } _ => { return "many" } } return s.text)",
     3, "{}", "some"},
    {"match on an optional",
     R"(match maybe(n) { null => { return "none" } t => { return t + "!" } })",
     2, "{}", "many!"},
    {"match on an enum",
     R"(s += gen() as g: Grade match g { Grade.A => { return "good" } Grade.B => { return "bad" } })",
     0, R"({"g": "B"})", "bad"},
    {"join values",
     R"(let xs = fork s as f for i in 0..n { if i == 1 { join "one" } f += "${i}" join f.text } return "${xs}" + s.text)",
     3, "{}", R"(["0", "one", "2"])"},
    {"join from a loop",
     R"(let xs = fork s as f for i in 0..n { for j in 0..n { if j == i { join f.text } f += "${j}" } join "no" } return lines(xs))",
     3, "{}", "\n0\n01"},
    {"join from a retry",
     R"(let xs = fork s as f for i in 0..n { retry 2 { f += gen() as x expect x == "b" join "ok" } else { join "no" } } return "${xs}")",
     2, R"({"x": ["a", "b", "a", "a"]})", R"(["ok", "no"])"},
    {"an aside leaves no trace",
     R"(s += "a" let x = fork s as f { if n > 1 { join "many" } f += "b" join f.text } return x + s.text)",
     1, "{}", "aba"},
    {"an aside joins early",
     R"(let x = fork s as f { if n > 1 { join "many" } f += "b" join f.text } s += "c" return x + s.text)",
     2, "{}", "manyc"},
    {"states of a list",
     R"(let fs = fork(s, 3) for f in fs { f += "a" } fs[1] += "b" return fs[0].text + fs[1].text + fs[2].text + s.text)",
     0, "{}", "aaba"},
    {"counted copies",
     R"(s += "x" let fs = fork(s, n) for f in fs { f += "y" } return text(len(fs)) + fs[1].text)",
     2, "{}", "2xy"},
    {"by reference",
     R"(twice(s, "ab") let t = fork(s) twice(t, "c") return s.text + "/" + t.text)",
     0, "{}", "abab/ababcc"},
    {"captures behind branches",
     R"(if n > 1 { s += gen() as x } else { s += "-", gen() as x } return s.x)",
     2, R"({"x": "v"})", "v"},
    {"captures behind a loop",
     R"(for i in [1, 2] { s += gen() as x } return s.x)", 0,
     R"({"x": ["a", "b"]})", "b"},
    {"captures of a fork", R"(s += gen() as x let t = fork(s) return t.x)", 0,
     R"({"x": "a"})", "a"},
    {"role block left early",
     R"(for i in 0..2 { user(s) { s += "${i}" if i == 0 { continue } s += "!" } } let m = s.messages return m[0].role + m[0].content + m[1].content + text(len(m)))",
     0, "{}", "user01!2"},
    {"short circuit",
     R"(let xs = ["a"] if n > 0 and xs[n] == "a" { return "t" } return "f")", 0,
     "{}", "f"},
    {"long circuit",
     R"(let xs = ["a"] if n > 0 and xs[n] == "a" { return "t" } return "f")", 1,
     "{}", "error: "},
    {"conditional value",
     R"(let t = if n > 0 { text(div(10, n)) } else { "none" } return t)", 0,
     "{}", "none"},
    {"recursion", R"(return text(fact(n)))", 5, "{}", "120"},
    {"assigning parts",
     R"(var p = Pair(a: 1, b: "x") var xs = [1, 2, 3] var m = {"k": 1} p.a = n xs[1] = 9 m["j"] = 2 xs += [4] return "${p} ${xs} ${m}")",
     7, "{}", R"({"a": 7, "b": "x"} [1, 9, 3, 4] {"k": 1, "j": 2})"},
    {"numbers",
     R"(var f: float = 1 f += 0.5 let k = 7 % 3 return "${f} ${k} ${div(-7, 2)} ${1 / 2}")",
     0, "{}", "1.5 1 -4 0.5"},
    {"ranges and maps",
     R"(var t = "" for k in {"a": 1, "b": 2} { t += k } for i in 1..=3 { t += "${i}" } return t)",
     0, "{}", "ab123"},
    {"optional parts",
     R"(let t = maybe(n) if t != null { return t } return "-")", 1, "{}", "-"},
    {"json", R"(let j: json = {"a": [1, {"b": "x"}]} return "${j.a[1].b}")", 0,
     "{}", "x"},
};

/// What `main` gives: its text, or "error: " and the message without place.
std::string outcome(const Compiled &compiled, const Row &row) {
  auto model = ScriptedModel::parse(row.replies);
  if (!model)
    return "bad replies: " + model.error().message;
  Executor executor(compiled.plan, **model, {});
  Status admitted = executor.admit();
  if (!admitted)
    return "refused: " + admitted.error().message;
  Value state = Value::state(rootPrompt());
  Result<std::optional<Value>> result =
      executor.run(*compiled.plan.find("main"), {state, Value::integer(row.n)});
  if (result)
    return *result && (*result)->asText() ? *(*result)->asText() : "no text";
  const std::string &message = result.error().message;
  size_t place = message.find(": ");
  return "error: " + message.substr(place == std::string::npos ? 0 : place + 2);
}

TEST(Behaviour, IsTheSameAtEveryLevel) {
  for (const Row &row : rows) {
    for (int level : {0, 1, 2}) {
      SCOPED_TRACE(std::string(row.name) + " at -O" + std::to_string(level));
      auto compiled = compileText(std::string(prelude) +
                                      "fn main(s: state, n: int) -> str {\n" +
                                      row.body + "\n}\n",
                                  level);
      if (!compiled->plan.find("main"))
        continue;
      std::string found = outcome(*compiled, row);
      std::string expected = row.result;
      if (expected == "error: ")
        EXPECT_EQ(found.substr(0, 7), expected);
      else
        EXPECT_EQ(found, expected) << compiled->ir;
    }
  }
}

/// Behind the bound of nested rests flags guard one statement after the other.
TEST(Behaviour, OfLongFunctions) {
  std::string body, arms;
  for (int i = 0; i < 60; ++i) {
    std::string k = std::to_string(i);
    body += "  if n == " + k + " { return s.text + \"!\" }\n  let v" + k +
            " = \"" + k + ",\"\n  s += v" + k + "\n";
    arms += "    " + k + " => { return \"arm " + k + "\" }\n";
  }
  body += "  return v0 + v59\n";
  arms = "  match n {\n" + arms +
         "    _ => { s += \"none\" }\n  }\n"
         "  return s.text\n";
  std::string upTo50;
  for (int i = 0; i < 50; ++i)
    upTo50 += std::to_string(i) + ",";
  struct {
    const std::string &body;
    int64_t n;
    std::string result;
  } cases[] = {{body, 2, "0,1,!"},   {body, 50, upTo50 + "!"},
               {body, 99, "0,59,"},  {arms, 0, "arm 0"},
               {arms, 37, "arm 37"}, {arms, 59, "arm 59"},
               {arms, 60, "none"}};
  for (int level : {0, 2})
    for (const auto &one : cases) {
      auto compiled = compileText(
          "fn main(s: state, n: int) -> str {\n" + one.body + "}\n", level);
      ASSERT_TRUE(compiled->plan.find("main"));
      EXPECT_EQ(outcome(*compiled, {"long", "", one.n, "{}", ""}), one.result)
          << "-O" << level;
    }
}

/// Something for each parameter: what is asked does not matter here.
Value argumentFor(const plan::Plan &plan, const plan::Param &param) {
  const Type *type = plan.types[param.type];
  if (param.defaultValue)
    return *param.defaultValue;
  if (type->is(TypeKind::State))
    return Value::state(rootPrompt());
  if (type->is(TypeKind::List))
    return Value::list({Value::text("one"), Value::text("two")});
  return Value::text("words of " + param.name);
}

/// Replies are drawn from prompt, options and draw key: a level that changed
/// one byte of a prompt, or one place, would show.
std::string drawnOutcome(const std::string &path, int level, uint64_t seed) {
  SourceManager sources;
  Diagnostics diagnostics;
  auto file = sources.read(path);
  CheckedProgram program = check(sources, *file, {}, diagnostics);
  if (diagnostics.hasErrors())
    return "does not compile";
  Lowered lowered(program, sources);
  std::string log;
  if (!lowered.optimise({level, {}}, log))
    return log;
  plan::Plan plan = lowered.emit();
  auto model = ScriptedModel::parse(R"({"*": {"hash": true}})");
  RunOptions options;
  options.seed = seed;
  options.temperature = 0.8;
  Executor executor(plan, **model, options);
  const plan::Function &main = *plan.find("main");
  std::vector<Value> arguments;
  for (const plan::Param &param : main.params)
    arguments.push_back(argumentFor(plan, param));
  auto result = executor.run(main, std::move(arguments));
  return result ? toJson(**result) : result.error().message;
}

TEST(Behaviour, OfExamplesDoesNotDependOnTheLevel) {
  std::filesystem::path folder = SGL_SOURCE_DIR "/examples";
  std::set<std::string> all;
  for (const auto &entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".sgl")
      continue;
    for (uint64_t seed : {1, 2, 3}) {
      std::string plain = drawnOutcome(entry.path().string(), 0, seed);
      all.insert(plain);
      for (int level : {1, 2})
        EXPECT_EQ(drawnOutcome(entry.path().string(), level, seed), plain)
            << entry.path() << " at -O" << level << ", seed " << seed;
    }
  }
  // Seeds and programs draw apart, so the comparison compares something.
  EXPECT_GE(all.size(), 10u);
}

} // namespace
} // namespace sgl
