// Allocation and the copy of a page's beginning.
#include "runtime/model/PagedKv.h"

#include <cstring>

namespace sgl {

uint64_t PagedKv::bytesPerPosition(const LlamaSpec &spec) {
  return spec.layers * spec.kvHeads *
         kernels::headPageBytes(paddedHead(spec.headDim)) / pageSize;
}

Result<PagedKv> PagedKv::allocate(const LlamaSpec &spec, uint32_t pages) {
  PagedKv kv;
  kv.pages = pages;
  kv.layers = spec.layers;
  kv.kvHeads = spec.kvHeads;
  kv.headDim = paddedHead(spec.headDim);
  kv.headBytes = kernels::headPageBytes(kv.headDim);
  auto region = HugeBuffer::allocate(
      uint64_t{pages} * pageSize * bytesPerPosition(spec), "keys and values");
  if (!region)
    return region.error();
  kv.region = std::move(*region);
  return kv;
}

void PagedKv::copyPositions(PageId from, PageId to, uint32_t count) {
  uint64_t pairBytes = uint64_t{4} * headDim; // one pair of positions' values
  for (uint32_t layer = 0; layer < layers; ++layer)
    for (uint32_t head = 0; head < kvHeads; ++head) {
      const std::byte *source = headPage(layer, from, head);
      std::byte *target = headPage(layer, to, head);
      for (uint32_t i = 0; i < headDim / 2; ++i) // keys: 4 bytes a position
        std::memcpy(target + 64 * i, source + 64 * i, 4 * count);
      source += headBytes / 2;
      target += headBytes / 2;
      std::memcpy(target, source, count / 2 * pairBytes);
      if (count % 2 == 0)
        continue;
      uint64_t last = count / 2 * pairBytes;
      for (uint32_t i = 0; i < headDim; ++i)
        std::memcpy(target + last + 4 * i, source + last + 4 * i, 2);
    }
}

} // namespace sgl
