// Walks the trie and an automaton together.
#include "runtime/mask/TokenMask.h"

namespace sgl {

void addAllowed(const TokenTrie &trie, const Automaton &automaton,
                uint32_t node, Automaton::State state,
                std::span<uint32_t> mask) {
  if (state == Automaton::dead)
    return;
  auto nodes = trie.nodes();
  uint16_t base = nodes[node].depth;
  if (nodes[node].token >= 0)
    setTokenBits(trie, nodes[node].token, mask);
  // states[d]: after the first d bytes behind `node`.
  std::vector<Automaton::State> states(trie.longestToken() - base + 1);
  states[0] = state;
  for (uint32_t i = node + 1, end = nodes[node].end; i < end;) {
    const TokenTrie::Node &here = nodes[i];
    size_t depth = here.depth - base;
    Automaton::State next = automaton.next(states[depth - 1], here.byte);
    if (next == Automaton::dead) {
      i = here.end;
      continue;
    }
    states[depth] = next;
    if (here.token >= 0)
      setTokenBits(trie, here.token, mask);
    ++i;
  }
}

TokenMasks::TokenMasks(std::shared_ptr<const TokenTrie> trie,
                       std::shared_ptr<const Automaton> automaton)
    : tokens(std::move(trie)), language(std::move(automaton)) {}

std::shared_ptr<const MaskBits> TokenMasks::mask(Automaton::State state) {
  std::lock_guard lock(mutex);
  if (auto it = masks.find(state); it != masks.end())
    return it->second;
  if (masks.size() >= maxKeptMasks)
    masks.clear();
  auto made = std::make_shared<MaskBits>(tokens->maskWords(), 0);
  addAllowed(*tokens, *language, 0, state, *made);
  masks.emplace(state, made);
  return made;
}

std::string TokenMasks::forcedBytes(Automaton::State state) {
  std::lock_guard lock(mutex);
  if (auto it = forced.find(state); it != forced.end())
    return it->second;
  if (forced.size() >= maxKeptMasks)
    forced.clear();
  return forced.emplace(state, language->forcedFrom(state)).first->second;
}

MaskCache::MaskCache(std::shared_ptr<const TokenTrie> trie)
    : tokens(std::move(trie)) {}

std::shared_ptr<TokenMasks>
MaskCache::get(std::shared_ptr<const Automaton> automaton) {
  std::lock_guard lock(mutex);
  if (auto it = made.find(automaton.get()); it != made.end())
    return it->second;
  if (made.size() >= maxKeptAutomata)
    made.clear();
  // The masks hold the automaton, so its address stays taken.
  const Automaton *key = automaton.get();
  auto masks = std::make_shared<TokenMasks>(tokens, std::move(automaton));
  made.emplace(key, masks);
  return masks;
}

} // namespace sgl
