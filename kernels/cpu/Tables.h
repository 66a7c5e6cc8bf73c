// The tables of this build, for the choice by cpuid.
#pragma once

#include "kernels/Kernels.h"

namespace sgl::kernels {

extern const Kernels scalarKernels;
#if defined(__x86_64__)
extern const Kernels avx2Kernels;   ///< AVX2, FMA, F16C
extern const Kernels avx512Kernels; ///< AVX-512 F BW VL DQ VNNI BF16
#endif

} // namespace sgl::kernels
