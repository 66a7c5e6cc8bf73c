// The best possible count of cached tokens, from a log of the calls.
//
// Knows nothing of the radix tree. With a cache that holds everything and calls
// in the best order, a prompt position must be computed when no call generated
// it and it is no prompt's last one: once for all prompts that share it; and
// each prompt's last token must be computed for its own call.
#pragma once

#include "runtime/model/Transformer.h"

#include <unordered_map>

namespace sgl {

class CallLog {
public:
  /// A call's whole prompt.
  void addPrompt(std::span<const TokenId> prompt);
  /// What a call generated, or a choice that it scored, behind its prompt.
  void addOutput(std::span<const TokenId> prompt,
                 std::span<const TokenId> output);

  uint64_t promptTokens() const { return prompts; }
  /// Prompt tokens that need not be computed.
  uint64_t optimalCachedTokens() const { return prompts - calls - distinct; }

private:
  enum Flag : uint8_t { Middle = 1, Last = 2, Generated = 4 };
  struct Prefix {
    uint64_t a, b;
    bool operator==(const Prefix &) const = default;
  };
  struct Hash {
    size_t operator()(const Prefix &p) const { return p.a; }
  };
  static void extend(Prefix &prefix, TokenId token);
  void mark(const Prefix &prefix, uint8_t flag);

  /// One entry for each distinct prefix, by a 128-bit hash of its ids.
  std::unordered_map<Prefix, uint8_t, Hash> positions;
  uint64_t prompts = 0, calls = 0, distinct = 0;
};

} // namespace sgl
