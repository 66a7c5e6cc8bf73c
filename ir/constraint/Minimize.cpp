// Hopcroft's partition refinement.
//
// J. Hopcroft, "An n log n algorithm for minimizing states in a finite
// automaton", 1971. Edges into states that no accepted text passes count as
// missing.
#include "ir/constraint/Minimize.h"

#include <algorithm>
#include <numeric>

namespace sgl {

namespace {

/// Live states: those from which an accepting one can be reached.
std::vector<uint8_t> findLive(const Dfa &dfa) {
  uint32_t count = dfa.stateCount();
  std::vector<uint32_t> begin(count + 1, 0), sources;
  for (uint32_t target : dfa.table)
    if (target != Dfa::none)
      ++begin[target + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  sources.resize(begin[count]);
  std::vector<uint32_t> fill(begin.begin(), begin.end() - 1);
  for (size_t i = 0; i < dfa.table.size(); ++i)
    if (dfa.table[i] != Dfa::none)
      sources[fill[dfa.table[i]]++] = static_cast<uint32_t>(i / dfa.classCount);
  std::vector<uint8_t> live(dfa.accepting.begin(), dfa.accepting.end());
  std::vector<uint32_t> open;
  for (uint32_t state = 0; state < count; ++state)
    if (live[state])
      open.push_back(state);
  while (!open.empty()) {
    uint32_t state = open.back();
    open.pop_back();
    for (uint32_t i = begin[state]; i < begin[state + 1]; ++i)
      if (!live[sources[i]]) {
        live[sources[i]] = 1;
        open.push_back(sources[i]);
      }
  }
  return live;
}

/// Blocks of states as runs of one array, split in place.
class Partition {
public:
  explicit Partition(uint32_t count)
      : items(count), place(count),
        blockOf(count, 0), begin{0}, end{count}, marked{0} {
    std::iota(items.begin(), items.end(), 0u);
    std::iota(place.begin(), place.end(), 0u);
  }

  uint32_t blockCount() const { return static_cast<uint32_t>(begin.size()); }
  uint32_t block(uint32_t item) const { return blockOf[item]; }
  uint32_t size(uint32_t block) const { return end[block] - begin[block]; }
  std::vector<uint32_t> members(uint32_t block) const {
    return {items.begin() + begin[block], items.begin() + end[block]};
  }

  /// Puts an item among the marked ones of its block.
  void markItem(uint32_t item) {
    uint32_t block = blockOf[item];
    uint32_t border = begin[block] + marked[block];
    if (place[item] < border)
      return;
    if (marked[block]++ == 0)
      touched.push_back(block);
    std::swap(items[place[item]], items[border]);
    std::swap(place[item], place[items[place[item]]]);
  }

  /// Makes the marked items of each touched block a block of their own, unless
  /// all of it is marked. Calls `split(old, fresh)` for each.
  template <typename Split>
  void splitMarked(Split split) {
    for (uint32_t block : touched) {
      uint32_t count = marked[block];
      marked[block] = 0;
      if (count == size(block))
        continue;
      uint32_t fresh = blockCount();
      begin.push_back(begin[block]);
      end.push_back(begin[block] + count);
      marked.push_back(0);
      begin[block] += count;
      for (uint32_t i = begin[fresh]; i < end[fresh]; ++i)
        blockOf[items[i]] = fresh;
      split(block, fresh);
    }
    touched.clear();
  }

private:
  std::vector<uint32_t> items, place, blockOf;
  std::vector<uint32_t> begin, end, marked; ///< of each block
  std::vector<uint32_t> touched;
};

class Minimizer {
public:
  explicit Minimizer(const Dfa &dfa)
      : dfa(dfa), live(findLive(dfa)), partition(dfa.stateCount()) {}

  Automaton run() {
    if (dfa.stateCount() == 0 || !live[0])
      return Automaton({});
    refine();
    return renumber();
  }

private:
  /// `none` where no accepted text goes on.
  uint32_t target(uint32_t state, uint32_t column) const {
    uint32_t to = dfa.table[size_t{state} * dfa.classCount + column];
    return to == Dfa::none || !live[to] ? Dfa::none : to;
  }

  /// Lists the edges that lead into each state.
  void invert() {
    begin.assign(dfa.stateCount() + 1, 0);
    forEachEdge([&](uint32_t, uint32_t, uint32_t to) { ++begin[to + 1]; });
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    incoming.resize(begin.back());
    std::vector<uint32_t> fill(begin.begin(), begin.end() - 1);
    forEachEdge([&](uint32_t from, uint32_t column, uint32_t to) {
      incoming[fill[to]++] = {column, from};
    });
  }

  template <typename Visit>
  void forEachEdge(Visit visit) const {
    for (uint32_t state = 0; state < dfa.stateCount(); ++state)
      for (uint32_t column = 0; column < dfa.classCount; ++column)
        if (uint32_t to = target(state, column); to != Dfa::none)
          visit(state, column, to);
  }

  /// All first blocks split others, so states that lack an edge part from
  /// those that have it, and no sink is needed to complete the table.
  void refine() {
    invert();
    for (uint32_t state = 0; state < dfa.stateCount(); ++state)
      if (dfa.accepting[state])
        partition.markItem(state);
    partition.splitMarked([](uint32_t, uint32_t) {});
    for (uint32_t block = 0; block < partition.blockCount(); ++block)
      open.push_back(block);
    queued.assign(partition.blockCount(), 1);
    std::vector<std::vector<uint32_t>> sources(dfa.classCount);
    while (!open.empty()) {
      uint32_t splitter = open.back();
      open.pop_back();
      queued[splitter] = 0;
      // Gathered first: the block itself may be split by what leads into it.
      std::vector<uint32_t> columns;
      for (uint32_t member : partition.members(splitter))
        for (uint32_t i = begin[member]; i < begin[member + 1]; ++i) {
          std::vector<uint32_t> &column = sources[incoming[i].column];
          if (column.empty())
            columns.push_back(incoming[i].column);
          column.push_back(incoming[i].source);
        }
      for (uint32_t column : columns) {
        splitBy(sources[column]);
        sources[column].clear();
      }
    }
  }

  void splitBy(const std::vector<uint32_t> &states) {
    for (uint32_t state : states)
      partition.markItem(state);
    partition.splitMarked([&](uint32_t old, uint32_t fresh) {
      queued.push_back(0);
      bool takeFresh =
          queued[old] != 0 || partition.size(fresh) <= partition.size(old);
      uint32_t chosen = takeFresh ? fresh : old;
      queued[chosen] = 1;
      open.push_back(chosen);
    });
  }

  Automaton renumber() const {
    std::vector<Automaton::StateRow> rows;
    std::vector<uint32_t> number(partition.blockCount(), Dfa::none);
    std::vector<uint32_t> order{0}; // one state of each numbered block
    number[partition.block(0)] = 0;
    for (size_t i = 0; i < order.size(); ++i) {
      Automaton::StateRow row;
      row.accepting = dfa.accepting[order[i]] != 0;
      for (unsigned byte = 0; byte < 256; ++byte) {
        uint32_t to = target(order[i], dfa.classOf[byte]);
        if (to == Dfa::none)
          continue;
        uint32_t &index = number[partition.block(to)];
        if (index == Dfa::none) {
          index = static_cast<uint32_t>(order.size());
          order.push_back(to);
        }
        auto value = static_cast<uint8_t>(byte);
        if (!row.edges.empty() && row.edges.back().target == index &&
            row.edges.back().high + 1u == byte)
          row.edges.back().high = value;
        else
          row.edges.push_back({value, value, index});
      }
      rows.push_back(std::move(row));
    }
    return Automaton(rows);
  }

  const Dfa &dfa;
  std::vector<uint8_t> live;
  Partition partition;
  struct Incoming {
    uint32_t column, source;
  };
  std::vector<Incoming> incoming; ///< grouped by the state they lead to
  std::vector<uint32_t> begin;    ///< of each group
  std::vector<uint32_t> open;     ///< blocks that may still split others
  std::vector<uint8_t> queued;
};

} // namespace

Automaton minimize(const Dfa &dfa) { return Minimizer(dfa).run(); }

} // namespace sgl
