// The middle of the compiler behind one small door, without MLIR headers.
//
// Entry point: Lowered. It owns the MLIR context and the module, so the driver
// and the tests that only want plans include this file and compile fast. The
// three steps are those of the life of a program: import, optimise, emit; each
// form in between can be printed.
#pragma once

#include "compiler/check/Check.h"
#include "ir/plan/Plan.h"

#include <memory>
#include <string>
#include <vector>

namespace sgl {

/// What -O and the printing flags choose.
struct LowerOptions {
  int level = 2;                       ///< 0, 1 or 2
  std::vector<std::string> printAfter; ///< pass names of --print-ir-after
};

class Lowered {
public:
  /// The IR of a program that `check` passed without an error. Both arguments
  /// must outlive the result.
  Lowered(const CheckedProgram &program, const SourceManager &sources);
  ~Lowered();
  Lowered(Lowered &&) noexcept;

  /// Runs the passes in place. What was asked to be printed is added to `log`.
  /// False means a fault of the compiler; `log` then says what and where.
  bool optimise(const LowerOptions &options, std::string &log);
  /// The IR as text (--emit=ir before, --emit=opt behind `optimise`).
  std::string print() const;
  /// The plan. `optimise` must have run and returned true.
  plan::Plan emit() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// The plan as a graph in the DOT language (--emit=graph): a box for each
/// region, states as solid edges, values as dashed ones.
std::string dumpGraph(const plan::Plan &plan);

} // namespace sgl
