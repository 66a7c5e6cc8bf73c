// Levels: how many long operations lie in front of one. See Passes.td.
//
// One walk in program order: operands are visited before their users, and what
// a region reads counts as an operand of the operation that holds it.
#include "compiler/passes/Passes.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace sgl {

#define GEN_PASS_DEF_SCHEDULE
#include "Passes.h.inc"

namespace {

/// Operations that wait for a model, or may.
bool isLong(Operation &op) {
  return isa<ir::GenOp, ir::SelectOp, ir::ForOp, ir::WhileOp, ir::MapOp,
             ir::RetryOp, ir::CallOp>(op);
}

struct SchedulePass : impl::ScheduleBase<SchedulePass> {
  void runOnOperation() override {
    levels.clear();
    if (!getOperation().isExternal())
      number(getOperation().front(), 0);
  }

private:
  int64_t levelOf(mlir::Value value) const { return levels.lookup(value); }

  /// Numbers a block that can begin at `start`; returns the highest level that
  /// is done when the block is.
  int64_t number(Block &block, int64_t start) {
    int64_t last = start;
    for (Operation &op : block) {
      int64_t level = start;
      for (mlir::Value operand : op.getOperands())
        level = std::max(level, levelOf(operand));
      llvm::SetVector<mlir::Value> captured;
      getUsedValuesDefinedAbove(op.getRegions(), captured);
      for (mlir::Value value : captured)
        level = std::max(level, levelOf(value));
      int64_t done = isLong(op) ? level + 1 : level;
      for (Region &region : op.getRegions())
        if (!region.empty())
          done = std::max(done, number(region.front(), level));
      if (isLong(op))
        op.setAttr(ir::levelAttr,
                   Builder(op.getContext()).getI64IntegerAttr(level));
      for (mlir::Value result : op.getResults())
        levels[result] = done;
      last = std::max(last, done);
    }
    return last;
  }

  llvm::DenseMap<mlir::Value, int64_t> levels;
};

} // namespace
} // namespace sgl
