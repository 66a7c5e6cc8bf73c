// The type pool of a plan as JSON: writing collects every reachable type,
// reading rebuilds them in a fresh TypeContext.
#pragma once

#include "ir/plan/Plan.h"
#include "ir/plan/Reader.h"

#include <map>

namespace sgl::plan {

/// All types a plan reaches, `plan.types` first and in their order, so that
/// the numbers of nodes hold.
class TypeTable {
public:
  explicit TypeTable(const Plan &plan);
  size_t size() const { return types.size(); }
  /// One type as canonical JSON.
  std::string write(size_t index) const;

private:
  void add(const Type *type);
  uint32_t number(const Type *type) const { return numbers.at(type); }
  std::string writeRecord(const RecordDecl &decl) const;

  const TypeContext *context;
  std::vector<const Type *> types;
  std::map<const Type *, uint32_t> numbers;
};

/// Fills `plan.context` and `plan.types`.
bool readTypes(Reader &reader, const Cursor &at, Plan &plan);

} // namespace sgl::plan
