// Collects the roots of everything that is written; see Writes.h.
#include "compiler/lower/Writes.h"
#include "compiler/lower/Walk.h"

namespace sgl {

namespace {

class Collector : public Visitor {
public:
  std::set<uint32_t> ids;

  bool visit(const ast::Expr &expr) override {
    if (expr.kind == ast::ExprKind::ForkBlock)
      return false;
    if (expr.kind == ast::ExprKind::Call &&
        expr.callee == ast::CalleeKind::Function)
      for (const ast::Arg &arg : expr.args)
        if (isByReference(arg.value->type))
          add(*arg.value);
    return true;
  }

  bool visit(const ast::Stmt &stmt) override {
    using K = ast::StmtKind;
    switch (stmt.kind) {
    case K::Assign:
    case K::Extend:
    case K::RoleBlock:
      add(*stmt.place);
      return true;
    case K::For:
      // `for f in fs`: in the body f is the element itself.
      if (isByReference(stmt.value->type))
        add(*stmt.value);
      return true;
    case K::ForkBlock:
      return false;
    default:
      return true;
    }
  }

private:
  void add(const ast::Expr &place) {
    if (const ast::Binding *root = rootOf(place))
      ids.insert(root->id);
  }
};

} // namespace

std::set<uint32_t> writesOf(const ast::Block &block) {
  Collector collector;
  walk(block, collector);
  return std::move(collector.ids);
}

std::set<uint32_t> writesOf(const ast::Expr &expr) {
  Collector collector;
  walk(expr, collector);
  return std::move(collector.ids);
}

} // namespace sgl
