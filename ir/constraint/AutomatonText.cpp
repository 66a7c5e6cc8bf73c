// Printed and stored forms of an automaton.
//
// Stored: "A2" and the base64 digits (RFC 4648) of a byte string of varints:
// the number of states, then for each state 2 x edges + accepting, then for
// each edge its first byte, its last byte and its target. A target t of a state
// s is 2(t - s) if it is not before the state, else 4(s - t - 1) + 1 or 4t + 3,
// whichever of s - t and t is less, the former if equal. Chains of single bytes
// cost four bytes a state. Instead of a state there may be a 0 (no state that
// counts is written so), a distance d and a length n: the next n states are
// written as those d before them. So the copies of a counted repeat cost
// nothing.
#include "ir/constraint/Automaton.h"

#include "ir/constraint/AutomatonCheck.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <unordered_map>

namespace sgl {

namespace {

using Edge = Automaton::Edge;

std::string printByte(uint8_t byte) {
  if (byte > 0x20 && byte < 0x7f)
    return std::string(1, static_cast<char>(byte));
  char text[8];
  std::snprintf(text, sizeof text, "\\x%02x", byte);
  return text;
}

// -- base64 -----------------------------------------------------------------

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                    "abcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view tag = "A2";

std::string toBase64(const std::string &bytes) {
  std::string out;
  uint32_t bits = 0;
  int count = 0;
  for (char c : bytes) {
    bits = bits << 8 | static_cast<uint8_t>(c);
    for (count += 8; count >= 6; count -= 6)
      out += digits[bits >> (count - 6) & 63];
  }
  if (count > 0)
    out += digits[bits << (6 - count) & 63];
  return out;
}

/// The value of each digit, 64 for what is none.
constexpr std::array<uint8_t, 256> digitValues = [] {
  std::array<uint8_t, 256> values{};
  values.fill(64);
  for (size_t i = 0; i < digits.size(); ++i)
    values[static_cast<uint8_t>(digits[i])] = static_cast<uint8_t>(i);
  return values;
}();

std::optional<std::string> fromBase64(std::string_view text) {
  std::string out;
  out.reserve(text.size() * 3 / 4);
  uint32_t bits = 0;
  int count = 0;
  for (char c : text) {
    uint8_t digit = digitValues[static_cast<uint8_t>(c)];
    if (digit == 64)
      return std::nullopt;
    bits = bits << 6 | digit;
    count += 6;
    if (count >= 8) {
      count -= 8;
      out += static_cast<char>(bits >> count & 255);
    }
  }
  // One spelling for each byte string: no digit and no bit to spare.
  if (count >= 6 || (bits & ((1u << count) - 1)) != 0)
    return std::nullopt;
  return out;
}

// -- varints ----------------------------------------------------------------

void putNumber(std::string &out, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

bool takeNumber(std::string_view &in, uint64_t &value) {
  value = 0;
  for (int shift = 0; shift < 35; shift += 7) {
    if (in.empty())
      return false;
    auto byte = static_cast<uint8_t>(in[0]);
    in.remove_prefix(1);
    value |= uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80)
      return shift == 0 || byte != 0;
  }
  return false;
}

bool takeByte(std::string_view &in, uint8_t &byte) {
  if (in.empty())
    return false;
  byte = static_cast<uint8_t>(in[0]);
  in.remove_prefix(1);
  return true;
}

// -- states -----------------------------------------------------------------

/// Is a target told by its place from the start, not from the state? What lies
/// near the start, as what follows a repeat, is the same for all copies.
bool isFarBehind(uint64_t state, uint64_t target) {
  return target < state && target < state - target;
}

/// Copies of at least this many states are written as such.
constexpr uint32_t leastCopy = 3;

/// Writes the states of a graph, looking for runs that were written before.
class StateWriter {
public:
  explicit StateWriter(const StateGraph &graph) : graph(graph) {}

  std::string run() {
    putNumber(out, graph.stateCount());
    spellStates();
    for (uint32_t state = 0; state < graph.stateCount();) {
      uint32_t distance = state - std::min(state, before[state]);
      uint32_t length = distance == 0 ? 0 : matchLength(state, distance);
      if (length >= leastCopy) {
        putNumber(out, 0);
        putNumber(out, distance);
        putNumber(out, length);
        state += length;
        continue;
      }
      out += spellings[spelling[state]];
      ++state;
    }
    return std::move(out);
  }

private:
  /// Spells each state, equal spellings once, and notes where each was met
  /// last before: itself where it was not.
  void spellStates() {
    std::unordered_map<std::string, uint32_t> numbers;
    std::vector<uint32_t> last;
    std::string text;
    for (uint32_t state = 0; state < graph.stateCount(); ++state) {
      text.clear();
      spell(state, text);
      auto [it, isNew] =
          numbers.emplace(text, static_cast<uint32_t>(spellings.size()));
      if (isNew) {
        spellings.push_back(text);
        last.push_back(state);
      }
      spelling.push_back(it->second);
      before.push_back(last[it->second]);
      last[it->second] = state;
    }
  }

  void spell(uint32_t state, std::string &text) const {
    auto row = graph.row(state);
    putNumber(text, row.size() << 1 | graph.accepting[state]);
    for (const Edge &edge : row) {
      text += static_cast<char>(edge.low);
      text += static_cast<char>(edge.high);
      putNumber(text, tellTarget(state, edge.target));
    }
  }

  static uint64_t tellTarget(uint64_t state, uint64_t target) {
    if (target >= state)
      return 2 * (target - state);
    return isFarBehind(state, target) ? 4 * target + 3
                                      : 4 * (state - target - 1) + 1;
  }

  uint32_t matchLength(uint32_t state, uint32_t distance) const {
    uint32_t length = 0;
    while (state + length < graph.stateCount() &&
           spelling[state + length] == spelling[state + length - distance])
      ++length;
    return length;
  }

  const StateGraph &graph;
  std::string out;
  std::vector<std::string> spellings;
  std::vector<uint32_t> spelling, before; ///< of each state
};

/// Reads what StateWriter wrote; all is checked that the spelling alone shows.
class StateReader {
public:
  StateReader(std::string_view in, uint32_t count, uint64_t maxEdges)
      : in(in), count(count), maxEdges(maxEdges) {}

  bool run(StateGraph &graph) {
    while (graph.stateCount() < count) {
      uint64_t head = 0;
      if (!takeNumber(in, head))
        return false;
      if (!(head == 0 ? copyStates(graph) : takeState(head, graph)))
        return false;
    }
    return in.empty();
  }

private:
  bool takeState(uint64_t head, StateGraph &graph) {
    if (head >> 1 > 256)
      return false;
    for (uint64_t i = 0; i < head >> 1; ++i) {
      uint8_t low = 0, high = 0;
      uint64_t told = 0, target = 0;
      if (!takeByte(in, low) || !takeByte(in, high) || !takeNumber(in, told) ||
          !findTarget(graph.stateCount(), told, target) ||
          !addEdge(graph, low, high, target))
        return false;
    }
    graph.close((head & 1) != 0);
    return true;
  }

  static bool findTarget(uint64_t state, uint64_t told, uint64_t &target) {
    uint64_t far = told >> 2;
    if ((told & 1) == 0) {
      target = state + told / 2;
      return true;
    }
    bool isFar = (told & 2) != 0;
    if (far >= state)
      return false;
    target = isFar ? far : state - 1 - far;
    return isFar == isFarBehind(state, target);
  }

  /// An edge that could have been part of the one before is not known.
  bool addEdge(StateGraph &graph, uint8_t low, uint8_t high, uint64_t target) {
    if (high < low || target >= count)
      return false;
    auto to = static_cast<uint32_t>(target);
    if (graph.edges.size() > graph.begin.back()) {
      const Edge &last = graph.edges.back();
      if (low <= last.high || (low == last.high + 1 && to == last.target))
        return false;
    }
    graph.edges.push_back({low, high, to});
    return graph.edges.size() <= maxEdges;
  }

  bool copyStates(StateGraph &graph) {
    uint64_t distance = 0, length = 0;
    if (!takeNumber(in, distance) || !takeNumber(in, length) || distance == 0 ||
        distance > graph.stateCount() || length < leastCopy ||
        length > count - graph.stateCount())
      return false;
    for (; length > 0; --length) {
      uint32_t from = graph.stateCount() - static_cast<uint32_t>(distance);
      for (uint32_t i = graph.begin[from]; i < graph.begin[from + 1]; ++i) {
        Edge edge = graph.edges[i];
        uint64_t moved = isFarBehind(from, edge.target) ? 0 : distance;
        if (!addEdge(graph, edge.low, edge.high, edge.target + moved))
          return false;
      }
      graph.close(graph.accepting[from] != 0);
    }
    return true;
  }

  std::string_view in;
  const uint32_t count;
  const uint64_t maxEdges;
};

} // namespace

std::string Automaton::print() const {
  std::string out;
  for (State state = 0; state < stateCount(); ++state) {
    std::string name = std::to_string(state) + (accepts(state) ? "!" : "");
    std::span<const Edge> all = graph.row(state);
    if (all.empty())
      out += name + "\n";
    for (const Edge &edge : all) {
      out += name + " -" + (edge.low == edge.high ? "" : "[") +
             printByte(edge.low);
      if (edge.low != edge.high)
        out += "-" + printByte(edge.high) + "]";
      out += "-> " + std::to_string(edge.target) + "\n";
    }
  }
  return out;
}

std::string Automaton::write() const {
  return std::string(tag) + toBase64(StateWriter(graph).run());
}

Result<Automaton> Automaton::read(std::string_view text) {
  uint64_t cellBudget = maxAutomatonCells;
  return read(text, cellBudget);
}

Result<Automaton> Automaton::read(std::string_view text, uint64_t &cellBudget) {
  const Error broken{"the automaton is not in the form 'A2' that is known"};
  if (text.substr(0, tag.size()) != tag)
    return broken;
  std::optional<std::string> bytes = fromBase64(text.substr(tag.size()));
  if (!bytes)
    return broken;
  std::string_view in = *bytes;
  uint64_t count = 0;
  if (!takeNumber(in, count))
    return broken;
  if (count > maxAutomatonStates)
    return Error{"the automaton has " + std::to_string(count) +
                 " states, at most " + std::to_string(maxAutomatonStates) +
                 " are allowed"};
  StateGraph graph;
  // Every edge has a cell of its own, so edges are counted while they come.
  const Error tooLarge{"the automaton is larger than is allowed"};
  uint64_t limit = std::min(cellBudget, maxAutomatonCells);
  if (!StateReader(in, static_cast<uint32_t>(count), limit).run(graph))
    return graph.edges.size() > limit ? tooLarge : broken;
  if (count == 0)
    return Automaton(std::move(graph));
  uint64_t cells = countCells(graph);
  if (cells > limit)
    return tooLarge;
  cellBudget -= cells;
  if (auto error = findBrokenRule(graph))
    return *error;
  return Automaton(std::move(graph));
}

} // namespace sgl
