// Thompson's construction over pattern trees.
//
// The walk over a tree recurses; trees are as deep as the parser's and the
// types' own limits allow.
#include "ir/constraint/Nfa.h"

#include "ir/constraint/Determinize.h"
#include "ir/constraint/Minimize.h"
#include "ir/constraint/Utf8Ranges.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace sgl {

namespace {

/// From this many copies on, the part of a repeat is compiled on its own.
constexpr uint32_t manyCopies = 4;

/// Groups edges by the state that they leave, in the order they were added.
template <typename Edge>
void groupEdges(const std::vector<std::pair<uint32_t, Edge>> &added,
                uint32_t stateCount, std::vector<Edge> &edges,
                std::vector<uint32_t> &begin) {
  begin.assign(stateCount + 1, 0);
  for (const auto &[from, edge] : added)
    ++begin[from + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  edges.resize(added.size());
  std::vector<uint32_t> fill(begin.begin(), begin.end() - 1);
  for (const auto &[from, edge] : added)
    edges[fill[from]++] = edge;
}

class Builder {
public:
  Builder(CompileWork &work, bool isTrial) : work(work), isTrial(isTrial) {}

  Result<Nfa> run(const Pattern &pattern) {
    nfa.start = addState();
    nfa.accept = addState();
    connect(pattern, nfa.start, nfa.accept);
    if (failure)
      return *failure;
    groupEdges(byteEdges, stateCount, nfa.byteEdges, nfa.byteBegin);
    groupEdges(emptyEdges, stateCount, nfa.emptyEdges, nfa.emptyBegin);
    return std::move(nfa);
  }

private:
  uint32_t addState() {
    if (stateCount < maxNfaStates)
      return stateCount++;
    // Everything behind goes into one state and is thrown away.
    if (!failure)
      failure = Error{"the pattern is too large: it needs more than " +
                      std::to_string(maxNfaStates) + " positions"};
    return 0;
  }
  void jump(uint32_t from, uint32_t to, Nfa::Jump when = Nfa::Jump::Always) {
    if (!failure)
      emptyEdges.push_back({from, {when, to}});
  }
  void edge(uint32_t from, uint8_t low, uint8_t high, uint32_t to) {
    if (!failure)
      byteEdges.push_back({from, {low, high, to}});
  }

  /// Adds what leads from `from` to `to` exactly on the texts of `pattern`.
  /// Nothing that is added enters `from` or leaves `to`, so several patterns
  /// can share either.
  void connect(const Pattern &pattern, uint32_t from, uint32_t to);
  void connectBytes(const std::string &bytes, uint32_t from, uint32_t to);
  void connectCharacters(const CodePointSet &set, uint32_t from, uint32_t to);
  void connectRepeat(const Pattern &pattern, uint32_t from, uint32_t to);
  void connectLanguage(const Automaton &automaton, uint32_t from, uint32_t to);
  void connectNetwork(const Pattern &pattern, uint32_t from, uint32_t to);

  const Automaton *compiledPart(const Pattern &part);

  CompileWork &work;
  const bool isTrial;
  Nfa nfa;
  uint32_t stateCount = 0;
  std::vector<std::pair<uint32_t, Nfa::ByteEdge>> byteEdges;
  std::vector<std::pair<uint32_t, Nfa::EmptyEdge>> emptyEdges;
  std::optional<Error> failure;
  std::map<CodePointSet, ByteTree> trees; ///< each set's UTF-8, made once
};

void Builder::connect(const Pattern &pattern, uint32_t from, uint32_t to) {
  if (failure)
    return;
  switch (pattern.kind) {
  case Pattern::Kind::Bytes:
    return connectBytes(pattern.bytes, from, to);
  case Pattern::Kind::Characters:
    return connectCharacters(pattern.characters, from, to);
  case Pattern::Kind::Sequence:
    for (size_t i = 0; i < pattern.parts.size() && !failure; ++i) {
      uint32_t next = i + 1 < pattern.parts.size() ? addState() : to;
      connect(*pattern.parts[i], from, next);
      from = next;
    }
    return;
  case Pattern::Kind::Choice:
    for (const PatternRef &part : pattern.parts)
      connect(*part, from, to);
    return;
  case Pattern::Kind::Repeat:
    return connectRepeat(pattern, from, to);
  case Pattern::Kind::TextBegin:
    return jump(from, to, Nfa::Jump::AtBegin);
  case Pattern::Kind::TextEnd:
    return jump(from, to, Nfa::Jump::AtEnd);
  case Pattern::Kind::Language:
    return connectLanguage(*pattern.automaton, from, to);
  case Pattern::Kind::Network:
    return connectNetwork(pattern, from, to);
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

/// Does no accepted text begin another?
bool isPrefixFree(const StateGraph &graph) {
  for (uint32_t state = 0; state < graph.stateCount(); ++state)
    if (graph.accepting[state] != 0 && !graph.row(state).empty())
      return false;
  return true;
}

CompileWork::Part tryPart(const Pattern &part, CompileWork &work) {
  const CompileWork::Part tooLarge{nullptr, true};
  auto nfa = Builder(work, true).run(part);
  if (!nfa)
    return tooLarge;
  work.trialSteps += nfa->stateCount();
  auto graph = determinize(*nfa, work.trialSteps, maxTrialSteps);
  if (!graph)
    return tooLarge;
  Automaton made = minimize(*graph, work.refineSteps);
  // A larger automaton would have more ways to be in several places at once.
  if (made.isEmpty() || !isPrefixFree(made.states()) ||
      made.stateCount() > nfa->stateCount())
    return {};
  return {std::make_shared<const Automaton>(std::move(made)), false};
}

/// Null where the part is better taken as it is.
const Automaton *Builder::compiledPart(const Pattern &part) {
  // An anchor asks for what stands around the part.
  if (part.isAnchored || part.kind == Pattern::Kind::Bytes ||
      part.kind == Pattern::Kind::Language)
    return nullptr;
  auto it = work.parts.find(&part);
  if (it == work.parts.end())
    it = work.parts.emplace(&part, tryPart(part, work)).first;
  // What holds a part that is too large is too large.
  if (isTrial && it->second.isTooLarge && !failure)
    failure = Error{"the part is too large"};
  return it->second.automaton.get();
}

void Builder::connectRepeat(const Pattern &pattern, uint32_t from,
                            uint32_t to) {
  const Pattern &part = *pattern.parts[0];
  bool isBounded = pattern.most != Pattern::unbounded;
  const Automaton *compiled = nullptr;
  if ((isBounded ? pattern.most : pattern.least) >= manyCopies)
    compiled = compiledPart(part);
  auto copy = [&](uint32_t begin, uint32_t end) {
    if (compiled != nullptr)
      connectLanguage(*compiled, begin, end);
    else
      connect(part, begin, end);
  };
  for (uint32_t i = 0; i < pattern.least && !failure; ++i) {
    uint32_t next = addState();
    copy(from, next);
    from = next;
  }
  if (!isBounded) {
    // A state of its own, so that nothing else can enter the loop.
    uint32_t loop = addState();
    jump(from, loop);
    uint32_t back = addState();
    copy(loop, back);
    jump(back, loop);
    jump(loop, to);
    return;
  }
  for (uint32_t i = pattern.least; i < pattern.most && !failure; ++i) {
    jump(from, to);
    uint32_t next = addState();
    copy(from, next);
    from = next;
  }
  jump(from, to);
}

/// Nodes are states of their own: steps may lead back to the first and on from
/// the last.
void Builder::connectNetwork(const Pattern &pattern, uint32_t from,
                             uint32_t to) {
  std::vector<uint32_t> nodes(pattern.nodeCount);
  for (uint32_t &node : nodes)
    node = addState();
  jump(from, nodes[0]);
  for (const NetworkStep &step : pattern.steps) {
    if (failure)
      return;
    if (step.part)
      connect(*step.part, nodes[step.from], nodes[step.to]);
    else
      jump(nodes[step.from], nodes[step.to]);
  }
  jump(nodes[1], to);
}

/// The start is `from` itself where no edge enters it, and a state that ends
/// every text is `to` itself: copies in a row then need no jumps.
void Builder::connectLanguage(const Automaton &automaton, uint32_t from,
                              uint32_t to) {
  if (automaton.isEmpty())
    return;
  const StateGraph &graph = automaton.states();
  bool isEntered =
      std::any_of(graph.edges.begin(), graph.edges.end(),
                  [](const StateGraph::Edge &e) { return e.target == 0; });
  std::vector<uint32_t> states(graph.stateCount());
  for (uint32_t state = 0; state < states.size(); ++state) {
    bool isEnd = graph.accepting[state] != 0 && graph.row(state).empty();
    states[state] = state == 0 && !isEntered ? from
                    : state > 0 && isEnd     ? to
                                             : addState();
  }
  if (failure)
    return;
  if (isEntered)
    jump(from, states[0]);
  for (uint32_t state = 0; state < states.size(); ++state) {
    for (const StateGraph::Edge &e : graph.row(state))
      edge(states[state], e.low, e.high, states[e.target]);
    if (graph.accepting[state] != 0 && states[state] != to)
      jump(states[state], to);
  }
}

} // namespace

Result<Nfa> buildNfa(const Pattern &pattern, CompileWork &work) {
  return Builder(work, false).run(pattern);
}

} // namespace sgl
