// Digits and escapes of literals in templates.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sgl::jinja {

/// Value of a digit in `base`, or -1.
int digitValue(char c, int base);

/// Reads one escape at `at` (behind the backslash) as Python does and appends
/// what it means; the bytes it has, 0 when it is no character.
size_t readEscape(std::string_view text, size_t at, std::string &out);

} // namespace sgl::jinja
