// The subcommands of sglmodel as CLI11 sees them.
//
// Entry point: addModelCommands. Parsing a command line sets `chosen`, which
// then runs the subcommand and gives the exit status.
#pragma once

#include "runtime/tools/ModelBench.h"
#include "runtime/tools/ModelInfo.h"
#include "runtime/tools/ModelLogits.h"
#include "runtime/tools/ModelTemplate.h"
#include "runtime/tools/ModelTokens.h"

#include <functional>

namespace CLI {
class App;
}

namespace sgl {

/// Options of all subcommands; must outlive the parsed application.
struct ModelCommands {
  InfoOptions info;
  TokensOptions tokens;
  TemplateOptions chat;
  std::string plainTemplate;
  LogitsOptions logits;
  BenchOptions bench;
  bool jsonLines = false; ///< accepted where it is the only form
  std::function<int()> chosen;
};

void addModelCommands(CLI::App &app, ModelCommands &commands);

} // namespace sgl
