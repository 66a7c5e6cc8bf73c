// Which jumps a block can make; see EarlyExit.h.
#include "compiler/lower/EarlyExit.h"
#include "compiler/lower/Walk.h"

namespace sgl {

Exits exitsOfStmt(const ast::Stmt &stmt, bool inBranch) {
  using K = ast::StmtKind;
  Exits exits;
  switch (stmt.kind) {
  case K::Return:
    exits.add(Exit::Return);
    break;
  case K::Break:
    exits.add(Exit::Break);
    break;
  case K::Continue:
    exits.add(Exit::Continue);
    break;
  case K::Join:
    if (!closesStates(stmt, inBranch))
      exits.add(Exit::Join);
    break;
  case K::ForkBlock:
    break; // No jump leaves a branch.
  case K::For:
  case K::While:
    exits = exitsOf(stmt.body, inBranch);
    exits.remove(Exit::Break);
    exits.remove(Exit::Continue);
    break;
  default:
    exits = exitsOf(stmt.body, inBranch);
    for (const ast::MatchArm &arm : stmt.arms)
      exits.add(exitsOf(arm.body, inBranch));
    if (stmt.otherwise)
      exits.add(exitsOf(*stmt.otherwise, inBranch));
  }
  return exits;
}

namespace {

bool stmtAlwaysExits(const ast::Stmt &stmt, bool inBranch) {
  using K = ast::StmtKind;
  switch (stmt.kind) {
  case K::Return:
  case K::Break:
  case K::Continue:
    return true;
  case K::Join:
    return !closesStates(stmt, inBranch);
  case K::If:
    return stmt.otherwise && alwaysExits(stmt.body, inBranch) &&
           alwaysExits(*stmt.otherwise, inBranch);
  case K::Match:
    for (const ast::MatchArm &arm : stmt.arms)
      if (!alwaysExits(arm.body, inBranch))
        return false;
    return !stmt.arms.empty();
  case K::Retry:
    return alwaysExits(stmt.body, inBranch) &&
           (!stmt.otherwise || alwaysExits(*stmt.otherwise, inBranch));
  case K::RoleBlock:
  case K::Parallel:
    return alwaysExits(stmt.body, inBranch);
  default:
    return false;
  }
}

} // namespace

bool closesStates(const ast::Stmt &join, bool inBranch) {
  if (!inBranch || join.place)
    return true;
  // A branch hands back no list of states, so one that it names it closes.
  const ast::Expr *value = join.value.get();
  return value && value->kind == ast::ExprKind::Name &&
         value->type->is(TypeKind::List) && isByReference(value->type);
}

Exits exitsOf(const ast::Block &block, bool inBranch) {
  Exits exits;
  for (const auto &stmt : block.statements)
    exits.add(exitsOfStmt(*stmt, inBranch));
  return exits;
}

bool alwaysExits(const ast::Block &block, bool inBranch) {
  for (const auto &stmt : block.statements)
    if (stmtAlwaysExits(*stmt, inBranch))
      return true;
  return false;
}

} // namespace sgl
