// Forks and joins (2.8): branches, what they hand back, closing states.
#include "compiler/check/BodyChecker.h"

#include "compiler/check/Branch.h"

namespace sgl {

const Type *BodyChecker::checkForkCall(ast::Expr &expr) {
  for (const ast::Arg &arg : expr.args)
    if (arg.label) {
      session
          .error("E0604", arg.label->span,
                 "`fork` takes its arguments without names")
          .label("a name");
      return errorType();
    }
  if (expr.args.empty() || expr.args.size() > 2) {
    session
        .error("E0604", expr.span, "`fork` takes a state, and how many copies")
        .label("write `fork(s)` or `fork(s, n)`");
    return errorType();
  }
  ast::Expr &source = *expr.args[0].value;
  const Type *type = checkExpr(source);
  bool isState = type->is(TypeKind::State);
  if (!isError(type) && !isState)
    session
        .error("E0301", source.span,
               "`fork` copies a state, not a " + ticked(type))
        .label("of type " + ticked(type));
  markUsed(source);
  if (expr.args.size() == 1)
    return types.stateType();
  ast::Expr &count = *expr.args[1].value;
  checkAs(count, types.intType());
  if (count.constant && count.constant->asInt() && *count.constant->asInt() < 0)
    session
        .error("E0303", count.span,
               "`fork` takes a number of copies from 0, found " +
                   toJson(*count.constant))
        .label("out of range");
  return types.list(types.stateType());
}

//===-- fork s as f … { … } -----------------------------------------------===//

const Type *BodyChecker::checkForkBlock(ast::ForkBlock &fork, bool isExpression,
                                        const Type *expected) {
  if (!function) {
    session.error("E0208", fork.span, "a fork is no constant")
        .label("not known when compiled");
    return errorType();
  }
  const Type *source = checkExpr(*fork.source);
  if (!isError(source) && !source->is(TypeKind::State))
    session
        .error("E0301", fork.source->span,
               "`fork` copies a state, not a " + ticked(source))
        .label("of type " + ticked(source));
  markUsed(*fork.source);
  const Type *element = nullptr;
  if (fork.list)
    element = branchElement(*fork.list);

  StateFacts facts = factsOf(*fork.source);
  Env before = env;
  Branch branch;
  branch.fork = &fork;
  branch.isExpression = isExpression;
  if (expected) {
    const Type *to = present(expected);
    branch.expected = !fork.list               ? expected
                      : to->is(TypeKind::List) ? to->element
                                               : nullptr;
  }
  // A branch's body is read by itself: not inside of a `+=`, nor of a loop.
  std::vector<const ast::Expr *> outer = std::move(extending);
  extending.clear();
  branches.push_back(&branch);
  {
    ScopeGuard scope(*this);
    if (fork.loopName)
      fork.loopBinding =
          declare(ast::BindingKind::Loop, *fork.loopName, element);
    fork.branchBinding =
        declare(ast::BindingKind::Branch, fork.branch, types.stateType());
    env.editFacts(fork.branchBinding) = facts;
    checkStatements(*fork.body);
  }
  if (env.reachable)
    session
        .error("E0511", fork.branch.span,
               "a path of this branch ends without `join`")
        .label("not every path of the branch joins")
        .note(isExpression ? "end it with `join value`" : "end it with `join`");
  branches.pop_back();
  extending = std::move(outer);
  env = std::move(before);

  fork.joinType = types.voidType();
  if (!isExpression)
    return types.voidType();
  const Type *joined = joinedType(branch);
  if (isError(joined))
    return joined;
  fork.joinType = joined;
  if (fork.list && isStateList(joined)) {
    session
        .error("E0301", fork.branch.span, "a list cannot hold lists of states")
        .label("joined in each branch");
    return errorType();
  }
  return fork.list ? types.list(joined) : joined;
}

const Type *BodyChecker::branchElement(ast::Expr &list) {
  const Type *type = checkExpr(list);
  if (isError(type) || refuseNull(list))
    return errorType();
  if (type->is(TypeKind::Map))
    return types.strType();
  if (type->is(TypeKind::List) && !type->element->is(TypeKind::State))
    return type->element;
  Diagnostic &d = session.error("E0301", list.span,
                                "the branches of a fork go over a list "
                                "of values, found " +
                                    ticked(type));
  d.label("of type " + ticked(type));
  if (plainKind(type) == TypeKind::Int)
    d.note("a range is a list: `0..n`");
  return errorType();
}

/// The one type of all that the branches hand back.
const Type *BodyChecker::joinedType(Branch &branch) {
  if (branch.broken)
    return errorType();
  const Type *all = nullptr;
  const ast::Expr *first = nullptr;
  for (ast::Expr *value : branch.values) {
    const Type *type = value->type;
    if (isError(type))
      return type;
    if (branch.expected)
      type = branch.expected;
    else if (type->is(TypeKind::Literal) || value->kind == ast::ExprKind::Text)
      type = baseType(types, type);
    const Type *both = all ? session.unify(all, type) : type;
    if (!both) {
      session
          .error("E0301", value->span,
                 "the branches of a fork join values of one type")
          .label("of type " + ticked(type))
          .also(first->span, "of type " + ticked(all));
      return errorType();
    }
    all = both;
    if (!first)
      first = value;
  }
  if (all && all->is(TypeKind::Null)) {
    session.error("E0301", first->span, "every branch joins `null`")
        .label("null of what?");
    return errorType();
  }
  // No `join` at all: E0511 has said so.
  return all ? all : errorType();
}

//===-- join --------------------------------------------------------------===//

void BodyChecker::checkJoin(ast::Stmt &stmt) {
  if (stmt.place) {
    session.refuse("join into", stmt.span);
    if (stmt.value)
      checkExpr(*stmt.value);
    checkExpr(*stmt.place);
    return;
  }
  if (branches.empty())
    return closeStates(stmt);
  // In a branch `join fs` still closes a list of states that it owns: a branch
  // cannot hand back a list of lists of states.
  ast::Expr *value = stmt.value.get();
  if (value && value->kind == ast::ExprKind::Name) {
    const Local *local = findLocal(value->text);
    if (local && isStateList(local->binding->type) &&
        info(local->binding).branchDepth == branches.size())
      return closeStates(stmt);
  }
  joinBranch(stmt);
}

void BodyChecker::joinBranch(ast::Stmt &stmt) {
  ++returns;
  Branch &branch = *branches.back();
  if (!stmt.value) {
    if (branch.isExpression) {
      session.error("E0301", stmt.span, "`join` misses its value")
          .label("every branch hands a value back here")
          .also(branch.fork->branch.span, "the branch");
      branch.broken = true;
    }
    env.reachable = false;
    return;
  }
  ast::Expr &value = *stmt.value;
  const Type *type =
      branch.expected ? checkAs(value, branch.expected) : checkExpr(value);
  if (isError(type))
    branch.broken = true;
  else if (type->is(TypeKind::Void)) {
    if (branch.isExpression) {
      session.error("E0301", value.span, "this call gives no result to join")
          .label("nothing to hand back");
      branch.broken = true;
    }
  } else if (holdsStates(type)) {
    markUsed(value);
    ast::Binding *root = stateRoot(value);
    bool own = root && info(owner(root)).branchDepth == branches.size() &&
               value.kind == ast::ExprKind::Name;
    if (!own)
      refuseAlias(value, "what the branch joins");
  }
  branch.values.push_back(&value);
  env.reachable = false;
}

/// `join fs` outside of a branch: waits and closes.
void BodyChecker::closeStates(ast::Stmt &stmt) {
  if (!stmt.value) {
    session.error("E0501", stmt.span, "`join` without a fork")
        .label("in no branch")
        .note("`join fs` closes the states of `let fs = fork(s, n)`");
    return;
  }
  ast::Expr &value = *stmt.value;
  const Type *type = checkExpr(value);
  if (isError(type))
    return;
  ast::Binding *root = stateRoot(value);
  bool own = root && (root->kind == ast::BindingKind::Let ||
                      root->kind == ast::BindingKind::Var);
  if (!own) {
    Diagnostic &d = session.error("E0501", stmt.span, "`join` without a fork");
    d.label("in no branch, and not states of a fork");
    if (!holdsStates(type))
      d.suggest({stmt.span.file, stmt.span.begin, stmt.span.begin + 4},
                "return", "did you mean `return`?");
    return;
  }
  markUsed(value);
  const StateFacts *facts = env.facts(root);
  if (facts && facts->joined) {
    session.error("E0503", stmt.span, ticked(root->name) + " is joined already")
        .label("joined again here")
        .also(*facts->joined, "joined here")
        .note("to go on with it, fork it again");
    return;
  }
  env.editFacts(root).joined = stmt.span;
}

} // namespace sgl
