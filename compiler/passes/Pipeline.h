// The order of the compiler's passes.
//
// Entry point: runPipeline. Pipeline.cpp reads as a table of contents.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <string>
#include <vector>

namespace sgl {

struct PipelineOptions {
  int level = 2; ///< 0: only what a plan needs; 1; 2: everything
  /// Names of passes (as sgl-opt takes them, without the dashes); the IR is
  /// written to the log after each of them.
  std::vector<std::string> printAfter;
};

/// Adds the passes of `level` to `manager`, in order.
void buildPipeline(mlir::OpPassManager &manager, int level);

/// Runs the pipeline over `module`. False is a fault of the compiler, reported
/// to `log`: user errors end in check.
bool runPipeline(mlir::ModuleOp module, const PipelineOptions &options,
                 llvm::raw_ostream &log);

} // namespace sgl
