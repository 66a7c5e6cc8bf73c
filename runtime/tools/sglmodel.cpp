// sglmodel: looks at a model file and runs its parts one at a time.
//
// Exit status: 0 done, 1 refused (file or input), 2 wrong usage.
#include "runtime/tools/ModelInfo.h"
#include "runtime/tools/ModelTokens.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <iostream>

using namespace sgl;

namespace {

using Command = std::function<int()>;

/// Adds a subcommand that takes a model; `command` is set when it is chosen.
CLI::App *addCommand(CLI::App &app, const char *name, const char *help,
                     std::string &model, Command &command, Command run) {
  CLI::App *sub = app.add_subcommand(name, help);
  sub->add_option("model", model, "a .gguf file")->required();
  sub->callback([&command, run = std::move(run)] { command = run; });
  return sub;
}

void addInfo(CLI::App &app, InfoOptions &options, Command &command) {
  CLI::App *sub = addCommand(
      app, "info", "what a model is, what it needs, whether it will run",
      options.model, command,
      [&options] { return runInfo(options, std::cout, std::cerr); });
  sub->add_flag("--json", options.json, "one JSON object");
}

void addTokens(CLI::App &app, TokensOptions &options, Command &command) {
  CLI::App *encode =
      addCommand(app, "tokenize", "token ids of the text on standard input",
                 options.model, command, [&options] {
                   return runTokenize(options, std::cin, std::cout, std::cerr);
                 });
  encode->add_flag("--special", options.special,
                   "texts of control tokens become the tokens");
  encode->add_flag("--json", options.json, "one object with ids and texts");
  encode->add_flag("--jsonl", options.jsonLines,
                   "read {\"text\", \"special\"} a line, write {\"ids\"}");
  CLI::App *decode = addCommand(
      app, "detokenize", "text of the token ids on standard input",
      options.model, command, [&options] {
        return runDetokenize(options, std::cin, std::cout, std::cerr);
      });
  decode->add_flag("--jsonl", options.jsonLines,
                   "read {\"ids\"} a line, write {\"text\", \"emit\"}");
}

} // namespace

int main(int argc, char **argv) {
  std::ios::sync_with_stdio(false);
  CLI::App app("Looks at a model file and runs its parts one at a time.",
               "sglmodel");
  app.require_subcommand(1);
  Command command;
  InfoOptions info;
  TokensOptions tokens;
  addInfo(app, info, command);
  addTokens(app, tokens, command);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() == 0)
      return app.exit(error);
    std::cerr << "error: " << error.what() << " (see sglmodel --help)\n";
    return 2;
  }
  return command();
}
