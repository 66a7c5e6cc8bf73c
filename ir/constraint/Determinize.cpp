// Subset construction over byte classes.
//
// A state of the result is the set of positions that still read a byte, and
// whether the text may end here. Jumps at the text's begin are followed from
// the start alone, those at its end only to see whether it may end.
#include "ir/constraint/Determinize.h"

#include <algorithm>
#include <unordered_map>

namespace sgl {

namespace {

using Set = std::vector<uint32_t>;

struct SetHash {
  size_t operator()(const Set &set) const {
    uint64_t hash = set.size();
    for (uint32_t item : set)
      hash = (hash ^ item) * 0x9e3779b97f4a7c15u + (hash >> 29);
    return hash;
  }
};

class Determinizer {
public:
  explicit Determinizer(const Nfa &nfa)
      : nfa(nfa), mark(nfa.states.size(), 0), mayEnd(nfa.states.size(), 0) {}

  Result<Dfa> run() {
    chooseClasses();
    findEnds();
    addStart();
    buckets.resize(dfa.classCount);
    for (uint32_t state = 0; state < dfa.stateCount(); ++state) {
      expand(state);
      if (steps > maxDeterminizeSteps)
        return Error{"the pattern takes too much work: too many of its parts "
                     "can match the same text"};
      if (dfa.stateCount() > maxAutomatonStates ||
          dfa.table.size() > maxAutomatonCells)
        return Error{"the pattern is too large: it needs more than " +
                     std::to_string(dfa.stateCount() - 1) + " states"};
    }
    return std::move(dfa);
  }

private:
  void chooseClasses() {
    std::array<bool, 257> begins{};
    for (const Nfa::State &state : nfa.states)
      for (const Nfa::ByteEdge &edge : state.bytes)
        begins[edge.low] = begins[edge.high + 1] = true;
    uint32_t current = 0;
    for (unsigned byte = 0; byte < 256; ++byte) {
      current += byte > 0 && begins[byte];
      dfa.classOf[byte] = static_cast<uint8_t>(current);
    }
    dfa.classCount = current + 1;
  }

  /// Marks the positions from which the text may end: backwards from the end.
  void findEnds() {
    std::vector<Set> sources(nfa.states.size());
    for (uint32_t state = 0; state < nfa.states.size(); ++state)
      for (const Nfa::EmptyEdge &jump : nfa.states[state].jumps)
        if (jump.when != Nfa::Jump::AtBegin)
          sources[jump.target].push_back(state);
    Set open{nfa.accept};
    mayEnd[nfa.accept] = 1;
    while (!open.empty()) {
      uint32_t state = open.back();
      open.pop_back();
      for (uint32_t source : sources[state])
        if (!mayEnd[source]) {
          mayEnd[source] = 1;
          open.push_back(source);
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
    stateOf(std::move(seeds), empty);
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
      for (const Nfa::EmptyEdge &jump : nfa.states[set[i]].jumps) {
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
    std::erase_if(
        set, [&](uint32_t state) { return nfa.states[state].bytes.empty(); });
    std::sort(set.begin(), set.end());
  }

  /// The number of a state, a new one if it was not met before.
  uint32_t stateOf(Set set, bool accepts) {
    if (set.empty() && !accepts)
      return Dfa::none;
    set.push_back(accepts ? 1 : 0);
    auto [it, isNew] = numbers.emplace(std::move(set), dfa.stateCount());
    if (isNew) {
      sets.push_back(&it->first);
      dfa.accepting.push_back(accepts);
      dfa.table.resize(dfa.table.size() + dfa.classCount, Dfa::none);
    }
    return it->second;
  }

  uint32_t stateAfter(Set targets) {
    bool accepts =
        std::any_of(targets.begin(), targets.end(),
                    [&](uint32_t target) { return mayEnd[target] != 0; });
    close(targets, [](Nfa::Jump when) { return when == Nfa::Jump::Always; });
    keepReaders(targets);
    return stateOf(std::move(targets), accepts);
  }

  void expand(uint32_t state) {
    const Set &set = *sets[state];
    for (Set &bucket : buckets)
      bucket.clear();
    for (size_t i = 0; i + 1 < set.size(); ++i)
      for (const Nfa::ByteEdge &edge : nfa.states[set[i]].bytes)
        for (unsigned c = dfa.classOf[edge.low]; c <= dfa.classOf[edge.high];
             ++c, ++steps)
          buckets[c].push_back(edge.target);
    uint32_t target = Dfa::none;
    for (uint32_t c = 0; c < dfa.classCount; ++c) {
      if (c == 0 || buckets[c] != buckets[c - 1])
        target = buckets[c].empty() ? Dfa::none : stateAfter(buckets[c]);
      dfa.table[size_t{state} * dfa.classCount + c] = target;
    }
  }

  const Nfa &nfa;
  Dfa dfa;
  std::vector<uint32_t> mark; ///< round in which a position was met
  uint32_t round = 0;
  std::vector<uint8_t> mayEnd;
  /// Positions, then whether the text may end.
  std::unordered_map<Set, uint32_t, SetHash> numbers;
  std::vector<const Set *> sets;
  std::vector<Set> buckets;
  uint64_t steps = 0;
};

} // namespace

Result<Dfa> determinize(const Nfa &nfa) { return Determinizer(nfa).run(); }

} // namespace sgl
