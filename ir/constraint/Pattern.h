// Regular languages as trees, before they become automata.
//
// Entry points: the functions of namespace `pattern` and compilePattern. The
// regex parser and the types build these trees, so both share one compiler and
// one set of budgets. Trees are immutable and may share parts.
#pragma once

#include "ir/constraint/Automaton.h"
#include "ir/constraint/CodePoints.h"

#include <map>
#include <memory>

namespace sgl {

struct Pattern;
using PatternRef = std::shared_ptr<const Pattern>;

/// A way between two nodes of a network; null: without text.
struct NetworkStep {
  uint32_t from = 0, to = 0;
  PatternRef part;
};

struct Pattern {
  enum class Kind : uint8_t {
    Bytes,      ///< exactly `bytes`; empty: the empty text
    Characters, ///< one character of `characters`
    Sequence,   ///< all of `parts` in order
    Choice,     ///< one of `parts`; none: matches nothing
    Repeat,     ///< parts[0] from `least` to `most` times
    TextBegin,  ///< holds only at the begin of the whole text
    TextEnd,    ///< holds only at its end
    Language,   ///< a text of `automaton`
    Network,    ///< the texts of the ways from node 0 to node 1 of `steps`
  } kind = Kind::Bytes;
  std::string bytes;
  CodePointSet characters;
  std::vector<PatternRef> parts;
  uint32_t least = 0, most = 0;
  std::shared_ptr<const Automaton> automaton;
  std::vector<NetworkStep> steps;
  uint32_t nodeCount = 0;  ///< of a network
  bool isAnchored = false; ///< a TextBegin or TextEnd is in it

  static constexpr uint32_t unbounded = UINT32_MAX;
};

namespace pattern {
PatternRef text(std::string bytes);
PatternRef characters(CodePointSet set);
PatternRef sequence(std::vector<PatternRef> parts);
PatternRef choice(std::vector<PatternRef> parts);
PatternRef repeat(PatternRef part, uint32_t least, uint32_t most);
PatternRef optional(PatternRef part);
PatternRef textBegin();
PatternRef textEnd();
PatternRef language(Automaton automaton);
PatternRef network(std::vector<NetworkStep> steps, uint32_t nodeCount);
} // namespace pattern

/// What compiling took and what it found on the way. One is handed down while
/// the parts of a tree are compiled, so they share one budget.
struct CompileWork {
  uint64_t steps = 0;       ///< edges and positions that determinizing met
  uint64_t refineSteps = 0; ///< edges that partition refinement met
  uint64_t trialSteps = 0;  ///< as `steps`, for the parts below

  /// Parts of counted repeats that were compiled on their own.
  struct Part {
    std::shared_ptr<const Automaton> automaton; ///< null: better as it is
    bool isTooLarge = false; ///< the budget of trials was used up
  };
  std::map<const Pattern *, Part> parts;
};

/// About how many positions the tree unfolds to, up to `limit`: shared parts
/// count each time they stand somewhere.
uint64_t countPositions(const PatternRef &pattern, uint64_t limit);

/// The minimal automaton of a tree. Errors are budgets only: too many states,
/// or too much work. An empty language is a result here.
Result<Automaton> compilePattern(const PatternRef &pattern);
Result<Automaton> compilePattern(const PatternRef &pattern, CompileWork &work);

} // namespace sgl
