// Passes over a graph of states that came from outside.
#include "ir/constraint/AutomatonCheck.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace sgl {

namespace {

using Edge = StateGraph::Edge;

/// States in the order in which a breadth-first walk meets them.
bool isNumberedBreadthFirst(const StateGraph &graph) {
  uint32_t met = 1;
  for (uint32_t state = 0; state < graph.stateCount(); ++state) {
    if (state >= met)
      return false;
    for (const Edge &edge : graph.row(state)) {
      if (edge.target > met)
        return false;
      met += edge.target == met;
    }
  }
  return met == graph.stateCount();
}

bool isEveryStateLive(const StateGraph &graph) {
  std::vector<uint32_t> begin(graph.stateCount() + 1, 0);
  for (const Edge &edge : graph.edges)
    ++begin[edge.target + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<uint32_t> sources(graph.edges.size());
  std::vector<uint32_t> fill(begin.begin(), begin.end() - 1);
  for (uint32_t state = 0; state < graph.stateCount(); ++state)
    for (const Edge &edge : graph.row(state))
      sources[fill[edge.target]++] = state;
  std::vector<uint8_t> live = graph.accepting;
  std::vector<uint32_t> open;
  for (uint32_t state = 0; state < graph.stateCount(); ++state)
    if (live[state])
      open.push_back(state);
  size_t found = open.size();
  while (!open.empty()) {
    uint32_t state = open.back();
    open.pop_back();
    for (uint32_t i = begin[state]; i < begin[state + 1]; ++i)
      if (!live[sources[i]]) {
        live[sources[i]] = 1;
        ++found;
        open.push_back(sources[i]);
      }
  }
  return found == graph.stateCount();
}

/// Where in a character a text can be: a bit set of these.
enum Utf8Place : uint8_t {
  Whole,   ///< between characters
  Tail1,   ///< one more byte 80-bf
  Tail2,   ///< two more
  Tail3,   ///< three more
  AfterE0, ///< a0-bf, then one
  AfterEd, ///< 80-9f, then one
  AfterF0, ///< 90-bf, then two
  AfterF4, ///< 80-8f, then two
  Places,
};

struct Utf8Step {
  uint8_t low, high;
  Utf8Place from, to;
};

/// Grouped by `from` in its order.
constexpr Utf8Step utf8Steps[] = {
    {0x00, 0x7f, Whole, Whole},   {0xc2, 0xdf, Whole, Tail1},
    {0xe0, 0xe0, Whole, AfterE0}, {0xe1, 0xec, Whole, Tail2},
    {0xed, 0xed, Whole, AfterEd}, {0xee, 0xef, Whole, Tail2},
    {0xf0, 0xf0, Whole, AfterF0}, {0xf1, 0xf3, Whole, Tail3},
    {0xf4, 0xf4, Whole, AfterF4}, {0x80, 0xbf, Tail1, Whole},
    {0x80, 0xbf, Tail2, Tail1},   {0x80, 0xbf, Tail3, Tail2},
    {0xa0, 0xbf, AfterE0, Tail1}, {0x80, 0x9f, AfterEd, Tail1},
    {0x90, 0xbf, AfterF0, Tail2}, {0x80, 0x8f, AfterF4, Tail2},
};

/// Adds to `places` of the target what `edge` gives from `from`; false where a
/// byte of the edge cannot stand there.
bool followUtf8(const Edge &edge, Utf8Place from, uint16_t &places) {
  unsigned covered = 0;
  // All places but the first have one step.
  constexpr size_t others = std::size(utf8Steps) - (Places - 1);
  const Utf8Step *step =
      utf8Steps + (from == Whole ? 0 : others + from - Tail1);
  const Utf8Step *end = from == Whole ? utf8Steps + others : step + 1;
  for (; step != end; ++step) {
    int low = std::max(edge.low, step->low);
    int high = std::min(edge.high, step->high);
    if (low > high)
      continue;
    covered += static_cast<unsigned>(high - low + 1);
    places |= static_cast<uint16_t>(1u << step->to);
  }
  return covered == edge.high - edge.low + 1u;
}

/// Is every accepted text UTF-8? Every state is live, so a byte that cannot
/// stand somewhere would be part of an accepted text.
bool acceptsUtf8Only(const StateGraph &graph) {
  std::vector<uint16_t> places(graph.stateCount(), 0), done = places;
  places[0] = 1u << Whole;
  std::vector<uint32_t> open{0};
  while (!open.empty()) {
    uint32_t state = open.back();
    open.pop_back();
    unsigned fresh = places[state] & ~unsigned{done[state]};
    done[state] = places[state];
    if (graph.accepting[state] && (places[state] & ~(1u << Whole)) != 0)
      return false;
    for (unsigned place = 0; place < Places; ++place) {
      if ((fresh >> place & 1) == 0)
        continue;
      for (const Edge &edge : graph.row(state)) {
        uint16_t before = places[edge.target];
        if (!followUtf8(edge, static_cast<Utf8Place>(place),
                        places[edge.target]))
          return false;
        if (places[edge.target] != before)
          open.push_back(edge.target);
      }
    }
  }
  return true;
}

} // namespace

std::optional<Error> findBrokenRule(const StateGraph &graph) {
  if (!isNumberedBreadthFirst(graph) || !isEveryStateLive(graph))
    return Error{"the automaton has states that no text uses"};
  if (!acceptsUtf8Only(graph))
    return Error{"the automaton accepts texts that are not UTF-8"};
  return std::nullopt;
}

uint64_t countCells(const StateGraph &graph) {
  std::array<bool, 257> begins{};
  for (const Edge &edge : graph.edges)
    begins[edge.low] = begins[edge.high + 1u] = true;
  auto runs = std::count(begins.begin() + 1, begins.end() - 1, true) + 1;
  return graph.stateCount() * static_cast<uint64_t>(runs);
}

} // namespace sgl
