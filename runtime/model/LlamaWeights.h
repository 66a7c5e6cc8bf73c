// The weights of a llama model as the kernels read them.
//
// Entry point: packLlamaWeights. All matrices lie in one buffer in the order of
// use; numbers that are not finite are refused while packing.
#pragma once

#include "kernels/Kernels.h"
#include "runtime/device/HugeBuffer.h"
#include "runtime/device/WorkerPool.h"
#include "runtime/model/LlamaSpec.h"

#include <vector>

namespace sgl {

struct LlamaLayerWeights {
  std::vector<float> attnNorm, ffnNorm;
  kernels::PackedMatrix query, key, value, attnOutput, gate, up, down;
};

struct LlamaWeights {
  HugeBuffer memory; ///< of all packed matrices
  std::vector<float> outputNorm;
  kernels::PackedMatrix head;
  std::vector<LlamaLayerWeights> layers;
};

Result<LlamaWeights> packLlamaWeights(const Gguf &file, const LlamaSpec &spec,
                                      WorkerPool &pool);

} // namespace sgl
