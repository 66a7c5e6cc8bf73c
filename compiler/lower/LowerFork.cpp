// Forks: a copy is the same value once more, branches are passes of a map.
#include "compiler/lower/FunctionLowering.h"
#include "compiler/lower/Walk.h"

using namespace mlir;

namespace sgl {

/// More copies than this are made when it runs.
constexpr int64_t mostWrittenCopies = 64;

/// `fork(s)` is s; `fork(s, n)` a list of n times s.
mlir::Value FunctionLowering::lowerForkCall(const ast::Expr &expr) {
  Location location = at(expr.span);
  mlir::Value state = lowerExpr(*expr.args[0].value);
  if (expr.args.size() < 2)
    return state;
  const ast::Expr &count = *expr.args[1].value;
  mlir::Type type = irType(expr.type);
  const int64_t *known = count.constant ? count.constant->asInt() : nullptr;
  if (known && *known >= 0 && *known <= mostWrittenCopies) {
    SmallVector<mlir::Value> copies(size_t(*known), state);
    return builder.create<ir::ListOp>(location, type, key(expr.type), copies);
  }
  auto numbers = ir::ListType::get(module.context(), builder.getI64Type());
  mlir::Value list = builtin("range", {integer(0, location), lowerExpr(count)},
                             numbers, location);
  Branch body =
      lowerBranch({builder.getI64Type(), builder.getI64Type()}, location,
                  [&](auto) { builder.create<ir::YieldOp>(location, state); });
  OperationState map(location, ir::MapOp::getOperationName());
  map.addOperands(list);
  map.addTypes(type);
  map.addRegion(std::move(body.region));
  auto op = cast<ir::MapOp>(builder.create(map));
  op.setPlace(placeOf(places.of(expr)));
  return op.getResult(0);
}

/// The names generated on `from` are known on `to`, a copy of it, too.
void FunctionLowering::copyCaptures(const ast::Expr &from,
                                    const ast::Binding *to) {
  if (from.kind != ast::ExprKind::Name || !to->type->is(TypeKind::State))
    return;
  std::vector<std::pair<Slot, mlir::Value>> copies;
  for (const auto &[slot, value] : env) {
    bool ofState = slot.kind == Slot::Kind::Captured ||
                   (slot.kind == Slot::Kind::Info && !slot.name.empty());
    if (ofState && slot.id == from.binding->id)
      copies.push_back({{slot.kind, to->id, slot.name}, value});
  }
  for (auto &[slot, value] : copies)
    env[slot] = value;
}

mlir::Value FunctionLowering::lowerBranchBody(const ast::ForkBlock &fork,
                                              mlir::Value source,
                                              Location location) {
  const sgl::Type *outerJoin = std::exchange(joinType, fork.joinType);
  for (Exit exit : allExits) {
    env.erase(Slot::flag(exit));
    env.erase(Slot::given(exit));
  }
  env[slotOf(fork.branchBinding)] = source;
  copyCaptures(*fork.source, fork.branchBinding);
  lowerBlock(*fork.body);
  mlir::Value joined;
  if (joinType && !joinType->is(TypeKind::Void))
    joined =
        slotValue(env, Slot::given(Exit::Join), irType(joinType), location);
  joinType = outerJoin;
  return joined;
}

mlir::Value FunctionLowering::lowerForkBlock(const ast::ForkBlock &fork,
                                             uint32_t place, Span span) {
  Location location = at(span);
  mlir::Value source = lowerExpr(*fork.source);
  if (!fork.list) {
    // One branch leaves no trace but its value: what it writes is its own.
    Env outer = env;
    mlir::Value joined = lowerBranchBody(fork, source, location);
    env = std::move(outer);
    live = true;
    return joined;
  }
  mlir::Value list = lowerIterated(*fork.list);
  SmallVector<mlir::Type> inputs{
      cast<ir::ListType>(list.getType()).getElement(), builder.getI64Type()};
  SmallVector<mlir::Type> results;
  Branch body = lowerBranch(inputs, location, [&](auto arguments) {
    env[slotOf(fork.loopBinding)] = arguments[0];
    mlir::Value joined = lowerBranchBody(fork, source, location);
    if (joined)
      results.push_back(ir::ListType::get(module.context(), joined.getType()));
    builder.create<ir::YieldOp>(location,
                                joined ? ValueRange(joined) : ValueRange());
  });
  OperationState state(location, ir::MapOp::getOperationName());
  state.addOperands(list);
  state.addTypes(results);
  state.addRegion(std::move(body.region));
  auto map = cast<ir::MapOp>(builder.create(state));
  map.setPlace(placeOf(place));
  return results.empty() ? mlir::Value() : map.getResult(0);
}

} // namespace sgl
