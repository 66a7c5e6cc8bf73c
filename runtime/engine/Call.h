// One request inside the engine, and the token sequences that it computes.
#pragma once

#include "runtime/cache/RadixTree.h"
#include "runtime/engine/Engine.h"
#include "runtime/engine/Sampler.h"

#include <deque>
#include <memory>
#include <utility>

namespace sgl {

/// Tokens and the pages that hold their keys and values. The first `shared`
/// pages of the table belong to the radix tree (the path of the locked `node`),
/// the others to this sequence.
struct Sequence {
  std::vector<TokenId> tokens;
  uint32_t computed = 0; ///< positions whose keys and values are stored
  std::vector<PageId> table;
  RadixTree::Node *node = nullptr; ///< null: not attached
  uint32_t shared = 0;

  uint32_t pending() const {
    return static_cast<uint32_t>(tokens.size()) - computed;
  }
};

/// A continuation that is scored: the prompt and all ids but the last.
struct Branch {
  uint32_t choice = 0;
  Sequence sequence;
  bool done = false;
};

/// Program order, then arrival: lower is more urgent.
using Urgency = std::pair<uint64_t, uint64_t>;

struct Call : std::enable_shared_from_this<Call> {
  uint64_t id = 0;
  size_t index = 0; ///< in its submission
  std::shared_ptr<const std::function<void(size_t, EngineReply)>> done;
  EngineRequest request;
  EngineReply reply;

  uint32_t promptLength = 0;
  uint32_t limit = 0; ///< most output tokens
  EngineFinish limitFinish = EngineFinish::Length;
  Sequence main;
  std::vector<Branch> branches; ///< scoring, once the prompt is computed
  TokenHistory history;         ///< kept when the sampling uses it
  std::deque<TokenId> forced;   ///< still to be fed one by one
  bool began = false;           ///< was admitted before (and retracted)
  bool running = false;

  /// Another call is computing this many tokens that this one needs too.
  std::shared_ptr<const Call> waitFor;
  uint32_t waitLength = 0;

  Urgency urgency() const { return {request.order, id}; }
  bool scoring() const { return !request.choices.empty(); }
  uint32_t outputCount() const {
    return static_cast<uint32_t>(main.tokens.size()) - promptLength;
  }
  /// Keeps calls apart in the tree when they must share nothing.
  uint64_t space(const EngineOptions &options) const {
    return options.radix ? 0 : id;
  }
};

using CallRef = std::shared_ptr<Call>;

} // namespace sgl
