// Who may hold, write and hand on a state (2.4): one name each, branches write
// to their own, closed states stay as they are.
#include "compiler/check/BodyChecker.h"

#include "compiler/check/Branch.h"

namespace sgl {

ast::Binding *BodyChecker::stateRoot(const ast::Expr &expr) const {
  if (expr.kind == ast::ExprKind::Index)
    return stateRoot(*expr.children[0]);
  if (expr.kind != ast::ExprKind::Name || !expr.binding ||
      !expr.binding->type || !isLocal(expr.binding))
    return nullptr;
  return holdsStates(expr.binding->type) ? expr.binding : nullptr;
}

/// The state itself: of `for f in fs` the list.
const ast::Binding *BodyChecker::owner(const ast::Binding *state) {
  while (const ast::Binding *list = info(state).elementOf)
    state = list;
  return state;
}

bool BodyChecker::checkWritable(const ast::Expr &place, Span span) {
  ast::Binding *root = stateRoot(place);
  if (!root)
    return true;
  const ast::Binding *real = owner(root);
  if (info(real).branchDepth < branches.size()) {
    const ast::ForkBlock &fork = *branches.back()->fork;
    session
        .error("E0502", span,
               "branches write to " + ticked(root->name) + ", which they share")
        .label("written in each branch")
        .also(real->span, "declared outside of the fork")
        .note("write to " + ticked(fork.branch.text) +
              ", this branch's own copy");
    return false;
  }
  for (const ast::Binding *state : {(const ast::Binding *)root, real}) {
    const StateFacts *facts = env.facts(state);
    if (!facts || !facts->joined)
      continue;
    session
        .error("E0503", span,
               ticked(root->name) + " is joined already and takes no more")
        .label("written after its `join`")
        .also(*facts->joined, "joined here")
        .note("reading it goes on; to write on, fork it again");
    return false;
  }
  return true;
}

bool BodyChecker::isAlias(const ast::Expr &expr) const {
  switch (expr.kind) {
  case ast::ExprKind::Name:
  case ast::ExprKind::Index:
  case ast::ExprKind::Field:
    return true;
  case ast::ExprKind::If:
    return isAlias(*expr.children[1]) || isAlias(*expr.children[2]);
  default:
    return false;
  }
}

bool BodyChecker::refuseAlias(const ast::Expr &expr, const char *how) {
  if (isError(expr.type) || !holdsStates(expr.type) || !isAlias(expr))
    return false;
  Diagnostic &d = session.error("E0506", expr.span,
                                std::string("a state has one name; ") + how +
                                    " would be a second one");
  d.label("the same prompt under two names");
  if (expr.type->is(TypeKind::State))
    d.note("`fork(" + (expr.kind == ast::ExprKind::Name ? expr.text : "s") +
           ")` is a copy");
  return true;
}

StateFacts BodyChecker::factsOf(const ast::Expr &expr) {
  StateFacts facts;
  if (expr.kind == ast::ExprKind::Fork && !expr.args.empty())
    return factsOf(*expr.args[0].value);
  if (ast::Binding *root = stateRoot(expr))
    if (const StateFacts *known = env.facts(root))
      facts = *known;
  facts.joined.reset();
  return facts;
}

void BodyChecker::markUsed(const ast::Expr &expr) {
  if (ast::Binding *root = stateRoot(expr))
    info(root).used = true;
}

/// Text that is added to a state of the function's own and never seen: W0507.
void BodyChecker::warnUnusedText() {
  for (const auto &binding : function->bindings) {
    bool own = binding->kind == ast::BindingKind::Let ||
               binding->kind == ast::BindingKind::Var ||
               binding->kind == ast::BindingKind::Branch;
    LocalInfo &local = info(binding.get());
    if (!own || !binding->type->is(TypeKind::State) || !local.textAdded ||
        local.used)
      continue;
    session
        .warning("W0507", *local.textAdded,
                 "text is added to " + ticked(binding->name) +
                     ", but nothing is generated from it")
        .label("never read")
        .also(binding->span, "declared here");
  }
}

//===-- States as arguments -----------------------------------------------===//

namespace {

/// `fs[0]` and `fs[1]`: surely different elements.
bool differentElements(const ast::Expr &a, const ast::Expr &b) {
  if (a.kind != ast::ExprKind::Index || b.kind != ast::ExprKind::Index)
    return false;
  const auto &i = a.children[1]->constant, &j = b.children[1]->constant;
  return i && j && i->asInt() && j->asInt() && *i->asInt() != *j->asInt();
}

} // namespace

void BodyChecker::checkStateArguments(const ast::Expr &call,
                                      ast::FnDecl &callee) {
  const std::vector<ParamEffect> &effects = session.effects[&callee];
  std::unordered_map<const ast::Binding *, Span> seen;
  for (size_t i = 0; i < call.argOrder.size(); ++i) {
    if (call.argOrder[i] < 0)
      continue;
    const ast::Expr &arg = *call.args[call.argOrder[i]].value;
    if (isError(arg.type) || !holdsStates(arg.type))
      continue;
    markUsed(arg);
    ParamEffect effect = i < effects.size() ? effects[i] : ParamEffect();
    StateFacts facts = factsOf(arg);
    if (effect.opensRole && !facts.openRole.empty())
      session
          .error("E0504", arg.span,
                 ticked(callee.name.text) + " begins a turn inside a turn of " +
                     ticked(facts.openRole))
          .label("handed on inside of the turn")
          .also(facts.roleSpan, "still open")
          .note("turns do not nest, also not through a call");
    ast::Binding *root = stateRoot(arg);
    if (!root)
      continue;
    const ast::Binding *real = owner(root);
    auto [first, fresh] = seen.emplace(real, arg.span);
    if (!fresh)
      session
          .error("E0506", arg.span,
                 ticked(real->name) + " is handed to one call twice")
          .label("again here")
          .also(first->second, "first here")
          .note("a state has one name in a function; `fork(" + real->name +
                ")` is a copy");
    if (!effect.extends)
      continue;
    if (!checkWritable(arg, arg.span))
      continue;
    for (const ast::Expr *target : extending) {
      ast::Binding *other = stateRoot(*target);
      if (!other || owner(other) != real || differentElements(arg, *target))
        continue;
      session
          .error("E0510", arg.span,
                 ticked(callee.name.text) + " would extend " +
                     ticked(root->name) + " inside of its own `+=`")
          .label("handed on here")
          .also(target->span, "extended here")
          .note("call it before the `+=`, or hand on `fork(" + root->name +
                ")`");
      break;
    }
  }
}

} // namespace sgl
