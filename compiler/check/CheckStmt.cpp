// Statements: declarations, assignments, `+=`, branches and the ways out.
#include "compiler/check/BodyChecker.h"

#include "compiler/check/Branch.h"
#include "compiler/check/Declare.h"
#include "compiler/check/Fold.h"
#include "compiler/check/Types.h"

namespace sgl {

void BodyChecker::checkBlock(ast::Block &block) {
  ScopeGuard scope(*this);
  checkStatements(block);
}

void BodyChecker::checkStatements(ast::Block &block) {
  bool warned = !env.reachable || (function && function->damaged);
  for (auto &stmt : block.statements) {
    if (!env.reachable && !warned) {
      warned = true;
      session.warning("W0601", stmt->span, "this is never reached")
          .label("every path has left before");
    }
    checkStmt(*stmt);
  }
}

void BodyChecker::checkStmt(ast::Stmt &stmt) {
  using K = ast::StmtKind;
  switch (stmt.kind) {
  case K::Let:
  case K::Var:
    return checkLet(stmt);
  case K::Assign:
    return checkAssign(stmt);
  case K::Extend:
    return checkExtend(stmt);
  case K::RoleBlock:
    return checkRoleBlock(stmt);
  case K::If:
    return checkIfStmt(stmt);
  case K::Match:
    return checkMatch(stmt);
  case K::For:
    return checkFor(stmt);
  case K::While:
    return checkWhile(stmt);
  case K::ForkBlock:
    checkForkBlock(*stmt.fork, false, nullptr);
    return;
  case K::Parallel:
    // Its names belong to the block around it.
    session.refuse("parallel",
                   Span{stmt.span.file, stmt.span.begin, stmt.span.begin + 8});
    return checkStatements(stmt.body);
  case K::Retry:
    return checkRetry(stmt);
  case K::Join:
    return checkJoin(stmt);
  case K::Return:
    return checkReturn(stmt);
  case K::Break:
  case K::Continue:
    return checkJump(stmt);
  case K::Expect:
  case K::Assert:
    return checkExpect(stmt);
  case K::Call:
    checkExpr(*stmt.value);
    return;
  }
}

//===-- Declarations ------------------------------------------------------===//

void BodyChecker::checkLet(ast::Stmt &stmt) {
  bool isVar = stmt.kind == ast::StmtKind::Var;
  const Type *declared = nullptr;
  if (stmt.declaredType)
    declared = resolveType(session, module, *stmt.declaredType);
  ast::Expr &value = *stmt.value;
  const Type *type = declared ? checkAs(value, declared) : checkExpr(value);
  if (!declared && !isError(type)) {
    if (type->is(TypeKind::Void)) {
      session.error("E0301", value.span, "this call gives no result")
          .label("nothing to name");
      type = errorType();
    } else if (type->is(TypeKind::Null)) {
      session.error("E0301", value.span, "the type of this `null` is unknown")
          .label("null of what?")
          .note("say it: `var " + stmt.name.text + ": str? = null`");
      type = errorType();
    }
  }
  refuseAlias(value, isVar ? "a `var`" : "a `let`");
  const Type *result = declared ? declared : type;
  ast::Binding *binding = declare(
      isVar ? ast::BindingKind::Var : ast::BindingKind::Let, stmt.name, result);
  stmt.binding = binding;
  if (isError(result))
    return;
  if (!isVar && value.constant)
    binding->constant = value.constant;
  if (holdsStates(result)) {
    StateFacts facts = factsOf(value);
    markUsed(value.kind == ast::ExprKind::Fork && !value.args.empty()
                 ? *value.args[0].value
                 : value);
    env.editFacts(binding) = facts;
  }
  if (result->is(TypeKind::Optional) && !isError(type) &&
      !type->is(TypeKind::Optional) && !type->is(TypeKind::Null))
    env.narrow({binding, ""}, result->element);
}

//===-- Assignment --------------------------------------------------------===//

bool BodyChecker::checkAssignable(ast::Expr &place) {
  const ast::Expr *root = &place;
  while (root->kind == ast::ExprKind::Field ||
         root->kind == ast::ExprKind::Index)
    root = root->children[0].get();
  const ast::Binding *binding =
      root->kind == ast::ExprKind::Name ? root->binding : nullptr;
  if (!binding) {
    if (!isError(root->type))
      session.error("E0209", place.span, "this cannot be assigned")
          .label("not a `var`, and no part of one");
    return false;
  }
  if (binding->kind != ast::BindingKind::Var) {
    Diagnostic &d = session.error(
        "E0209", place.span, ticked(binding->name) + " cannot be assigned");
    d.label("not a `var`").also(binding->span, "declared here");
    if (binding->kind == ast::BindingKind::Let)
      d.note("declare it with `var` to change it");
    else if (binding->kind == ast::BindingKind::Param)
      d.note("a parameter keeps its value; copy it: `var x = " + binding->name +
             "`");
    return false;
  }
  if (info(binding).branchDepth < branches.size()) {
    session
        .error("E0502", place.span,
               "branches write to " + ticked(binding->name) +
                   ", which they share")
        .label("written in each branch")
        .also(binding->span, "declared outside of the fork")
        .note("hand values back by `join`");
    return false;
  }
  for (const ast::Expr *part = &place; part != root;
       part = part->children[0].get()) {
    const Type *base = part->children[0]->type;
    bool isField = part->kind == ast::ExprKind::Field;
    if (isError(base) || (isField && base->is(TypeKind::Record)) ||
        (!isField && !base->is(TypeKind::Str)))
      continue;
    session
        .error("E0209", part->span,
               isField ? "a field of a " + ticked(base) + " cannot be assigned"
                       : "a part of a text cannot be assigned")
        .label("not a part of a `var`");
    return false;
  }
  return true;
}

namespace {

/// The type that a place takes, whatever is known of its present value.
const Type *declaredType(const ast::Expr &place) {
  if (place.kind == ast::ExprKind::Name && place.binding)
    return place.binding->type;
  if (place.kind == ast::ExprKind::Field && place.children[0]->type &&
      place.children[0]->type->is(TypeKind::Record))
    for (const RecordField &field : place.children[0]->type->record->fields)
      if (field.name == place.text)
        return field.type;
  return place.type;
}

const ast::Binding *rootBinding(const ast::Expr &place) {
  const ast::Expr *root = &place;
  while (!root->children.empty() && (root->kind == ast::ExprKind::Field ||
                                     root->kind == ast::ExprKind::Index))
    root = root->children[0].get();
  return root->binding;
}

} // namespace

void BodyChecker::checkAssign(ast::Stmt &stmt) {
  ast::Expr &place = *stmt.place, &value = *stmt.value;
  checkExpr(place);
  // The place is written, so what it held is no value of this program's.
  place.constant.reset();
  const Type *to = isError(place.type) ? place.type : declaredType(place);
  const Type *type = checkAs(value, to);
  if (isError(place.type) || !checkAssignable(place))
    return;
  refuseAlias(value, "this place");
  const ast::Binding *root = rootBinding(place);
  env.forget(root);
  if (place.kind != ast::ExprKind::Name || isError(type))
    return;
  if (holdsStates(to)) {
    StateFacts facts = factsOf(value);
    env.editFacts(root) = facts;
  }
  if (to->is(TypeKind::Optional) && !type->is(TypeKind::Optional) &&
      !type->is(TypeKind::Null))
    env.narrow({root, ""}, to->element);
}

//===-- += ----------------------------------------------------------------===//

void BodyChecker::checkExtend(ast::Stmt &stmt) {
  ast::Expr &place = *stmt.place;
  const Type *type = checkExpr(place);
  if (!isError(type) && !type->is(TypeKind::State))
    return checkAugmented(stmt, declaredType(place));
  bool writable = isError(type) || checkWritable(place, place.span);
  ast::Binding *root = stateRoot(place);
  if (root && writable && !info(root).textAdded)
    info(root).textAdded = stmt.span;
  extending.push_back(&place);
  checkParts(stmt.parts);
  extending.pop_back();
}

/// `v += e` on a number, a text or a list is `v = v + e`.
void BodyChecker::checkAugmented(ast::Stmt &stmt, const Type *to) {
  stmt.isArithmetic = true;
  ast::Expr &place = *stmt.place;
  place.constant.reset();
  if (stmt.parts.size() != 1) {
    session
        .error("E0301", place.span,
               "`+=` with several parts extends a state, not a " +
                   ticked(place.type))
        .label("of type " + ticked(place.type));
    return;
  }
  ast::Expr &value = *stmt.parts[0];
  if (makesPart(value)) {
    session
        .error("E0509", value.span,
               "a part of a prompt is added to a " + ticked(place.type))
        .label("not a value")
        .also(place.span, "no state");
    return;
  }
  checkExpr(value,
            place.type->is(TypeKind::List) || place.type->is(TypeKind::Float)
                ? place.type
                : nullptr);
  if (!checkAssignable(place))
    return;
  const Type *sum = sumType(place, value, ast::BinaryOp::Add, stmt.span);
  if (!sum)
    return;
  if (fit(types, sum, to) == Fit::No)
    session
        .error("E0301", value.span,
               "this makes a " + ticked(sum) + " of a " + ticked(to))
        .label("of type " + ticked(value.type))
        .also(place.span, "stays a " + ticked(to));
  env.forget(rootBinding(place));
  if (place.kind == ast::ExprKind::Name && to->is(TypeKind::Optional))
    env.narrow({rootBinding(place), ""}, to->element);
}

//===-- Turns as blocks ---------------------------------------------------===//

void BodyChecker::checkRoleBlock(ast::Stmt &stmt) {
  ast::Expr &place = *stmt.place;
  const Type *type = checkExpr(place);
  stmt.role = stmt.name.text;
  if (!isRoleName(stmt.name.text)) {
    Diagnostic &d = session.error("E0201", stmt.name.span,
                                  "there is no role " + ticked(stmt.name.text));
    d.label("no role");
    session.suggestNearest(d, stmt.name.span, stmt.name.text, [] {
      return std::vector<std::string>{"system", "user", "assistant", "tool",
                                      "role"};
    });
    d.note("another role is `role(\"name\", s) { … }`");
  } else if (stmt.name.text == "role") {
    bool named = stmt.message && stmt.message->kind == ast::ExprKind::Text;
    if (named) {
      checkExpr(*stmt.message);
      named = stmt.message->constant && stmt.message->constant->asText() &&
              !stmt.message->constant->asText()->empty();
    }
    if (named)
      stmt.role = *stmt.message->constant->asText();
    else
      session
          .error("E0208", stmt.name.span,
                 "`role` takes the name of the role first, as a text literal")
          .label("which role?")
          .note("write `role(\"critic\", s) { … }`");
  }
  if (!isError(type) && !type->is(TypeKind::State)) {
    session
        .error("E0301", place.span,
               "a turn is written on a state, not on a " + ticked(type))
        .label("of type " + ticked(type));
    return checkBlock(stmt.body);
  }
  if (!isError(type))
    checkWritable(place, place.span);
  extending.push_back(&place);
  bool opened = openTurn(stmt.role, stmt.name.span);
  extending.pop_back();
  checkBlock(stmt.body);
  extending.push_back(&place);
  if (opened)
    closeTurn();
  extending.pop_back();
}

//===-- Branches ----------------------------------------------------------===//

void BodyChecker::checkIfStmt(ast::Stmt &stmt) {
  Condition condition = checkCondition(*stmt.value);
  Env before = env;
  apply(condition.whenTrue);
  checkBlock(stmt.body);
  Env behindThen = std::move(env);
  env = std::move(before);
  apply(condition.whenFalse);
  if (stmt.otherwise)
    checkBlock(*stmt.otherwise);
  env = merge(session, behindThen, env);
}

void BodyChecker::checkRetry(ast::Stmt &stmt) {
  checkAs(*stmt.value, types.intType());
  const auto &tries = stmt.value->constant;
  if (tries && tries->asInt() && *tries->asInt() < 1)
    session
        .error("E0303", stmt.value->span,
               "`retry` takes one try or more, found " + toJson(*tries))
        .label("no try");
  Env before = env;
  ++retryDepth;
  checkBlock(stmt.body);
  Env behindBody = std::move(env);
  // The fallback starts from the snapshot before the tries.
  env = std::move(before);
  if (stmt.otherwise)
    checkBlock(*stmt.otherwise);
  else
    env.reachable = false;
  --retryDepth;
  env = merge(session, behindBody, env);
}

//===-- Ways out ----------------------------------------------------------===//

void BodyChecker::checkReturn(ast::Stmt &stmt) {
  ++returns;
  const Type *to = function->resultType;
  if (!branches.empty()) {
    if (stmt.value)
      checkExpr(*stmt.value);
    session.error("E0512", stmt.span, "`return` out of a branch")
        .label("leaves the fork")
        .also(branches.back()->fork->branch.span, "inside of this branch")
        .note("`join` ends a branch and hands its value back");
    env.reachable = false;
    return;
  }
  if (!stmt.value) {
    if (!to->is(TypeKind::Void) && !isError(to))
      session
          .error("E0301", stmt.span,
                 "`return` misses its value, a " + ticked(to))
          .label("nothing is returned")
          .also(function->result->span, "the result's type");
  } else if (to->is(TypeKind::Void)) {
    checkExpr(*stmt.value);
    if (!isError(stmt.value->type))
      session
          .error("E0301", stmt.value->span,
                 ticked(function->name.text) + " has no result")
          .label("returned all the same")
          .also(function->name.span, "declared without `->`")
          .note("give it one: `-> " + toString(stmt.value->type) + "`");
  } else {
    ast::Expr &value = *stmt.value;
    checkAs(value, to);
    markUsed(value);
    ast::Binding *root = stateRoot(value);
    bool own = root && (root->kind == ast::BindingKind::Let ||
                        root->kind == ast::BindingKind::Var);
    if (!own)
      refuseAlias(value, "the result");
  }
  env.reachable = false;
}

void BodyChecker::checkJump(ast::Stmt &stmt) {
  bool isBreak = stmt.kind == ast::StmtKind::Break;
  std::string word = isBreak ? "`break`" : "`continue`";
  if (loops.empty()) {
    session.error("E0512", stmt.span, word + " outside of a loop")
        .label("no loop to leave");
  } else if (loops.back().branchDepth < branches.size()) {
    session.error("E0512", stmt.span, word + " out of a branch")
        .label("leaves the fork")
        .also(branches.back()->fork->branch.span, "inside of this branch")
        .note("`join` ends a branch");
  } else if (env.reachable) {
    (isBreak ? loops.back().breaks : loops.back().continues).push_back(env);
  }
  env.reachable = false;
}

void BodyChecker::checkExpect(ast::Stmt &stmt) {
  if (stmt.kind == ast::StmtKind::Assert)
    session.error("E0106", stmt.span, "`assert` belongs to tests")
        .label("outside of a `test`")
        .note("in a program `expect` checks, and `retry` tries again");
  Condition condition = checkCondition(*stmt.value);
  if (stmt.message)
    checkAs(*stmt.message, types.strType());
  apply(condition.whenTrue);
}

} // namespace sgl
