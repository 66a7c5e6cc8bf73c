// The second crossing: `sgl` IR becomes a plan.
//
// Entry point: emitPlan. One op is one node. Values get dense numbers, regions
// become closed graphs (what they read from outside turns into inputs), texts,
// types and automata go to pools that hold each once, and outside effects get
// their `after` edges.
#pragma once

#include "compiler/check/Check.h"
#include "ir/plan/Plan.h"

#include "mlir/IR/BuiltinOps.h"

namespace sgl {

/// The plan of a module that passed `verify-plan-ready`. Paths of files are
/// relative to the folder of the main module's file. Types are shared with
/// `program`, which must outlive the plan.
plan::Plan emitPlan(mlir::ModuleOp module, const CheckedProgram &program,
                    const SourceManager &sources);

} // namespace sgl
