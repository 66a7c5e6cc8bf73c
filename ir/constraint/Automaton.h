// A deterministic automaton over bytes: the language that a constraint allows.
//
// Entry points: compileRegex (Regex.h) and compileType (TypeConstraint.h) make
// one, Automaton::read takes one from a plan. Immutable; states are numbered
// from the start in breadth-first order, and every state can still reach
// acceptance, so a byte either leads to a live state or to `dead`. What is
// accepted is valid UTF-8.
#pragma once

#include "ir/value/Result.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sgl {

class Automaton {
public:
  using State = uint32_t;
  static constexpr State dead = UINT32_MAX;

  /// A run of bytes that lead from one state to another.
  struct Edge {
    uint8_t low = 0, high = 0; ///< both included
    State target = dead;
    bool operator==(const Edge &) const = default;
  };
  /// What an automaton is made of.
  struct StateRow {
    bool accepting = false;
    std::vector<Edge> edges; ///< ascending, apart
    bool operator==(const StateRow &) const = default;
  };

  /// Takes rows that hold the invariants above; row 0 is the start. No rows:
  /// the empty language.
  explicit Automaton(const std::vector<StateRow> &rows);

  /// `dead` for the empty language.
  State start() const { return accepting.empty() ? dead : 0; }
  uint32_t stateCount() const {
    return static_cast<uint32_t>(accepting.size());
  }
  /// From `dead` every byte leads to `dead`.
  State next(State state, uint8_t byte) const {
    return state == dead ? dead : table[state * classCount + classOf[byte]];
  }
  State run(State state, std::string_view bytes) const;
  bool accepts(State state) const {
    return state != dead && accepting[state] != 0;
  }
  bool matches(std::string_view text) const {
    return accepts(run(start(), text));
  }
  /// Can any byte follow?
  bool canContinue(State state) const;
  std::vector<Edge> edges(State state) const;

  /// Bytes that every accepted text has next: up to a choice or to a state
  /// that accepts.
  std::string forcedFrom(State state) const;

  bool isEmpty() const { return accepting.empty(); }
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
  /// liveness and UTF-8 are checked.
  static Result<Automaton> read(std::string_view text);

  bool operator==(const Automaton &other) const;

private:
  void chooseClasses(const std::vector<StateRow> &rows);
  std::optional<uint64_t> findLongest() const;

  std::array<uint8_t, 256> classOf{}; ///< bytes that no state tells apart
  uint32_t classCount = 1;
  std::vector<State> table; ///< stateCount x classCount
  std::vector<uint8_t> accepting;
  std::optional<uint64_t> longest;
};

/// Most states that an automaton may have.
inline constexpr uint32_t maxAutomatonStates = 100'000;
/// Most entries of states x byte classes (4 bytes each).
inline constexpr uint64_t maxAutomatonCells = uint64_t{8} << 20;

} // namespace sgl
