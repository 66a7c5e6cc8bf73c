// The KV pages of one transformer: which are free.
//
// A page belongs to one owner at a time: the pool, the radix tree, or one
// sequence. The pool hands out numbers; keys and values live in the
// transformer. Used from the engine's thread alone.
#pragma once

#include "runtime/model/Transformer.h"

#include <optional>
#include <vector>

namespace sgl {

class PagePool {
public:
  explicit PagePool(uint32_t pages);

  /// A free page, the one given back last first; nothing when none is free.
  std::optional<PageId> take();
  /// Takes a page back; it must have been taken.
  void give(PageId page);

  uint32_t size() const { return static_cast<uint32_t>(taken.size()); }
  uint32_t free() const { return static_cast<uint32_t>(freeList.size()); }
  bool isFree(PageId page) const { return !taken[page]; }

private:
  std::vector<PageId> freeList;
  std::vector<bool> taken;
};

} // namespace sgl
