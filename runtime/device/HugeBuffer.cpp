// An anonymous mapping, aligned to 2 MiB where it is large enough to gain.
#include "runtime/device/HugeBuffer.h"

#include <string>
#include <sys/mman.h>
#include <utility>

namespace sgl {

namespace {
constexpr uint64_t hugePage = uint64_t{2} << 20;
} // namespace

HugeBuffer::~HugeBuffer() {
  if (mapping)
    munmap(mapping, mapped);
}

HugeBuffer::HugeBuffer(HugeBuffer &&other) noexcept {
  *this = std::move(other);
}

HugeBuffer &HugeBuffer::operator=(HugeBuffer &&other) noexcept {
  std::swap(mapping, other.mapping);
  std::swap(mapped, other.mapped);
  std::swap(base, other.base);
  std::swap(bytes, other.bytes);
  return *this;
}

Result<HugeBuffer> HugeBuffer::allocate(uint64_t bytes, const char *what) {
  uint64_t slack = bytes >= hugePage ? hugePage : 4096;
  HugeBuffer buffer;
  void *mapping = MAP_FAILED;
  if (bytes < UINT64_MAX / 2)
    mapping = mmap(nullptr, bytes + slack, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED)
    return Error{"not enough memory for " + std::string(what) + ": " +
                 std::to_string(bytes >> 20) + " MiB are needed"};
  buffer.mapping = mapping;
  buffer.mapped = bytes + slack;
  auto address = reinterpret_cast<uintptr_t>(mapping);
  address = (address + slack - 1) & ~(slack - 1);
  buffer.base = reinterpret_cast<std::byte *>(address);
  buffer.bytes = bytes;
  if (bytes >= hugePage) // a hint: without huge pages all is slower, not wrong
    madvise(buffer.base, bytes, MADV_HUGEPAGE);
  return buffer;
}

} // namespace sgl
