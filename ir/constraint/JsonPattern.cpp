// JSON strings: free ones by a pattern, others by rewriting an automaton over
// decoded bytes into one over the written bytes.
#include "ir/constraint/JsonPattern.h"

#include "ir/constraint/Minimize.h"
#include "ir/value/Value.h"

#include <algorithm>
#include <map>

namespace sgl {

using namespace pattern;

PatternRef jsonText(std::string_view content) {
  return text(toJson(Value::text(std::string(content))));
}

namespace {

PatternRef hexDigits(CodePointSet set) { return characters(std::move(set)); }

/// `\u` and four digits that are no half of a pair, or a whole pair.
PatternRef unicodeEscape() {
  const CodePointSet hex{{'0', '9'}, {'A', 'F'}, {'a', 'f'}};
  const CodePointSet d{{'D', 'D'}, {'d', 'd'}};
  const CodePointSet notD{
      {'0', '9'}, {'A', 'C'}, {'E', 'F'}, {'a', 'c'}, {'e', 'f'}};
  const CodePointSet below8{{'0', '7'}};
  const CodePointSet high{{'8', '9'}, {'A', 'B'}, {'a', 'b'}};
  const CodePointSet low{{'C', 'F'}, {'c', 'f'}};
  PatternRef two = repeat(hexDigits(hex), 2, 2);
  PatternRef plain =
      choice({sequence({hexDigits(notD), repeat(hexDigits(hex), 3, 3)}),
              sequence({hexDigits(d), hexDigits(below8), two})});
  PatternRef pair = sequence({hexDigits(d), hexDigits(high), two, text("\\u"),
                              hexDigits(d), hexDigits(low), two});
  return sequence({text("u"), choice({plain, pair})});
}

struct Escape {
  char letter, meaning;
};
constexpr Escape escapes[] = {{'"', '"'},  {'\\', '\\'}, {'/', '/'},
                              {'b', '\b'}, {'f', '\f'},  {'n', '\n'},
                              {'r', '\r'}, {'t', '\t'}};

PatternRef jsonCharacter() {
  CodePointSet special{{0, 0x1f}, {'"', '"'}, {'\\', '\\'}};
  CodePointSet letters;
  for (const Escape &escape : escapes)
    letters.add(static_cast<uint32_t>(escape.letter),
                static_cast<uint32_t>(escape.letter));
  return choice(
      {characters(special.complement()),
       sequence({text("\\"), choice({characters(letters), unicodeEscape()})})});
}

/// Rewrites an automaton so that it reads the inside of a JSON string.
class Rewriter {
public:
  explicit Rewriter(const Automaton &language) : language(language) {}

  Automaton run() {
    // The states of the language come first, under their own numbers.
    rows.resize(language.stateCount());
    for (Automaton::State state = 0; state < language.stateCount(); ++state)
      rewrite(state);
    StateGraph graph;
    for (uint32_t state = 0; state < rows.size(); ++state) {
      std::ranges::sort(rows[state], {}, &StateGraph::Edge::low);
      for (const StateGraph::Edge &edge : rows[state])
        graph.add(edge.low, edge.high, edge.target);
      graph.close(state < language.stateCount() && language.accepts(state));
    }
    return minimize(graph);
  }

private:
  uint32_t addState() {
    rows.emplace_back();
    return static_cast<uint32_t>(rows.size() - 1);
  }
  void lead(uint32_t from, char byte, uint32_t to) {
    auto value = static_cast<uint8_t>(byte);
    rows[from].push_back({value, value, to});
  }

  void rewrite(Automaton::State state) {
    std::map<uint8_t, uint32_t> controls; // byte -> state behind it
    for (unsigned byte = 0; byte < 256; ++byte) {
      uint32_t next = language.next(state, static_cast<uint8_t>(byte));
      if (next == Automaton::dead)
        continue;
      if (byte < 0x20)
        controls.emplace(static_cast<uint8_t>(byte), next);
      else if (byte != '"' && byte != '\\')
        lead(state, static_cast<char>(byte), next);
    }
    uint32_t escaped = StateGraph::dead;
    auto escape = [&] {
      if (escaped == StateGraph::dead)
        lead(state, '\\', escaped = addState());
      return escaped;
    };
    for (const Escape &e : escapes) {
      uint32_t next = language.next(state, static_cast<uint8_t>(e.meaning));
      if (next != Automaton::dead)
        lead(escape(), e.letter, next);
    }
    if (!controls.empty())
      addNumbers(escape(), controls);
  }

  /// `u00` and two digits for each control character.
  void addNumbers(uint32_t from, const std::map<uint8_t, uint32_t> &controls) {
    uint32_t u = addState(), zero = addState(), zeros = addState();
    lead(from, 'u', u);
    lead(u, '0', zero);
    lead(zero, '0', zeros);
    uint32_t tens[2] = {StateGraph::dead, StateGraph::dead};
    for (auto [byte, next] : controls) {
      uint32_t &high = tens[byte >> 4];
      if (high == StateGraph::dead)
        lead(zeros, static_cast<char>('0' + (byte >> 4)), high = addState());
      unsigned digit = byte & 15;
      lead(high, static_cast<char>(digit < 10 ? '0' + digit : 'a' + digit - 10),
           next);
      if (digit >= 10)
        lead(high, static_cast<char>('A' + digit - 10), next);
    }
  }

  const Automaton &language;
  std::vector<std::vector<StateGraph::Edge>> rows; ///< in any order
};

} // namespace

PatternRef jsonString(uint32_t least, uint32_t most) {
  // Made once: it never fails, being far from every budget.
  static const PatternRef character =
      pattern::language(*compilePattern(jsonCharacter()));
  return sequence({text("\""), repeat(character, least, most), text("\"")});
}

PatternRef jsonStringOf(const Automaton &language) {
  if (language.isEmpty())
    return choice({});
  return sequence(
      {text("\""), pattern::language(Rewriter(language).run()), text("\"")});
}

} // namespace sgl
