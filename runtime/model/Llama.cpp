// The forward pass; packed kernels come with the next change.
#include "runtime/model/Llama.h"

#include "runtime/model/ReferenceLlama.h"

namespace sgl {

ModelShape llamaShape(const LlamaSpec &spec) {
  ModelShape shape;
  shape.vocabSize = spec.vocabSize;
  shape.contextLength = spec.contextLength;
  shape.kvBytesPerPosition =
      uint64_t{8} * spec.layers * spec.kvHeads * spec.headDim;
  return shape;
}

Result<std::unique_ptr<Transformer>>
makeLlama(std::shared_ptr<const Gguf> file, LlamaSpec spec,
          const TransformerOptions &options) {
  return makeReferenceLlama(std::move(file), std::move(spec), options);
}

} // namespace sgl
