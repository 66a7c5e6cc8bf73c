// Runs a plan: the dataflow graph drives itself, the model answers.
//
// Entry points: Executor::admit before the first call, then run. No thread of
// its own: `run` works until nothing is ready, then waits for the model. Values
// are those of running one statement after the other, whatever overlaps: a
// failure counts by its place in the program, effects run in its order.
#pragma once

#include "runtime/exec/Model.h"

#include <functional>

namespace sgl {

struct RunOptions {
  uint64_t seed = 0;
  /// For gens that set none.
  std::optional<uint32_t> maxTokens;
  std::optional<double> temperature;
  /// Of the whole run; looked at between replies.
  std::optional<double> timeoutSeconds;
  /// A place ("file:line:column: ") and what is worth saying there.
  std::function<void(const std::string &)> warn;
  /// Effects: one line to the user; a line from the user, nothing at the end.
  std::function<void(const std::string &)> print;
  std::function<std::optional<std::string>(const std::string &)> ask;
};

class Executor {
public:
  /// Plan and model must outlive the executor.
  Executor(const plan::Plan &plan, Model &model, RunOptions options);

  /// Refuses what this runtime cannot do, with the place, and lets the model
  /// do the same.
  Status admit();

  /// Runs `function` with one value for each parameter. The result is its
  /// value, absent without `->`; the error is that of the program, with place:
  /// "file.sgl:12:3: message".
  Result<std::optional<Value>> run(const plan::Function &function,
                                   std::vector<Value> arguments);

private:
  const plan::Plan &plan;
  Model &model;
  RunOptions options;
};

/// "file.sgl:12:3" (line and byte column from 1); "" where the plan has no
/// files.
std::string placeText(const plan::Plan &plan, plan::At at);

} // namespace sgl
