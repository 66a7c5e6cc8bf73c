// Where the parser goes on behind an error.
//
// The words are well nested (Words.h), so recovery never leaves the bracket in
// which the error lies, and steps over whole groups: inside of parentheses it
// goes on at the next comma or at their end, in a block at the next line.
#pragma once

#include "antlr4-runtime.h"

#include <vector>

namespace sgl::syntax {

class Recovery final {
public:
  /// `words` must be filled and well nested.
  explicit Recovery(antlr4::TokenStream &words);

  static bool isOpening(size_t type);
  static bool isClosing(size_t type);

  /// Skips to a word of `set`, or to the end of the bracket that the current
  /// word stands in. In a block only words below `errorLine` count.
  void skipTo(const antlr4::misc::IntervalSet &set, size_t errorLine);
  /// The same for a rule that failed and that began at word `ruleBegin`: if the
  /// bracket belongs to the rule, its end is skipped too.
  void leaveRule(const antlr4::misc::IntervalSet &set, size_t ruleBegin,
                 size_t errorLine);

private:
  static constexpr size_t none = size_t(-1);
  void skipGroup();

  antlr4::TokenStream &words;
  std::vector<size_t> enclosing; ///< for each word the innermost open bracket
  std::vector<size_t> partner;   ///< of an opening bracket
};

} // namespace sgl::syntax
