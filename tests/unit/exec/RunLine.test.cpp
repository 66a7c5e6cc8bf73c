// The command line of sglrun: flags, parameters, the stats line.

#include "PlanBuilder.h"

#include "runtime/tools/RunArguments.h"
#include "runtime/tools/RunReport.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

using namespace sgl;
using plan::GraphBuilder;
using plan::PlanBuilder;

namespace {

/// Parses words as sglrun would; the error or "".
std::string parse(std::vector<const char *> words, RunFlags &flags) {
  words.insert(words.begin(), "sglrun");
  Status status = parseRunFlags(int(words.size()),
                                const_cast<char **>(words.data()), flags);
  return status ? "" : status.error().message;
}

TEST(RunFlags, OwnFlagsAndParametersAreToldApart) {
  RunFlags flags;
  EXPECT_EQ(
      parse({"p.plan", "--model", "m.gguf", "--topic", "--seed", "--seed", "7",
             "--essay=--- x", "--no-radix", "--kv-cache=2MiB", "--temperature",
             "0.5", "--stats=json", "--", "--model", "z"},
            flags),
      "");
  EXPECT_EQ(flags.plan, "p.plan");
  EXPECT_EQ(flags.model, "m.gguf");
  EXPECT_EQ(flags.seed, 7u);
  EXPECT_EQ(flags.temperature, 0.5);
  EXPECT_EQ(flags.kvCacheBytes, 2u << 20);
  EXPECT_FALSE(flags.radix);
  EXPECT_TRUE(flags.batching);
  EXPECT_EQ(flags.stats, StatsForm::Json);
  const std::vector<std::pair<std::string, std::string>> parameters = {
      {"topic", "--seed"}, {"essay", "--- x"}, {"model", "z"}};
  EXPECT_EQ(flags.parameters, parameters);
}

TEST(RunFlags, WrongUsageIsNamed) {
  const std::pair<std::vector<const char *>, const char *> table[] = {
      {{}, "no plan given: sglrun FILE.plan --model MODEL"},
      {{"p.plan", "--topic"}, "`--topic` needs a value"},
      {{"p.plan", "--", "topic"},
       "expected a parameter such as --name, not `topic`"},
      {{"p.plan", "--kv-cache", "5XB"},
       "--kv-cache takes a size such as 512MiB, not `5XB`"},
      {{"p.plan", "--kv-cache", "99999999999999999999"},
       "--kv-cache takes a size such as 512MiB, not `99999999999999999999`"},
      {{"p.plan", "--stats=yaml"},
       "--stats takes nothing or =json, not `yaml`"},
      {{"p.plan", "--device", "cuda:1"}, "--device cuda is not supported yet"},
      {{"p.plan", "--device", "tpu"}, "--device takes cpu, not `tpu`"},
      {{"p.plan", "--batch", "x"}, "--batch is not supported yet"},
      {{"p.plan", "--trace", "x"}, "--trace is not supported yet"},
      {{"p.plan", "--stream"}, "--stream is not supported yet"},
      {{"p.plan", "--speculate", "off"}, "--speculate is not supported yet"}};
  for (const auto &[words, message] : table) {
    RunFlags flags;
    EXPECT_EQ(parse(words, flags), message);
  }
  for (auto words :
       {std::vector<const char *>{"p.plan", "--temperature", "2.5"},
        {"p.plan", "--max-tokens", "0"},
        {"p.plan", "--seed", "x"},
        {"p.plan", "--seed", "-1"},
        {"p.plan", "--threads", "1.5"},
        {"p.plan", "second.plan"}}) {
    RunFlags flags;
    EXPECT_NE(parse(words, flags), "") << words[1];
  }
  RunFlags flags;
  EXPECT_NE(parse({"p.plan", "--stats", "--seed", "x"}, flags), "");
  EXPECT_EQ(flags.stats, StatsForm::Text) << "stats are wanted all the same";
}

class RunArguments : public testing::Test {
protected:
  void SetUp() override {
    TypeContext &t = b.types();
    EnumDecl *grade = t.declareEnum("Grade");
    grade->members = {{"A", "A", ""}, {"Pass", "passed", ""}};
    Refinement digit;
    digit.minInt = 0;
    digit.maxInt = 9;
    b.function("main",
               {{"s", t.stateType()},
                {"topic", t.strType()},
                {"max_steps", t.refined(TypeKind::Int, digit)},
                {"x", t.floatType()},
                {"flag", t.boolType()},
                {"grade", t.enumeration(grade)},
                {"yes", t.unionOf({t.text("yes"), t.text("no")})},
                {"list", t.list(t.intType())},
                {"note", t.optional(t.strType())},
                {"count", t.optional(t.intType())}},
               nullptr, [](GraphBuilder &) {});
    b.plan.functions[0].params[1].doc = "what about";
    for (size_t i = 2; i < 8; ++i)
      b.plan.functions[0].params[i].defaultValue = Value::integer(0);
  }

  /// Values behind the state as JSON, or status and message.
  std::string run(std::vector<const char *> words) {
    words.insert(words.begin(), "p.plan");
    RunFlags flags;
    std::string error = parse(words, flags);
    if (!error.empty())
      return error;
    std::vector<Value> values;
    if (auto fault = readArguments(b.plan, b.plan.functions[0], flags, values))
      return std::to_string(fault->status) + ": " + fault->message;
    EXPECT_TRUE(values[0].asState());
    values.erase(values.begin());
    return toJson(Value::list(values));
  }

  PlanBuilder b;
};

TEST_F(RunArguments, AreReadByType) {
  EXPECT_EQ(run({"--topic", "5"}), R"(["5", 0, 0, 0, 0, 0, 0, null, null])");
  EXPECT_EQ(run({"--topic", "t", "--max-steps", " 7 ", "--x", "3", "--flag",
                 "true", "--grade", "passed", "--yes", "no", "--list", "[1, 2]",
                 "--note", "null", "--count", "-4"}),
            R"(["t", 7, 3.0, true, "passed", "no", [1, 2], "null", -4])");
}

TEST_F(RunArguments, FaultsNameTheFlag) {
  const std::pair<std::vector<const char *>, const char *> table[] = {
      {{}, "2: parameter `--topic` (str) is missing"},
      {{"--topic", "a", "--topic", "b"}, "2: `--topic` is given twice"},
      {{"--topic", "\xff"}, "2: --topic: not valid UTF-8"},
      {{"--s", "x"},
       "2: unknown flag `--s`; `main` takes --topic, --max_steps, --x, "
       "--flag, --grade, --yes, --list, --note, --count"},
      {{"--topic", "a", "--max_steps", "12"},
       "2: --max_steps: 12 is not in 0..=9"},
      {{"--topic", "a", "--max_steps", "x"},
       "2: --max_steps: the text \"x\" is not an int"},
      {{"--topic", "a", "--flag", "yes"},
       "2: --flag: expected true or false, found `yes`"},
      {{"--topic", "a", "--grade", "B"},
       "2: --grade: expected Grade, found text \"B\""},
      {{"--topic", "a", "--list", "[1"},
       "2: --list: expected [int] as JSON: expected `,` or `]` at line 1, "
       "column 3"},
      {{"--topic", "a", "--list", "[\"x\"]"},
       "2: --list: [0]: expected int, found text \"x\""}};
  for (const auto &[words, message] : table)
    EXPECT_EQ(run(words), message);
}

TEST_F(RunArguments, FileOfArguments) {
  std::string path = testing::TempDir() + "sgl_args.json";
  auto write = [&](const char *text) { std::ofstream(path) << text; };
  std::string prefix = "1: --args " + path + ": ";
  const char *file = path.c_str();
  write(R"({"topic": "cats", "max_steps": 5, "note": null})");
  EXPECT_EQ(run({"--args", file}), R"(["cats", 5, 0, 0, 0, 0, 0, null, null])");
  EXPECT_EQ(run({"--args", file, "--max-steps", "6"}),
            R"(["cats", 6, 0, 0, 0, 0, 0, null, null])");
  write(R"({"topic": 5})");
  EXPECT_EQ(run({"--args", file}), prefix + "topic: expected str, found int 5");
  write(R"({"topics": 5})");
  EXPECT_EQ(run({"--args", file}).substr(0, prefix.size() + 36),
            prefix + "`main` has no parameter `topics`; it");
  write("[1]");
  EXPECT_EQ(run({"--args", file}),
            prefix + "expected a JSON object {parameter: value}");
  std::remove(file);
  EXPECT_EQ(run({"--args", file}),
            "1: --args: cannot read `" + path + "`: No such file or directory");
}

TEST_F(RunArguments, HelpShowsTypesAndDocumentation) {
  std::string text = describeParameters(b.plan, b.plan.functions[0]);
  EXPECT_NE(text.find("--topic      str  what about\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("--max_steps  int in 0..=9 = 0\n"), std::string::npos);
  EXPECT_EQ(text.find("--s "), std::string::npos);
}

TEST(StatsLine, IsOneJsonObjectWithAllKeys) {
  RunStats stats;
  stats.calls = 2;
  stats.promptTokens = 200;
  stats.cachedTokens = 50;
  stats.device = "cpu \"x\"";
  std::string line = statsLine(stats, StatsForm::Json);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  Value json = *parseJson(line);
  for (const char *key :
       {"calls", "prompt_tokens", "cached_tokens", "hit_rate",
        "optimal_hit_rate", "generated_tokens", "decode_steps", "forced_tokens",
        "drafted_tokens", "accepted_tokens", "evicted_tokens", "retractions",
        "peak_kv_tokens", "wall_s", "model_s", "device"})
    EXPECT_TRUE(entry(json, key)) << key;
  EXPECT_EQ(toJson(*entry(json, "hit_rate")), "0.25");
  EXPECT_EQ(statsLine(stats, StatsForm::None), "");
}

} // namespace
