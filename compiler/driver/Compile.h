// The library's door: a source file in, a plan and diagnostics out.
//
// Entry point: compile. Each stage can be stopped at and printed. Nothing here
// exits or writes to a terminal.
#pragma once

#include "compiler/source/Diagnostic.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace sgl {

/// What `--emit` asks for.
enum class EmitForm { Tokens, Ast, Typed, Ir, Opt, Plan, Graph };

struct CompileOptions {
  EmitForm form = EmitForm::Plan;
  bool checkOnly = false;              ///< stop behind the checker
  int level = 2;                       ///< -O
  std::vector<std::string> importDirs; ///< -I, in order
  std::vector<std::string> printAfter; ///< --print-ir-after
};

/// Wall time of one stage, in seconds.
using StageTime = std::pair<std::string, double>;

struct CompileResult {
  /// The form that was asked for; empty if there are errors.
  std::string output;
  /// What was printed on the way (--print-ir-after), for stderr.
  std::string log;
  /// A failure without a place in a file: unreadable, or a fault of the
  /// compiler itself. Empty if there is none.
  std::string failure;
  bool isUsage = false; ///< the failure lies in the options
  std::vector<StageTime> times;
  bool succeeded = false;
};

/// Compiles `path`. Files that are read are added to `sources`; the user's
/// mistakes go to `diagnostics`, sorted by place.
CompileResult compile(const std::string &path, const CompileOptions &options,
                      SourceManager &sources, Diagnostics &diagnostics);

} // namespace sgl
