// One run of sglrun: plan, arguments, model, run, result. See RunCommand.h.

#include "runtime/tools/RunCommand.h"

#include "ir/plan/Json.h"
#include "runtime/exec/Executor.h"
#include "runtime/tools/RunArguments.h"
#include "runtime/tools/RunModel.h"

#include <chrono>
#include <cstdio>
#include <iostream>

namespace sgl {

namespace {

enum Exit : int { Fine = 0, Refused = 1, WrongUsage = 2, Failed = 3 };

constexpr uint64_t maxPlanBytes = uint64_t(256) << 20;

int complain(Exit status, const std::string &message) {
  std::cerr << "error: " << message << '\n';
  return status;
}

std::string entryList(const plan::Plan &plan) {
  std::string list;
  for (const plan::Function &function : plan.functions)
    if (function.entry)
      list += (list.empty() ? "" : ", ") + function.name;
  return list.empty() ? "none" : list;
}

bool carriesState(const Type *type) {
  return type->is(TypeKind::State) || type->is(TypeKind::Image) ||
         type->is(TypeKind::Video) ||
         (type->element && carriesState(type->element));
}

/// The result on stdout: a text as it is, else JSON on one line.
int writeResult(const Value &value, const Type *type) {
  std::string text = type->is(TypeKind::Str) ? print(value) : toJson(value);
  if (!text.ends_with('\n'))
    text += '\n';
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    return complain(Failed, "cannot write the result to standard output");
  return Fine;
}

RunOptions runOptions(const RunFlags &flags) {
  RunOptions options;
  options.seed = flags.seed;
  options.maxTokens = flags.maxTokens;
  options.temperature = flags.temperature;
  options.timeoutSeconds = flags.timeout;
  options.warn = [](const std::string &text) {
    std::cerr << "warning: " << text << '\n';
  };
  options.print = [](const std::string &text) { std::cerr << text << '\n'; };
  options.ask = [](const std::string &prompt) -> std::optional<std::string> {
    std::cerr << prompt << std::flush;
    std::string line;
    if (!std::getline(std::cin, line))
      return std::nullopt;
    return line;
  };
  return options;
}

int runWith(const plan::Plan &plan, const plan::Function &function,
            std::vector<Value> arguments, const RunFlags &flags,
            RunStats &stats) {
  auto model = openModel(flags);
  if (!model)
    return complain(Refused, model.error().message);
  Executor executor(plan, **model, runOptions(flags));
  Status admitted = executor.admit();
  (*model)->addStats(stats); // names the device, whatever comes
  if (!admitted)
    return complain(Refused, admitted.error().message);
  if (flags.dryRun) {
    std::cerr << "plan, parameters and model fit; nothing was called\n";
    return Fine;
  }
  auto start = std::chrono::steady_clock::now();
  auto result = executor.run(function, std::move(arguments));
  stats = RunStats();
  (*model)->addStats(stats);
  stats.wallSeconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  if (!result)
    return complain(Failed, result.error().message);
  if (!*result)
    return Fine;
  return writeResult(**result, plan.types[*function.result]);
}

} // namespace

int runCommand(const RunFlags &flags, RunStats &stats) {
  if (flags.plan.empty()) { // --help alone
    std::cout << flags.helpText;
    return Fine;
  }
  Result<std::string> text = readWholeFile(flags.plan, maxPlanBytes);
  if (!text)
    return complain(Refused, text.error().message);
  Result<plan::Plan> plan = plan::readPlan(*text);
  if (!plan)
    return complain(Refused, flags.plan + ": " + plan.error().message);
  const plan::Function *function = plan->find(flags.entry);
  if (!function || !function->entry)
    return complain(WrongUsage, "the plan has no entry `" + flags.entry +
                                    "`; it has " + entryList(*plan));
  if (flags.help) {
    std::cout << flags.helpText << '\n' << describeParameters(*plan, *function);
    return Fine;
  }
  if (function->result && carriesState(plan->types[*function->result]))
    return complain(WrongUsage, "`" + function->name + "` gives " +
                                    toString(plan->types[*function->result]) +
                                    ", which cannot be printed");
  std::vector<Value> arguments;
  if (auto fault = readArguments(*plan, *function, flags, arguments))
    return complain(Exit(fault->status), fault->message);
  if (isLaterModel(flags.model))
    return complain(WrongUsage, "--model " + flags.model +
                                    " is not supported yet: use a .gguf file "
                                    "or mock:FILE.json");
  if (flags.model.empty() && flags.dryRun) {
    std::cerr << "plan and parameters fit; no model was given\n";
    return Fine;
  }
  if (flags.model.empty())
    return complain(WrongUsage, "no model given: --model FILE.gguf or --model "
                                "mock:FILE.json");
  return runWith(*plan, *function, std::move(arguments), flags, stats);
}

} // namespace sgl
