// Builds the trie from the sorted texts of all text tokens.
#include "runtime/mask/TokenTrie.h"

#include <algorithm>
#include <cassert>

namespace sgl {

namespace {

/// Longer tokens are left out of the trie (depth is 16 bits wide); they are
/// never allowed under a constraint.
constexpr size_t longestUsable = 4096;

std::vector<TokenId> sortedTextTokens(const Tokenizer &tokenizer) {
  std::vector<TokenId> ids;
  for (TokenId id = 0; id < static_cast<TokenId>(tokenizer.size()); ++id) {
    size_t size = tokenizer.bytes(id).size();
    if (isTextKind(tokenizer.kind(id)) && size > 0 && size <= longestUsable)
      ids.push_back(id);
  }
  std::stable_sort(ids.begin(), ids.end(), [&](TokenId a, TokenId b) {
    return tokenizer.bytes(a) < tokenizer.bytes(b);
  });
  return ids;
}

} // namespace

TokenTrie::TokenTrie(const Tokenizer &tokenizer)
    : all(1), same(tokenizer.size(), -1) {
  std::vector<uint32_t> path{0}; // nodes from the root to the last token
  std::string_view last;
  TokenId lastId = -1;
  auto closeTo = [&](size_t depth) {
    for (; path.size() > depth + 1; path.pop_back())
      all[path.back()].end = static_cast<uint32_t>(all.size());
  };
  for (TokenId id : sortedTextTokens(tokenizer)) {
    std::string_view bytes = tokenizer.bytes(id);
    if (lastId >= 0 && bytes == last) {
      same[static_cast<size_t>(lastId)] = id;
      lastId = id;
      continue;
    }
    auto differs =
        std::mismatch(bytes.begin(), bytes.end(), last.begin(), last.end());
    closeTo(static_cast<size_t>(differs.first - bytes.begin()));
    while (path.size() <= bytes.size()) {
      auto depth = static_cast<uint16_t>(path.size());
      path.push_back(static_cast<uint32_t>(all.size()));
      all.push_back({0, -1, depth, static_cast<uint8_t>(bytes[depth - 1])});
    }
    all[path.back()].token = id;
    longest = std::max(longest, static_cast<uint32_t>(bytes.size()));
    last = bytes;
    lastId = id;
  }
  closeTo(0);
  all[0].end = static_cast<uint32_t>(all.size());
}

uint32_t TokenTrie::find(std::string_view bytes) const {
  uint32_t node = 0;
  for (char c : bytes) {
    uint32_t child = node + 1, end = all[node].end;
    while (child < end && all[child].byte != static_cast<uint8_t>(c))
      child = all[child].end;
    if (child >= end)
      return 0;
    node = child;
  }
  return node;
}

void setTokenBits(const TokenTrie &trie, TokenId first,
                  std::span<uint32_t> mask) {
  for (TokenId id = first; id >= 0; id = trie.nextSame(id)) {
    auto bit = static_cast<uint32_t>(id);
    mask[bit / 32] |= 1u << bit % 32;
  }
}

} // namespace sgl
