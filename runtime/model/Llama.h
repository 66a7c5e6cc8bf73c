// The llama forward pass on packed weights: the fast path of a CPU.
//
// Entry point: makeLlama. Weights are packed once when loading; activations are
// 8-bit with a scale for each 32 values; keys and values are bfloat16 in pages.
// What must hold: the bits of a row's logits depend on its own sequence alone.
#pragma once

#include "runtime/model/LlamaSpec.h"
#include "runtime/model/Transformer.h"

namespace sgl {

/// Sizes as the fast path keeps them.
ModelShape llamaShape(const LlamaSpec &spec);

Result<std::unique_ptr<Transformer>>
makeLlama(std::shared_ptr<const Gguf> file, LlamaSpec spec,
          const TransformerOptions &options);

} // namespace sgl
