// Product construction over the reachable pairs of states.
#include "ir/constraint/Intersect.h"

#include "ir/constraint/Minimize.h"

#include <map>

namespace sgl {

Result<Automaton> intersect(const Automaton &a, const Automaton &b) {
  if (a.isEmpty() || b.isEmpty())
    return Automaton({});
  using Pair = std::pair<Automaton::State, Automaton::State>;
  // Every byte is its own column here; the result finds its classes again.
  Dfa dfa;
  dfa.classCount = 256;
  for (unsigned byte = 0; byte < 256; ++byte)
    dfa.classOf[byte] = static_cast<uint8_t>(byte);
  std::map<Pair, uint32_t> numbers;
  std::vector<Pair> pairs;
  auto numberOf = [&](Pair pair) {
    auto [it, isNew] =
        numbers.emplace(pair, static_cast<uint32_t>(pairs.size()));
    if (isNew)
      pairs.push_back(pair);
    return it->second;
  };
  numberOf({a.start(), b.start()});
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (pairs.size() * 256 > maxAutomatonCells)
      return Error{"the pattern and its length bounds together are too large"};
    auto [left, right] = pairs[i];
    dfa.accepting.push_back(a.accepts(left) && b.accepts(right));
    for (unsigned byte = 0; byte < 256; ++byte) {
      auto value = static_cast<uint8_t>(byte);
      Pair next{a.next(left, value), b.next(right, value)};
      bool isDead =
          next.first == Automaton::dead || next.second == Automaton::dead;
      dfa.table.push_back(isDead ? Dfa::none : numberOf(next));
    }
  }
  return minimize(dfa);
}

} // namespace sgl
