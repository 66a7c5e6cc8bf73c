// Printed and stored forms of an automaton.
//
// Stored: "A1" and the base64 digits (RFC 4648) of a byte string of varints:
// the number of states, then for each state 2 x edges + accepting, then for
// each edge its first byte, its last byte and its target as a zigzag
// difference from the state. Chains of single bytes cost four bytes a state.
#include "ir/constraint/Automaton.h"

#include <algorithm>
#include <cassert>
#include <cstdio>

namespace sgl {

namespace {

using Edge = Automaton::Edge;
using StateRow = Automaton::StateRow;

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
constexpr std::string_view tag = "A1";

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

std::optional<std::string> fromBase64(std::string_view text) {
  std::string out;
  uint32_t bits = 0;
  int count = 0;
  for (char c : text) {
    size_t digit = digits.find(c);
    if (digit == std::string_view::npos)
      return std::nullopt;
    bits = bits << 6 | static_cast<uint32_t>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      out += static_cast<char>(bits >> count & 255);
    }
  }
  // One spelling for each automaton: no digit and no bit to spare.
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

bool takeState(std::string_view &in, uint32_t state, uint64_t count,
               StateRow &row) {
  uint64_t head = 0;
  if (!takeNumber(in, head) || head >> 1 > 256)
    return false;
  row.accepting = (head & 1) != 0;
  row.edges.resize(head >> 1);
  int lowest = 0;
  for (Edge &edge : row.edges) {
    uint64_t zigzag = 0;
    if (!takeByte(in, edge.low) || !takeByte(in, edge.high) ||
        !takeNumber(in, zigzag))
      return false;
    int64_t step =
        static_cast<int64_t>(zigzag >> 1) ^ -static_cast<int64_t>(zigzag & 1);
    int64_t target = int64_t{state} + step;
    if (edge.low < lowest || edge.high < edge.low || target < 0 ||
        target >= static_cast<int64_t>(count))
      return false;
    edge.target = static_cast<uint32_t>(target);
    lowest = edge.high + 1;
  }
  return true;
}

// -- what must hold ---------------------------------------------------------

/// States in the order in which a breadth-first walk meets them.
bool isNumberedBreadthFirst(const std::vector<StateRow> &rows) {
  uint32_t met = 1;
  for (uint32_t state = 0; state < rows.size(); ++state) {
    if (state >= met)
      return false;
    for (const Edge &edge : rows[state].edges) {
      if (edge.target > met)
        return false;
      met += edge.target == met;
    }
  }
  return met == rows.size();
}

bool isEveryStateLive(const std::vector<StateRow> &rows) {
  std::vector<std::vector<uint32_t>> sources(rows.size());
  std::vector<uint32_t> open;
  std::vector<uint8_t> live(rows.size(), 0);
  for (uint32_t state = 0; state < rows.size(); ++state) {
    for (const Edge &edge : rows[state].edges)
      sources[edge.target].push_back(state);
    if (rows[state].accepting) {
      live[state] = 1;
      open.push_back(state);
    }
  }
  size_t found = open.size();
  while (!open.empty()) {
    uint32_t state = open.back();
    open.pop_back();
    for (uint32_t source : sources[state])
      if (!live[source]) {
        live[source] = 1;
        ++found;
        open.push_back(source);
      }
  }
  return found == rows.size();
}

/// Where in a character a text can be: a bit set of these.
enum Utf8Place : uint8_t {
  Whole,   ///< between characters
  Tail1,   ///< one more byte 80-bf
  Tail2,   ///< two more
  Tail3,   ///< three more
  AfterE0, ///< a0-bf, then one
  AfterEd, ///< 80-9f, then one
  AfterF0, ///< 90-bf, then two
  AfterF4, ///< 80-8f, then two
  Places,
};

struct Utf8Step {
  uint8_t low, high;
  Utf8Place from, to;
};

constexpr Utf8Step utf8Steps[] = {
    {0x00, 0x7f, Whole, Whole},   {0xc2, 0xdf, Whole, Tail1},
    {0xe0, 0xe0, Whole, AfterE0}, {0xe1, 0xec, Whole, Tail2},
    {0xed, 0xed, Whole, AfterEd}, {0xee, 0xef, Whole, Tail2},
    {0xf0, 0xf0, Whole, AfterF0}, {0xf1, 0xf3, Whole, Tail3},
    {0xf4, 0xf4, Whole, AfterF4}, {0x80, 0xbf, Tail1, Whole},
    {0x80, 0xbf, Tail2, Tail1},   {0x80, 0xbf, Tail3, Tail2},
    {0xa0, 0xbf, AfterE0, Tail1}, {0x80, 0x9f, AfterEd, Tail1},
    {0x90, 0xbf, AfterF0, Tail2}, {0x80, 0x8f, AfterF4, Tail2},
};

/// Adds to `places` of the target what `edge` gives from `from`; false where a
/// byte of the edge cannot stand there.
bool followUtf8(const Edge &edge, Utf8Place from, uint16_t &places) {
  unsigned covered = 0;
  for (const Utf8Step &step : utf8Steps) {
    int low = std::max(edge.low, step.low);
    int high = std::min(edge.high, step.high);
    if (step.from != from || low > high)
      continue;
    covered += static_cast<unsigned>(high - low + 1);
    places |= static_cast<uint16_t>(1u << step.to);
  }
  return covered == edge.high - edge.low + 1u;
}

/// Is every accepted text UTF-8? Every state is live, so a byte that cannot
/// stand somewhere would be part of an accepted text.
bool acceptsUtf8Only(const std::vector<StateRow> &rows) {
  std::vector<uint16_t> places(rows.size(), 0), done(rows.size(), 0);
  places[0] = 1u << Whole;
  std::vector<uint32_t> open{0};
  while (!open.empty()) {
    uint32_t state = open.back();
    open.pop_back();
    unsigned fresh = places[state] & ~unsigned{done[state]};
    done[state] = places[state];
    if (rows[state].accepting && (places[state] & ~(1u << Whole)) != 0)
      return false;
    for (unsigned place = 0; place < Places; ++place) {
      if ((fresh >> place & 1) == 0)
        continue;
      for (const Edge &edge : rows[state].edges) {
        uint16_t before = places[edge.target];
        if (!followUtf8(edge, static_cast<Utf8Place>(place),
                        places[edge.target]))
          return false;
        if (places[edge.target] != before)
          open.push_back(edge.target);
      }
    }
  }
  return true;
}

/// An upper bound on the table, before it is made.
uint64_t countCells(const std::vector<StateRow> &rows) {
  std::vector<bool> begins(257, false);
  for (const StateRow &row : rows)
    for (const Edge &edge : row.edges)
      begins[edge.low] = begins[edge.high + 1u] = true;
  auto runs = std::count(begins.begin() + 1, begins.end() - 1, true) + 1;
  return rows.size() * static_cast<uint64_t>(runs);
}

} // namespace

std::string Automaton::print() const {
  std::string out;
  for (State state = 0; state < stateCount(); ++state) {
    std::string name = std::to_string(state) + (accepts(state) ? "!" : "");
    std::vector<Edge> all = edges(state);
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
  std::string bytes;
  putNumber(bytes, stateCount());
  for (State state = 0; state < stateCount(); ++state) {
    std::vector<Edge> all = edges(state);
    putNumber(bytes, all.size() << 1 | (accepts(state) ? 1 : 0));
    for (const Edge &edge : all) {
      bytes += static_cast<char>(edge.low);
      bytes += static_cast<char>(edge.high);
      int64_t step = int64_t{edge.target} - int64_t{state};
      putNumber(bytes, static_cast<uint64_t>(step << 1 ^ step >> 63));
    }
  }
  return std::string(tag) + toBase64(bytes);
}

Result<Automaton> Automaton::read(std::string_view text) {
  const Error broken{"the automaton is not in the form 'A1' that is known"};
  if (text.substr(0, tag.size()) != tag)
    return broken;
  std::optional<std::string> bytes = fromBase64(text.substr(tag.size()));
  if (!bytes)
    return broken;
  std::string_view in = *bytes;
  uint64_t count = 0;
  // Each state has one byte at least.
  if (!takeNumber(in, count) || count > in.size())
    return broken;
  if (count > maxAutomatonStates)
    return Error{"the automaton has " + std::to_string(count) +
                 " states, at most " + std::to_string(maxAutomatonStates) +
                 " are allowed"};
  std::vector<StateRow> rows(count);
  for (uint32_t state = 0; state < count; ++state)
    if (!takeState(in, state, count, rows[state]))
      return broken;
  if (!in.empty())
    return broken;
  if (count == 0)
    return Automaton(rows);
  if (countCells(rows) > maxAutomatonCells)
    return Error{"the automaton is larger than is allowed"};
  if (!isNumberedBreadthFirst(rows) || !isEveryStateLive(rows))
    return Error{"the automaton has states that no text uses"};
  if (!acceptsUtf8Only(rows))
    return Error{"the automaton accepts texts that are not UTF-8"};
  return Automaton(rows);
}

} // namespace sgl
