// One generation under a constraint: masks, forced tokens, and where it ends.
//
// Entry points: mask, forced and accept, in the order of a decoding step. It is
// a value: a copy is a fork, assigning an old copy is a rollback. Not for use
// by two threads at once; the masks behind it are shared.
//
// Where it ends: when the automaton accepts and cannot go on, at once. When it
// accepts and can go on, end tokens compete with the continuations, and so do
// tokens that begin the text which follows in the program, or a newline where
// nothing is known to follow. None of those is kept. A token that the automaton
// can read is always a continuation.
#pragma once

#include "runtime/mask/JumpForward.h"

namespace sgl {

/// What is known to come behind the generation.
struct EndRule {
  enum class Follow : uint8_t { Unknown, Text, EndOfTurn } follow;
  std::string text;       ///< Follow::Text: the literal text
  uint32_t minTokens = 0; ///< no end before so many tokens
};

class MaskedDecoder {
public:
  enum class Outcome : uint8_t {
    Continue,     ///< the token is kept, more must follow
    Finished,     ///< the token is kept and was the last
    FinishedDrop, ///< an end: the token is not kept
    Illegal,      ///< the token was outside the mask; nothing changed
  };

  /// `context`: ids of the prompt's open run, the last few suffice.
  MaskedDecoder(std::shared_ptr<const Tokenizer> tokenizer,
                std::shared_ptr<TokenMasks> masks, EndRule rule,
                std::vector<TokenId> context = {});

  /// Before the first token: is the empty text all there is?
  bool finished() const { return done; }
  /// Tokens that may come next, one bit each; no bit at all: the vocabulary
  /// cannot write what the constraint wants. Valid until the next call.
  std::span<const uint32_t> mask();
  /// Tokens that must come next, to be accepted in this order; usually none.
  std::vector<TokenId> forced();
  Outcome accept(TokenId token);

  /// Bytes kept so far; the value when finished.
  const std::string &text() const { return kept; }
  /// For the message when no token is legal.
  std::string describe() const;

private:
  bool mayEnd() const;
  bool isEnd(TokenId token) const;
  bool fitsWithheld(TokenId token) const;
  void plan();
  std::shared_ptr<const MaskBits> makeMask() const;
  Outcome keep(TokenId token);

  std::shared_ptr<const Tokenizer> tokenizer;
  std::shared_ptr<TokenMasks> masks;
  std::shared_ptr<const MaskBits> ends; ///< tokens that end it
  uint32_t minTokens = 0;
  size_t contextSize = 0;
  std::vector<TokenId> committed; ///< context, then what was kept
  std::string kept;
  Automaton::State state = Automaton::dead;
  ForcedRun run; ///< what is left of the plan for this place
  bool planned = false, done = false;
  std::shared_ptr<const MaskBits> shown; ///< what mask() gave last
};

} // namespace sgl
