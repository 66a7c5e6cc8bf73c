// `for` and `while`: what a pass changes, and what is known behind the loop.
#include "compiler/check/BodyChecker.h"

#include <set>

namespace sgl {

namespace {

/// Names that a body assigns or extends, and names that it generates.
struct Written {
  std::set<std::string> names, captures;
};

void collect(const ast::Block &block, Written &written);

void collect(const ast::Expr &expr, Written &written) {
  if (expr.capture)
    written.captures.insert(expr.capture->text);
  for (const auto &child : expr.children)
    if (child)
      collect(*child, written);
  for (const ast::TextPart &part : expr.parts)
    if (part.hole)
      collect(*part.hole, written);
  for (const ast::Arg &arg : expr.args)
    if (arg.value)
      collect(*arg.value, written);
}

void collect(const ast::Block &block, Written &written) {
  for (const auto &stmt : block.statements) {
    if (const ast::Expr *root = stmt->place.get()) {
      while (root->kind == ast::ExprKind::Field ||
             root->kind == ast::ExprKind::Index)
        root = root->children[0].get();
      if (root->kind == ast::ExprKind::Name)
        written.names.insert(root->text);
    }
    for (const auto &part : stmt->parts)
      collect(*part, written);
    collect(stmt->body, written);
    if (stmt->otherwise)
      collect(*stmt->otherwise, written);
    for (const ast::MatchArm &arm : stmt->arms)
      collect(arm.body, written);
    // Branches write to states and names of their own alone.
  }
}

} // namespace

void BodyChecker::enterLoop(const ast::Block &body) {
  Written written;
  collect(body, written);
  for (const std::string &name : written.names) {
    const Local *local = findLocal(name);
    if (!local)
      continue;
    env.forget(local->binding);
    const StateFacts *facts = env.facts(local->binding);
    if (!facts)
      continue;
    // In a later pass such a name may be the one of the pass before.
    bool any = false;
    for (const std::string &capture : written.captures)
      any |= facts->captures.get().count(capture) > 0;
    if (!any)
      continue;
    auto &captures = env.editFacts(local->binding).captures.edit();
    for (const std::string &capture : written.captures)
      if (auto found = captures.find(capture); found != captures.end())
        found->second.binding = nullptr;
  }
}

void BodyChecker::checkNextPass(const Env &head, const Env &tail) {
  if (!tail.reachable)
    return;
  for (const auto &[state, facts] : head.states.get()) {
    const StateFacts *after = tail.facts(state);
    if (!after || facts.joined || !after->joined)
      continue;
    session
        .error("E0503", *after->joined,
               ticked(state->name) + " is joined again in the next pass")
        .label("joined in each pass of the loop")
        .also(state->span, "declared outside of the loop")
        .note("fork inside of the loop, or join behind it");
  }
}

/// Of the list of a `for` the type of an element; errorType() where it was
/// reported.
const Type *BodyChecker::iterated(ast::Stmt &stmt) {
  const Type *type = checkExpr(*stmt.value);
  if (isError(type) || refuseNull(*stmt.value))
    return errorType();
  if (type->is(TypeKind::List))
    return type->element;
  if (type->is(TypeKind::Map))
    return types.strType();
  Diagnostic &d =
      session.error("E0301", stmt.value->span,
                    "`for` takes a list or a map, found " + ticked(type));
  d.label("of type " + ticked(type));
  if (type->is(TypeKind::Json))
    d.note("`list(x)` makes a list of a `json`");
  else if (plainKind(type) == TypeKind::Int)
    d.note("a range is a list: `0..n`");
  return errorType();
}

/// Behind a loop the turns are open that were open before it, however it was
/// left.
void BodyChecker::leaveLoop(const Env &head) {
  for (const auto &[state, facts] : head.states.get()) {
    const StateFacts *now = env.facts(state);
    if (now && now->openRole != facts.openRole)
      env.editFacts(state).openRole = facts.openRole;
  }
}

void BodyChecker::checkFor(ast::Stmt &stmt) {
  const Type *element = iterated(stmt);
  ast::Expr &list = *stmt.value;
  enterLoop(stmt.body);
  Env head = env;
  loops.push_back({{}, {}, branches.size()});
  {
    ScopeGuard scope(*this);
    stmt.binding = declare(ast::BindingKind::Loop, stmt.name, element);
    if (element->is(TypeKind::State)) {
      markUsed(list);
      info(stmt.binding).elementOf = stateRoot(list);
      StateFacts facts = factsOf(list);
      env.editFacts(stmt.binding) = facts;
    }
    checkStatements(stmt.body);
  }
  Loop loop = std::move(loops.back());
  loops.pop_back();
  for (const Env &next : loop.continues)
    env = merge(session, env, next);
  checkNextPass(head, env);
  const ListData *known = list.constant ? list.constant->asList() : nullptr;
  bool runs = (known && !known->empty()) ||
              (list.kind == ast::ExprKind::List && !list.children.empty());
  if (!runs)
    env = merge(session, head, env);
  for (const Env &left : loop.breaks)
    env = merge(session, env, left);
  leaveLoop(head);
}

void BodyChecker::checkWhile(ast::Stmt &stmt) {
  enterLoop(stmt.body);
  Env head = env;
  size_t returnsBefore = returns;
  Condition condition = checkCondition(*stmt.value);
  const auto &constant = stmt.value->constant;
  bool forever = constant && constant->asBool() && *constant->asBool();
  loops.push_back({{}, {}, branches.size()});
  apply(condition.whenTrue);
  checkBlock(stmt.body);
  Loop loop = std::move(loops.back());
  loops.pop_back();
  for (const Env &next : loop.continues)
    env = merge(session, env, next);
  checkNextPass(head, env);
  if (forever && loop.breaks.empty() && returns == returnsBefore)
    session.warning("W0602", stmt.value->span, "this loop never ends")
        .label("always true, and nothing leaves the loop")
        .note("leave it by `break`, `return` or `join`");
  if (forever)
    env.reachable = false;
  else
    env = merge(session, head, env);
  apply(condition.whenFalse);
  for (const Env &left : loop.breaks)
    env = merge(session, env, left);
  leaveLoop(head);
}

} // namespace sgl
