// Which names a piece of source writes: what a loop must carry.
#pragma once

#include "compiler/syntax/Ast.h"

#include <set>

namespace sgl {

/// Ids of the bindings that `block` may write: assigned, extended, or handed to
/// a function as a state. Branches of a fork write only their own copies.
std::set<uint32_t> writesOf(const ast::Block &block);
std::set<uint32_t> writesOf(const ast::Expr &expr);

} // namespace sgl
