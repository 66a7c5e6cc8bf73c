// Which operations can fail, and what a call of a model is to the optimiser.
//
// Whatever can fail writes the resource Failure: stock passes then neither
// erase nor merge nor move it, so the error that a run raises does not depend
// on the level of optimisation.
#include "ir/dialect/Sgl.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace sgl::ir {

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static void canFail(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), Failure::get());
}

/// Built-ins that have a result for all arguments of their types.
static bool isTotal(llvm::StringRef builtin) {
  static const llvm::StringSet<> total = {
      "len",         "lower",     "upper",  "trim",   "join_text", "contains",
      "starts_with", "ends_with", "find",   "slice",  "lines",     "bullets",
      "json",        "keys",      "values", "get",    "or_else",   "append",
      "concat",      "reverse",   "sort",   "unique", "count",     "text"};
  return total.contains(builtin);
}

void BuiltinOp::getEffects(Effects &effects) {
  if (!isTotal(getName()))
    canFail(effects);
}

void UnaryOp::getEffects(Effects &effects) {
  // The smallest integer has no opposite.
  if (getName() == "neg" && getValue().getType().isInteger(64))
    canFail(effects);
}

void BinaryOp::getEffects(Effects &effects) {
  if (llvm::is_contained({"eq", "ne", "lt", "le", "gt", "ge", "and", "or"},
                         getName()))
    return;
  // Joining texts and lists is total; numbers overflow; a json may be anything.
  if (llvm::is_contained({"add", "in"}, getName()) &&
      isa<StrType, ListType, MapType>(getRight().getType()))
    return;
  canFail(effects);
}

void FieldOp::getEffects(Effects &effects) {
  if (!isa<NamedType>(getBase().getType()))
    canFail(effects);
}

/// A merged gen must draw what each of the two would have drawn. That holds
/// where the source fixes temperature 0, but not between a retry, whose later
/// tries heat it, and what stands around it.
void GenOp::getEffects(Effects &effects) {
  if (getFixedGreedy() && !(*this)->getParentOfType<RetryOp>())
    return;
  for (OpResult result : getOperation()->getOpResults())
    effects.emplace_back(MemoryEffects::Allocate::get(), result);
}

void SelectOp::getEffects(Effects &effects) {
  for (OpResult result : getOperation()->getOpResults())
    effects.emplace_back(MemoryEffects::Allocate::get(), result);
}

} // namespace sgl::ir
