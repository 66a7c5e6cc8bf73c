// Numbers the calls, gens, loops, forks and retries of a function.
#include "compiler/lower/Places.h"
#include "compiler/lower/Walk.h"

namespace sgl {

namespace {

bool hasPlace(const ast::Expr &expr) {
  using K = ast::ExprKind;
  return expr.kind == K::Gen || expr.kind == K::Select ||
         expr.kind == K::Fork || expr.kind == K::ForkBlock ||
         (expr.kind == K::Call && expr.callee == ast::CalleeKind::Function);
}

bool hasPlace(const ast::Stmt &stmt) {
  using K = ast::StmtKind;
  return stmt.kind == K::For || stmt.kind == K::While ||
         stmt.kind == K::ForkBlock || stmt.kind == K::Retry;
}

class Numbering : public Visitor {
public:
  explicit Numbering(std::unordered_map<const void *, uint32_t> &numbers)
      : numbers(numbers) {}
  bool visit(const ast::Expr &expr) override { return number(expr); }
  bool visit(const ast::Stmt &stmt) override { return number(stmt); }

private:
  template <typename Node>
  bool number(const Node &node) {
    if (hasPlace(node))
      numbers.emplace(&node, uint32_t(numbers.size()));
    return true;
  }
  std::unordered_map<const void *, uint32_t> &numbers;
};

} // namespace

Places::Places(const ast::FnDecl &function) {
  Numbering numbering(numbers);
  walk(function.body, numbering);
}

} // namespace sgl
