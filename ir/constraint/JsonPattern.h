// JSON texts as patterns.
//
// Entry points: jsonText, jsonString, jsonStringOf. What they match is valid
// JSON (RFC 8259) and stands for valid UTF-8: no halves of surrogate pairs.
#pragma once

#include "ir/constraint/Pattern.h"

namespace sgl {

/// Exactly one text, quoted as the language prints it.
PatternRef jsonText(std::string_view text);

/// Any text of `least` to `most` characters between quotes. Every escape of
/// JSON is allowed; a surrogate pair is one character.
PatternRef jsonString(uint32_t least, uint32_t most);

/// The texts of `language` between quotes. Characters stand for themselves,
/// control characters, `"` and `\` are escaped, `/` may be.
PatternRef jsonStringOf(const Automaton &language);

} // namespace sgl
