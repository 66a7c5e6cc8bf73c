// Character classes and escapes of regular expressions.
//
// Entry points: parseClass and parseClassEscape, which the regex parser calls
// at `[` and at `\`.
#pragma once

#include "ir/constraint/CodePoints.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sgl {

/// A pattern, where the parser stands in it, and the first error.
struct RegexInput {
  std::string_view text; ///< valid UTF-8 without zero bytes
  size_t at = 0;
  std::string message;

  /// Zero at the end.
  char peek() const { return at < text.size() ? text[at] : '\0'; }
  bool startsWith(std::string_view mark) const {
    return text.substr(at, mark.size()) == mark;
  }
  bool take(char c) {
    bool found = at < text.size() && text[at] == c;
    at += found;
    return found;
  }
  uint32_t takeCharacter();
  /// Records the first error. Gives null, so that a parser can return it.
  std::nullptr_t fail(size_t place, const std::string &what);
};

/// ECMAScript's line terminators, which `.` leaves out.
CodePointSet lineTerminators();

/// The class that begins at `[`; absent after an error.
std::optional<CodePointSet> parseClass(RegexInput &in);
/// The characters of the escape that begins at `\`; absent after an error.
std::optional<CodePointSet> parseClassEscape(RegexInput &in);

} // namespace sgl
