// Deterministic automata over bytes: what every constraint becomes.
//
// State 0 is the start. A missing edge goes to `dead`. Automata made by this
// folder are minimal and reach acceptance from every state.
#pragma once

#include "ir/value/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sgl {

class Automaton {
public:
  static constexpr uint32_t dead = UINT32_MAX;
  struct Edge {
    uint8_t low = 0, high = 0; ///< bytes low..high
    uint32_t to = 0;
    bool operator==(const Edge &) const = default;
  };
  struct State {
    bool accepting = false;
    std::vector<Edge> edges; ///< ascending, disjoint
    bool operator==(const State &) const = default;
  };

  Automaton() = default;
  explicit Automaton(std::vector<State> states) : list(std::move(states)) {}

  uint32_t size() const { return uint32_t(list.size()); }
  const State &state(uint32_t s) const { return list[s]; }
  bool accepting(uint32_t s) const { return list[s].accepting; }
  uint32_t next(uint32_t s, uint8_t byte) const;
  /// The state after `bytes` from `s`, or dead.
  uint32_t walk(uint32_t s, std::string_view bytes) const;
  bool accepts(std::string_view text) const;
  bool emptyLanguage() const { return list.empty(); }
  /// The longest run of bytes that must follow from `s`: stops where the state
  /// accepts or has more than one successor byte.
  std::string forcedFrom(uint32_t s) const;
  /// The one text of the language, when it is one.
  bool singleText(std::string &text) const;

  /// One state a line, "0 -a-> 1", "1! -[b-z]-> 1": `!` accepts.
  std::string dump() const;
  /// Compact text for the plan and back; reading checks every number.
  std::string serialise() const;
  static Result<Automaton> read(std::string_view text);
  bool operator==(const Automaton &) const = default;

private:
  std::vector<State> list;
};

} // namespace sgl
