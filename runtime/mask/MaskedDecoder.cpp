// The steps of one constrained generation.
#include "runtime/mask/MaskedDecoder.h"

#include "runtime/text/Utf8Stream.h"

#include <algorithm>
#include <cassert>

namespace sgl {

namespace {

bool hasBit(const MaskBits &mask, TokenId token) {
  auto bit = static_cast<uint32_t>(token);
  return token >= 0 && bit / 32 < mask.size() &&
         (mask[bit / 32] >> bit % 32 & 1) != 0;
}

void setBit(MaskBits &mask, TokenId token) {
  auto bit = static_cast<uint32_t>(token);
  mask[bit / 32] |= 1u << bit % 32;
}

/// Every token below and on `node`.
void addSubtree(const TokenTrie &trie, uint32_t node, MaskBits &mask) {
  auto nodes = trie.nodes();
  for (uint32_t i = node; i < nodes[node].end; ++i)
    if (nodes[i].token >= 0)
      setTokenBits(trie, nodes[i].token, mask);
}

/// Tokens that end a generation where the automaton accepts.
MaskBits endBits(const Tokenizer &tokenizer, const TokenTrie &trie,
                 const EndRule &rule) {
  MaskBits mask(trie.maskWords(), 0);
  for (TokenId id : tokenizer.endTokens())
    setBit(mask, id);
  if (rule.follow == EndRule::Follow::EndOfTurn)
    return mask;
  std::string_view text =
      rule.follow == EndRule::Follow::Text ? std::string_view(rule.text) : "\n";
  if (text.empty())
    return mask;
  // Tokens that the text begins with, and those that begin with the text.
  for (size_t size = 1; size <= text.size(); ++size) {
    uint32_t node = trie.find(text.substr(0, size));
    if (node == 0)
      break;
    if (size == text.size())
      addSubtree(trie, node, mask);
    else if (trie.nodes()[node].token >= 0)
      setTokenBits(trie, trie.nodes()[node].token, mask);
  }
  return mask;
}

} // namespace

MaskedDecoder::MaskedDecoder(std::shared_ptr<const Tokenizer> tokenizer,
                             std::shared_ptr<TokenMasks> masks, EndRule rule,
                             std::vector<TokenId> context)
    : tokenizer(std::move(tokenizer)), masks(std::move(masks)),
      ends(std::make_shared<const MaskBits>(
          endBits(*this->tokenizer, this->masks->trie(), rule))),
      minTokens(rule.minTokens), contextSize(context.size()),
      committed(std::move(context)), state(this->masks->automaton().start()) {
  const Automaton &automaton = this->masks->automaton();
  done = automaton.accepts(state) && !automaton.canContinue(state);
}

bool MaskedDecoder::mayEnd() const {
  return masks->automaton().accepts(state) &&
         committed.size() - contextSize >= minTokens;
}

bool MaskedDecoder::isEnd(TokenId token) const {
  return mayEnd() && hasBit(*ends, token);
}

bool MaskedDecoder::fitsWithheld(TokenId token) const {
  if (token == run.first || std::find(run.others.begin(), run.others.end(),
                                      token) != run.others.end())
    return true;
  std::string_view bytes = tokenizer->bytes(token);
  return bytes.substr(0, run.withheld.size()) == run.withheld;
}

void MaskedDecoder::plan() {
  if (planned || done)
    return;
  run = planForced(*tokenizer, *masks, state, committed);
  planned = true;
}

std::vector<TokenId> MaskedDecoder::forced() {
  plan();
  return run.tokens;
}

std::shared_ptr<const MaskBits> MaskedDecoder::makeMask() const {
  const TokenTrie &trie = masks->trie();
  MaskBits mask(trie.maskWords(), 0);
  if (!run.tokens.empty()) {
    setBit(mask, run.tokens.front());
    return std::make_shared<const MaskBits>(std::move(mask));
  }
  if (!run.withheld.empty()) {
    const Automaton &automaton = masks->automaton();
    if (uint32_t node = trie.find(run.withheld))
      addAllowed(trie, automaton, node, automaton.run(state, run.withheld),
                 mask);
    setBit(mask, run.first);
    for (TokenId other : run.others)
      setBit(mask, other);
    return std::make_shared<const MaskBits>(std::move(mask));
  }
  auto allowed = masks->mask(state);
  if (!mayEnd())
    return allowed;
  for (size_t i = 0; i < mask.size(); ++i)
    mask[i] = (*allowed)[i] | (*ends)[i];
  return std::make_shared<const MaskBits>(std::move(mask));
}

std::span<const uint32_t> MaskedDecoder::mask() {
  assert(!done && "a mask behind the end");
  plan();
  shown = makeMask();
  return *shown;
}

MaskedDecoder::Outcome MaskedDecoder::accept(TokenId token) {
  if (done || token < 0 || static_cast<uint32_t>(token) >= tokenizer->size())
    return Outcome::Illegal;
  plan();
  if (!run.tokens.empty()) {
    if (token != run.tokens.front())
      return Outcome::Illegal;
    run.tokens.erase(run.tokens.begin());
    return keep(token);
  }
  Automaton::State next = Automaton::dead;
  if (isTextKind(tokenizer->kind(token)) && !tokenizer->bytes(token).empty())
    next = masks->automaton().run(state, tokenizer->bytes(token));
  if (!run.withheld.empty() && !fitsWithheld(token))
    return Outcome::Illegal;
  if (next == Automaton::dead) {
    if (!isEnd(token))
      return Outcome::Illegal;
    done = true;
    return Outcome::FinishedDrop;
  }
  run = {};
  return keep(token);
}

MaskedDecoder::Outcome MaskedDecoder::keep(TokenId token) {
  const Automaton &automaton = masks->automaton();
  kept += tokenizer->bytes(token);
  committed.push_back(token);
  state = automaton.run(state, tokenizer->bytes(token));
  // A plan that still has something to say holds for the next place too.
  planned = !run.tokens.empty() || !run.withheld.empty();
  done = automaton.accepts(state) && !automaton.canContinue(state);
  return done ? Outcome::Finished : Outcome::Continue;
}

std::string MaskedDecoder::describe() const {
  constexpr size_t shownBytes = 60;
  std::string_view text = kept;
  bool isCut = text.size() > shownBytes;
  if (isCut)
    text.remove_prefix(text.size() - shownBytes);
  return "no token of the model can continue the constraint behind '" +
         std::string(isCut ? "..." : "") + toValidUtf8(text) + "' (state " +
         std::to_string(state) + ")";
}

} // namespace sgl
