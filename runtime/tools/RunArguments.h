// From flags and --args to the values of an entry's parameters (2.10).
#pragma once

#include "ir/plan/Plan.h"
#include "runtime/tools/RunFlags.h"

namespace sgl {

/// An error with the exit status it means: 1 refused, 2 wrong usage.
struct ArgumentFault {
  int status = 2;
  std::string message;
};

/// One value for each parameter of `function`. Flags win over --args, which
/// wins over defaults; a state starts empty; a missing `T?` is null.
std::optional<ArgumentFault> readArguments(const plan::Plan &plan,
                                           const plan::Function &function,
                                           const RunFlags &flags,
                                           std::vector<Value> &out);

/// Parameters with types, defaults and documentation, for --help.
std::string describeParameters(const plan::Plan &plan,
                               const plan::Function &function);

/// A file's bytes; at most `limit` of them.
Result<std::string> readWholeFile(const std::string &path, uint64_t limit);

} // namespace sgl
