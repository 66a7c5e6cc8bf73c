// Reads tokens, their kinds and the ids of special ones from GGUF keys.
#include "runtime/text/Vocabulary.h"

#include "runtime/model/Gguf.h"

#include <algorithm>

namespace sgl {

namespace {

/// Texts that end a turn or the text in the known model families.
constexpr std::string_view knownEnds[] = {
    "<|im_end|>",         "<|eot_id|>", "<end_of_turn>", "<|endoftext|>",
    "<end_of_utterance>", "<|end|>",    "<|eom_id|>",    "<|end_of_text|>",
};

Error wrongKey(const Gguf &file, std::string_view key, std::string what) {
  return Error{file.path() + ": key '" + std::string(key) + "' " +
               std::move(what)};
}

/// Reads an optional id; -1 when the key is absent.
Status readId(const Gguf &file, std::string_view key, size_t size,
              TokenId &id) {
  id = -1;
  if (!file.find(key))
    return Done{};
  auto value = file.integer(key);
  if (!value || *value >= size)
    return wrongKey(file, key,
                    "must be a token id below " + std::to_string(size));
  id = static_cast<TokenId>(*value);
  return Done{};
}

Status readKinds(const Gguf &file, Vocabulary &vocabulary) {
  constexpr std::string_view key = "tokenizer.ggml.token_type";
  vocabulary.kinds.assign(vocabulary.texts.size(), TokenKind::Normal);
  if (!file.find(key))
    return Done{};
  const GgufArray *types = file.array(key);
  if (!types || types->integers.size() != vocabulary.texts.size())
    return wrongKey(file, key, "must hold one integer for each token");
  for (size_t i = 0; i < vocabulary.kinds.size(); ++i) {
    int64_t type = types->integers[i];
    if (type < 1 || type > 6)
      return wrongKey(file, key,
                      "says type " + std::to_string(type) + " of token " +
                          std::to_string(i) + ", 1 to 6 are known");
    vocabulary.kinds[i] = static_cast<TokenKind>(type - 1);
  }
  return Done{};
}

Status readEndTokens(const Gguf &file, Vocabulary &vocabulary) {
  size_t size = vocabulary.texts.size();
  std::vector<TokenId> &ends = vocabulary.endTokens;
  if (vocabulary.eos >= 0)
    ends.push_back(vocabulary.eos);
  for (const char *key :
       {"tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id"}) {
    TokenId id = -1;
    if (Status read = readId(file, key, size, id); !read)
      return read;
    if (id >= 0)
      ends.push_back(id);
  }
  for (std::string_view text : knownEnds) {
    auto it = vocabulary.ids.find(text);
    if (it == vocabulary.ids.end())
      continue;
    TokenKind kind = vocabulary.kinds[static_cast<size_t>(it->second)];
    if (kind == TokenKind::Control || kind == TokenKind::UserDefined)
      ends.push_back(it->second);
  }
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return Done{};
}

} // namespace

Result<Vocabulary> readVocabulary(const Gguf &file) {
  constexpr std::string_view key = "tokenizer.ggml.tokens";
  Vocabulary vocabulary;
  const GgufArray *tokens = file.array(key);
  if (!tokens || tokens->strings.empty())
    return wrongKey(file, key, "must be a list of token texts");
  vocabulary.texts = tokens->strings;
  size_t size = vocabulary.texts.size();
  vocabulary.ids.reserve(size);
  for (size_t i = 0; i < size; ++i)
    vocabulary.ids.emplace(vocabulary.texts[i], static_cast<TokenId>(i));
  if (Status read = readKinds(file, vocabulary); !read)
    return read.error();
  for (auto [name, id] :
       {std::pair{"tokenizer.ggml.bos_token_id", &vocabulary.bos},
        std::pair{"tokenizer.ggml.eos_token_id", &vocabulary.eos}})
    if (Status read = readId(file, name, size, *id); !read)
      return read.error();
  if (Status read = readEndTokens(file, vocabulary); !read)
    return read.error();
  return vocabulary;
}

} // namespace sgl
