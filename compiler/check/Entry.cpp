// What `main` may take, and which functions are reached; see Entry.h.
#include "compiler/check/Entry.h"

#include <algorithm>

namespace sgl {

void checkEntry(Session &session, ast::Module &module) {
  for (auto &function : module.functions) {
    if (function->name.text != "main" || function->isTool)
      continue;
    for (ast::Param &param : function->params)
      if (param.type && isStateList(param.binding->type))
        session
            .error("E0605", param.type->span,
                   "a command line cannot carry a " +
                       ticked(param.binding->type))
            .label("a parameter of `main`")
            .note("a `state` starts empty; fork it inside");
    const Type *result = function->resultType;
    if (function->result && !isError(result) && !isPrintable(result))
      session
          .error("E0605", function->result->span,
                 "a command line cannot carry a " + ticked(result))
          .label("the result of `main`")
          .note("give back its text: `s.text`");
  }
}

namespace {

class Reach {
public:
  std::vector<ast::FnDecl *> found;

  void visit(ast::FnDecl *function) {
    if (function->isTool || !seen.insert(function).second)
      return;
    found.push_back(function);
    // A stack hands out the last first, so what is called first goes on top.
    size_t bottom = pending.size();
    walk(function->body);
    std::reverse(pending.begin() + bottom, pending.end());
  }

  /// Functions that were found are walked one after the other, so the depth of
  /// calls costs no stack.
  void drain() {
    while (!pending.empty()) {
      ast::FnDecl *next = pending.back();
      pending.pop_back();
      visit(next);
    }
  }

private:
  void walk(const ast::Block &block) {
    for (const auto &stmt : block.statements) {
      for (const auto *expr : {&stmt->place, &stmt->value, &stmt->message})
        if (*expr)
          walk(**expr);
      for (const auto &part : stmt->parts)
        walk(*part);
      walk(stmt->body);
      if (stmt->otherwise)
        walk(*stmt->otherwise);
      for (const ast::MatchArm &arm : stmt->arms)
        walk(arm.body);
      if (stmt->fork)
        walk(*stmt->fork);
    }
  }

  void walk(const ast::ForkBlock &fork) {
    if (fork.source)
      walk(*fork.source);
    if (fork.list)
      walk(*fork.list);
    if (fork.body)
      walk(*fork.body);
  }

  void walk(const ast::Expr &expr) {
    if (expr.callee == ast::CalleeKind::Function)
      pending.push_back(expr.function);
    for (const auto &child : expr.children)
      if (child)
        walk(*child);
    for (const ast::TextPart &part : expr.parts)
      if (part.hole)
        walk(*part.hole);
    for (const ast::Arg &arg : expr.args)
      if (arg.value)
        walk(*arg.value);
    if (expr.fork)
      walk(*expr.fork);
  }

  std::unordered_set<ast::FnDecl *> seen;
  std::vector<ast::FnDecl *> pending;
};

} // namespace

std::vector<ast::FnDecl *> functionsInOrder(ast::Module &module) {
  Reach reach;
  for (auto &function : module.functions) {
    reach.visit(function.get());
    reach.drain();
  }
  return std::move(reach.found);
}

} // namespace sgl
