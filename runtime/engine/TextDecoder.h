// Steers one generation of text: constraint, ends, stops, and what of the
// output is kept.
//
// Entry points: the Decoder interface while it runs, `result` when it is over.
// A stop that begins inside a token drops that token; its bytes before the stop
// are the tail. Control tokens that end nothing are never drawn, so sampled
// text holds no roles.
#pragma once

#include "runtime/engine/Engine.h"
#include "runtime/mask/MaskedDecoder.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sgl {

/// Masks that every free generation of a tokenizer shares.
struct TextMasks {
  explicit TextMasks(const Tokenizer &tokenizer);
  MaskBits text; ///< tokens that texts are made of
  MaskBits all;  ///< these and the end tokens
};

class TextDecoder : public Decoder {
public:
  struct Rules {
    std::vector<std::string> stops;
    bool keepStop = false;
    uint32_t minTokens = 0; ///< before so many tokens nothing ends it
  };

  TextDecoder(std::shared_ptr<const Tokenizer> tokenizer,
              std::shared_ptr<const TextMasks> masks, Rules rules,
              std::optional<MaskedDecoder> constraint);

  std::span<const uint32_t> mask() override;
  std::vector<TokenId> forced() override;
  Step accept(TokenId token) override;
  std::string describe() const override;

  struct Output {
    std::string text; ///< valid UTF-8
    std::vector<TokenId> tokens;
    std::string tail;
    Finish finish = Finish::Length;
  };
  Output result() const;

private:
  bool isEnd(TokenId token) const;
  bool findStop(size_t before);

  std::shared_ptr<const Tokenizer> tokenizer;
  std::shared_ptr<const TextMasks> masks;
  Rules rules;
  std::optional<MaskedDecoder> constraint;
  std::string bytes;              ///< of all tokens kept so far
  std::vector<TokenId> tokens;    ///< kept so far
  std::vector<size_t> ends;       ///< of each token in `bytes`
  size_t cut = std::string::npos; ///< where the value ends, if at a stop
  Finish finish = Finish::Length;
};

} // namespace sgl
