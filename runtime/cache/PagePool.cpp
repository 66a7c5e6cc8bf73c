// Implements the free list; see PagePool.h.
#include "runtime/cache/PagePool.h"

#include <cassert>
#include <numeric>

using namespace sgl;

PagePool::PagePool(uint32_t pages) : freeList(pages), taken(pages, false) {
  // The lowest number leaves first, which keeps small runs in few pages of
  // memory.
  std::iota(freeList.rbegin(), freeList.rend(), 0u);
}

std::optional<PageId> PagePool::take() {
  if (freeList.empty())
    return std::nullopt;
  PageId page = freeList.back();
  freeList.pop_back();
  taken[page] = true;
  return page;
}

void PagePool::give(PageId page) {
  assert(page < taken.size() && taken[page] && "page given back twice");
  taken[page] = false;
  freeList.push_back(page);
}
