// Paths and scopes. See Frame.h.

#include "runtime/exec/Frame.h"

#include <algorithm>

namespace sgl::exec {

Path pathOf(const Frame &frame, uint32_t node) {
  Path path = {node};
  for (const Frame *f = &frame; f->parent; f = f->parent.get()) {
    path.push_back(f->pass);
    path.push_back(f->node);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

bool within(const Scope *scope, const Scope *outer) {
  for (; scope; scope = scope->parent.get())
    if (scope == outer)
      return true;
  return false;
}

} // namespace sgl::exec
