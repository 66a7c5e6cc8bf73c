// Which table this processor runs.
#include "kernels/cpu/Tables.h"

#include <cstring>
#include <initializer_list>

namespace sgl::kernels {

namespace {

bool hasAvx2() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

bool hasAvx512() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vnni") &&
         __builtin_cpu_supports("avx512bf16") && hasAvx2();
#else
  return false;
#endif
}

} // namespace

const Kernels *findKernels(const char *name) {
  if (std::strcmp(name, "scalar") == 0)
    return &scalarKernels;
#if defined(__x86_64__)
  if (std::strcmp(name, "avx2") == 0 && hasAvx2())
    return &avx2Kernels;
  if (std::strcmp(name, "avx512") == 0 && hasAvx512())
    return &avx512Kernels;
#endif
  return nullptr;
}

const Kernels &bestKernels() {
  for (const char *name : {"avx512", "avx2"})
    if (const Kernels *kernels = findKernels(name))
      return *kernels;
  return scalarKernels;
}

void spreadTile(const float *x, uint32_t columns, uint32_t token,
                uint32_t tokens, std::byte *tile) {
  for (uint32_t c = 0; c < columns; ++c)
    std::memcpy(tile + (uint64_t{c} * tokens + token) * 4, x + c, 4);
}

} // namespace sgl::kernels
