// The text tokens of a vocabulary as a trie over their bytes.
//
// Entry point: TokenTrie. Nodes lie in depth-first order with the end of each
// subtree, so a walk that drops a branch is one jump. Control, unknown and
// unused tokens and tokens without bytes are left out: no text is made of them.
#pragma once

#include "runtime/text/Tokenizer.h"

#include <span>

namespace sgl {

class TokenTrie {
public:
  struct Node {
    uint32_t end = 0;   ///< index behind the last node of this subtree
    TokenId token = -1; ///< lowest id with exactly these bytes, or -1
    uint16_t depth = 0; ///< bytes from the root
    uint8_t byte = 0;   ///< the last of them
  };

  explicit TokenTrie(const Tokenizer &tokenizer);

  /// Node 0 is the root (no bytes).
  std::span<const Node> nodes() const { return all; }
  /// The node of `bytes`, or 0 (unless `bytes` is empty) when no token begins
  /// with them.
  uint32_t find(std::string_view bytes) const;
  /// The next higher id with the same bytes, or -1.
  TokenId nextSame(TokenId id) const { return same[static_cast<size_t>(id)]; }
  uint32_t vocabularySize() const { return static_cast<uint32_t>(same.size()); }
  /// Words of 32 bits in a mask.
  uint32_t maskWords() const { return (vocabularySize() + 31) / 32; }
  uint32_t longestToken() const { return longest; }

private:
  std::vector<Node> all;
  std::vector<TokenId> same;
  uint32_t longest = 0;
};

/// Is a token of this kind part of a text?
inline bool isTextKind(TokenKind kind) {
  return kind == TokenKind::Normal || kind == TokenKind::UserDefined ||
         kind == TokenKind::Byte;
}

/// Sets the bits of the token of a node and of all with the same bytes.
void setTokenBits(const TokenTrie &trie, TokenId first,
                  std::span<uint32_t> mask);

} // namespace sgl
