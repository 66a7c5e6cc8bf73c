// The order of the passes: read it as a table of contents.
#include "compiler/passes/Pipeline.h"
#include "compiler/passes/Passes.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace sgl {

void buildPipeline(OpPassManager &manager, int level) {
  if (level >= 1) {
    // Whole program: small functions vanish into their callers, constants meet.
    manager.addPass(createInlinerPass({}, [](OpPassManager &) {}));
    manager.addPass(createSymbolDCEPass());
    manager.addNestedPass<func::FuncOp>(createCanonicalizerPass());
    // Prompts that begin alike are equal chains: this shares their prefixes.
    manager.addNestedPass<func::FuncOp>(createCSEPass());
    // What sharing left without a reader; texts that meet now.
    manager.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  }
  // Numbers for the runtime, then the gate in front of emission.
  manager.addNestedPass<func::FuncOp>(createSchedule());
  manager.addPass(createVerifyPlanReady());
}

bool runPipeline(ModuleOp module, const PipelineOptions &options,
                 llvm::raw_ostream &log) {
  MLIRContext *context = module.getContext();
  PassManager manager(context);
  // Once, in front of everything: a verifier behind each pass is for those who
  // write passes, and sgl-opt has it.
  manager.enableVerifier(false);
  buildPipeline(manager, options.level);
  if (!options.printAfter.empty())
    manager.enableIRPrinting(
        [](Pass *, Operation *) { return false; },
        [&](Pass *pass, Operation *) {
          return llvm::is_contained(options.printAfter, pass->getArgument());
        },
        /*printModuleScope=*/true, /*printAfterOnlyOnChange=*/false,
        /*printAfterOnlyOnFailure=*/false, log);
  ScopedDiagnosticHandler handler(context, [&](mlir::Diagnostic &diagnostic) {
    log << "internal error: " << diagnostic.getLocation() << ": " << diagnostic
        << "\n";
    for (mlir::Diagnostic &note : diagnostic.getNotes())
      log << "  " << note << "\n";
    return success();
  });
  return succeeded(verify(module)) && succeeded(manager.run(module));
}

} // namespace sgl
