// Branches and loops of the source become regions with carried values.
#include "compiler/lower/FunctionLowering.h"
#include "compiler/lower/Walk.h"
#include "compiler/lower/Writes.h"

using namespace mlir;

namespace sgl {

//===-- if and match -----------------------------------------------------===//

/// `rest`: what follows, in the arm that does not leave.
void FunctionLowering::lowerIf(const ast::Stmt &stmt, Statements rest) {
  Location location = at(stmt.span);
  mlir::Value condition = lowerExpr(*stmt.value);
  auto arm = [&](const ast::Block *block) {
    return lowerBranch({}, location, [&](auto) {
      if (block)
        lowerBlock(*block);
      if (rest.empty() || !live)
        return;
      unlessExited(location, [&] { lowerStatements(rest); });
    });
  };
  Branch whenTrue = arm(&stmt.body);
  Branch whenFalse = arm(stmt.otherwise.get());
  finishIf(location, condition, std::move(whenTrue), std::move(whenFalse));
}

void FunctionLowering::lowerMatch(const ast::Stmt &stmt) {
  lowerArms(stmt, 0, stmt.arms.size(), lowerExpr(*stmt.value));
}

mlir::Value FunctionLowering::matchesAny(const ast::Stmt &stmt, size_t begin,
                                         size_t end, mlir::Value subject) {
  mlir::Value any;
  for (size_t i = begin; i < end; ++i)
    for (const ast::Pattern &pattern : stmt.arms[i].patterns) {
      mlir::Value one = matches(pattern, stmt.value->type, subject);
      if (!one)
        return {};
      any = any ? binary("or", any, one, builder.getI1Type(), at(pattern.span))
                : one;
    }
  return any;
}

/// The first arm of `begin` to `end` that matches, one of which does: a match
/// is exhaustive. Many arms are halved, so that regions nest by their
/// logarithm.
void FunctionLowering::lowerArms(const ast::Stmt &stmt, size_t begin,
                                 size_t end, mlir::Value subject) {
  constexpr size_t fewArms = 8;
  const ast::MatchArm &arm = stmt.arms[begin];
  size_t middle = end - begin > fewArms ? (begin + end) / 2 : begin + 1;
  auto first = [&] {
    if (middle - begin > 1)
      return lowerArms(stmt, begin, middle, subject);
    if (arm.patterns.size() == 1)
      bindPattern(arm.patterns.front(), subject);
    lowerBlock(arm.body);
  };
  mlir::Value condition;
  if (middle < end)
    condition = matchesAny(stmt, begin, middle, subject);
  if (!condition)
    return first();
  Location location = at(arm.span);
  Branch whenTrue = lowerBranch({}, location, [&](auto) { first(); });
  Branch whenFalse = lowerBranch(
      {}, location, [&](auto) { lowerArms(stmt, middle, end, subject); });
  finishIf(location, condition, std::move(whenTrue), std::move(whenFalse));
}

/// Null: every value matches.
mlir::Value FunctionLowering::matches(const ast::Pattern &pattern,
                                      const sgl::Type *type,
                                      mlir::Value subject) {
  Location location = at(pattern.span);
  if (pattern.constant) {
    const sgl::Type *of = pattern.type ? pattern.type : type;
    return binary("eq", subject, constant(*pattern.constant, of, location),
                  builder.getI1Type(), location);
  }
  if (pattern.kind == ast::PatternKind::Wildcard || pattern.binds ||
      !pattern.type)
    return {};
  return builder.create<ir::IsOp>(location, subject, key(pattern.type));
}

void FunctionLowering::bindPattern(const ast::Pattern &pattern,
                                   mlir::Value subject) {
  Location location = at(pattern.span);
  bool ofFields = pattern.kind == ast::PatternKind::Call && pattern.type &&
                  pattern.type->is(TypeKind::Record);
  if (ofFields)
    subject = recast(subject, irType(pattern.type), location);
  for (auto [index, binding] : llvm::enumerate(pattern.bindings)) {
    if (!binding)
      continue;
    mlir::Type type = irType(binding->type);
    env[slotOf(binding)] =
        ofFields ? builder.create<ir::FieldOp>(location, type, subject,
                                               pattern.fields[index].text)
                 : recast(subject, type, location);
  }
}

//===-- Loops ------------------------------------------------------------===//

mlir::Type FunctionLowering::typeOf(const Slot &slot) {
  if (slot.kind == Slot::Kind::Flag)
    return builder.getI1Type();
  if (slot.kind == Slot::Kind::Given)
    return irType(slot == Slot::given(Exit::Join) ? joinType
                                                  : function.resultType);
  return env.at(slot).getType();
}

std::vector<Slot>
FunctionLowering::carriedBy(const ast::Block &body,
                            const std::set<uint32_t> &writes) {
  std::vector<Slot> slots;
  for (const auto &[slot, value] : env)
    if (slot.kind == Slot::Kind::Variable && writes.count(slot.id))
      slots.push_back(slot);
  Exits exits = exitsOf(body, inBranch());
  exits.remove(Exit::Continue);
  for (Exit exit : allExits) {
    if (!exits.has(exit))
      continue;
    slots.push_back(Slot::flag(exit));
    const sgl::Type *given = exit == Exit::Join     ? joinType
                             : exit == Exit::Return ? function.resultType
                                                    : nullptr;
    if (given && !given->is(TypeKind::Void))
      slots.push_back(Slot::given(exit));
  }
  return slots;
}

std::vector<mlir::Value> FunctionLowering::initial(ArrayRef<Slot> slots,
                                                   Location location) {
  std::vector<mlir::Value> values;
  for (const Slot &slot : slots)
    values.push_back(slotValue(env, slot, typeOf(slot), location));
  return values;
}

void FunctionLowering::forgetCaptures(const std::set<uint32_t> &states) {
  std::erase_if(env, [&](const auto &entry) {
    const Slot &slot = entry.first;
    bool ofState = slot.kind == Slot::Kind::Captured ||
                   (slot.kind == Slot::Kind::Info && !slot.name.empty());
    return ofState && states.count(slot.id);
  });
}

void FunctionLowering::enterPass(ArrayRef<Slot> slots, ValueRange values) {
  for (auto [slot, value] : llvm::zip(slots, values))
    env[slot] = value;
}

/// `continue` ends here.
void FunctionLowering::leavePass() {
  env.erase(Slot::flag(Exit::Continue));
  live = true;
}

/// `break` ends here; `return` and `join` go on outwards.
void FunctionLowering::leaveLoop(ArrayRef<Slot> slots, ValueRange results) {
  for (auto [slot, result] : llvm::zip(slots, results))
    env[slot] = result;
  env.erase(Slot::flag(Exit::Break));
}

mlir::Value FunctionLowering::lowerIterated(const ast::Expr &list) {
  mlir::Value value = lowerExpr(list);
  if (!isa<ir::MapType>(value.getType()))
    return value;
  auto keys =
      ir::ListType::get(module.context(), ir::StrType::get(module.context()));
  return builtin("keys", value, keys, at(list.span));
}

void FunctionLowering::lowerFor(const ast::Stmt &stmt) {
  Location location = at(stmt.span);
  mlir::Value list = lowerIterated(*stmt.value);
  std::set<uint32_t> writes = writesOf(stmt.body);
  // In `for f in fs` the name is the element itself, so fs changes with it.
  bool writesBack =
      isByReference(stmt.binding->type) && writes.count(stmt.binding->id);
  const ast::Binding *owner = writesBack ? rootOf(*stmt.value) : nullptr;
  if (owner)
    writes.insert(owner->id);
  forgetCaptures(writes);
  std::vector<Slot> slots = carriedBy(stmt.body, writes);
  std::vector<mlir::Value> inits = initial(slots, location);
  SmallVector<mlir::Type> types(ValueRange(inits).getTypes());
  SmallVector<mlir::Type> inputs{
      cast<ir::ListType>(list.getType()).getElement(), builder.getI64Type()};
  llvm::append_range(inputs, types);

  Branch body = lowerBranch(inputs, location, [&](auto arguments) {
    enterPass(slots, ValueRange(arguments.drop_front(2)));
    unlessExited(location, [&] {
      env[slotOf(stmt.binding)] = arguments[0];
      lowerBlock(stmt.body);
      if (owner) {
        mlir::Value base = lowerExpr(*stmt.value);
        assign(*stmt.value, builder.create<ir::WithElementOp>(
                                location, base.getType(), base, arguments[1],
                                env.at(slotOf(stmt.binding))));
      }
      leavePass();
    });
  });
  yieldSlots(body, slots, types, location);
  OperationState state(location, ir::ForOp::getOperationName());
  state.addOperands(list);
  state.addOperands(inits);
  state.addTypes(types);
  state.addRegion(std::move(body.region));
  auto loop = cast<ir::ForOp>(builder.create(state));
  loop.setPlace(placeOf(places.of(stmt)));
  leaveLoop(slots, loop.getResults());
}

/// A condition that writes (a call that extends a state) is the first statement
/// of the body; any other is a region of its own.
void FunctionLowering::lowerWhile(const ast::Stmt &stmt) {
  Location location = at(stmt.span);
  std::set<uint32_t> writes = writesOf(*stmt.value);
  bool inBody = !writes.empty();
  writes.merge(writesOf(stmt.body));
  forgetCaptures(writes);
  std::vector<Slot> slots = carriedBy(stmt.body, writes);
  if (inBody && !llvm::is_contained(slots, Slot::flag(Exit::Break)))
    slots.push_back(Slot::flag(Exit::Break));
  std::vector<mlir::Value> inits = initial(slots, location);
  SmallVector<mlir::Type> types(ValueRange(inits).getTypes());

  Branch condition = lowerBranch(types, location, [&](auto arguments) {
    enterPass(slots, ValueRange(arguments));
    mlir::Value stopped = exitTaken(location), goes;
    if (inBody)
      goes = negate(stopped, location);
    else if (stopped)
      goes = lowerChoice(
          stopped, location, [&] { return boolean(false, location); },
          [&] { return lowerExpr(*stmt.value); });
    else
      goes = lowerExpr(*stmt.value);
    builder.create<ir::YieldOp>(location, goes);
  });
  Branch body = lowerBranch(types, location, [&](auto arguments) {
    enterPass(slots, ValueRange(arguments));
    for (Exit exit : allExits)
      env.erase(Slot::flag(exit));
    if (!inBody) {
      lowerBlock(stmt.body);
      return leavePass();
    }
    mlir::Value goes = lowerExpr(*stmt.value);
    Branch pass = lowerBranch({}, location, [&](auto) {
      lowerBlock(stmt.body);
      leavePass();
    });
    Branch ends = lowerBranch({}, location, [&](auto) {
      env[Slot::flag(Exit::Break)] = boolean(true, location);
    });
    finishIf(location, goes, std::move(pass), std::move(ends));
  });
  yieldSlots(body, slots, types, location);
  OperationState state(location, ir::WhileOp::getOperationName());
  state.addOperands(inits);
  state.addTypes(types);
  state.addRegion(std::move(condition.region));
  state.addRegion(std::move(body.region));
  auto loop = cast<ir::WhileOp>(builder.create(state));
  loop.setPlace(placeOf(places.of(stmt)));
  leaveLoop(slots, loop.getResults());
}

//===-- retry ------------------------------------------------------------===//

void FunctionLowering::lowerRetry(const ast::Stmt &stmt) {
  Location location = at(stmt.span);
  mlir::Value tries = lowerExpr(*stmt.value);
  auto error =
      ir::OptType::get(module.context(), ir::StrType::get(module.context()));
  auto part = [&](mlir::TypeRange inputs, const ast::Block &block) {
    return lowerBranch(inputs, location, [&](auto arguments) {
      lastErrors.push_back(arguments.back());
      lowerBlock(block);
      lastErrors.pop_back();
    });
  };
  Branch body = part({builder.getI64Type(), error}, stmt.body);
  std::optional<Branch> otherwise;
  std::vector<Branch *> branches{&body};
  if (stmt.otherwise) {
    otherwise = part({error}, *stmt.otherwise);
    branches.push_back(&*otherwise);
  }
  std::vector<Slot> slots = meet(branches);
  std::vector<mlir::Type> types = typesOf(slots, branches);
  OperationState state(location, ir::RetryOp::getOperationName());
  state.addOperands(tries);
  state.addTypes(types);
  for (Branch *branch : branches) {
    yieldSlots(*branch, slots, types, location);
    state.addRegion(std::move(branch->region));
  }
  if (!otherwise)
    state.addRegion(std::make_unique<Region>());
  auto retry = cast<ir::RetryOp>(builder.create(state));
  retry.setPlace(placeOf(places.of(stmt)));
  for (auto [slot, result] : llvm::zip(slots, retry.getResults()))
    env[slot] = result;
  live = body.live || (otherwise && otherwise->live);
}

} // namespace sgl
