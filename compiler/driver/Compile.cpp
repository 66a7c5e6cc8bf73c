// The stages of a compilation, in order, each timed.
#include "compiler/driver/Compile.h"

#include "compiler/check/Check.h"
#include "compiler/lower/Lower.h"
#include "compiler/syntax/Parse.h"
#include "ir/plan/Json.h"

namespace sgl {
namespace {

/// Adds the time that its scope takes to a list.
class Stage {
public:
  Stage(std::vector<StageTime> &times, std::string name)
      : times(times), name(std::move(name)),
        begin(std::chrono::steady_clock::now()) {}
  Stage(const Stage &) = delete;
  ~Stage() {
    std::chrono::duration<double> spent =
        std::chrono::steady_clock::now() - begin;
    times.emplace_back(std::move(name), spent.count());
  }

private:
  std::vector<StageTime> &times;
  std::string name;
  std::chrono::steady_clock::time_point begin;
};

/// The first pass that should have been printed and was not, or null.
const std::string *findUnknownPass(const CompileOptions &options,
                                   const std::string &log) {
  for (const std::string &name : options.printAfter)
    if (log.find(" (" + name + ")") == std::string::npos)
      return &name;
  return nullptr;
}

/// The IR's forms, of a program without errors.
void lower(const CheckedProgram &program, const CompileOptions &options,
           const SourceManager &sources, CompileResult &result) {
  auto imported = [&] {
    Stage stage(result.times, "import");
    return Lowered(program, sources);
  }();
  if (options.form == EmitForm::Ir) {
    result.output = imported.print();
    return;
  }
  {
    Stage stage(result.times, "optimise");
    if (!imported.optimise({options.level, options.printAfter}, result.log)) {
      result.failure = "this is a fault of the compiler, not of the program";
      return;
    }
  }
  if (const std::string *name = findUnknownPass(options, result.log)) {
    result.failure = "--print-ir-after: no pass `" + *name + "` runs at -O" +
                     std::to_string(options.level);
    result.isUsage = true;
    return;
  }
  if (options.form == EmitForm::Opt) {
    result.output = imported.print();
    return;
  }
  Stage stage(result.times, "emit");
  plan::Plan plan = imported.emit();
  result.output =
      options.form == EmitForm::Graph ? dumpGraph(plan) : plan::writePlan(plan);
}

/// A file in which nothing is declared, or nothing can be run, is a mistake.
void requireContent(const ast::Module &module, bool toRun,
                    Diagnostics &diagnostics) {
  bool hasFunction = false;
  for (const auto &function : module.functions)
    hasFunction |= !function->isTool;
  bool isEmpty = module.imports.empty() && module.constants.empty() &&
                 module.aliases.empty() && module.records.empty() &&
                 module.enums.empty() && module.functions.empty() &&
                 module.tests.empty() && module.defaults.empty();
  if (isEmpty)
    diagnostics.error("E0112", {module.file, 0, 0}, "this file is empty")
        .label("a program begins with `fn main(s: state) { … }`");
  else if (toRun && !hasFunction)
    diagnostics
        .error("E0112", {module.file, 0, 0}, "this file has no function to run")
        .label("a program begins with `fn main(s: state) { … }`");
}

/// The forms that need no more than one file.
void parseOnly(uint32_t file, EmitForm form, const SourceManager &sources,
               Diagnostics &diagnostics, CompileResult &result) {
  Stage stage(result.times, "parse");
  if (form == EmitForm::Tokens)
    result.output = dumpTokens(sources, file, diagnostics);
  else
    result.output = dumpAst(*parse(sources, file, diagnostics), false);
}

} // namespace

CompileResult compile(const std::string &path, const CompileOptions &options,
                      SourceManager &sources, Diagnostics &diagnostics) {
  CompileResult result;
  Result<uint32_t> file = sources.read(path);
  if (!file) {
    result.failure = file.error().message;
    return result;
  }
  if (options.form == EmitForm::Tokens || options.form == EmitForm::Ast) {
    parseOnly(*file, options.form, sources, diagnostics, result);
  } else {
    CheckedProgram program = [&] {
      Stage stage(result.times, "parse and check");
      return check(sources, *file, {options.importDirs}, diagnostics);
    }();
    bool toRun = !options.checkOnly && options.form != EmitForm::Typed;
    if (!diagnostics.hasErrors())
      requireContent(*program.program.modules[0], toRun, diagnostics);
    if (!diagnostics.hasErrors()) {
      if (options.form == EmitForm::Typed)
        result.output = dumpAst(*program.program.modules[0], true);
      else if (!options.checkOnly)
        lower(program, options, sources, result);
    }
  }
  diagnostics.sort();
  result.succeeded = !diagnostics.hasErrors() && result.failure.empty();
  if (!result.succeeded)
    result.output.clear();
  return result;
}

} // namespace sgl
