// Rewrites that are always right: texts meet, decided branches vanish.
#include "ir/dialect/Sgl.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace sgl::ir {
namespace {

/// Texts grow no larger than this by merging; a plan holds each text whole.
constexpr size_t largestMerged = 1 << 20;

/// extend(extend(s, a), b) is extend(s, ab) when nothing else reads the middle.
struct MergeAdjacentExtends : OpRewritePattern<ExtendOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ExtendOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getState().getDefiningOp<ExtendOp>();
    if (!inner || !inner->hasOneUse() || inner->getBlock() != op->getBlock() ||
        inner.getText().size() + op.getText().size() > largestMerged)
      return failure();
    Location location = rewriter.getFusedLoc({inner.getLoc(), op.getLoc()});
    rewriter
        .replaceOpWithNewOp<ExtendOp>(
            op, inner.getState(),
            rewriter.getStringAttr(inner.getText() + op.getText()))
        ->setLoc(location);
    return success();
  }
};

/// Appending a constant is appending its text.
struct AppendOfConstant : OpRewritePattern<AppendOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AppendOp op,
                                PatternRewriter &rewriter) const override {
    Attribute constant;
    if (!matchPattern(op.getValue(), m_Constant(&constant)))
      return failure();
    auto *dialect = cast<SglDialect>(op->getDialect());
    std::optional<Value> value = dialect->tables().valueOf(constant);
    if (!value)
      return failure();
    rewriter.replaceOpWithNewOp<ExtendOp>(
        op, op.getState(), rewriter.getStringAttr(print(*value)));
    return success();
  }
};

/// An option that turned out to be constant is no operand any more. A pattern
/// stays one: the automaton of a constant pattern is lowering's to make.
template <typename CallOp>
struct ConstantOption : OpRewritePattern<CallOp> {
  using OpRewritePattern<CallOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(CallOp op,
                                PatternRewriter &rewriter) const override {
    unsigned fixed = op.getDynamic().size() - op.getDynamicNames().size();
    for (auto [index, attribute] : llvm::enumerate(op.getDynamicNames())) {
      auto name = cast<StringAttr>(attribute);
      Attribute constant;
      if (name.getValue() == "regex" ||
          !matchPattern(op.getDynamic()[fixed + index], m_Constant(&constant)))
        continue;
      NamedAttrList options(op.getOptions());
      options.append(name, constant);
      SmallVector<Attribute> names(op.getDynamicNames().getValue());
      names.erase(names.begin() + index);
      rewriter.modifyOpInPlace(op, [&] {
        op.getDynamicMutable().erase(fixed + index);
        op.setOptionsAttr(options.getDictionary(op.getContext()));
        op.setDynamicNamesAttr(rewriter.getArrayAttr(names));
      });
      return success();
    }
    return failure();
  }
};

/// A branch whose condition is known is the side that it takes.
struct KnownBranch : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IfOp op,
                                PatternRewriter &rewriter) const override {
    BoolAttr condition;
    if (!matchPattern(op.getCondition(), m_Constant(&condition)))
      return failure();
    Region &taken =
        condition.getValue() ? op.getThenRegion() : op.getElseRegion();
    Block &block = taken.front();
    SmallVector<mlir::Value> values(block.getTerminator()->getOperands());
    rewriter.eraseOp(block.getTerminator());
    rewriter.inlineBlockBefore(&block, op);
    rewriter.replaceOp(op, values);
    return success();
  }
};

/// Results that nobody reads, or that both sides take from outside alike.
struct NarrowBranch : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;

  /// What stands for result `i`: itself, or null while the `if` must give it.
  static bool isNeeded(IfOp op, unsigned i, mlir::Value &other) {
    mlir::Value whenTrue =
        op.getThenRegion().front().getTerminator()->getOperand(i);
    mlir::Value whenFalse =
        op.getElseRegion().front().getTerminator()->getOperand(i);
    if (whenTrue == whenFalse &&
        !op->isAncestor(whenTrue.getParentBlock()->getParentOp())) {
      other = whenTrue;
      return false;
    }
    return !op.getResult(i).use_empty();
  }

  LogicalResult matchAndRewrite(IfOp op,
                                PatternRewriter &rewriter) const override {
    llvm::BitVector dropped(op.getNumResults());
    SmallVector<mlir::Value> others(op.getNumResults());
    SmallVector<mlir::Type> types;
    for (unsigned i = 0; i < op.getNumResults(); ++i) {
      if (!isNeeded(op, i, others[i]))
        dropped.set(i);
      else
        types.push_back(op.getResult(i).getType());
    }
    if (dropped.none())
      return failure();
    auto narrow = rewriter.create<IfOp>(op.getLoc(), types, op.getCondition());
    for (auto [from, to] : llvm::zip(op->getRegions(), narrow->getRegions())) {
      rewriter.modifyOpInPlace(from.front().getTerminator(), [&] {
        from.front().getTerminator()->eraseOperands(dropped);
      });
      rewriter.inlineRegionBefore(from, to, to.end());
    }
    unsigned kept = 0;
    for (unsigned i = 0; i < op.getNumResults(); ++i)
      if (!dropped[i])
        others[i] = narrow.getResult(kept++);
    for (unsigned i = 0; i < op.getNumResults(); ++i)
      if (others[i])
        rewriter.replaceAllUsesWith(op.getResult(i), others[i]);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void ExtendOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<MergeAdjacentExtends>(context);
}
void AppendOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<AppendOfConstant>(context);
}
void GenOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *context) {
  patterns.add<ConstantOption<GenOp>>(context);
}
void SelectOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<ConstantOption<SelectOp>>(context);
}
void IfOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                       MLIRContext *context) {
  patterns.add<KnownBranch, NarrowBranch>(context);
}

} // namespace sgl::ir
