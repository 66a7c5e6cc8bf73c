// The order of a tree; see Walk.h.
#include "compiler/lower/Walk.h"

namespace sgl {

namespace {

void walkOptional(const ast::ExprPtr &expr, Visitor &visitor) {
  if (expr)
    walk(*expr, visitor);
}

void walkFork(const ast::ForkBlock &fork, Visitor &visitor) {
  walkOptional(fork.source, visitor);
  walkOptional(fork.list, visitor);
  walk(*fork.body, visitor);
}

void walk(const ast::Stmt &stmt, Visitor &visitor) {
  if (!visitor.visit(stmt))
    return;
  walkOptional(stmt.place, visitor);
  walkOptional(stmt.value, visitor);
  walkOptional(stmt.message, visitor);
  for (const ast::ExprPtr &part : stmt.parts)
    walk(*part, visitor);
  if (stmt.fork)
    walkFork(*stmt.fork, visitor);
  walk(stmt.body, visitor);
  for (const ast::MatchArm &arm : stmt.arms)
    walk(arm.body, visitor);
  if (stmt.otherwise)
    walk(*stmt.otherwise, visitor);
}

} // namespace

void walk(const ast::Block &block, Visitor &visitor) {
  for (const auto &stmt : block.statements)
    walk(*stmt, visitor);
}

void walk(const ast::Expr &expr, Visitor &visitor) {
  if (!visitor.visit(expr))
    return;
  for (const ast::TextPart &part : expr.parts)
    walkOptional(part.hole, visitor);
  for (size_t i = 0; i < expr.children.size(); ++i) {
    if (i < expr.keys.size())
      walk(*expr.keys[i], visitor);
    walkOptional(expr.children[i], visitor);
  }
  for (const ast::Arg &arg : expr.args)
    walkOptional(arg.value, visitor);
  if (expr.fork)
    walkFork(*expr.fork, visitor);
}

const ast::Binding *rootOf(const ast::Expr &expr) {
  const ast::Expr *at = &expr;
  while (at->kind == ast::ExprKind::Field || at->kind == ast::ExprKind::Index) {
    if (at->children.empty())
      return nullptr;
    at = at->children[0].get();
  }
  return at->kind == ast::ExprKind::Name ? at->binding : nullptr;
}

bool isByReference(const Type *type) {
  return type && (type->is(TypeKind::State) ||
                  (type->is(TypeKind::List) && isByReference(type->element)));
}

} // namespace sgl
