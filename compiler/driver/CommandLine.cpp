// Flags to a CommandLine, by CLI11, whose exceptions end here.
#include "compiler/driver/CommandLine.h"

#include <CLI/CLI.hpp>

#include <map>
#include <sstream>

namespace sgl {
namespace {

const std::map<std::string, EmitForm> forms = {
    {"tokens", EmitForm::Tokens}, {"ast", EmitForm::Ast},
    {"typed", EmitForm::Typed},   {"ir", EmitForm::Ir},
    {"opt", EmitForm::Opt},       {"plan", EmitForm::Plan},
    {"graph", EmitForm::Graph}};
const std::map<std::string, MessageFormat> formats = {
    {"human", MessageFormat::Human},
    {"short", MessageFormat::Short},
    {"json", MessageFormat::Json}};
const std::map<std::string, ColorChoice> colors = {
    {"auto", ColorChoice::Auto},
    {"always", ColorChoice::Always},
    {"never", ColorChoice::Never}};

/// An option that takes one of a few words.
template <typename Value>
CLI::Option *addChoice(CLI::App &app, const std::string &name, Value &value,
                       const std::map<std::string, Value> &words,
                       const std::string &help) {
  std::string list;
  for (const auto &word : words)
    list += (list.empty() ? "" : "|") + word.first;
  auto accept = [&value, &words, list](const std::string &typed) {
    auto found = words.find(typed);
    if (found == words.end())
      throw CLI::ValidationError("`" + typed + "` is not one of " + list);
    value = found->second;
  };
  return app.add_option_function<std::string>(name, accept, help)
      ->type_name(list);
}

/// The flags that every command takes.
void addCommonFlags(CLI::App &app, CommandLine &command) {
  app.add_option("-I", command.compile.importDirs,
                 "Look for imports in this folder too")
      ->type_name("DIR")
      ->allow_extra_args(false);
  addChoice(app, "--format", command.format, formats,
            "How messages are written");
  addChoice(app, "--color", command.color, colors, "Colour of messages");
}

void addCompileFlags(CLI::App &app, CommandLine &command) {
  app.add_option("FILE", command.files, "The program to compile")
      ->expected(1)
      ->type_name("");
  app.add_option("-o", command.output, "Write here instead of to stdout")
      ->type_name("FILE");
  addChoice(app, "--emit", command.compile.form, forms,
            "Which form of the program to write (default: plan)");
  app.add_option("-O", command.compile.level, "How much to optimise")
      ->check(CLI::Range(0, 2))
      ->type_name("0|1|2")
      ->capture_default_str();
  app.add_option("--print-ir-after", command.compile.printAfter,
                 "Print the IR behind this pass")
      ->type_name("PASS")
      ->allow_extra_args(false);
  app.add_flag("--time", command.showTimes, "Say what each stage took");
}

ParsedCommandLine refuse(std::string message) {
  return {std::nullopt, "error: " + message + "\n", 2};
}

/// Lower case first letter, as all our messages.
std::string lowered(std::string text) {
  if (text.size() > 1 && isupper(text[0]) && islower(text[1]))
    text[0] = char(tolower(text[0]));
  return text;
}

} // namespace

ParsedCommandLine parseCommandLine(int argc, const char *const *argv) {
  CommandLine command;
  CLI::App app("Compiles SGL programs to plans, which sglrun executes.",
               "sglc");
  app.set_version_flag("--version", "sglc " SGL_VERSION);
  addCommonFlags(app, command);
  addCompileFlags(app, command);
  CLI::App *check = app.add_subcommand(
      "check", "Report the errors of files; say nothing when all is well");
  addCommonFlags(*check, command);
  check->add_option("FILE", command.files, "The files to check")
      ->required()
      ->type_name("");
  app.require_subcommand(0, 1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() != 0)
      return refuse(lowered(error.what()) + "; see sglc --help");
    std::ostringstream text;
    app.exit(error, text, text);
    return {std::nullopt, text.str(), 0};
  }
  if (check->parsed()) {
    command.command = Command::Check;
    command.compile.checkOnly = true;
    return {command, "", 0};
  }
  if (command.files.empty())
    return refuse("no file to compile; see sglc --help");
  if (command.output == command.files.front())
    return refuse("-o names the source itself: " + *command.output);
  return {command, "", 0};
}

} // namespace sgl
