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

/// Canonical tokens of `bytes` at this place.
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
  return ids;
}

/// What tokens below `node` add to it, where the automaton can read it from
/// `state`; at most `limit` of them.
std::vector<std::string> longerTokens(const TokenTrie &trie,
                                      const Automaton &automaton, uint32_t node,
                                      Automaton::State state, size_t limit) {
  std::vector<std::string> found;
  auto nodes = trie.nodes();
  uint16_t base = nodes[node].depth;
  std::vector<Automaton::State> states(trie.longestToken() - base + 1);
  std::string path;
  states[0] = state;
  for (uint32_t i = node + 1, end = nodes[node].end;
       i < end && found.size() < limit;) {
    size_t depth = nodes[i].depth - base;
    states[depth] = automaton.next(states[depth - 1], nodes[i].byte);
    if (states[depth] == Automaton::dead) {
      i = nodes[i].end;
      continue;
    }
    path.resize(depth - 1);
    path += static_cast<char>(nodes[i].byte);
    if (nodes[i].token >= 0)
      found.push_back(path);
    ++i;
  }
  return found;
}

/// Looks for ends of the forced bytes that a longer token may begin with, and
/// shortens the run to the tokens that stand whatever follows.
class EndCheck {
public:
  EndCheck(const Tokenizer &tokenizer, TokenMasks &masks,
           Automaton::State after, std::span<const TokenId> committed,
           const std::string &bytes, const std::vector<TokenId> &ids)
      : tokenizer(tokenizer), masks(masks), after(after), committed(committed),
        bytes(bytes), ids(ids), sure(ids.size()) {}

  ForcedRun run() {
    size_t longest = masks.trie().longestToken();
    size_t offset = 0, token = 0; // the token that begins at `offset`
    for (size_t at = 0; at < bytes.size(); ++at) {
      while (token + 1 < ids.size() &&
             at >= offset + tokenizer.bytes(ids[token]).size())
        offset += tokenizer.bytes(ids[token++]).size();
      if (bytes.size() - at < longest)
        checkEnd(at, token, at == offset);
    }
    return cut();
  }

private:
  /// Continuations of one end that are tried.
  static constexpr size_t triesOfEnd = 16;

  /// The bytes from `at` on, inside or at the begin of ids[token].
  void checkEnd(size_t at, size_t token, bool isTokenBegin) {
    uint32_t node = masks.trie().find(std::string_view(bytes).substr(at));
    if (node == 0)
      return;
    auto longer = longerTokens(masks.trie(), masks.automaton(), node, after,
                               isTokenBegin ? 1 : triesOfEnd);
    if (longer.empty())
      return;
    if (isTokenBegin) {
      sure = std::min(sure, token);
      return;
    }
    // Inside a token: only where the model would cut the longer text so.
    for (const std::string &more : longer) {
      auto whole = encodeHere(tokenizer, committed, bytes + more);
      size_t same = 0;
      while (same < std::min(whole.size(), ids.size()) &&
             whole[same] == ids[same])
        ++same;
      if (same == ids.size() || same >= whole.size())
        continue;
      sure = std::min(sure, same);
      cuts.emplace_back(same, whole[same]);
    }
  }

  ForcedRun cut() const {
    ForcedRun run;
    run.tokens.assign(ids.begin(), ids.begin() + static_cast<long>(sure));
    if (sure == ids.size())
      return run;
    run.withheld = bytes.substr(tokenizer.decode(run.tokens).size());
    run.first = ids[sure];
    for (auto [place, id] : cuts)
      if (place == sure && tokenizer.bytes(id).size() < run.withheld.size() &&
          std::find(run.others.begin(), run.others.end(), id) ==
              run.others.end())
        run.others.push_back(id);
    return run;
  }

  const Tokenizer &tokenizer;
  TokenMasks &masks;
  Automaton::State after;
  std::span<const TokenId> committed;
  const std::string &bytes;
  const std::vector<TokenId> &ids;
  size_t sure; ///< tokens that are the same whatever follows
  std::vector<std::pair<size_t, TokenId>> cuts; ///< where another token begins
};

} // namespace

ForcedRun planForced(const Tokenizer &tokenizer, TokenMasks &masks,
                     Automaton::State state,
                     std::span<const TokenId> committed) {
  ForcedRun run;
  std::string bytes = wholeCharacters(masks.forcedBytes(state));
  if (bytes.empty())
    return run;
  std::vector<TokenId> ids = encodeHere(tokenizer, committed, bytes);
  if (tokenizer.decode(ids) != bytes)
    return run;
  Automaton::State after = masks.automaton().run(state, bytes);
  return EndCheck(tokenizer, masks, after, committed, bytes, ids).run();
}

} // namespace sgl
