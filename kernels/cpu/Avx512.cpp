// The AVX-512 table: VNNI products, BF16 attention, the rest as it is.
#include "kernels/cpu/Avx512Attention.h"
#include "kernels/cpu/Avx512Multiply.h"
#include "kernels/cpu/Tables.h"

namespace sgl::kernels {

const Kernels avx512Kernels = {"avx512",     rmsNorm,    quantize,  multiply,
                               gatedProduct, rotate,     storeKey,  storeValue,
                               roundQuery,   attendWide, mergeBlock};

} // namespace sgl::kernels
