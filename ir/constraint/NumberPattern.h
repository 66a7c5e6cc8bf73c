// Patterns of decimal numbers in exact ranges.
//
// Entry points: intPattern and floatPattern. Canonical texts only: no leading
// zeros, no plus sign, no exponent, no `-0` for an int.
#pragma once

#include "ir/constraint/Pattern.h"

namespace sgl {

/// Digits of an int, and of either part of a float, where no bound says more.
inline constexpr uint32_t maxIntDigits = 18, maxFractionDigits = 17;

/// Exactly the ints from `least` to `most`; an absent bound is that of
/// maxIntDigits. Matches nothing when the range is empty.
PatternRef intPattern(std::optional<int64_t> least,
                      std::optional<int64_t> most);

/// Decimals from `least` to `most` with up to maxIntDigits digits and, behind
/// a point, up to maxFractionDigits. Bounds are read as their shortest
/// round-trip digits, so that every text is in the range when it is read.
PatternRef floatPattern(std::optional<double> least,
                        std::optional<double> most);

} // namespace sgl
