// Tables of an automaton and questions about its language.
#include "ir/constraint/Automaton.h"

#include <algorithm>
#include <cassert>
#include <map>

namespace sgl {

namespace {

/// Finds bytes that no state tells apart, and writes the table of targets.
class TableMaker {
public:
  explicit TableMaker(const StateGraph &graph) : graph(graph) {
    std::array<bool, 257> begins{};
    begins[0] = true;
    for (const StateGraph::Edge &edge : graph.edges)
      begins[edge.low] = begins[edge.high + 1u] = true;
    for (unsigned byte = 0; byte < 256; ++byte)
      runOf[byte] = begins[byte] ? runCount++ : runCount - 1;
  }

  /// Starts with all runs in one class and splits it by each state.
  void chooseClasses() {
    for (unsigned run = 1; run < runCount; ++run)
      followers.push_back(run);
    for (uint32_t state = 0; state < graph.stateCount(); ++state) {
      spread(state);
      for (unsigned run : followers)
        if (targets[run] != targets[leader[run]]) {
          split();
          break;
        }
    }
    for (unsigned run = 0; run < runCount; ++run)
      if (leader[run] == run)
        leaders.push_back(run);
  }

  uint32_t classCount() const { return static_cast<uint32_t>(leaders.size()); }

  std::array<uint8_t, 256> classes() const {
    std::array<uint8_t, 256> classOf{};
    for (unsigned byte = 0; byte < 256; ++byte) {
      unsigned first = leader[runOf[byte]];
      auto it = std::lower_bound(leaders.begin(), leaders.end(), first);
      classOf[byte] = static_cast<uint8_t>(it - leaders.begin());
    }
    return classOf;
  }

  std::vector<uint32_t> makeTable() {
    std::vector<uint32_t> table(size_t{graph.stateCount()} * leaders.size());
    auto cell = table.begin();
    for (uint32_t state = 0; state < graph.stateCount(); ++state) {
      spread(state);
      for (unsigned run : leaders)
        *cell++ = targets[run];
    }
    return table;
  }

private:
  /// Writes the target of each run of bytes.
  void spread(uint32_t state) {
    std::fill_n(targets.begin(), runCount, StateGraph::dead);
    for (const StateGraph::Edge &edge : graph.row(state))
      for (unsigned run = runOf[edge.low]; run <= runOf[edge.high]; ++run)
        targets[run] = edge.target;
  }

  /// Parts what the state of `targets` tells apart; at most 255 times.
  void split() {
    std::map<std::pair<unsigned, uint32_t>, unsigned> firsts;
    followers.clear();
    for (unsigned run = 0; run < runCount; ++run) {
      leader[run] = firsts.emplace(std::pair{leader[run], targets[run]}, run)
                        .first->second;
      if (leader[run] != run)
        followers.push_back(run);
    }
  }

  const StateGraph &graph;
  std::array<unsigned, 256> runOf{};
  unsigned runCount = 0;
  std::array<unsigned, 256> leader{}; ///< of each run, the first in its class
  std::vector<unsigned> followers, leaders;
  std::array<uint32_t, 256> targets{};
};

StateGraph toGraph(const std::vector<Automaton::StateRow> &rows) {
  StateGraph graph;
  for (const Automaton::StateRow &row : rows) {
    for (const Automaton::Edge &edge : row.edges)
      graph.add(edge.low, edge.high, edge.target);
    graph.close(row.accepting);
  }
  return graph;
}

} // namespace

Automaton::Automaton(StateGraph states) : graph(std::move(states)) {
  assert(std::all_of(
             graph.edges.begin(), graph.edges.end(),
             [&](const Edge &edge) { return edge.target < stateCount(); }) &&
         "an edge leaves the automaton");
  fillTable();
  longest = findLongest();
}

Automaton::Automaton(const std::vector<StateRow> &rows)
    : Automaton(toGraph(rows)) {}

void Automaton::fillTable() {
  TableMaker maker(graph);
  maker.chooseClasses();
  classCount = maker.classCount();
  classOf = maker.classes();
  table = maker.makeTable();
}

Automaton::State Automaton::run(State state, std::string_view bytes) const {
  for (char byte : bytes) {
    state = next(state, static_cast<uint8_t>(byte));
    if (state == dead)
      break;
  }
  return state;
}

std::vector<Automaton::Edge> Automaton::edges(State state) const {
  if (state == dead)
    return {};
  std::span<const Edge> row = graph.row(state);
  return {row.begin(), row.end()};
}

std::string Automaton::forcedFrom(State state) const {
  std::string forced;
  while (state != dead && !accepts(state)) {
    std::span<const Edge> out = graph.row(state);
    if (out.size() != 1 || out[0].low != out[0].high)
      break;
    forced += static_cast<char>(out[0].low);
    state = out[0].target;
  }
  return forced;
}

std::optional<std::string> Automaton::onlyText() const {
  if (isEmpty() || !isFinite())
    return std::nullopt;
  std::string text = forcedFrom(start());
  State end = run(start(), text);
  if (!accepts(end) || canContinue(end))
    return std::nullopt;
  return text;
}

/// Longest path by taking states off whose edges are all followed, from those
/// that no edge enters; absent where a cycle keeps some (every state is live,
/// so a cycle means no limit).
std::optional<uint64_t> Automaton::findLongest() const {
  std::vector<uint32_t> entering(stateCount(), 0);
  for (const Edge &edge : graph.edges)
    ++entering[edge.target];
  if (isEmpty())
    return 0;
  if (entering[start()] != 0)
    return std::nullopt;
  // Every state can be reached, so no other is free of edges into it.
  std::vector<State> open{start()};
  std::vector<uint64_t> depth(stateCount(), 0);
  uint64_t most = 0;
  uint32_t taken = 0;
  while (!open.empty()) {
    State state = open.back();
    open.pop_back();
    ++taken;
    most = std::max(most, depth[state]);
    for (const Edge &edge : graph.row(state)) {
      depth[edge.target] = std::max(depth[edge.target], depth[state] + 1);
      if (--entering[edge.target] == 0)
        open.push_back(edge.target);
    }
  }
  if (taken < stateCount())
    return std::nullopt;
  return most;
}

bool Automaton::operator==(const Automaton &other) const {
  return graph.accepting == other.graph.accepting &&
         graph.begin == other.graph.begin && graph.edges == other.graph.edges;
}

} // namespace sgl
