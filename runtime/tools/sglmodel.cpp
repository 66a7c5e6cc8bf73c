// sglmodel: looks at a model file and runs its parts one at a time.
//
// Exit status: 0 done, 1 refused (file or input), 2 wrong usage.
#include "runtime/tools/ModelCommands.h"

#include <CLI/CLI.hpp>
#include <iostream>

int main(int argc, char **argv) {
  std::ios::sync_with_stdio(false);
  CLI::App app("Looks at a model file and runs its parts one at a time.",
               "sglmodel");
  sgl::ModelCommands commands;
  sgl::addModelCommands(app, commands);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() == 0)
      return app.exit(error);
    std::cerr << "error: " << error.what() << " (see sglmodel --help)\n";
    return 2;
  }
  return commands.chosen();
}
