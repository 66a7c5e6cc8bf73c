// Product construction over the reachable pairs of states.
#include "ir/constraint/Intersect.h"

#include "ir/constraint/Minimize.h"

#include <algorithm>
#include <unordered_map>

namespace sgl {

namespace {

/// Most pairs of states that are looked at.
constexpr size_t maxPairs = 32'768;

class Product {
public:
  /// `isDifference`: of `b` the texts count that it does not accept.
  Product(const Automaton &a, const Automaton &b, bool isDifference)
      : a(a.states()), b(b.states()), isDifference(isDifference) {}

  Result<Automaton> run() {
    numberOf(0, b.stateCount() > 0 ? 0 : StateGraph::dead);
    for (size_t i = 0; i < pairs.size(); ++i) {
      if (pairs.size() > maxPairs)
        return Error{"the parts of this constraint together are too large"};
      expand(pairs[i].first, pairs[i].second);
    }
    return minimize(graph);
  }

private:
  uint32_t numberOf(uint32_t left, uint32_t right) {
    auto [it, isNew] = numbers.emplace(uint64_t{left} << 32 | right,
                                       static_cast<uint32_t>(pairs.size()));
    if (isNew)
      pairs.emplace_back(left, right);
    return it->second;
  }

  /// Adds an edge for a run of bytes that both sides lead on alike; `right` may
  /// be dead.
  void lead(unsigned low, unsigned high, uint32_t left, uint32_t right) {
    if (low <= high && (isDifference || right != StateGraph::dead))
      graph.add(static_cast<uint8_t>(low), static_cast<uint8_t>(high),
                numberOf(left, right));
  }

  /// Walks the edges of both states side by side.
  void expand(uint32_t left, uint32_t right) {
    std::span<const StateGraph::Edge> second;
    if (right != StateGraph::dead)
      second = b.row(right);
    size_t j = 0;
    for (const StateGraph::Edge &edge : a.row(left)) {
      unsigned low = edge.low;
      while (j < second.size() && second[j].high < low)
        ++j;
      for (; j < second.size() && second[j].low <= edge.high; ++j) {
        unsigned from = std::max<unsigned>(low, second[j].low);
        unsigned to = std::min(edge.high, second[j].high);
        if (from > low)
          lead(low, from - 1, edge.target, StateGraph::dead);
        lead(from, to, edge.target, second[j].target);
        low = to + 1;
        if (second[j].high > edge.high)
          break;
      }
      lead(low, edge.high, edge.target, StateGraph::dead);
    }
    bool also = right != StateGraph::dead && b.accepting[right] != 0;
    graph.close(a.accepting[left] != 0 && also != isDifference);
  }

  const StateGraph &a, &b;
  const bool isDifference;
  StateGraph graph;
  std::unordered_map<uint64_t, uint32_t> numbers;
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
};

} // namespace

Result<Automaton> intersect(const Automaton &a, const Automaton &b) {
  if (a.isEmpty() || b.isEmpty())
    return Automaton(StateGraph());
  return Product(a, b, false).run();
}

Result<Automaton> subtract(const Automaton &a, const Automaton &b) {
  if (a.isEmpty())
    return Automaton(StateGraph());
  return Product(a, b, true).run();
}

std::optional<std::string> shortestText(const Automaton &automaton) {
  if (automaton.isEmpty())
    return std::nullopt;
  // Breadth first; of each state the edge that first led to it.
  struct Step {
    uint32_t from = StateGraph::dead;
    uint8_t byte = 0;
  };
  std::vector<Step> steps(automaton.stateCount());
  std::vector<uint8_t> isSeen(automaton.stateCount(), 0);
  std::vector<uint32_t> queue{automaton.start()};
  isSeen[automaton.start()] = 1;
  for (size_t i = 0; i < queue.size(); ++i) {
    uint32_t state = queue[i];
    if (automaton.accepts(state)) {
      std::string text;
      for (; steps[state].from != StateGraph::dead; state = steps[state].from)
        text += static_cast<char>(steps[state].byte);
      std::ranges::reverse(text);
      return text;
    }
    for (const StateGraph::Edge &edge : automaton.states().row(state))
      if (!isSeen[edge.target]) {
        isSeen[edge.target] = 1;
        steps[edge.target] = {state, edge.low};
        queue.push_back(edge.target);
      }
  }
  return std::nullopt;
}

} // namespace sgl
