// A deterministic automaton over bytes: the language that a constraint allows.
//
// Entry points: compileRegex (Regex.h) and compileType (TypeConstraint.h) make
// one, Automaton::read takes one from a plan. Immutable; states are numbered
// from the start in breadth-first order, and every state can still reach
// acceptance, so a byte either leads to a live state or to `dead`. What is
// accepted is valid UTF-8.
#pragma once

#include "ir/constraint/StateGraph.h"
#include "ir/value/Result.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sgl {

class Automaton {
public:
  using State = StateGraph::State;
  using Edge = StateGraph::Edge;
  static constexpr State dead = StateGraph::dead;

  /// One state, for automata that are made by hand.
  struct StateRow {
    bool accepting = false;
    std::vector<Edge> edges; ///< ascending, apart
    bool operator==(const StateRow &) const = default;
  };

  /// Takes states that hold the invariants above; state 0 is the start. None:
  /// the empty language.
  explicit Automaton(StateGraph graph);
  explicit Automaton(const std::vector<StateRow> &rows);

  /// `dead` for the empty language.
  State start() const { return isEmpty() ? dead : 0; }
  uint32_t stateCount() const { return graph.stateCount(); }
  /// From `dead` every byte leads to `dead`.
  State next(State state, uint8_t byte) const {
    return state == dead ? dead : table[state * classCount + classOf[byte]];
  }
  State run(State state, std::string_view bytes) const;
  bool accepts(State state) const {
    return state != dead && graph.accepting[state] != 0;
  }
  bool matches(std::string_view text) const {
    return accepts(run(start(), text));
  }
  /// Can any byte follow?
  bool canContinue(State state) const {
    return state != dead && !graph.row(state).empty();
  }
  /// None from `dead`.
  std::vector<Edge> edges(State state) const;
  const StateGraph &states() const { return graph; }

  /// Bytes that every accepted text has next: up to a choice or to a state
  /// that accepts.
  std::string forcedFrom(State state) const;

  bool isEmpty() const { return graph.accepting.empty(); }
  bool isFinite() const { return longest.has_value(); }
  /// Bytes of the longest accepted text; absent: no limit. 0 when empty.
  std::optional<uint64_t> maxLength() const { return longest; }
  /// The only accepted text, if there is just one.
  std::optional<std::string> onlyText() const;

  /// One line a state for tests: `0 -a-> 1`, `1! -[0-9]-> 1` (`!` accepts).
  std::string print() const;
  /// ASCII text for a plan; the same automaton gives the same text.
  std::string write() const;
  /// Reads what `write` gave. A plan is outside input: counts, targets,
  /// liveness and UTF-8 are checked. A short text may stand for a large
  /// automaton, so what reads several takes their cells from one budget.
  static Result<Automaton> read(std::string_view text, uint64_t &cellBudget);
  static Result<Automaton> read(std::string_view text);

  bool operator==(const Automaton &other) const;

private:
  void fillTable();
  std::optional<uint64_t> findLongest() const;

  StateGraph graph;
  std::array<uint8_t, 256> classOf{}; ///< bytes that no state tells apart
  uint32_t classCount = 1;
  std::vector<State> table; ///< stateCount x classCount
  std::optional<uint64_t> longest;
};

/// Most states that an automaton may have.
inline constexpr uint32_t maxAutomatonStates = 100'000;
/// Most entries of states x byte classes (4 bytes each).
inline constexpr uint64_t maxAutomatonCells = uint64_t{8} << 20;

} // namespace sgl
