// A prompt as the runtime holds it: an immutable list of segments.
//
// Each node adds one segment to its parent, so forks share everything up to
// where they part, and a pointer identifies a prefix. What a segment's bytes
// become (tokens) is the model's business.
#pragma once

#include "ir/value/Value.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sgl {

struct PromptNode;
using PromptRef = std::shared_ptr<const PromptNode>;

struct PromptNode : Opaque {
  enum class Kind : uint8_t {
    Root,
    Author,  ///< literal text of the program
    Data,    ///< interpolated values, chosen texts: never control tokens
    Special, ///< the text of one control token, from `special`
    Open,    ///< a turn of role `text` begins
    Close,   ///< it ends
    Sampled, ///< a gen's text
  } kind = Kind::Root;

  PromptRef parent; ///< null for Root
  std::string text; ///< bytes; the role for Open
  /// Sampled: ids committed to the prompt, and bytes of `text` behind them that
  /// begin the next run of text (see the model's documentation). Models without
  /// ids leave `tokens` empty and `tail` = text.
  std::vector<int32_t> tokens;
  std::string tail;
  /// Sampled and chosen segments: the capture and its value, for `s.name`.
  std::string capture;
  Value captured;
  uint32_t depth = 0; ///< nodes above
  /// Whatever the model remembers of this prefix; set by the model alone.
  mutable std::shared_ptr<void> memo;

  ~PromptNode() override; ///< frees long chains without recursion
};

PromptRef rootPrompt();
/// A child of `parent`; fill in the rest before sharing it.
std::shared_ptr<PromptNode>
extendPrompt(PromptRef parent, PromptNode::Kind kind, std::string text);
/// The segments from the first to the last (without Root).
std::vector<const PromptNode *> segments(const PromptNode *prompt);

struct Message {
  std::string role, content;
};
/// Closed and open turns (2.4): `s.messages`.
std::vector<Message> messages(const PromptNode *prompt);
/// All text without role marks: `s.text`.
std::string promptText(const PromptNode *prompt);

} // namespace sgl
