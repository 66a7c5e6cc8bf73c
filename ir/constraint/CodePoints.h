// Sets of Unicode scalar values.
//
// Entry points: CodePointSet and the named sets. Surrogates are never members:
// a complement leaves them out.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sgl {

class CodePointSet {
public:
  struct Range {
    uint32_t low = 0, high = 0; ///< both included
    auto operator<=>(const Range &) const = default;
  };

  CodePointSet() = default;
  CodePointSet(std::initializer_list<Range> ranges);
  static CodePointSet all();
  /// A general category or group of them, as `L`, `Lu`, `Letter`; absent: not
  /// known. Unicode's version is that of utf8proc.
  static std::optional<CodePointSet> category(std::string_view name);

  void add(uint32_t low, uint32_t high);
  void add(const CodePointSet &other);
  CodePointSet complement() const;
  bool contains(uint32_t codePoint) const;
  bool empty() const { return ranges().empty(); }
  /// Ascending, apart, not touching.
  const std::vector<Range> &ranges() const;

  auto operator<=>(const CodePointSet &other) const {
    return ranges() <=> other.ranges();
  }
  bool operator==(const CodePointSet &other) const {
    return ranges() == other.ranges();
  }

private:
  void normalize() const;
  mutable std::vector<Range> items;
  mutable bool normal = true;
};

} // namespace sgl
