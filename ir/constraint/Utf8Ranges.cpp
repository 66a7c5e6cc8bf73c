// Builds the byte automaton of a character set from its ranges.
//
// Characters of one length are numbers written in digits of six bits behind a
// lead byte. A node at depth d covers an aligned block of 64^d code points; the
// parts of a set inside equal blocks give equal nodes, which are made once.
#include "ir/constraint/Utf8Ranges.h"

#include <algorithm>
#include <map>

namespace sgl {

namespace {

using Range = CodePointSet::Range;

class TreeBuilder {
public:
  ByteTree run(const CodePointSet &set) {
    tree.nodes.emplace_back(); // the leaf
    std::vector<ByteTree::Edge> top;
    struct Length {
      uint32_t first, last;
      unsigned tails;
      uint8_t lead;
    };
    constexpr Length lengths[] = {{0x00, 0x7f, 0, 0x00},
                                  {0x80, 0x7ff, 1, 0xc0},
                                  {0x800, 0xffff, 2, 0xe0},
                                  {0x10000, 0x10ffff, 3, 0xf0}};
    for (const Length &length : lengths)
      addDigits(top, clip(set.ranges(), length.first, length.last),
                length.tails, length.lead);
    tree.root = tree.nodes.size();
    tree.nodes.push_back(std::move(top));
    return std::move(tree);
  }

private:
  using Ranges = std::vector<Range>;

  static Ranges clip(const Ranges &ranges, uint32_t low, uint32_t high) {
    Ranges out;
    auto it = std::lower_bound(
        ranges.begin(), ranges.end(), low,
        [](const Range &range, uint32_t point) { return range.high < point; });
    for (; it != ranges.end() && it->low <= high; ++it)
      out.push_back({std::max(it->low, low), std::min(it->high, high)});
    return out;
  }

  /// Adds edges for the digit above `tails` more: `ranges` are numbers below
  /// 64^(tails + 1) (or those of a lead), `base` is added to the digit.
  void addDigits(std::vector<ByteTree::Edge> &edges, const Ranges &ranges,
                 unsigned tails, uint8_t base) {
    unsigned shift = 6 * tails;
    uint32_t cursor = 0; // all below is done; on a block's border
    for (size_t i = 0; i < ranges.size();) {
      uint32_t low = std::max(ranges[i].low, cursor);
      uint32_t digit = low >> shift, end = digit;
      uint32_t first = digit << shift, last = first + ((1u << shift) - 1);
      if (low == first && ranges[i].high >= last) {
        // Whole blocks in one range are one edge.
        end = ((ranges[i].high + 1) >> shift) - 1;
        addEdge(edges, base, digit, end, node({{0, (1u << shift) - 1}}, tails));
      } else {
        Ranges inner = clip(ranges, first, last);
        for (Range &range : inner)
          range = {range.low - first, range.high - first};
        addEdge(edges, base, digit, digit, node(inner, tails));
      }
      cursor = (end + 1) << shift;
      while (i < ranges.size() && ranges[i].high < cursor)
        ++i;
    }
  }

  static void addEdge(std::vector<ByteTree::Edge> &edges, uint8_t base,
                      uint32_t low, uint32_t high, uint32_t target) {
    auto first = static_cast<uint8_t>(base + low);
    auto last = static_cast<uint8_t>(base + high);
    if (!edges.empty() && edges.back().target == target &&
        edges.back().high + 1u == first)
      edges.back().high = last;
    else
      edges.push_back({first, last, target});
  }

  /// The node that reads `tails` continuation bytes of numbers in `ranges`.
  uint32_t node(const Ranges &ranges, unsigned tails) {
    if (tails == 0)
      return ByteTree::leaf;
    auto key = std::pair{tails, ranges};
    if (auto it = made.find(key); it != made.end())
      return it->second;
    std::vector<ByteTree::Edge> edges;
    addDigits(edges, ranges, tails - 1, 0x80);
    auto index = static_cast<uint32_t>(tree.nodes.size());
    tree.nodes.push_back(std::move(edges));
    made.emplace(std::move(key), index);
    return index;
  }

  ByteTree tree;
  std::map<std::pair<unsigned, Ranges>, uint32_t> made;
};

} // namespace

ByteTree utf8Tree(const CodePointSet &set) { return TreeBuilder().run(set); }

} // namespace sgl
