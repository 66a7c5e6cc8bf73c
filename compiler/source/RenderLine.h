// One source line on a terminal: what is shown of it, and in which column each
// byte stands.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sgl {

/// Tabs are four blanks, characters have their display width (two for CJK,
/// none for combining ones), and what a terminal must not see (control
/// characters, direction overrides, bytes that are not UTF-8) is U+FFFD. Of a
/// long line only the part around `focus` is shown.
class ShownLine {
public:
  ShownLine(std::string_view line, size_t focus);

  const std::string &text() const { return shown; }
  /// The display column, from 0, where byte `offset` of the line begins;
  /// clamped to what is shown.
  size_t columnOf(size_t offset) const;

private:
  std::string shown;
  size_t first = 0;            ///< the byte that is shown first
  std::vector<size_t> columns; ///< of bytes first, first + 1, … and the end
};

} // namespace sgl
