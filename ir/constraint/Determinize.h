// Subset construction: from a nondeterministic automaton to a deterministic.
//
// Entry point: determinize. Bytes that no edge tells apart are one column. The
// budgets count steps, not time, so that a pattern is refused on every machine
// or on none.
#pragma once

#include "ir/constraint/Nfa.h"

namespace sgl {

/// A deterministic automaton that may have dead and equal states.
struct Dfa {
  static constexpr uint32_t none = UINT32_MAX;
  std::array<uint8_t, 256> classOf{}; ///< rising with the byte
  uint32_t classCount = 0;
  std::vector<uint32_t> table; ///< states x classCount; `none`: no way
  std::vector<uint8_t> accepting;
  uint32_t stateCount() const {
    return static_cast<uint32_t>(accepting.size());
  }
};

/// Most steps that determinizing may take, about half a second.
inline constexpr uint64_t maxDeterminizeSteps = 40'000'000;

/// State 0 is the start. Fails when a budget is used up.
Result<Dfa> determinize(const Nfa &nfa);

} // namespace sgl
