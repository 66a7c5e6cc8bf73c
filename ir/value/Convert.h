// Tests and helpers beside convert() and conforms() of Value.h.
#pragma once

#include "ir/value/Value.h"

namespace sgl {

Value literalValue(const LiteralValue &literal);
/// Is this typed value one of `type`, without any conversion? What `match`
/// asks: an int is no float, a text no enum, a map no record.
bool isOfType(const Value &value, const Type *type);

/// Whole match of `matching r"…"`. The pattern language lives in ir/constraint,
/// which depends on this folder, so it registers its matcher when the program
/// starts; without one every text passes here and the automaton of the gen is
/// the only check.
using PatternMatcher = Result<bool> (*)(std::string_view pattern,
                                        std::string_view text);
void setPatternMatcher(PatternMatcher matcher);
Result<bool> matchesPattern(std::string_view pattern, std::string_view text);

} // namespace sgl
