// A byte trie over the texts of special tokens.
#include "runtime/text/SpecialTokens.h"

namespace sgl {

namespace {
uint64_t edgeKey(uint32_t node, char byte) {
  return uint64_t{node} << 8 | static_cast<unsigned char>(byte);
}
} // namespace

const uint32_t *SpecialTokens::child(uint32_t node, char byte) const {
  auto it = edges.find(edgeKey(node, byte));
  return it == edges.end() ? nullptr : &it->second;
}

void SpecialTokens::add(std::string_view text, TokenId id, TokenKind kind) {
  if (text.empty())
    return;
  uint32_t node = root;
  for (char byte : text) {
    auto [it, isNew] =
        edges.emplace(edgeKey(node, byte), static_cast<uint32_t>(nodes.size()));
    if (isNew)
      nodes.emplace_back();
    node = it->second;
  }
  TokenId &slot = kind == TokenKind::Control ? nodes[node].control
                                             : nodes[node].userDefined;
  if (slot < 0)
    slot = id;
}

SpecialTokens::Match SpecialTokens::find(std::string_view text, size_t from,
                                         bool control) const {
  for (size_t begin = from; begin < text.size(); ++begin) {
    Match longest{begin, begin, -1};
    uint32_t node = root;
    for (size_t i = begin; i < text.size(); ++i) {
      const uint32_t *next = child(node, text[i]);
      if (!next)
        break;
      node = *next;
      TokenId id = nodes[node].userDefined;
      if (id < 0 && control)
        id = nodes[node].control;
      if (id >= 0)
        longest = {begin, i + 1, id};
    }
    if (longest.id >= 0)
      return longest;
  }
  return {text.size(), text.size(), -1};
}

TokenId SpecialTokens::exact(std::string_view text) const {
  uint32_t node = root;
  for (char byte : text) {
    const uint32_t *next = child(node, byte);
    if (!next)
      return -1;
    node = *next;
  }
  const Node &found = nodes[node];
  return found.control >= 0 ? found.control : found.userDefined;
}

} // namespace sgl
