// Runs passes over `.mlir` files: what the tests of the IR are made with.
#include "compiler/passes/Passes.h"
#include "compiler/passes/Pipeline.h"

#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<sgl::ir::SglDialect, mlir::func::FuncDialect>();
  mlir::func::registerInlinerExtension(registry);
  mlir::registerInliner();
  mlir::registerSymbolDCE();
  mlir::registerCanonicalizer();
  mlir::registerCSE();
  sgl::registerSglPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "sgl-opt\n", registry));
}
