// A nondeterministic byte automaton, between a pattern tree and a DFA.
//
// Entry point: buildNfa (Thompson's construction). Characters become UTF-8
// byte ranges that share tails. Anchors are edges that can be taken only at
// the begin or the end of the whole text.
#pragma once

#include "ir/constraint/Pattern.h"

namespace sgl {

struct Nfa {
  enum class Jump : uint8_t { Always, AtBegin, AtEnd };
  struct ByteEdge {
    uint8_t low, high;
    uint32_t target;
  };
  struct EmptyEdge {
    Jump when;
    uint32_t target;
  };
  struct State {
    std::vector<ByteEdge> bytes;
    std::vector<EmptyEdge> jumps;
  };
  std::vector<State> states;
  uint32_t start = 0, accept = 0;
};

/// Most states of an Nfa; a larger one is an error.
inline constexpr size_t maxNfaStates = 500'000;

Result<Nfa> buildNfa(const Pattern &pattern);

} // namespace sgl
