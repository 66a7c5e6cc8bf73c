// Minimisation in three layers.
//
// States behind which there is no cycle are joined in one pass from the end: a
// state is what it accepts and where its bytes lead, so equal rows are equal
// states. So are those before all cycles, once the cycles are done. Only what
// is on a cycle, or between two, takes partition refinement. A state of one
// layer can equal one of another only where both lead to a cycle, and then the
// pass over the first layer finds the row of the other.
#include "ir/constraint/Minimize.h"

#include "ir/constraint/Components.h"
#include "ir/constraint/Refine.h"
#include "ir/constraint/RowTable.h"

namespace sgl {

namespace {

class Minimizer {
public:
  Minimizer(const StateGraph &graph, uint64_t &refineSteps)
      : graph(graph), refineSteps(refineSteps), parts(findComponents(graph)),
        number(graph.stateCount(), StateGraph::dead) {}

  Automaton run() {
    if (!parts.live[0])
      return Automaton(StateGraph());
    for (uint32_t state : parts.order)
      if (parts.live[state] && !parts.endless[state])
        joinRow(state);
    refineCycles();
    for (uint32_t state : parts.order)
      if (parts.endless[state] && !parts.behind[state])
        joinRow(state);
    return renumber();
  }

private:
  bool isMiddle(uint32_t state) const {
    return parts.endless[state] && parts.behind[state];
  }

  /// Numbers a state whose targets are numbered.
  void joinRow(uint32_t state) {
    joined.begin(graph.accepting[state] != 0);
    for (const StateGraph::Edge &edge : graph.row(state))
      if (uint32_t to = number[edge.target]; to != StateGraph::dead)
        joined.add(edge.low, edge.high, to);
    number[state] = joined.intern();
  }

  void refineCycles() {
    std::vector<uint32_t> members; // in the order of `inner`
    std::vector<uint32_t> place(graph.stateCount(), StateGraph::dead);
    for (uint32_t state : parts.order)
      if (isMiddle(state)) {
        place[state] = static_cast<uint32_t>(members.size());
        members.push_back(state);
      }
    if (members.empty())
      return;
    // A colour: what a state does as far as that is known already.
    constexpr uint32_t within = StateGraph::dead - 1;
    RowTable known;
    std::vector<uint32_t> colours;
    StateGraph inner;
    for (uint32_t state : members) {
      known.begin(graph.accepting[state] != 0);
      for (const StateGraph::Edge &edge : graph.row(state)) {
        uint32_t to = place[edge.target];
        if (to != StateGraph::dead)
          inner.add(edge.low, edge.high, to);
        uint32_t seen = to != StateGraph::dead ? within : number[edge.target];
        if (seen != StateGraph::dead)
          known.add(edge.low, edge.high, seen);
      }
      inner.close(false);
      colours.push_back(known.intern());
    }
    std::vector<uint32_t> blocks =
        refine(inner, colours, known.graph.stateCount(), refineSteps);
    appendBlocks(members, blocks);
  }

  void appendBlocks(const std::vector<uint32_t> &members,
                    const std::vector<uint32_t> &blocks) {
    uint32_t base = joined.graph.stateCount(), blockCount = 0;
    for (size_t i = 0; i < members.size(); ++i) {
      number[members[i]] = base + blocks[i];
      blockCount = std::max(blockCount, blocks[i] + 1);
    }
    std::vector<uint32_t> first(blockCount);
    for (size_t i = members.size(); i-- > 0;)
      first[blocks[i]] = members[i];
    for (uint32_t state : first) {
      joined.begin(graph.accepting[state] != 0);
      for (const StateGraph::Edge &edge : graph.row(state))
        if (uint32_t to = number[edge.target]; to != StateGraph::dead)
          joined.add(edge.low, edge.high, to);
      joined.append();
    }
  }

  Automaton renumber() const {
    const StateGraph &from = joined.graph;
    std::vector<uint32_t> fresh(from.stateCount(), StateGraph::dead);
    std::vector<uint32_t> order{number[0]};
    order.reserve(from.stateCount());
    fresh[number[0]] = 0;
    StateGraph out;
    out.edges.reserve(from.edges.size());
    for (size_t i = 0; i < order.size(); ++i) {
      for (const StateGraph::Edge &edge : from.row(order[i])) {
        uint32_t &index = fresh[edge.target];
        if (index == StateGraph::dead) {
          index = static_cast<uint32_t>(order.size());
          order.push_back(edge.target);
        }
        out.edges.push_back({edge.low, edge.high, index});
      }
      out.close(from.accepting[order[i]] != 0);
    }
    return Automaton(std::move(out));
  }

  const StateGraph &graph;
  uint64_t &refineSteps;
  Components parts;
  std::vector<uint32_t> number; ///< in `joined`, of each live state
  RowTable joined;
};

} // namespace

Automaton minimize(const StateGraph &graph, uint64_t &refineSteps) {
  if (graph.stateCount() == 0)
    return Automaton(StateGraph());
  return Minimizer(graph, refineSteps).run();
}

Automaton minimize(const StateGraph &graph) {
  uint64_t steps = 0;
  return minimize(graph, steps);
}

} // namespace sgl
