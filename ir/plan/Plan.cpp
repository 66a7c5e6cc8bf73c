// Small questions about plans. See Plan.h.

#include "ir/plan/Plan.h"

namespace sgl::plan {

uint32_t Graph::valueCount() const {
  uint32_t count = inputs;
  for (const Node &node : nodes)
    count += node.outs;
  return count;
}

const Function *Plan::find(std::string_view name) const {
  for (const Function &function : functions)
    if (function.name == name)
      return &function;
  return nullptr;
}

} // namespace sgl::plan
