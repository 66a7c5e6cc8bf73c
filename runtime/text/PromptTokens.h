// From a prompt state to the token ids that a model reads.
//
// Entry point: PromptTokens::tokens. What holds:
// - Control tokens come from bytes of the chat template and from `special`
//   alone; text of the program and data stay text, whatever they spell.
// - A run is all text between control tokens and sampled tokens; its ids are
//   those of the whole run. So cutting extends differently changes nothing.
// - Sampled tokens keep their ids as long as the template reproduces their
//   bytes; from the first byte that it changes on, text is tokenized anew.
// - The ids are a function of the state alone. What is remembered in a node's
//   memo only saves work.
//
// With roles, the prompt is the template over the closed turns, the header of
// the open one, and the open turn's bytes as they are.
#pragma once

#include "ir/value/Result.h"
#include "runtime/exec/PromptState.h"
#include "runtime/text/ChatTemplate.h"
#include "runtime/text/SpecialTokens.h"
#include "runtime/text/Tokenizer.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sgl {

/// A prompt laid out: bytes, and the tokens in it that are no text.
struct PromptLayout {
  enum class Origin : uint8_t { Template, Special, Sampled };
  struct Piece {
    size_t begin = 0, end = 0; ///< in `bytes`
    TokenId id = -1;
    Origin origin = Origin::Template;
    size_t idsBehind = 0; ///< entries of `ids` up to and with this piece
  };

  std::string bytes;
  std::vector<Piece> pieces; ///< in order; all else is text
  /// Ids up to the last piece; the run behind it is not tokenized yet.
  std::vector<TokenId> ids;

  bool hasCarried = false;    ///< a piece that no rendering can make
  bool isStale = false;       ///< turns changed since the last rendering
  std::vector<Message> turns; ///< closed ones
  bool isOpen = false;        ///< a turn is open: `role`, from `contentBegin`
  bool hasOutside = false;    ///< text stands outside of turns
  std::string role;
  size_t contentBegin = 0;
  /// Why this state is no prompt; the layout is that of the state before.
  std::shared_ptr<const Error> failure;
  bool isRefused = false; ///< nor is any state behind it

  size_t runBegin() const { return pieces.empty() ? 0 : pieces.back().end; }
};

struct TokenizedPrompt {
  std::vector<TokenId> ids;
  size_t runBegin = 0;  ///< ids from here on are those of the open run
  bool isEmpty = false; ///< the only id stands for a prompt without text
};

class PromptTokens {
public:
  /// `tokenizer` must outlive it. `chat` may be the reason why there is no
  /// template; it is reported when a prompt has roles.
  PromptTokens(const Tokenizer &tokenizer,
               Result<std::shared_ptr<const ChatTemplate>> chat);

  /// Ids of the prompt with `data` behind it. Never empty: a prompt without
  /// any text is the token that begins texts.
  Result<TokenizedPrompt> tokens(const PromptNode &prompt,
                                 std::string_view data = {}) const;
  /// The token that begins a text, for prompts that have none.
  std::vector<TokenId> textStart() const;

private:
  using LayoutRef = std::shared_ptr<const PromptLayout>;

  LayoutRef layoutOf(const PromptNode &prompt) const;
  void extend(PromptLayout &layout, const PromptNode &node) const;
  void addPiece(PromptLayout &layout, TokenId id, PromptLayout::Origin origin,
                std::string_view bytes) const;
  void addSampled(PromptLayout &layout, const PromptNode &node) const;
  void addSpecial(PromptLayout &layout, const PromptNode &node) const;
  void open(PromptLayout &layout, const std::string &role) const;
  void close(PromptLayout &layout) const;
  void refresh(PromptLayout &layout) const;
  static void refuse(PromptLayout &layout, std::string message);
  Result<jinja::Text> header(const PromptLayout &layout) const;
  void adopt(PromptLayout &layout, const jinja::Text &rendering) const;
  std::vector<PromptLayout::Piece>
  controlTokens(const jinja::Text &rendering) const;
  void tokenizeFrom(PromptLayout &layout, size_t firstPiece) const;
  TokenizedPrompt finish(const PromptLayout &layout,
                         std::string_view data) const;

  const Tokenizer &tokenizer;
  Result<std::shared_ptr<const ChatTemplate>> chat;
  SpecialTokens controls;
};

} // namespace sgl
