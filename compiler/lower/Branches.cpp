// Where paths meet: which names differ, and what stands for them behind.
#include "compiler/lower/FunctionLowering.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace sgl {

FunctionLowering::Branch
FunctionLowering::lowerBranch(TypeRange inputs, Location location, Body body) {
  OpBuilder::InsertionGuard guard(builder);
  Branch branch;
  branch.region = std::make_unique<Region>();
  SmallVector<Location> locations(inputs.size(), location);
  mlir::Block *block =
      builder.createBlock(branch.region.get(), {}, inputs, locations);
  Env outer = env;
  bool wasLive = live;
  body(block->getArguments());
  branch.env = std::exchange(env, std::move(outer));
  branch.live = std::exchange(live, wasLive);
  return branch;
}

/// A value that no reader ever uses: of a path that does not give it.
mlir::Value FunctionLowering::placeholder(mlir::Type type, Location location) {
  if (isa<ir::StateType>(type))
    return builder.create<ir::RootOp>(location);
  if (type.isInteger(1))
    return boolean(false, location);
  return builder.create<ir::ConstOp>(
      location, type,
      ir::ValueAttr::get(module.context(), "null",
                         module.tables().key(module.types().nullType())));
}

mlir::Value FunctionLowering::slotValue(const Env &from, const Slot &slot,
                                        mlir::Type type, Location location) {
  auto found = from.find(slot);
  return found != from.end() ? found->second : placeholder(type, location);
}

/// Slots that have a value even on paths that do not set them.
static bool hasDefault(const Slot &slot) {
  return slot.kind == Slot::Kind::Flag || slot.kind == Slot::Kind::Given;
}

std::vector<Slot> FunctionLowering::meet(ArrayRef<Branch *> branches) {
  std::set<Slot> all;
  for (Branch *branch : branches)
    for (const auto &[slot, value] : branch->env)
      all.insert(slot);
  std::vector<Slot> differing;
  for (const Slot &slot : all) {
    auto before = env.find(slot);
    // Names of an inner block end with it; captures live on as `s.name`.
    if (slot.kind == Slot::Kind::Variable && before == env.end())
      continue;
    bool everywhere = true;
    SmallVector<mlir::Value> values;
    for (Branch *branch : branches) {
      auto found = branch->env.find(slot);
      everywhere &= found != branch->env.end();
      if (found != branch->env.end())
        values.push_back(found->second);
    }
    if (!everywhere && !hasDefault(slot)) {
      env.erase(slot);
      continue;
    }
    bool sameType = llvm::all_of(values, [&](mlir::Value value) {
      return value.getType() == values.front().getType();
    });
    if (!sameType) {
      env.erase(slot);
      continue;
    }
    bool same = everywhere && llvm::all_equal(values);
    if (same && before != env.end() && before->second == values.front())
      continue;
    differing.push_back(slot);
  }
  return differing;
}

void FunctionLowering::yieldSlots(Branch &branch, ArrayRef<Slot> slots,
                                  TypeRange types, Location location) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&branch.region->front());
  SmallVector<mlir::Value> values;
  for (auto [slot, type] : llvm::zip(slots, types))
    values.push_back(slotValue(branch.env, slot, type, location));
  builder.create<ir::YieldOp>(location, values);
}

/// The types of slots, from whichever branch has them.
std::vector<mlir::Type> FunctionLowering::typesOf(ArrayRef<Slot> slots,
                                                  ArrayRef<Branch *> branches) {
  std::vector<mlir::Type> types;
  for (const Slot &slot : slots)
    for (Branch *branch : branches) {
      auto found = branch->env.find(slot);
      if (found == branch->env.end())
        continue;
      types.push_back(found->second.getType());
      break;
    }
  return types;
}

/// A constant that both sides give needs no result: it is made again behind.
static Attribute commonConstant(mlir::Value a, mlir::Value b) {
  Attribute left, right;
  if (a.getType() == b.getType() && matchPattern(a, m_Constant(&left)) &&
      matchPattern(b, m_Constant(&right)) && left == right)
    return left;
  return {};
}

void FunctionLowering::finishIf(Location location, mlir::Value condition,
                                Branch whenTrue, Branch whenFalse) {
  std::vector<Slot> slots = meet({&whenTrue, &whenFalse});
  llvm::erase_if(slots, [&](const Slot &slot) {
    auto a = whenTrue.env.find(slot), b = whenFalse.env.find(slot);
    if (a == whenTrue.env.end() || b == whenFalse.env.end())
      return false;
    Attribute constant = commonConstant(a->second, b->second);
    if (!constant)
      return false;
    env[slot] =
        builder.create<ir::ConstOp>(location, a->second.getType(), constant);
    return true;
  });
  std::vector<mlir::Type> types = typesOf(slots, {&whenTrue, &whenFalse});
  yieldSlots(whenTrue, slots, types, location);
  yieldSlots(whenFalse, slots, types, location);
  OperationState state(location, ir::IfOp::getOperationName());
  state.addOperands(condition);
  state.addTypes(types);
  state.addRegion(std::move(whenTrue.region));
  state.addRegion(std::move(whenFalse.region));
  Operation *op = builder.create(state);
  for (auto [slot, result] : llvm::zip(slots, op->getResults()))
    env[slot] = result;
  live = whenTrue.live || whenFalse.live;
}

} // namespace sgl
