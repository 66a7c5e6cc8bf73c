// The place of a call: what its draws depend on.
//
// A place is the functions and loops on the way to a call, each by its number
// among the calls, gens, loops, forks and retries of its function's source,
// with pass, branch and try (added when it runs). So inlining, unrolling,
// threads and the rows of a batch do not change a draw. Numbers are given here,
// by one walk over the source, before anything is lowered or moved.
#pragma once

#include "compiler/syntax/Ast.h"

#include <cstdint>
#include <unordered_map>

namespace sgl {

class Places {
public:
  explicit Places(const ast::FnDecl &function);
  /// The number of a gen, select, call, fork, loop or retry.
  uint32_t of(const ast::Expr &expr) const { return numbers.at(&expr); }
  uint32_t of(const ast::Stmt &stmt) const { return numbers.at(&stmt); }

private:
  std::unordered_map<const void *, uint32_t> numbers;
};

} // namespace sgl
