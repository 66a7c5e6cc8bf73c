// Byte-level BPE: `tokenizer.ggml.model = gpt2`.
//
// Entry point: BytePairEncoding::load. Equal to the models' own tokenizers
// (Hugging Face): control and user-defined tokens are cut out, the rest is
// split by the model's patterns, bytes become symbols and symbols are merged.
// Bytes that the vocabulary lacks vanish before merging.
#pragma once

#include "runtime/text/MergeTable.h"
#include "runtime/text/PreTokenizer.h"
#include "runtime/text/SpecialTokens.h"
#include "runtime/text/Tokenizer.h"
#include "runtime/text/Vocabulary.h"

#include <array>

namespace sgl {

class BytePairEncoding final : public Tokenizer {
public:
  static Result<std::unique_ptr<Tokenizer>> load(const Gguf &file);

  std::vector<TokenId> encode(std::string_view text,
                              bool special) const override;
  std::string_view bytes(TokenId id) const override;
  uint32_t size() const override {
    return static_cast<uint32_t>(tokens.size());
  }
  TokenKind kind(TokenId id) const override;
  TokenId controlToken(std::string_view text) const override;
  TokenId bos() const override { return bosId; }
  TokenId eos() const override { return eosId; }
  bool addBos() const override { return addsBos; }
  const std::vector<TokenId> &endTokens() const override { return ends; }

private:
  BytePairEncoding() = default;
  void takeTokens(const Vocabulary &vocabulary);
  Status takeMerges(const Gguf &file, const Vocabulary &vocabulary);
  void encodePlain(std::string_view text, std::vector<TokenId> &out) const;
  void encodePiece(std::string_view piece, std::vector<TokenId> &out) const;

  std::vector<std::string> tokens; ///< bytes of each id
  std::vector<TokenKind> kinds;
  std::array<TokenId, 256> byteIds; ///< -1: not in the vocabulary
  /// Bytes -> id, only for models that take a whole word at once.
  std::unordered_map<std::string_view, TokenId> words;
  std::unique_ptr<PreTokenizer> preTokenizer;
  SpecialTokens specials;
  MergeTable merges;
  TokenId bosId = -1, eosId = -1;
  bool addsBos = false;
  std::vector<TokenId> ends;
};

} // namespace sgl
