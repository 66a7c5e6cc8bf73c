// Tables of an automaton and questions about its language.
#include "ir/constraint/Automaton.h"

#include <algorithm>
#include <cassert>
#include <map>

namespace sgl {

Automaton::Automaton(const std::vector<StateRow> &rows) {
  chooseClasses(rows);
  table.assign(rows.size() * classCount, dead);
  accepting.resize(rows.size());
  for (size_t state = 0; state < rows.size(); ++state) {
    accepting[state] = rows[state].accepting;
    for (const Edge &edge : rows[state].edges) {
      assert(edge.target < rows.size() && "an edge leaves the automaton");
      for (unsigned byte = edge.low; byte <= edge.high; ++byte)
        table[state * classCount + classOf[byte]] = edge.target;
    }
  }
  longest = findLongest();
}

/// Bytes between which no edge begins or ends form a run; runs whose columns of
/// the table are equal form a class.
void Automaton::chooseClasses(const std::vector<StateRow> &rows) {
  std::array<bool, 257> begins{};
  begins[0] = true;
  for (const StateRow &row : rows)
    for (const Edge &edge : row.edges)
      begins[edge.low] = begins[edge.high + 1] = true;
  std::vector<unsigned> runOf(256);
  unsigned runs = 0;
  for (unsigned byte = 0; byte < 256; ++byte)
    runOf[byte] = begins[byte] ? runs++ : runs - 1;
  using Column = std::vector<std::pair<uint32_t, State>>;
  std::vector<Column> columns(runs);
  for (uint32_t state = 0; state < rows.size(); ++state)
    for (const Edge &edge : rows[state].edges)
      for (unsigned run = runOf[edge.low]; run <= runOf[edge.high]; ++run)
        columns[run].emplace_back(state, edge.target);
  std::map<Column, uint8_t> numbers;
  std::vector<uint8_t> classOfRun(runs);
  for (unsigned run = 0; run < runs; ++run)
    classOfRun[run] =
        numbers.emplace(columns[run], static_cast<uint8_t>(numbers.size()))
            .first->second;
  for (unsigned byte = 0; byte < 256; ++byte)
    classOf[byte] = classOfRun[runOf[byte]];
  classCount = static_cast<uint32_t>(numbers.size());
}

Automaton::State Automaton::run(State state, std::string_view bytes) const {
  for (char byte : bytes) {
    state = next(state, static_cast<uint8_t>(byte));
    if (state == dead)
      break;
  }
  return state;
}

bool Automaton::canContinue(State state) const {
  if (state == dead)
    return false;
  const State *row = table.data() + size_t{state} * classCount;
  return std::any_of(row, row + classCount,
                     [](State target) { return target != dead; });
}

std::vector<Automaton::Edge> Automaton::edges(State state) const {
  std::vector<Edge> out;
  for (unsigned byte = 0; byte < 256; ++byte) {
    auto value = static_cast<uint8_t>(byte);
    State target = next(state, value);
    if (target == dead)
      continue;
    if (!out.empty() && out.back().target == target &&
        out.back().high + 1u == byte)
      out.back().high = value;
    else
      out.push_back({value, value, target});
  }
  return out;
}

std::string Automaton::forcedFrom(State state) const {
  std::string forced;
  while (state != dead && !accepts(state)) {
    std::vector<Edge> out = edges(state);
    if (out.size() != 1 || out[0].low != out[0].high)
      break;
    forced += static_cast<char>(out[0].low);
    state = out[0].target;
  }
  return forced;
}

std::optional<std::string> Automaton::onlyText() const {
  if (isEmpty() || !isFinite())
    return std::nullopt;
  std::string text = forcedFrom(start());
  State end = run(start(), text);
  if (!accepts(end) || canContinue(end))
    return std::nullopt;
  return text;
}

/// Longest path by depth-first search without recursion; absent where a cycle
/// is found (every state is live, so a cycle means no limit).
std::optional<uint64_t> Automaton::findLongest() const {
  if (isEmpty())
    return 0;
  enum : uint8_t { Fresh, Open, Closed };
  std::vector<uint8_t> mark(stateCount(), Fresh);
  std::vector<uint64_t> length(stateCount(), 0);
  std::vector<std::pair<State, uint32_t>> path{{start(), 0}};
  mark[start()] = Open;
  while (!path.empty()) {
    auto &[state, column] = path.back();
    if (column == classCount) {
      mark[state] = Closed;
      uint64_t reached = length[state] + 1;
      path.pop_back();
      if (!path.empty())
        length[path.back().first] =
            std::max(length[path.back().first], reached);
      continue;
    }
    State target = table[size_t{state} * classCount + column++];
    if (target == dead)
      continue;
    if (mark[target] == Open)
      return std::nullopt;
    if (mark[target] == Closed) {
      length[state] = std::max(length[state], length[target] + 1);
      continue;
    }
    mark[target] = Open;
    path.emplace_back(target, 0);
  }
  return length[start()];
}

bool Automaton::operator==(const Automaton &other) const {
  if (stateCount() != other.stateCount())
    return false;
  for (State state = 0; state < stateCount(); ++state)
    if (accepts(state) != other.accepts(state) ||
        edges(state) != other.edges(state))
      return false;
  return true;
}

} // namespace sgl
