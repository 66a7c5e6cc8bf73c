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
  // The edges of all states, and where those of each state begin; the end.
  std::vector<ByteEdge> byteEdges;
  std::vector<EmptyEdge> emptyEdges;
  std::vector<uint32_t> byteBegin, emptyBegin;
  uint32_t start = 0, accept = 0;

  uint32_t stateCount() const {
    return static_cast<uint32_t>(byteBegin.size() - 1);
  }
  std::span<const ByteEdge> bytes(uint32_t state) const {
    return {byteEdges.data() + byteBegin[state],
            byteEdges.data() + byteBegin[state + 1]};
  }
  std::span<const EmptyEdge> jumps(uint32_t state) const {
    return {emptyEdges.data() + emptyBegin[state],
            emptyEdges.data() + emptyBegin[state + 1]};
  }
};

/// Most states of an Nfa; a larger one is an error.
inline constexpr size_t maxNfaStates = 500'000;

/// Most steps that the trials of one pattern may take together.
inline constexpr uint64_t maxTrialSteps = 4'000'000;

/// Fails when there are too many positions. Parts of counted repeats are tried
/// on their own first, within a budget of `work` that is only theirs: where one
/// is a small automaton that no text leaves early (none is the begin of
/// another), its copies are deterministic and minimal.
Result<Nfa> buildNfa(const Pattern &pattern, CompileWork &work);

} // namespace sgl
