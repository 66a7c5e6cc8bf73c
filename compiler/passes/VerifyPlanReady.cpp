// The gate in front of emission. See Passes.td.
#include "compiler/passes/Passes.h"

using namespace mlir;

namespace sgl {

#define GEN_PASS_DEF_VERIFYPLANREADY
#include "Passes.h.inc"

namespace {

/// Longest text of a node, in bytes.
constexpr size_t longestText = 1 << 20;

struct VerifyPlanReadyPass : impl::VerifyPlanReadyBase<VerifyPlanReadyPass> {
  void runOnOperation() override {
    WalkResult result = getOperation().walk([&](Operation *op) {
      return succeeded(check(op)) ? WalkResult::advance()
                                  : WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  LogicalResult check(Operation *op) {
    if (isa<ModuleOp, func::FuncOp, func::ReturnOp>(op))
      return success();
    if (!isa<ir::SglDialect>(op->getDialect()))
      return op->emitError()
             << "no node of a plan stands for " << op->getName();
    if (auto extend = dyn_cast<ir::ExtendOp>(op))
      if (extend.getText().size() > longestText)
        return op->emitError("a text is longer than 1 MiB");
    if (auto key = op->getAttrOfType<StringAttr>("of"))
      if (!tables(op).type(key))
        return op->emitError("no type has the key ") << key;
    if (auto gen = dyn_cast<ir::GenOp>(op))
      if (gen.getConstraint() && !tables(op).constraint(*gen.getConstraint()))
        return op->emitError("no constraint has the key ")
               << gen.getConstraintAttr();
    return success();
  }

  static ir::Tables &tables(Operation *op) {
    return cast<ir::SglDialect>(op->getDialect())->tables();
  }
};

} // namespace
} // namespace sgl
