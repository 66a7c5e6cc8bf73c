// The fork whose branch is being read.
#pragma once

#include "compiler/check/BodyChecker.h"

namespace sgl {

struct BodyChecker::Branch {
  ast::ForkBlock *fork = nullptr;
  bool isExpression = false;
  const Type *expected = nullptr;  ///< of the joined values, where known
  std::vector<ast::Expr *> values; ///< joined so far
  bool broken = false;             ///< a join was reported
};

} // namespace sgl
