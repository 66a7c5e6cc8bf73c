// Why a type or a schema cannot constrain a gen.
#pragma once

#include <cstdint>
#include <string>

namespace sgl {

struct ConstraintFault {
  enum class Kind : uint8_t {
    Unsatisfiable, ///< no value fits
    Ambiguous,     ///< a text could be two members of a union
    Unsupported,   ///< a keyword or a form that cannot be enforced
    Malformed,     ///< no schema at all
    TooLarge,      ///< beyond a budget
  } kind = Kind::Unsatisfiable;
  std::string message;
  std::string pointer; ///< into a schema: `#/properties/a/minimum`
};

/// Most levels that what holds itself is nested, and most positions that it may
/// unfold to; fewer levels are taken where more would not fit.
inline constexpr uint32_t recursionLevels[] = {8, 5, 3, 2};
inline constexpr uint64_t maxUnfolded = 60'000;
/// How deep the lists and objects of a `json` nest.
inline constexpr uint32_t jsonLevels = 5;

} // namespace sgl
