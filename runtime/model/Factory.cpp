// Chooses the forward pass for a file.
#include "runtime/model/Llama.h"
#include "runtime/model/ReferenceLlama.h"
#include "runtime/model/Transformer.h"

namespace sgl {

Result<std::unique_ptr<Transformer>>
makeTransformer(std::shared_ptr<const Gguf> file,
                const TransformerOptions &options) {
  auto spec = readLlamaSpec(*file);
  if (!spec)
    return spec.error();
  return options.reference
             ? makeReferenceLlama(std::move(file), std::move(*spec), options)
             : makeLlama(std::move(file), std::move(*spec), options);
}

uint64_t weightBytes(const Gguf &file) {
  uint64_t bytes = 0;
  for (const GgufTensor &tensor : file.tensors())
    bytes += tensor.data.size();
  return bytes;
}

Result<ModelShape> readModelShape(const Gguf &file) {
  auto spec = readLlamaSpec(file);
  if (!spec)
    return spec.error();
  return llamaShape(*spec);
}

} // namespace sgl
