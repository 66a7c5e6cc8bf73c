// Cuts forced bytes into canonical tokens and withholds an unsure end.
#include "runtime/mask/JumpForward.h"

#include <algorithm>

namespace sgl {

namespace {

/// Tokens before the forced bytes that are tokenized with them.
constexpr size_t tailTokens = 4;

/// Without a last character of which some bytes are missing.
std::string wholeCharacters(std::string bytes) {
  for (size_t back = 1; back <= std::min<size_t>(3, bytes.size()); ++back) {
    auto byte = static_cast<uint8_t>(bytes[bytes.size() - back]);
    if (byte < 0x80)
      break;
    if (byte < 0xc0)
      continue;
    size_t length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    if (length > back)
      bytes.resize(bytes.size() - back);
    break;
  }
  return bytes;
}

/// The tokens of `bytes` behind `tail`, if the tail's own tokens come first.
bool encodeBehind(const Tokenizer &tokenizer, std::span<const TokenId> tail,
                  const std::string &bytes, std::vector<TokenId> &out) {
  std::string text;
  for (TokenId id : tail)
    text += tokenizer.bytes(id);
  out = tokenizer.encode(text + bytes, false);
  if (out.size() < tail.size() ||
      !std::equal(tail.begin(), tail.end(), out.begin()))
    return false;
  out.erase(out.begin(), out.begin() + static_cast<long>(tail.size()));
  return true;
}

/// Canonical tokens of `bytes` at this place; empty when they do not decode to
/// the same bytes.
std::vector<TokenId> encodeHere(const Tokenizer &tokenizer,
                                std::span<const TokenId> committed,
                                const std::string &bytes) {
  size_t count = 0;
  while (count < std::min(tailTokens, committed.size()) &&
         isTextKind(tokenizer.kind(committed[committed.size() - count - 1])))
    ++count;
  std::vector<TokenId> ids;
  for (size_t tail : {count, std::min<size_t>(count, 1), size_t{0}})
    if (encodeBehind(tokenizer, committed.last(tail), bytes, ids))
      break;
  if (tokenizer.decode(ids) != bytes)
    ids.clear();
  return ids;
}

/// Does some token go on behind `node` in a way the automaton can read?
bool hasLonger(const TokenTrie &trie, const Automaton &automaton, uint32_t node,
               Automaton::State state) {
  auto nodes = trie.nodes();
  uint16_t base = nodes[node].depth;
  std::vector<Automaton::State> states(trie.longestToken() - base + 1);
  states[0] = state;
  for (uint32_t i = node + 1, end = nodes[node].end; i < end;) {
    size_t depth = nodes[i].depth - base;
    states[depth] = automaton.next(states[depth - 1], nodes[i].byte);
    if (states[depth] != Automaton::dead && nodes[i].token >= 0)
      return true;
    i = states[depth] == Automaton::dead ? nodes[i].end : i + 1;
  }
  return false;
}

} // namespace

ForcedRun planForced(const Tokenizer &tokenizer, TokenMasks &masks,
                     Automaton::State state,
                     std::span<const TokenId> committed) {
  ForcedRun run;
  std::string bytes = wholeCharacters(masks.forcedBytes(state));
  if (bytes.empty())
    return run;
  std::vector<TokenId> ids = encodeHere(tokenizer, committed, bytes);
  Automaton::State after = masks.automaton().run(state, bytes);
  size_t offset = 0;
  for (TokenId id : ids) {
    std::string rest = bytes.substr(offset);
    uint32_t node = rest.size() <= masks.trie().longestToken()
                        ? masks.trie().find(rest)
                        : 0;
    if (node != 0 && hasLonger(masks.trie(), masks.automaton(), node, after)) {
      run.withheld = rest;
      run.first = id;
      break;
    }
    run.tokens.push_back(id);
    offset += tokenizer.bytes(id).size();
  }
  return run;
}

} // namespace sgl
