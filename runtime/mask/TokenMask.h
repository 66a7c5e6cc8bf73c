// Which tokens may come next in a state of an automaton.
//
// Entry points: TokenMasks::mask and MaskCache. A token is allowed when all of
// its bytes can be read from the state. Masks are made when first asked for
// and kept; a cache belongs to one tokenizer and is shared by all requests.
#pragma once

#include "ir/constraint/Automaton.h"
#include "runtime/mask/TokenTrie.h"

#include <memory>
#include <mutex>
#include <unordered_map>

namespace sgl {

using MaskBits = std::vector<uint32_t>; ///< bit i % 32 of word i / 32: id i

/// Sets the bit of each token below `node` (itself included) whose bytes behind
/// the node can be read from `state`.
void addAllowed(const TokenTrie &trie, const Automaton &automaton,
                uint32_t node, Automaton::State state,
                std::span<uint32_t> mask);

class TokenMasks {
public:
  TokenMasks(std::shared_ptr<const TokenTrie> trie,
             std::shared_ptr<const Automaton> automaton);

  /// Ends are not in it: see MaskedDecoder.
  std::shared_ptr<const MaskBits> mask(Automaton::State state);
  /// Automaton::forcedFrom, kept.
  std::string forcedBytes(Automaton::State state);

  const Automaton &automaton() const { return *language; }
  const TokenTrie &trie() const { return *tokens; }

private:
  std::shared_ptr<const TokenTrie> tokens;
  std::shared_ptr<const Automaton> language;
  std::mutex mutex;
  std::unordered_map<Automaton::State, std::shared_ptr<const MaskBits>> masks;
  std::unordered_map<Automaton::State, std::string> forced;
};

/// Masks that one automaton keeps, and automata that a cache keeps; beyond that
/// all are dropped and made again when asked for.
inline constexpr size_t maxKeptMasks = 4096, maxKeptAutomata = 256;

/// The masks of every automaton in use, by identity of the automaton.
class MaskCache {
public:
  explicit MaskCache(std::shared_ptr<const TokenTrie> trie);
  std::shared_ptr<TokenMasks> get(std::shared_ptr<const Automaton> automaton);
  const std::shared_ptr<const TokenTrie> &trie() const { return tokens; }

private:
  std::shared_ptr<const TokenTrie> tokens;
  std::mutex mutex;
  std::unordered_map<const Automaton *, std::shared_ptr<TokenMasks>> made;
};

} // namespace sgl
