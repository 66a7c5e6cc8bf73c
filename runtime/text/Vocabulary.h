// The tokens of a model file and their roles, whatever the algorithm.
//
// Entry point: readVocabulary. Every id that a key names lies inside the
// vocabulary; token texts are as the file stores them.
#pragma once

#include "ir/value/Result.h"
#include "runtime/text/Tokenizer.h"

#include <unordered_map>

namespace sgl {

struct Vocabulary {
  std::vector<std::string_view> texts; ///< as stored, views into the file
  std::vector<TokenKind> kinds;
  /// Stored text -> id; of equal texts the lowest id.
  std::unordered_map<std::string_view, TokenId> ids;
  TokenId bos = -1, eos = -1;
  std::vector<TokenId> endTokens; ///< ascending
};

/// Reads `tokenizer.ggml.*`. The message of an error names file and key.
Result<Vocabulary> readVocabulary(const Gguf &file);

} // namespace sgl
