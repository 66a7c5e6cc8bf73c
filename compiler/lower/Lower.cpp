// The door of the middle; see Lower.h.
#include "compiler/lower/Lower.h"
#include "compiler/lower/AstToIr.h"
#include "compiler/lower/IrToPlan.h"
#include "compiler/passes/Pipeline.h"

#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"

namespace sgl {

struct Lowered::Impl {
  const CheckedProgram &program;
  const SourceManager &sources;
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;

  Impl(const CheckedProgram &program, const SourceManager &sources)
      : program(program), sources(sources),
        // One small module: threads cost more than they bring.
        context(registry(), mlir::MLIRContext::Threading::DISABLED),
        module(importAst(context, program, sources)) {}

  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry dialects;
    mlir::func::registerInlinerExtension(dialects);
    return dialects;
  }
};

Lowered::Lowered(const CheckedProgram &program, const SourceManager &sources)
    : impl(std::make_unique<Impl>(program, sources)) {}
Lowered::~Lowered() = default;
Lowered::Lowered(Lowered &&) noexcept = default;

bool Lowered::optimise(const LowerOptions &options, std::string &log) {
  llvm::raw_string_ostream stream(log);
  return runPipeline(*impl->module, {options.level, options.printAfter},
                     stream);
}

std::string Lowered::print() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  impl->module->print(stream);
  return text;
}

plan::Plan Lowered::emit() const {
  return emitPlan(*impl->module, impl->program, impl->sources);
}

} // namespace sgl
