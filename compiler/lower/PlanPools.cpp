// Pools hold each thing once, in order of first use; see PlanPools.h.
#include "compiler/lower/PlanPools.h"

namespace sgl {

plan::TextId PlanPools::text(llvm::StringRef text) {
  auto [it, isNew] =
      texts.try_emplace(text.str(), plan::TextId(plan.texts.size()));
  if (isNew)
    plan.texts.push_back(it->first);
  return it->second;
}

plan::TypeId PlanPools::type(const Type *type) {
  assert(type && "verify-plan-ready checks the keys of types");
  auto [it, isNew] = types.try_emplace(type, plan::TypeId(plan.types.size()));
  if (isNew)
    plan.types.push_back(type);
  return it->second;
}

plan::TypeId PlanPools::type(mlir::StringAttr key) {
  return type(tables.type(key.getValue()));
}

plan::ConstraintId PlanPools::constraint(llvm::StringRef key) {
  auto [it, isNew] = constraints.try_emplace(
      key.str(), plan::ConstraintId(plan.constraints.size()));
  if (isNew) {
    const ir::ConstraintEntry *entry = tables.constraint(key);
    assert(entry && "verify-plan-ready checks the keys of constraints");
    plan.constraints.push_back({entry->source, entry->automaton});
  }
  return it->second;
}

} // namespace sgl
