// From the options of a gen or select in the plan to a request (2.6, 2.7).
#pragma once

#include "runtime/exec/Executor.h"

#include <functional>

namespace sgl::exec {

/// Reads operand `i` of the node.
using OperandReader = std::function<const Value &(uint32_t i)>;

struct GenOptions {
  std::optional<uint64_t> seed; ///< stands for the run's
  bool setsTemperature = false;
};

/// Fills in everything of `request` that options decide. Errors name the
/// option and say what would be right.
Result<GenOptions> applyGenOptions(const plan::GenSpec &spec,
                                   const RunOptions &defaults,
                                   const OperandReader &operand,
                                   GenRequest &request);
Status applySelectOptions(const plan::SelectSpec &spec,
                          const OperandReader &operand, SelectRequest &request);

/// Refuses options that this runtime does not have yet; looks at constants.
Status admitOptions(const std::vector<plan::Option> &options);

/// A hash of everything in a request that shapes its text, prompt included:
/// from it a greedy gen that a later try heats draws (4.10).
uint64_t hashRequest(const GenRequest &request);
/// Of the prompt's bytes, however its text was cut into segments.
uint64_t hashPrompt(const PromptNode &prompt);
std::string promptBytes(const PromptNode &prompt);

} // namespace sgl::exec
