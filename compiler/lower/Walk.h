// Goes over a function's tree in the order of its source.
//
// Entry point: walk. Analyses of this folder are visitors: where a visit gives
// false, what lies inside is left out.
#pragma once

#include "compiler/syntax/Ast.h"

namespace sgl {

class Visitor {
public:
  virtual ~Visitor() = default;
  /// True: go on inside.
  virtual bool visit(const ast::Expr &) { return true; }
  virtual bool visit(const ast::Stmt &) { return true; }
};

void walk(const ast::Block &block, Visitor &visitor);
void walk(const ast::Expr &expr, Visitor &visitor);

/// The name at the root of `x`, `x[i]`, `x.field`; null for anything else.
const ast::Binding *rootOf(const ast::Expr &expr);
/// A state or a list of states: what functions take by reference.
bool isByReference(const Type *type);

} // namespace sgl
