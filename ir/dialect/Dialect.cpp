// Registration, constants, and what inlining does to places.
#include "ir/dialect/Sgl.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

#include "SglDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "SglTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "SglAttrs.cpp.inc"

using namespace mlir;

namespace sgl::ir {
namespace {

/// Functions with more operations than this stay calls.
constexpr unsigned largestInlined = 64;

/// True when `callable` has at most `limit` operations.
bool isSmall(Operation *callable, unsigned limit) {
  unsigned count = 0;
  return !callable
              ->walk([&](Operation *) {
                return ++count > limit ? WalkResult::interrupt()
                                       : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Puts `prefix` in front of the place of `op`, if it has one.
void prependPlace(Operation *op, ArrayRef<int32_t> prefix) {
  auto extend = [&](auto placed) {
    // A fixed greedy gen draws by its prompt alone.
    if (placed.getPlace().empty())
      return;
    SmallVector<int32_t> place(prefix);
    llvm::append_range(place, placed.getPlace());
    placed.setPlace(place);
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case<GenOp, SelectOp, ForOp, WhileOp, MapOp, RetryOp, CallOp>(extend);
}

/// Walks what belongs to the same frame as `op`: a loop, a map and a retry make
/// frames of their own, so places inside them are relative to those.
void prependPlaces(Operation &op, ArrayRef<int32_t> prefix) {
  prependPlace(&op, prefix);
  if (auto branch = dyn_cast<IfOp>(op))
    for (Region &region : branch->getRegions())
      for (Operation &inner : region.front())
        prependPlaces(inner, prefix);
}

struct Inlining : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *call, Operation *callable,
                       bool wouldBeCloned) const final {
    return !callable->hasAttr(recursiveAttr) &&
           isSmall(callable, largestInlined);
  }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
  void processInlinedCallBlocks(
      Operation *call,
      iterator_range<Region::iterator> inlinedBlocks) const final {
    ArrayRef<int32_t> place = cast<CallOp>(call).getPlace();
    for (Block &block : inlinedBlocks)
      for (Operation &op : block)
        prependPlaces(op, place);
  }
};

} // namespace

void SglDialect::initialize() {
  resetTables();
  addInterfaces<Inlining>();
  addTypes<
#define GET_TYPEDEF_LIST
#include "SglTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "SglAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "SglOps.cpp.inc"
      >();
}

void SglDialect::resetTables(TypeContext *types) {
  tableStorage = std::make_shared<Tables>(types);
}

Operation *SglDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                           mlir::Type type, Location location) {
  if (isa<StateType, MediaType>(type))
    return nullptr;
  return builder.create<ConstOp>(location, type, value);
}

} // namespace sgl::ir
