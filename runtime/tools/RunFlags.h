// The command line of sglrun: its own flags, and the plan's parameters.
//
// Entry point: parseRunFlags. A flag that is not sglrun's own belongs to the
// plan and takes the next word as its value, whatever that begins with; after
// `--` every flag does.
#pragma once

#include "ir/value/Result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sgl {

enum class StatsForm : uint8_t { None, Text, Json };

struct RunFlags {
  std::string plan, model, argsFile, entry = "main";
  /// Name and value of each parameter, as written.
  std::vector<std::pair<std::string, std::string>> parameters;
  uint64_t seed = 0;
  std::optional<uint32_t> maxTokens;
  std::optional<double> temperature, timeout;
  uint32_t threads = 0, context = 0;
  uint64_t kvCacheBytes = 0;
  std::string chatTemplate;
  StatsForm stats = StatsForm::None;
  bool radix = true, jumpForward = true, batching = true;
  bool dryRun = false, help = false;
  std::string helpText; ///< of the own flags
};

/// Errors are wrong usage (exit status 2); `flags.stats` is set even then.
Status parseRunFlags(int argc, char **argv, RunFlags &flags);

} // namespace sgl
