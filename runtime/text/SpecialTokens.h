// Finds the texts of control and user-defined tokens in a text.
//
// Entry point: SpecialTokens::find. The leftmost match wins, and of those that
// start there the longest.
#pragma once

#include "runtime/text/Tokenizer.h"

#include <unordered_map>

namespace sgl {

class SpecialTokens {
public:
  void add(std::string_view text, TokenId id, TokenKind kind);

  struct Match {
    size_t begin = 0, end = 0;
    TokenId id = -1; ///< -1: no match, begin and end are the text's size
  };
  /// The first match at or behind `from`. User-defined tokens always match,
  /// control tokens only with `control`.
  Match find(std::string_view text, size_t from, bool control) const;
  /// The id whose text is exactly `text`, or -1.
  TokenId exact(std::string_view text) const;

private:
  static constexpr uint32_t root = 0;
  struct Node {
    TokenId control = -1, userDefined = -1;
  };
  const uint32_t *child(uint32_t node, char byte) const;

  std::vector<Node> nodes{1};
  std::unordered_map<uint64_t, uint32_t> edges; ///< node << 8 | byte
};

} // namespace sgl
