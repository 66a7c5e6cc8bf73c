// Regular expressions as byte automata.
//
// Entry point: compileRegex. The whole text must match. Syntax: literals, `.`
// (all but line terminators), classes, `\d \w \s` (ASCII digits and words,
// ECMAScript's spaces), `\p{..}` general categories, groups, alternation,
// `* + ? {n} {n,} {n,m}` with lazy marks (they change nothing here), `^` and
// `$`. What is not regular, or not known, is refused by name and byte offset.
#pragma once

#include "ir/constraint/Automaton.h"
#include "ir/constraint/Pattern.h"

namespace sgl {

/// Limits on patterns, stated in the messages.
inline constexpr size_t maxRegexBytes = size_t{256} << 10;
inline constexpr uint32_t maxRegexRepeat = 10'000;
inline constexpr uint32_t maxRegexDepth = 200;

/// The minimal automaton of a pattern. An error says what is wrong and at
/// which byte; a pattern that matches nothing at all is an error too.
Result<Automaton> compileRegex(std::string_view pattern);

/// Does the whole text match? Compiled patterns are kept, so that a pattern in
/// a loop is compiled once. Safe to call from several threads.
Result<bool> matchesRegex(std::string_view pattern, std::string_view text);

/// Makes `str matching r"..."` of ir/value use matchesRegex. A program calls it
/// once when it starts.
void useRegexForTypes();

/// The syntax tree of a pattern, to be put into a larger one.
Result<PatternRef> parseRegex(std::string_view pattern);

} // namespace sgl
