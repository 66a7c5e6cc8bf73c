// The passes of this folder. Each is one file of the same name.
#ifndef SGL_PASSES_TD
#define SGL_PASSES_TD
include "mlir/Pass/PassBase.td"

def Schedule : Pass<"sgl-schedule", "::mlir::func::FuncOp"> {
  let summary = "Numbers that help the runtime order its calls";
  let description = [{
    `sgl.level` of an operation that runs for long (a gen, a select, a loop, a
    call): how many of these at least lie on the way from its function's inputs
    to it. Two of one level may run at once. Numbers, not orders: a plan runs
    the same without them.
  }];
}

def VerifyPlanReady : Pass<"sgl-verify-plan-ready", "::mlir::ModuleOp"> {
  let summary = "Checks that every operation is a node of a plan";
  let description = [{
    The gate in front of emission: only operations that have a node kind, texts
    of at most 1 MiB, every constraint and type in the tables. A failure is a
    fault of the compiler.
  }];
}

#endif // SGL_PASSES_TD
