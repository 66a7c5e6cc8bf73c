// Carries a command out: compiles, draws messages, writes results.

#include "compiler/driver/CommandLine.h"
#include "compiler/driver/Output.h"

#include <cstdio>
#include <cstdlib>
#include <set>
#include <unistd.h>

namespace sgl {
namespace {

void say(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

/// https://no-color.org: any value but the empty one switches colour off.
bool useColor(ColorChoice choice) {
  if (choice != ColorChoice::Auto)
    return choice == ColorChoice::Always;
  const char *off = std::getenv("NO_COLOR");
  const char *terminal = std::getenv("TERM");
  bool isDumb = terminal && std::string_view(terminal) == "dumb";
  return ::isatty(STDERR_FILENO) && !(off && *off) && !isDumb;
}

void sayTimes(const std::vector<StageTime> &times) {
  double sum = 0;
  char line[96];
  auto row = [&](const char *name, double seconds) {
    std::snprintf(line, sizeof line, "%-16s %8.2f ms\n", name, seconds * 1e3);
    say(line);
  };
  for (const auto &[name, seconds] : times) {
    row(name.c_str(), seconds);
    sum += seconds;
  }
  row("all stages", sum);
}

int runCompile(const CommandLine &command, const RenderOptions &rendering) {
  SourceManager sources;
  Diagnostics diagnostics;
  CompileResult result =
      compile(command.files.front(), command.compile, sources, diagnostics);
  say(result.log);
  say(render(diagnostics, sources, rendering));
  if (!result.failure.empty())
    say(renderPlain(result.failure, rendering));
  if (command.showTimes)
    sayTimes(result.times);
  if (!result.succeeded)
    return result.isUsage ? 2 : 1;
  Status written = command.output ? writeOutput(*command.output, result.output)
                                  : writeStdout(result.output);
  if (written)
    return 0;
  say(renderPlain(written.error().message, rendering));
  return 1;
}

/// A file that several others import is reported once.
int runCheck(const CommandLine &command, const RenderOptions &rendering) {
  std::set<std::string> said;
  int status = 0;
  for (const std::string &path : command.files) {
    SourceManager sources;
    Diagnostics diagnostics;
    CompileResult result = compile(path, command.compile, sources, diagnostics);
    std::vector<std::string> messages;
    for (const Diagnostic &diagnostic : diagnostics.all())
      messages.push_back(render(diagnostic, sources, rendering));
    if (!result.failure.empty())
      messages.push_back(renderPlain(result.failure, rendering));
    for (const std::string &message : messages) {
      if (!said.insert(message).second)
        continue;
      if (said.size() > 1 && rendering.format == MessageFormat::Human)
        say("\n");
      say(message);
    }
    if (!result.succeeded)
      status = 1;
  }
  return status;
}

} // namespace

int runCommand(const CommandLine &command) {
  RenderOptions rendering{command.format, useColor(command.color)};
  switch (command.command) {
  case Command::Compile:
    return runCompile(command, rendering);
  case Command::Check:
    return runCheck(command, rendering);
  }
  return 0;
}

} // namespace sgl
