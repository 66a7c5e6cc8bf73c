// Text to token ids and back, equal to the model's own tokenizer.
//
// Entry point: Tokenizer::load. Control tokens never come out of `encode`
// unless the caller asks for them: text of a user stays data.
#pragma once

#include "ir/value/Result.h"
#include "runtime/model/Transformer.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sgl {

class Gguf;

enum class TokenKind : uint8_t {
  Normal,
  Unknown,
  Control,
  UserDefined,
  Unused,
  Byte
};

class Tokenizer {
public:
  virtual ~Tokenizer() = default;
  /// Refuses an unknown model or pre-tokenizer by name.
  static Result<std::unique_ptr<Tokenizer>> load(const Gguf &file);

  /// Ids of `text`. With `special`, texts of control tokens become them.
  /// No BOS or EOS is added.
  virtual std::vector<TokenId> encode(std::string_view text,
                                      bool special) const = 0;
  /// Bytes of one id; control tokens written out, as "<|im_end|>".
  virtual std::string_view bytes(TokenId id) const = 0;
  /// Concatenated bytes of the ids (may end inside a character).
  std::string decode(const std::vector<TokenId> &ids) const;

  virtual uint32_t size() const = 0;
  virtual TokenKind kind(TokenId id) const = 0;
  /// The id of a control or user-defined token by its exact text, or -1.
  virtual TokenId controlToken(std::string_view text) const = 0;
  virtual TokenId bos() const = 0; ///< -1 when the file names none
  virtual TokenId eos() const = 0;
  virtual bool addBos() const = 0;
  /// Ids that end a turn or the text: eos, eot, eom and the known texts.
  virtual const std::vector<TokenId> &endTokens() const = 0;
};

} // namespace sgl
