// Chooses the tokenizer that a model file names.
#include "runtime/text/Tokenizer.h"

#include "runtime/model/Gguf.h"
#include "runtime/text/BytePairEncoding.h"

namespace sgl {

Result<std::unique_ptr<Tokenizer>> Tokenizer::load(const Gguf &file) {
  auto model = file.string("tokenizer.ggml.model");
  if (!model)
    return Error{file.path() +
                 ": key 'tokenizer.ggml.model' must name the tokenizer"};
  if (*model == "gpt2")
    return BytePairEncoding::load(file);
  return Error{file.path() + ": the tokenizer '" +
               std::string(model->substr(0, 64)) +
               "' (key 'tokenizer.ggml.model') is not supported, gpt2 is"};
}

std::string Tokenizer::decode(const std::vector<TokenId> &ids) const {
  std::string out;
  for (TokenId id : ids)
    out += bytes(id);
  return out;
}

} // namespace sgl
