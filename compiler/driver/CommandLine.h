// What the user typed, as data.
#pragma once

#include "compiler/driver/Compile.h"
#include "compiler/source/Render.h"

#include <optional>
#include <string>
#include <vector>

namespace sgl {

enum class Command { Compile, Check };
enum class ColorChoice { Auto, Always, Never };

struct CommandLine {
  Command command = Command::Compile;
  std::vector<std::string> files; ///< Compile: one
  std::optional<std::string> output;
  bool showTimes = false;
  CompileOptions compile;
  MessageFormat format = MessageFormat::Human;
  ColorChoice color = ColorChoice::Auto;
};

/// Either a command to run, or a text to print and a status to end with
/// (help, version, wrong usage).
struct ParsedCommandLine {
  std::optional<CommandLine> command;
  std::string message;
  int status = 0;
};

ParsedCommandLine parseCommandLine(int argc, const char *const *argv);

/// Runs a command. The exit status: 0 done, 1 the source was refused or a file
/// could not be read or written, 2 wrong usage.
int runCommand(const CommandLine &command);

} // namespace sgl
