// The command line of sglrun. See RunFlags.h.

#include "runtime/tools/RunFlags.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>

namespace sgl {

namespace {

/// Flags that are reserved and come later; with one value or none.
constexpr std::pair<const char *, bool> later[] = {
    {"--batch", true},      {"--output", true},    {"--resume", false},
    {"--max-errors", true}, {"--stream", false},   {"--trace", true},
    {"--report", true},     {"--speculate", true}, {"--corpus", true},
    {"--tool", true},       {"--mmproj", true},    {"--trace-cache", false}};

/// Values that CLI11 hands over as text because their forms are ours.
struct RawFlags {
  std::string stats, kvCache, device;
  bool noRadix = false, noJumpForward = false, noBatching = false;
};

/// "512MiB", "2GiB", "1000000" in bytes.
Result<uint64_t> readSize(const std::string &text) {
  static const std::pair<std::string_view, uint64_t> units[] = {
      {"", 1},
      {"B", 1},
      {"KiB", uint64_t(1) << 10},
      {"MiB", uint64_t(1) << 20},
      {"GiB", uint64_t(1) << 30},
      {"KB", 1000},
      {"MB", 1000 * 1000},
      {"GB", 1000 * 1000 * 1000}};
  uint64_t number = 0;
  auto end = text.data() + text.size();
  auto [stop, status] = std::from_chars(text.data(), end, number);
  std::string_view unit(stop, size_t(end - stop));
  for (auto [name, factor] : units)
    if (status == std::errc() && unit == name && number > 0 &&
        number <= (uint64_t(1) << 50) / factor)
      return number * factor;
  return Error{"--kv-cache takes a size such as 512MiB, not `" + text + "`"};
}

/// CLI11 would take a number beyond 64 bits for the largest one.
std::string seedNumber(const std::string &text) {
  uint64_t number = 0;
  const char *end = text.data() + text.size();
  auto [stop, status] = std::from_chars(text.data(), end, number);
  if (status == std::errc() && stop == end)
    return "";
  return "takes a whole number from 0 to 18446744073709551615, not `" + text +
         "`";
}

void addFlags(CLI::App &app, RunFlags &flags, RawFlags &raw) {
  app.set_help_flag();
  app.add_option("plan", flags.plan, "the plan to run, from sglc");
  app.add_flag("--help", flags.help, "this text, with the plan's parameters");
  app.add_option("--model", flags.model,
                 "a .gguf file, or mock:FILE.json for scripted replies");
  app.add_option("--args", flags.argsFile,
                 "parameters as a JSON object in a file; flags win");
  app.add_option("--entry", flags.entry, "the function to run")
      ->capture_default_str();
  app.add_option("--seed", flags.seed, "of all draws")
      ->check(seedNumber)
      ->capture_default_str();
  app.add_option("--max-tokens", flags.maxTokens, "for gens that set none")
      ->check(CLI::Range(1, 1 << 24));
  app.add_option("--temperature", flags.temperature, "for gens that set none")
      ->check(CLI::Range(0.0, 2.0));
  app.add_option("--threads", flags.threads, "of the model; all cores")
      ->check(CLI::Range(1, 1024));
  app.add_option("--ctx", flags.context, "longest prompt with its reply")
      ->check(CLI::Range(16, 1 << 24));
  app.add_option("--kv-cache", raw.kvCache, "memory for it, such as 512MiB");
  app.add_option("--device", raw.device, "cpu");
  app.add_option("--chat-template", flags.chatTemplate,
                 "a Jinja file in place of the model's own template");
  app.add_option("--timeout", flags.timeout, "seconds for the whole run")
      ->check(CLI::Range(0.001, 1e9));
  app.add_flag("--stats{text}", raw.stats,
               "what the run cost, last line on stderr; --stats=json");
  app.add_flag("--no-radix", raw.noRadix, "reuse no prefix of a prompt");
  app.add_flag("--no-jump-forward", raw.noJumpForward,
               "feed forced tokens one by one");
  app.add_flag("--no-batching", raw.noBatching, "one sequence at a time");
  app.add_flag("--dry-run", flags.dryRun, "check everything, call nothing");
  for (auto [name, takesValue] : later)
    if (takesValue)
      app.add_option(name)->group("");
    else
      app.add_flag(name)->group("");
}

/// Words for CLI11 and parameters of the plan, told apart.
struct Split {
  std::vector<std::string> own;
  std::vector<std::pair<std::string, std::string>> parameters;
};

Result<Split> split(const CLI::App &app, int argc, char **argv) {
  Split out;
  bool all = false;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word == "--" && !all) {
      all = true;
      continue;
    }
    if (!all && !word.starts_with("--")) {
      out.own.push_back(std::move(word));
      continue;
    }
    if (!word.starts_with("--"))
      return Error{"expected a parameter such as --name, not `" + word + "`"};
    size_t equals = word.find('=');
    std::string name = word.substr(0, equals);
    const CLI::Option *own = all ? nullptr : app.get_option_no_throw(name);
    bool takesValue = !own || own->get_items_expected_max() > 0;
    std::string value;
    if (own && own->get_type_size_max() == 0)
      takesValue = false;
    if (equals == std::string::npos && takesValue) {
      if (++i == argc)
        return Error{"`" + name + "` needs a value"};
      value = argv[i];
    } else if (equals != std::string::npos) {
      value = word.substr(equals + 1);
    }
    if (!own) {
      out.parameters.emplace_back(name.substr(2), std::move(value));
      continue;
    }
    // Behind `=`, CLI11 takes a value as it is, whatever it begins with.
    bool hasValue = takesValue || equals != std::string::npos;
    out.own.push_back(hasValue ? name + "=" + value : name);
  }
  return out;
}

Status readRaw(const RawFlags &raw, RunFlags &flags) {
  flags.radix = !raw.noRadix;
  flags.jumpForward = !raw.noJumpForward;
  flags.batching = !raw.noBatching;
  if (!raw.stats.empty() && raw.stats != "json" && raw.stats != "text")
    return Error{"--stats takes nothing or =json, not `" + raw.stats + "`"};
  if (raw.device.starts_with("cuda"))
    return Error{"--device cuda is not supported yet"};
  if (!raw.device.empty() && raw.device != "cpu")
    return Error{"--device takes cpu, not `" + raw.device + "`"};
  if (!raw.kvCache.empty()) {
    Result<uint64_t> size = readSize(raw.kvCache);
    if (!size)
      return size.error();
    flags.kvCacheBytes = *size;
  }
  return Done{};
}

/// Stats are wanted even where the rest of the line is wrong.
StatsForm findStats(int argc, char **argv) {
  StatsForm form = StatsForm::None;
  for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    std::string_view word = argv[i];
    if (word.starts_with("--stats"))
      form = word == "--stats=json" ? StatsForm::Json : StatsForm::Text;
  }
  return form;
}

} // namespace

Status parseRunFlags(int argc, char **argv, RunFlags &flags) {
  flags.stats = findStats(argc, argv);
  CLI::App app("Runs a plan that sglc has made.", "sglrun");
  RawFlags raw;
  addFlags(app, flags, raw);
  flags.helpText = app.help();
  Result<Split> words = split(app, argc, argv);
  if (!words)
    return words.error();
  flags.parameters = std::move(words->parameters);
  try {
    std::reverse(words->own.begin(), words->own.end());
    app.parse(words->own);
  } catch (const CLI::ParseError &error) {
    return Error{error.what()};
  }
  if (Status status = readRaw(raw, flags); !status)
    return status;
  for (auto [name, takesValue] : later)
    if (app.count(name))
      return Error{std::string(name) + " is not supported yet"};
  if (flags.plan.empty() && !flags.help)
    return Error{"no plan given: sglrun FILE.plan --model MODEL"};
  return Done{};
}

} // namespace sgl
