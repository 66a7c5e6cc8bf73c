// Tarjan's algorithm without recursion.
#include "ir/constraint/Components.h"

#include <algorithm>

namespace sgl {

namespace {

class Finder {
public:
  explicit Finder(const StateGraph &graph)
      : graph(graph), index(graph.stateCount(), unseen),
        lowest(graph.stateCount()) {
    for (auto *flags :
         {&found.live, &found.onCycle, &found.endless, &found.behind})
      flags->assign(graph.stateCount(), 0);
    found.order.reserve(graph.stateCount());
  }

  Components run() {
    enter(0);
    while (!path.empty())
      step();
    markBehind();
    return std::move(found);
  }

private:
  static constexpr uint32_t unseen = UINT32_MAX, done = UINT32_MAX - 1;
  struct Place {
    uint32_t state, edge;
  };

  void enter(uint32_t state) {
    index[state] = lowest[state] = met++;
    open.push_back(state);
    path.push_back({state, graph.begin[state]});
  }

  void step() {
    auto &[state, edge] = path.back();
    for (; edge < graph.begin[state + 1]; ++edge) {
      uint32_t target = graph.edges[edge].target;
      if (index[target] == unseen)
        return enter(target);
      if (index[target] != done)
        lowest[state] = std::min(lowest[state], lowest[target]);
    }
    uint32_t left = state;
    path.pop_back();
    if (lowest[left] == index[left])
      finish(left);
    else // The first state of a component has a path to it above.
      lowest[path.back().state] =
          std::min(lowest[path.back().state], lowest[left]);
  }

  /// Takes the component that was entered at `first` off the open states.
  void finish(uint32_t first) {
    size_t size = found.order.size();
    bool isLive = false, isEndless = false, isCycle = open.back() != first;
    uint32_t state = unseen;
    while (state != first) {
      state = open.back();
      open.pop_back();
      index[state] = done;
      found.order.push_back(state);
      isLive |= graph.accepting[state] != 0;
      for (const StateGraph::Edge &edge : graph.row(state)) {
        isLive |= found.live[edge.target] != 0;
        isEndless |= found.endless[edge.target] != 0;
        isCycle |= edge.target == state;
      }
    }
    if (!isLive)
      return;
    for (; size < found.order.size(); ++size) {
      state = found.order[size];
      found.live[state] = 1;
      found.onCycle[state] = found.behind[state] = isCycle;
      found.endless[state] = isEndless || isCycle;
    }
  }

  void markBehind() {
    for (auto it = found.order.rbegin(); it != found.order.rend(); ++it)
      if (found.behind[*it])
        for (const StateGraph::Edge &edge : graph.row(*it))
          found.behind[edge.target] = 1;
  }

  const StateGraph &graph;
  Components found;
  std::vector<uint32_t> index, lowest;
  uint32_t met = 0;
  std::vector<uint32_t> open; ///< entered, component not known yet
  std::vector<Place> path;
};

} // namespace

Components findComponents(const StateGraph &graph) {
  return Finder(graph).run();
}

} // namespace sgl
