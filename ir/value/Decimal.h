// Decimal rounding on digits, so that 2.675 rounds to 2.68 as it reads.
#pragma once

#include <string>
#include <string_view>

namespace sgl {

/// Shortest round-trip digits without exponent: "0.00001", "3", "-12.5".
std::string plainDecimal(double value);
/// A plain decimal rounded to `digits` places behind the point (negative: in
/// front of it), halves away from zero; exactly `digits` places are written.
/// A result of zero has no sign.
std::string roundDecimal(std::string_view plain, int digits);

} // namespace sgl
