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
  Product(const Automaton &a, const Automaton &b)
      : a(a.states()), b(b.states()) {}

  Result<Automaton> run() {
    numberOf(0, 0);
    for (size_t i = 0; i < pairs.size(); ++i) {
      if (pairs.size() > maxPairs)
        return Error{
            "the pattern and its length bounds together are too large"};
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

  /// Walks the edges of both states side by side.
  void expand(uint32_t left, uint32_t right) {
    auto first = a.row(left), second = b.row(right);
    for (size_t i = 0, j = 0; i < first.size() && j < second.size();) {
      uint8_t low = std::max(first[i].low, second[j].low);
      uint8_t high = std::min(first[i].high, second[j].high);
      if (low <= high)
        graph.add(low, high, numberOf(first[i].target, second[j].target));
      bool firstEnds = first[i].high <= second[j].high;
      bool secondEnds = second[j].high <= first[i].high;
      i += firstEnds;
      j += secondEnds;
    }
    graph.close(a.accepting[left] != 0 && b.accepting[right] != 0);
  }

  const StateGraph &a, &b;
  StateGraph graph;
  std::unordered_map<uint64_t, uint32_t> numbers;
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
};

} // namespace

Result<Automaton> intersect(const Automaton &a, const Automaton &b) {
  if (a.isEmpty() || b.isEmpty())
    return Automaton(StateGraph());
  return Product(a, b).run();
}

} // namespace sgl
