// Options and help of each subcommand of sglmodel.
#include "runtime/tools/ModelCommands.h"

#include <CLI/CLI.hpp>
#include <iostream>

namespace sgl {

namespace {

/// Adds a subcommand that takes a model; `run` is chosen when it is named.
CLI::App *add(CLI::App &app, ModelCommands &commands, const char *name,
              const char *help, std::string &model, std::function<int()> run) {
  CLI::App *sub = app.add_subcommand(name, help);
  sub->add_option("model", model, "a .gguf file")->required();
  sub->callback([&commands, run = std::move(run)] { commands.chosen = run; });
  return sub;
}

void addInfo(CLI::App &app, ModelCommands &commands) {
  InfoOptions &options = commands.info;
  CLI::App *sub =
      add(app, commands, "info",
          "what a model is, what it needs, whether it will run", options.model,
          [&options] { return runInfo(options, std::cout, std::cerr); });
  sub->add_flag("--json", options.json, "one JSON object");
}

void addTokens(CLI::App &app, ModelCommands &commands) {
  TokensOptions &options = commands.tokens;
  CLI::App *encode =
      add(app, commands, "tokenize", "token ids of the text on standard input",
          options.model, [&options] {
            return runTokenize(options, std::cin, std::cout, std::cerr);
          });
  encode->add_flag("--special", options.special,
                   "texts of control tokens become the tokens");
  encode->add_flag("--json", options.json, "one object with ids and texts");
  encode->add_flag("--jsonl", options.jsonLines,
                   "read {\"text\", \"special\"} a line, write {\"ids\"}");
  CLI::App *decode =
      add(app, commands, "detokenize",
          "text of the token ids on standard input", options.model, [&options] {
            return runDetokenize(options, std::cin, std::cout, std::cerr);
          });
  decode->add_flag("--jsonl", options.jsonLines,
                   "read {\"ids\"} a line, write {\"text\", \"emit\"}");
}

/// The one command that may do without a model.
void addTemplate(CLI::App &app, ModelCommands &commands) {
  TemplateOptions &options = commands.chat;
  CLI::App *sub = app.add_subcommand(
      "template", "render the chat template: {\"messages\"} a line on standard "
                  "input, {\"text\"} or {\"error\"} a line out");
  sub->add_option("model", options.model, "a .gguf file");
  sub->add_option("--chat-template", options.templateFile,
                  "use this template in place of the model's");
  sub->add_option("--template", commands.plainTemplate,
                  "render any Jinja file: {\"context\"} a line");
  sub->callback([&commands, &options] {
    options.isPlain = !commands.plainTemplate.empty();
    if (options.isPlain)
      options.templateFile = commands.plainTemplate;
    if (options.model.empty() && options.templateFile.empty())
      throw CLI::RequiredError("model or --template");
    commands.chosen = [&options] {
      return runTemplate(options, std::cin, std::cout, std::cerr);
    };
  });
}

void addLogits(CLI::App &app, ModelCommands &commands) {
  LogitsOptions &options = commands.logits;
  CLI::App *logits =
      add(app, commands, "logits",
          "greedy ids and the best tokens of each step: {\"name\", "
          "\"prompt_ids\", \"force\"} a line on standard input",
          options.model, [&options] {
            return runLogits(options, std::cin, std::cout, std::cerr);
          });
  CLI::App *score = add(
      app, commands, "score",
      "log-probabilities of choices: {\"name\", \"prompt_ids\", \"choices\"} a "
      "line on standard input",
      options.model,
      [&options] { return runScore(options, std::cin, std::cout, std::cerr); });
  for (CLI::App *sub : {logits, score}) {
    sub->add_flag("--jsonl", commands.jsonLines, "JSON Lines (the only form)");
    sub->add_flag("--reference", options.reference,
                  "scalar float32 arithmetic and float32 keys and values");
    sub->add_option("--threads", options.threads, "all cores unless given");
  }
}

void addBench(CLI::App &app, ModelCommands &commands) {
  BenchOptions &options = commands.bench;
  CLI::App *sub =
      add(app, commands, "bench", "tokens a second of the model alone",
          options.model,
          [&options] { return runBench(options, std::cout, std::cerr); });
  sub->add_flag("--json", options.json, "one JSON object");
  sub->add_option("--threads", options.threads, "all cores unless given");
  sub->add_option("--only", options.only, "measures with this in their name");
  sub->add_option("--repeat", options.repeat, "runs; the median is printed")
      ->check(CLI::Range(1, 1000));
}

} // namespace

void addModelCommands(CLI::App &app, ModelCommands &commands) {
  app.require_subcommand(1);
  addInfo(app, commands);
  addTokens(app, commands);
  addTemplate(app, commands);
  addLogits(app, commands);
  addBench(app, commands);
}

} // namespace sgl
