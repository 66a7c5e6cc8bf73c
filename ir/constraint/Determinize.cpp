// Subset construction over runs of bytes.
//
// A state of the result is the set of positions that still read a byte, and
// whether the text may end here. Jumps at the text's begin are followed from
// the start alone, those at its end only to see whether it may end. Where no
// two edges of a state read the same byte, each leads to what one position
// gives, which is looked up: that is the whole cost of a deterministic part.
#include "ir/constraint/Determinize.h"

#include <algorithm>

namespace sgl {

namespace {

using Set = std::vector<uint32_t>;

class Determinizer {
public:
  Determinizer(const Nfa &nfa, uint64_t &steps, uint64_t maxSteps)
      : nfa(nfa), steps(steps), maxSteps(maxSteps), mark(nfa.stateCount(), 0),
        mayEnd(nfa.stateCount(), 0), afterOne(nfa.stateCount(), unknown) {}

  Result<StateGraph> run() {
    uint64_t columns = countColumns();
    findEnds();
    addStart();
    for (uint32_t state = 0; state < stateCount(); ++state) {
      expand(state);
      if (steps > maxSteps)
        return Error{"the pattern takes too much work: too many of its parts "
                     "can match the same text"};
      if (stateCount() > maxAutomatonStates ||
          stateCount() * columns > maxAutomatonCells)
        return Error{"the pattern is too large: it needs more than " +
                     std::to_string(stateCount() - 1) + " states"};
    }
    return std::move(graph);
  }

private:
  static constexpr uint32_t none = StateGraph::dead, unknown = none - 1;

  /// Runs of bytes that no edge tells apart.
  uint64_t countColumns() const {
    std::array<bool, 257> begins{};
    for (const Nfa::ByteEdge &edge : nfa.byteEdges)
      begins[edge.low] = begins[edge.high + 1u] = true;
    return 1 + static_cast<uint64_t>(
                   std::count(begins.begin() + 1, begins.end() - 1, true));
  }

  /// Marks the positions from which the text may end: backwards from the end.
  void findEnds() {
    std::vector<std::pair<uint32_t, uint32_t>> into; // target, source
    for (uint32_t state = 0; state < nfa.stateCount(); ++state)
      for (const Nfa::EmptyEdge &jump : nfa.jumps(state))
        if (jump.when != Nfa::Jump::AtBegin)
          into.emplace_back(jump.target, state);
    std::sort(into.begin(), into.end());
    Set open{nfa.accept};
    mayEnd[nfa.accept] = 1;
    while (!open.empty()) {
      uint32_t state = open.back();
      open.pop_back();
      auto it = std::lower_bound(into.begin(), into.end(),
                                 std::pair{state, uint32_t{0}});
      for (; it != into.end() && it->first == state; ++it)
        if (!mayEnd[it->second]) {
          mayEnd[it->second] = 1;
          open.push_back(it->second);
        }
    }
  }

  void addStart() {
    Set seeds{nfa.start};
    Set everything = seeds;
    close(everything, [](Nfa::Jump) { return true; });
    bool empty = std::find(everything.begin(), everything.end(), nfa.accept) !=
                 everything.end();
    close(seeds, [](Nfa::Jump when) { return when != Nfa::Jump::AtEnd; });
    keepReaders(seeds);
    stateOf(seeds, empty);
  }

  /// Adds all that jumps allowed by `follow` reach.
  template <typename Follow>
  void close(Set &set, Follow follow) {
    ++round;
    size_t kept = 0;
    for (uint32_t state : set)
      if (mark[state] != round) {
        mark[state] = round;
        set[kept++] = state;
      }
    set.resize(kept);
    for (size_t i = 0; i < set.size(); ++i)
      for (const Nfa::EmptyEdge &jump : nfa.jumps(set[i])) {
        ++steps;
        if (!follow(jump.when) || mark[jump.target] == round)
          continue;
        mark[jump.target] = round;
        set.push_back(jump.target);
      }
    steps += set.size();
  }

  /// Leaves the positions that read a byte, in ascending order.
  void keepReaders(Set &set) {
    std::erase_if(set,
                  [&](uint32_t state) { return nfa.bytes(state).empty(); });
    std::sort(set.begin(), set.end());
  }

  // -- the states met so far, in a hash table with open addressing ----------

  uint32_t stateCount() const {
    return static_cast<uint32_t>(accepting.size());
  }
  std::span<const uint32_t> setOf(uint32_t state) const {
    return {items.data() + begin[state], items.data() + begin[state + 1]};
  }

  /// The number of a state, a new one if it was not met before.
  uint32_t stateOf(const Set &set, bool accepts) {
    if (set.empty() && !accepts)
      return none;
    if (2 * stateCount() >= slots.size())
      growSlots();
    uint64_t mixed = accepts ? 1 : 2;
    for (uint32_t item : set)
      mixed = (mixed ^ item) * 0x9e3779b97f4a7c15u + (mixed >> 29);
    auto hash = static_cast<uint32_t>(mixed ^ mixed >> 32);
    size_t mask = slots.size() - 1, i = hash & mask;
    for (; slots[i] != none; i = (i + 1) & mask)
      if (hashes[slots[i]] == hash && (accepting[slots[i]] != 0) == accepts &&
          std::ranges::equal(setOf(slots[i]), set))
        return slots[i];
    slots[i] = stateCount();
    hashes.push_back(hash);
    accepting.push_back(accepts ? 1 : 0);
    items.insert(items.end(), set.begin(), set.end());
    begin.push_back(items.size());
    return slots[i];
  }

  void growSlots() {
    slots.assign(std::max<size_t>(64, 2 * slots.size()), none);
    size_t mask = slots.size() - 1;
    for (uint32_t state = 0; state < stateCount(); ++state) {
      size_t i = hashes[state] & mask;
      while (slots[i] != none)
        i = (i + 1) & mask;
      slots[i] = state;
    }
  }

  // -- what a state leads to --------------------------------------------------

  uint32_t stateAfter(Set &targets) {
    bool accepts =
        std::any_of(targets.begin(), targets.end(),
                    [&](uint32_t target) { return mayEnd[target] != 0; });
    close(targets, [](Nfa::Jump when) { return when == Nfa::Jump::Always; });
    keepReaders(targets);
    return stateOf(targets, accepts);
  }

  uint32_t stateAfterOne(uint32_t target) {
    uint32_t &state = afterOne[target];
    if (state == unknown) {
      scratch.assign(1, target);
      state = stateAfter(scratch);
    }
    return state;
  }

  void expand(uint32_t state) {
    read.clear();
    for (uint32_t position : setOf(state)) {
      auto bytes = nfa.bytes(position);
      read.insert(read.end(), bytes.begin(), bytes.end());
    }
    steps += read.size();
    auto overlaps = [](const Nfa::ByteEdge &a, const Nfa::ByteEdge &b) {
      return b.low <= a.high;
    };
    bool areApart = std::ranges::adjacent_find(read, overlaps) == read.end();
    if (!areApart) {
      std::ranges::sort(read, {}, &Nfa::ByteEdge::low);
      areApart = std::ranges::adjacent_find(read, overlaps) == read.end();
    }
    if (areApart)
      for (const Nfa::ByteEdge &edge : read)
        lead(edge.low, edge.high, stateAfterOne(edge.target));
    else
      expandOverlapping();
    graph.close(accepting[state] != 0);
  }

  void lead(unsigned low, unsigned high, uint32_t target) {
    if (target != none)
      graph.add(static_cast<uint8_t>(low), static_cast<uint8_t>(high), target);
  }

  /// Cuts the bytes where an edge begins or ends, and collects the targets of
  /// each piece.
  void expandOverlapping() {
    std::array<bool, 257> begins{};
    for (const Nfa::ByteEdge &edge : read)
      begins[edge.low] = begins[edge.high + 1u] = true;
    std::array<uint16_t, 257> pieceOf{};
    std::array<uint16_t, 258> first{};
    uint16_t count = 0;
    for (uint16_t byte = 0; byte < 256; ++byte) {
      if (byte == 0 || begins[byte])
        first[count++] = byte;
      pieceOf[byte] = static_cast<uint16_t>(count - 1);
    }
    first[count] = 256;
    if (pieces.size() < count)
      pieces.resize(count);
    for (uint16_t i = 0; i < count; ++i)
      pieces[i].clear();
    for (const Nfa::ByteEdge &edge : read)
      for (unsigned i = pieceOf[edge.low]; i <= pieceOf[edge.high];
           ++i, ++steps)
        pieces[i].push_back(edge.target);
    uint32_t target = none;
    for (uint16_t i = 0; i < count; ++i) {
      if (i == 0 || pieces[i] != pieces[i - 1]) {
        scratch = pieces[i];
        target = scratch.empty()       ? none
                 : scratch.size() == 1 ? stateAfterOne(scratch[0])
                                       : stateAfter(scratch);
      }
      lead(first[i], first[i + 1] - 1u, target);
    }
  }

  const Nfa &nfa;
  uint64_t &steps;
  const uint64_t maxSteps;
  StateGraph graph;
  std::vector<uint32_t> mark; ///< round in which a position was met
  uint32_t round = 0;
  std::vector<uint8_t> mayEnd;
  std::vector<uint32_t> afterOne; ///< the state behind one position alone
  Set items;                      ///< the positions of all states
  std::vector<size_t> begin{0};   ///< of each state's; the end
  std::vector<uint8_t> accepting;
  std::vector<uint32_t> slots, hashes;
  std::vector<Nfa::ByteEdge> read; ///< edges of the state at hand
  std::vector<Set> pieces;
  Set scratch;
};

} // namespace

Result<StateGraph> determinize(const Nfa &nfa, uint64_t &steps,
                               uint64_t maxSteps) {
  return Determinizer(nfa, steps, maxSteps).run();
}

} // namespace sgl
