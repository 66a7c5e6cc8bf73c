// The first crossing: the typed tree becomes `sgl` IR.
//
// Entry point: importAst. It cannot fail on a program that `check` passed: what
// a user can do wrong ends there, so a surprise here is an assertion. What
// decides results is decided here, at every level of optimisation: `follow` of
// each gen, draw places, constraints, merged defaults.
#pragma once

#include "compiler/check/Check.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace sgl {

/// The module of `program`: one function for each function that is used,
/// public where it belongs to the compiled file. Types and automata are held
/// by the dialect of `context` (ir/dialect/Tables.h), so one context serves
/// one program at a time. `program` must outlive the module.
mlir::OwningOpRef<mlir::ModuleOp> importAst(mlir::MLIRContext &context,
                                            const CheckedProgram &program,
                                            const SourceManager &sources);

} // namespace sgl
