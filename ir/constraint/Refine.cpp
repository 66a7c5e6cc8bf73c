// Hopcroft's algorithm on edges that are runs of bytes.
#include "ir/constraint/Refine.h"

#include <array>
#include <numeric>

namespace sgl {

namespace {

/// Blocks of states as runs of one array, split in place.
class Partition {
public:
  Partition(const std::vector<uint32_t> &colours, uint32_t count)
      : items(colours.size()), place(colours.size()), blockOf(colours),
        begin(count, 0), end(count, 0), marked(count, 0) {
    for (uint32_t colour : colours)
      ++end[colour];
    std::partial_sum(end.begin(), end.end(), end.begin());
    for (uint32_t block = 1; block < count; ++block)
      begin[block] = end[block - 1];
    std::vector<uint32_t> fill = begin;
    for (uint32_t item = 0; item < items.size(); ++item) {
      place[item] = fill[colours[item]]++;
      items[place[item]] = item;
    }
  }

  uint32_t blockCount() const { return static_cast<uint32_t>(begin.size()); }
  uint32_t size(uint32_t block) const { return end[block] - begin[block]; }
  const std::vector<uint32_t> &blocks() const { return blockOf; }
  std::span<const uint32_t> members(uint32_t block) const {
    return {items.data() + begin[block], items.data() + end[block]};
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

class Refiner {
public:
  Refiner(const StateGraph &graph, const std::vector<uint32_t> &colours,
          uint32_t colourCount, uint64_t &steps)
      : graph(graph), partition(colours, colourCount), steps(steps) {
    chooseColumns();
    invert();
  }

  /// All first blocks split others, so states that lack an edge part from
  /// those that have it, and no sink is needed to complete the graph.
  std::vector<uint32_t> run() {
    for (uint32_t block = 0; block < partition.blockCount(); ++block)
      open.push_back(block);
    queued.assign(partition.blockCount(), 1);
    std::vector<std::vector<uint32_t>> sources(columnCount);
    std::vector<uint32_t> columns;
    while (!open.empty()) {
      uint32_t splitter = open.back();
      open.pop_back();
      queued[splitter] = 0;
      // Gathered first: the block itself may be split by what leads into it.
      columns.clear();
      for (uint32_t member : partition.members(splitter)) {
        steps += begin[member + 1] - begin[member];
        for (uint32_t i = begin[member]; i < begin[member + 1]; ++i) {
          std::vector<uint32_t> &column = sources[incoming[i].column];
          if (column.empty())
            columns.push_back(incoming[i].column);
          column.push_back(incoming[i].source);
        }
      }
      for (uint32_t column : columns) {
        splitBy(sources[column]);
        sources[column].clear();
      }
    }
    return partition.blocks();
  }

private:
  /// Bytes between which no edge begins or ends form a column.
  void chooseColumns() {
    std::array<bool, 257> begins{};
    for (const StateGraph::Edge &edge : graph.edges)
      begins[edge.low] = begins[edge.high + 1u] = true;
    uint32_t current = 0;
    for (unsigned byte = 0; byte < 256; ++byte) {
      current += byte > 0 && begins[byte];
      columnOf[byte] = current;
    }
    columnCount = current + 1;
  }

  /// Lists what leads into each state.
  void invert() {
    begin.assign(graph.stateCount() + 1, 0);
    for (const StateGraph::Edge &edge : graph.edges)
      begin[edge.target + 1] += columnOf[edge.high] - columnOf[edge.low] + 1;
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    incoming.resize(begin.back());
    std::vector<uint32_t> fill(begin.begin(), begin.end() - 1);
    for (uint32_t state = 0; state < graph.stateCount(); ++state)
      for (const StateGraph::Edge &edge : graph.row(state))
        for (uint32_t c = columnOf[edge.low]; c <= columnOf[edge.high]; ++c)
          incoming[fill[edge.target]++] = {c, state};
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

  const StateGraph &graph;
  Partition partition;
  uint64_t &steps;
  std::array<uint32_t, 256> columnOf{};
  uint32_t columnCount = 1;
  struct Incoming {
    uint32_t column, source;
  };
  std::vector<Incoming> incoming; ///< grouped by the state they lead to
  std::vector<uint32_t> begin;    ///< of each group
  std::vector<uint32_t> open;     ///< blocks that may still split others
  std::vector<uint8_t> queued;
};

} // namespace

std::vector<uint32_t> refine(const StateGraph &graph,
                             const std::vector<uint32_t> &colours,
                             uint32_t colourCount, uint64_t &steps) {
  return Refiner(graph, colours, colourCount, steps).run();
}

} // namespace sgl
