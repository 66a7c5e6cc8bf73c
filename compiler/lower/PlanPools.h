// The pools of a plan under construction: each text, type and automaton once.
#pragma once

#include "ir/dialect/Sgl.h"
#include "ir/plan/Plan.h"

#include <string>
#include <unordered_map>

namespace sgl {

class PlanPools {
public:
  PlanPools(plan::Plan &plan, ir::Tables &tables)
      : plan(plan), tables(tables) {}

  plan::TextId text(llvm::StringRef text);
  plan::TypeId type(const Type *type);
  /// The type that a key of the IR stands for.
  plan::TypeId type(mlir::StringAttr key);
  plan::ConstraintId constraint(llvm::StringRef key);

private:
  plan::Plan &plan;
  ir::Tables &tables;
  std::unordered_map<std::string, plan::TextId> texts;
  std::unordered_map<const Type *, plan::TypeId> types;
  std::unordered_map<std::string, plan::ConstraintId> constraints;
};

} // namespace sgl
