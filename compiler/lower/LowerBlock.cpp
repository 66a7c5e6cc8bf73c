// Statements, and what becomes of those behind an early exit.
//
// Three cases, from what the source says: no exit can have been taken (go on);
// one has on every path (the rest is unreachable); one may have (the rest runs
// in the side of an `if` where none has). Where one arm of an `if` statement
// always leaves, the rest moves into the other arm and no flag is needed. Rests
// nest no deeper than a bound; behind it the statements run one after the
// other, each where no flag is set.
#include "compiler/lower/FunctionLowering.h"
#include "compiler/lower/Walk.h"
#include "compiler/lower/Writes.h"

using namespace mlir;

namespace sgl {

/// Regions of a plan nest to a bound, and blocks of the source use it, too.
constexpr unsigned deepestRest = 24;

void FunctionLowering::lowerBlock(const ast::Block &block) {
  std::map<uint32_t, Open> outer = std::exchange(followed, {});
  lowerStatements(block.statements);
  followed = std::move(outer);
  for (uint32_t written : writesOf(block))
    endFollow(written);
}

bool FunctionLowering::mayHaveExited() const {
  return llvm::any_of(
      allExits, [&](Exit exit) { return env.count(Slot::flag(exit)) > 0; });
}

mlir::Value FunctionLowering::exitTaken(Location location) {
  mlir::Value any;
  for (Exit exit : allExits) {
    auto flag = env.find(Slot::flag(exit));
    if (flag == env.end())
      continue;
    any = any ? binary("or", any, flag->second, builder.getI1Type(), location)
              : flag->second;
  }
  return any;
}

void FunctionLowering::unlessExited(Location location,
                                    llvm::function_ref<void()> body,
                                    bool keepsNames) {
  if (!mayHaveExited())
    return body();
  mlir::Value taken = exitTaken(location);
  Branch going = lowerBranch({}, location, [&](auto) {
    for (Exit exit : allExits)
      env.erase(Slot::flag(exit));
    body();
  });
  Env placeholders;
  Branch stopped = lowerBranch({}, location, [&](auto) {
    live = false;
    if (!keepsNames)
      return;
    for (const auto &[slot, value] : going.env)
      if (slot.kind == Slot::Kind::Variable && !env.count(slot))
        placeholders[slot] = placeholder(value.getType(), location);
    env.insert(placeholders.begin(), placeholders.end());
  });
  // Known from here on, so that a result stands for them where paths meet.
  env.insert(placeholders.begin(), placeholders.end());
  finishIf(location, taken, std::move(stopped), std::move(going));
}

void FunctionLowering::lowerStatements(Statements statements) {
  for (size_t i = 0; i < statements.size() && live; ++i) {
    const ast::Stmt &stmt = *statements[i];
    bool mayNest = nestedRests < deepestRest;
    if (mayHaveExited() && !mayNest) {
      size_t end = i + 1;
      while (end < statements.size() &&
             !exitsOfStmt(*statements[end - 1], inBranch()).any())
        ++end;
      unlessExited(
          at(stmt.span),
          [&] {
            for (; i < end && live; ++i)
              lowerStatement(*statements[i]);
          },
          /*keepsNames=*/true);
      i = end - 1;
      continue;
    }
    Statements rest = statements.drop_front(i);
    if (mayHaveExited())
      return nest(
          [&] { unlessExited(at(stmt.span), [&] { lowerStatements(rest); }); });
    if (stmt.kind == ast::StmtKind::If && mayNest && rest.size() > 1) {
      bool thenLeaves = alwaysExits(stmt.body, inBranch());
      bool elseLeaves =
          stmt.otherwise && alwaysExits(*stmt.otherwise, inBranch());
      if (thenLeaves != elseLeaves)
        return nest([&] { lowerIf(stmt, rest.drop_front()); });
    }
    lowerStatement(stmt);
  }
}

void FunctionLowering::nest(llvm::function_ref<void()> body) {
  ++nestedRests;
  body();
  --nestedRests;
}

void FunctionLowering::lowerStatement(const ast::Stmt &stmt) {
  using K = ast::StmtKind;
  switch (stmt.kind) {
  case K::Let:
  case K::Var:
    env[slotOf(stmt.binding)] = lowerAs(*stmt.value, stmt.binding->type);
    if (stmt.value->kind == ast::ExprKind::Fork)
      copyCaptures(*stmt.value->args[0].value, stmt.binding);
    return;
  case K::Assign:
    return lowerAssign(stmt);
  case K::Extend:
    return lowerExtend(stmt);
  case K::RoleBlock:
    return lowerRoleBlock(stmt);
  case K::If:
    return lowerIf(stmt, {});
  case K::Match:
    return lowerMatch(stmt);
  case K::For:
    return lowerFor(stmt);
  case K::While:
    return lowerWhile(stmt);
  case K::ForkBlock:
    lowerForkBlock(*stmt.fork, places.of(stmt), stmt.span);
    return;
  case K::Parallel:
    // Overlap is in the data already; the names belong to this block.
    return lowerStatements(stmt.body.statements);
  case K::Retry:
    return lowerRetry(stmt);
  case K::Join:
    if (!closesStates(stmt, inBranch()))
      exit(Exit::Join, stmt.value.get(), stmt.span);
    return;
  case K::Return:
    return exit(Exit::Return, stmt.value.get(), stmt.span);
  case K::Break:
    return exit(Exit::Break, nullptr, stmt.span);
  case K::Continue:
    return exit(Exit::Continue, nullptr, stmt.span);
  case K::Expect:
    return lowerExpect(stmt);
  case K::Assert:
    assert(false && "an assert stands in tests alone");
    return;
  case K::Call:
    lowerExpr(*stmt.value);
    return;
  }
}

void FunctionLowering::exit(Exit exit, const ast::Expr *value, Span span) {
  const sgl::Type *type = exit == Exit::Join ? joinType : function.resultType;
  if (value) {
    bool isUsed = type && !type->is(TypeKind::Void);
    mlir::Value given = isUsed ? lowerAs(*value, type) : lowerExpr(*value);
    if (isUsed)
      env[Slot::given(exit)] = given;
  }
  env[Slot::flag(exit)] = boolean(true, at(span));
  live = false;
}

/// The type that a place takes, whatever is known of its present value.
static const sgl::Type *declaredType(const ast::Expr &place) {
  if (place.kind == ast::ExprKind::Name)
    return place.binding->type;
  if (place.kind == ast::ExprKind::Field) {
    const sgl::Type *base = place.children[0]->type;
    if (base->is(TypeKind::Record))
      for (const RecordField &field : base->record->fields)
        if (field.name == place.text)
          return field.type;
  }
  return place.type;
}

void FunctionLowering::lowerAssign(const ast::Stmt &stmt) {
  mlir::Value value = lowerAs(*stmt.value, declaredType(*stmt.place));
  assign(*stmt.place, value);
  if (stmt.place->kind == ast::ExprKind::Name &&
      isByReference(stmt.place->type)) {
    // Another prompt is called by this name now.
    endFollow(stmt.place->binding->id);
    forgetCaptures({stmt.place->binding->id});
    if (stmt.value->kind == ast::ExprKind::Fork)
      copyCaptures(*stmt.value->args[0].value, stmt.place->binding);
  }
}

/// `expect c, "why"`: where c does not hold, the run, or the try, fails.
void FunctionLowering::lowerExpect(const ast::Stmt &stmt) {
  Location location = at(stmt.span);
  mlir::Value condition = lowerExpr(*stmt.value);
  Branch holds = lowerBranch({}, location, [](auto) {});
  Branch fails = lowerBranch({}, location, [&](auto) {
    mlir::Value message;
    if (stmt.message)
      message = lowerExpr(*stmt.message);
    else
      message = text(module.sourceText(stmt.value->span), location);
    builder.create<ir::FailOp>(location, message, "expect");
  });
  finishIf(location, condition, std::move(holds), std::move(fails));
}

} // namespace sgl
