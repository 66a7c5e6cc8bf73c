// Thompson's construction over pattern trees.
//
// The walk over a tree recurses; trees are as deep as the parser's and the
// types' own limits allow.
#include "ir/constraint/Nfa.h"

#include "ir/constraint/Utf8Ranges.h"

#include <cassert>
#include <map>

namespace sgl {

namespace {

class Builder {
public:
  Result<Nfa> run(const Pattern &pattern) {
    nfa.start = addState();
    nfa.accept = addState();
    connect(pattern, nfa.start, nfa.accept);
    if (full)
      return Error{"the pattern is too large: it needs more than " +
                   std::to_string(maxNfaStates) + " positions"};
    return std::move(nfa);
  }

private:
  uint32_t addState() {
    if (nfa.states.size() >= maxNfaStates) {
      // Everything behind goes into one state and is thrown away.
      full = true;
      return 0;
    }
    nfa.states.emplace_back();
    return static_cast<uint32_t>(nfa.states.size() - 1);
  }
  void jump(uint32_t from, uint32_t to, Nfa::Jump when = Nfa::Jump::Always) {
    if (!full)
      nfa.states[from].jumps.push_back({when, to});
  }
  void edge(uint32_t from, uint8_t low, uint8_t high, uint32_t to) {
    if (!full)
      nfa.states[from].bytes.push_back({low, high, to});
  }

  /// Adds what leads from `from` to `to` exactly on the texts of `pattern`.
  void connect(const Pattern &pattern, uint32_t from, uint32_t to);
  void connectBytes(const std::string &bytes, uint32_t from, uint32_t to);
  void connectCharacters(const CodePointSet &set, uint32_t from, uint32_t to);
  void connectRepeat(const Pattern &pattern, uint32_t from, uint32_t to);
  void connectLanguage(const Automaton &automaton, uint32_t from, uint32_t to);

  Nfa nfa;
  bool full = false;
  std::map<CodePointSet, ByteTree> trees; ///< each set's UTF-8, made once
};

void Builder::connect(const Pattern &pattern, uint32_t from, uint32_t to) {
  if (full)
    return;
  switch (pattern.kind) {
  case Pattern::Kind::Bytes:
    return connectBytes(pattern.bytes, from, to);
  case Pattern::Kind::Characters:
    return connectCharacters(pattern.characters, from, to);
  case Pattern::Kind::Sequence:
    for (size_t i = 0; i < pattern.parts.size() && !full; ++i) {
      uint32_t next = i + 1 < pattern.parts.size() ? addState() : to;
      connect(*pattern.parts[i], from, next);
      from = next;
    }
    return;
  case Pattern::Kind::Choice:
    for (const PatternRef &part : pattern.parts) {
      uint32_t inner = addState();
      jump(from, inner);
      connect(*part, inner, to);
    }
    return;
  case Pattern::Kind::Repeat:
    return connectRepeat(pattern, from, to);
  case Pattern::Kind::TextBegin:
    return jump(from, to, Nfa::Jump::AtBegin);
  case Pattern::Kind::TextEnd:
    return jump(from, to, Nfa::Jump::AtEnd);
  case Pattern::Kind::Language:
    return connectLanguage(*pattern.automaton, from, to);
  }
}

void Builder::connectBytes(const std::string &bytes, uint32_t from,
                           uint32_t to) {
  if (bytes.empty())
    return jump(from, to);
  for (size_t i = 0; i < bytes.size(); ++i) {
    uint32_t next = i + 1 < bytes.size() ? addState() : to;
    auto byte = static_cast<uint8_t>(bytes[i]);
    edge(from, byte, byte, next);
    from = next;
  }
}

void Builder::connectCharacters(const CodePointSet &set, uint32_t from,
                                uint32_t to) {
  auto it = trees.find(set);
  if (it == trees.end())
    it = trees.emplace(set, utf8Tree(set)).first;
  const ByteTree &tree = it->second;
  std::vector<uint32_t> states(tree.nodes.size());
  for (size_t i = 0; i < states.size(); ++i)
    states[i] = i == tree.root ? from : i == ByteTree::leaf ? to : addState();
  for (size_t i = 0; i < states.size(); ++i)
    for (const ByteTree::Edge &e : tree.nodes[i])
      edge(states[i], e.low, e.high, states[e.target]);
}

void Builder::connectRepeat(const Pattern &pattern, uint32_t from,
                            uint32_t to) {
  const Pattern &part = *pattern.parts[0];
  for (uint32_t i = 0; i < pattern.least && !full; ++i) {
    uint32_t next = addState();
    connect(part, from, next);
    from = next;
  }
  if (pattern.most == Pattern::unbounded) {
    // A state of its own, so that nothing else can enter the loop.
    uint32_t loop = addState();
    jump(from, loop);
    uint32_t back = addState();
    connect(part, loop, back);
    jump(back, loop);
    jump(loop, to);
    return;
  }
  for (uint32_t i = pattern.least; i < pattern.most && !full; ++i) {
    jump(from, to);
    uint32_t inner = addState();
    jump(from, inner);
    uint32_t next = addState();
    connect(part, inner, next);
    from = next;
  }
  jump(from, to);
}

void Builder::connectLanguage(const Automaton &automaton, uint32_t from,
                              uint32_t to) {
  if (automaton.isEmpty())
    return;
  std::vector<uint32_t> states(automaton.stateCount());
  for (uint32_t &state : states)
    state = addState();
  if (full)
    return;
  jump(from, states[automaton.start()]);
  for (Automaton::State state = 0; state < automaton.stateCount(); ++state) {
    for (const Automaton::Edge &e : automaton.edges(state))
      edge(states[state], e.low, e.high, states[e.target]);
    if (automaton.accepts(state))
      jump(states[state], to);
  }
}

} // namespace

Result<Nfa> buildNfa(const Pattern &pattern) { return Builder().run(pattern); }

} // namespace sgl
