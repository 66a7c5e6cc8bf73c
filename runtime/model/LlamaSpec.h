// What a GGUF file says about a model of the llama architecture.
//
// Entry point: readLlamaSpec. All sizes are checked against each other and
// against the shapes of the tensors, so that the forward passes need no checks.
// Keys and tensor names: ggml's docs/gguf.md; the model: Touvron et al. 2023.
#pragma once

#include "kernels/Formats.h"
#include "runtime/model/Gguf.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sgl {

/// Tensors of one block; weights are [output rows][input columns].
struct LlamaLayerTensors {
  const GgufTensor *attnNorm, *query, *key, *value, *attnOutput;
  const GgufTensor *ffnNorm, *gate, *up, *down;
};

struct LlamaSpec {
  uint32_t layers = 0;
  uint32_t width = 0; ///< of the residual stream
  uint32_t heads = 0, kvHeads = 0, headDim = 0;
  uint32_t ffnWidth = 0;
  uint32_t vocabSize = 0;
  uint32_t contextLength = 0;
  float epsilon = 0; ///< of the RMS norms
  /// Radians a position, for each rotated pair (2i, 2i + 1) of a head; pairs
  /// behind these are not rotated.
  std::vector<double> ropeFrequencies;

  const GgufTensor *embedding = nullptr, *outputNorm = nullptr;
  const GgufTensor *head = nullptr; ///< the embedding where it is tied
  std::vector<LlamaLayerTensors> layer;
};

/// Reads and checks all keys and tensors. The error names the file, and the key
/// or tensor that is missing, wrong or not supported.
Result<LlamaSpec> readLlamaSpec(const Gguf &file);

/// The kernels' name of a supported element type.
std::optional<kernels::Format> weightFormat(TensorType type);

/// A vector (norm weights) as float32; values that are not finite are refused.
Result<std::vector<float>> readVector(const Gguf &file,
                                      const GgufTensor &tensor);

} // namespace sgl
