// Keys and values of all layers in pages of 16 positions.
//
// One region [layer][page][KV head][keys, values] of bfloat16, in the kernels'
// page layout; heads are padded to a multiple of 16 dimensions with zeros.
#pragma once

#include "kernels/Kernels.h"
#include "runtime/device/HugeBuffer.h"
#include "runtime/model/LlamaSpec.h"
#include "runtime/model/Transformer.h"

namespace sgl {

class PagedKv {
public:
  static Result<PagedKv> allocate(const LlamaSpec &spec, uint32_t pages);

  /// The size of a head as stored.
  static uint32_t paddedHead(uint32_t headDim) {
    return (headDim + 15) / 16 * 16;
  }
  static uint64_t bytesPerPosition(const LlamaSpec &spec);

  std::byte *headPage(uint32_t layer, PageId page, uint32_t kvHead) const {
    return region.data() +
           ((layer * pages + page) * kvHeads + kvHead) * headBytes;
  }

  /// The first `count` positions of a page, in all layers.
  void copyPositions(PageId from, PageId to, uint32_t count);

private:
  HugeBuffer region;
  uint64_t pages = 0, kvHeads = 0, headBytes = 0;
  uint32_t layers = 0, headDim = 0;
};

} // namespace sgl
