// The llama forward pass as its paper writes it: the oracle of the fast path.
//
// Entry point: makeReferenceLlama. Weights are dequantised to float32, keys and
// values are kept in float32, every operation is a plain loop. Slow and large
// (four bytes a weight), meant for checks.
#pragma once

#include "runtime/model/LlamaSpec.h"
#include "runtime/model/Transformer.h"

namespace sgl {

Result<std::unique_ptr<Transformer>>
makeReferenceLlama(std::shared_ptr<const Gguf> file, LlamaSpec spec,
                   const TransformerOptions &options);

} // namespace sgl
