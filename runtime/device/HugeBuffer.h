// Memory for weights and KV pages: zeroed, aligned, on huge pages if possible.
//
// Entry point: HugeBuffer::allocate. Pages are given by the system when they
// are first written, so a large buffer that is not used costs nothing.
#pragma once

#include "ir/value/Result.h"

#include <cstddef>
#include <cstdint>

namespace sgl {

class HugeBuffer {
public:
  HugeBuffer() = default;
  ~HugeBuffer();
  HugeBuffer(HugeBuffer &&other) noexcept;
  HugeBuffer &operator=(HugeBuffer &&other) noexcept;

  /// `bytes` zero bytes; `what` names them in the error.
  static Result<HugeBuffer> allocate(uint64_t bytes, const char *what);

  std::byte *data() const { return base; }
  uint64_t size() const { return bytes; }

private:
  void *mapping = nullptr;
  uint64_t mapped = 0;
  std::byte *base = nullptr;
  uint64_t bytes = 0;
};

} // namespace sgl
