// The UTF-8 forms of a set of characters as a small byte automaton.
//
// Entry point: utf8Tree. Equal tails are shared, so a large class such as \p{L}
// stays in the hundreds of nodes.
#pragma once

#include "ir/constraint/CodePoints.h"

#include <cstddef>

namespace sgl {

struct ByteTree {
  struct Edge {
    uint8_t low, high;
    uint32_t target;
    auto operator<=>(const Edge &) const = default;
  };
  static constexpr size_t leaf = 0; ///< the node where a character ends
  size_t root = 0;
  std::vector<std::vector<Edge>> nodes; ///< edges ascending and apart
};

/// Exactly the UTF-8 encodings of the members of `set`.
ByteTree utf8Tree(const CodePointSet &set);

} // namespace sgl
