// Builders of pattern trees, and the way from a tree to an automaton.
#include "ir/constraint/Pattern.h"

#include "ir/constraint/Determinize.h"
#include "ir/constraint/Minimize.h"
#include "ir/constraint/Nfa.h"

#include <algorithm>
#include <cassert>

namespace sgl {

namespace {

PatternRef make(Pattern pattern) {
  return std::make_shared<const Pattern>(std::move(pattern));
}

PatternRef makeParts(Pattern::Kind kind, std::vector<PatternRef> parts) {
  if (parts.size() == 1)
    return parts[0];
  Pattern made;
  made.kind = kind;
  made.isAnchored =
      std::any_of(parts.begin(), parts.end(),
                  [](const PatternRef &part) { return part->isAnchored; });
  made.parts = std::move(parts);
  return make(std::move(made));
}

PatternRef makeAnchor(Pattern::Kind kind) {
  Pattern made;
  made.kind = kind;
  made.isAnchored = true;
  return make(std::move(made));
}

} // namespace

namespace pattern {

PatternRef text(std::string bytes) {
  Pattern made;
  made.bytes = std::move(bytes);
  return make(std::move(made));
}

PatternRef characters(CodePointSet set) {
  Pattern made;
  made.kind = Pattern::Kind::Characters;
  made.characters = std::move(set);
  return make(std::move(made));
}

PatternRef sequence(std::vector<PatternRef> parts) {
  if (parts.empty())
    return text("");
  return makeParts(Pattern::Kind::Sequence, std::move(parts));
}

PatternRef choice(std::vector<PatternRef> parts) {
  return makeParts(Pattern::Kind::Choice, std::move(parts));
}

PatternRef repeat(PatternRef part, uint32_t least, uint32_t most) {
  assert(least <= most && "a repeat from less to more");
  Pattern made;
  made.kind = Pattern::Kind::Repeat;
  made.isAnchored = part->isAnchored;
  made.parts = {std::move(part)};
  made.least = least;
  made.most = most;
  return make(std::move(made));
}

PatternRef optional(PatternRef part) { return repeat(std::move(part), 0, 1); }
PatternRef textBegin() { return makeAnchor(Pattern::Kind::TextBegin); }
PatternRef textEnd() { return makeAnchor(Pattern::Kind::TextEnd); }

PatternRef language(Automaton automaton) {
  Pattern made;
  made.kind = Pattern::Kind::Language;
  made.automaton = std::make_shared<const Automaton>(std::move(automaton));
  return make(std::move(made));
}

PatternRef network(std::vector<NetworkStep> steps, uint32_t nodeCount) {
  Pattern made;
  made.kind = Pattern::Kind::Network;
  made.isAnchored =
      std::any_of(steps.begin(), steps.end(), [](const NetworkStep &step) {
        return step.part && step.part->isAnchored;
      });
  made.steps = std::move(steps);
  made.nodeCount = nodeCount;
  return make(std::move(made));
}

} // namespace pattern

namespace {

/// Positions of each part, worked out once.
class PositionCount {
public:
  explicit PositionCount(uint64_t limit) : limit(limit) {}

  uint64_t of(const Pattern &pattern) {
    auto it = known.find(&pattern);
    if (it == known.end())
      it = known.emplace(&pattern, std::min(limit, count(pattern))).first;
    return it->second;
  }

private:
  uint64_t count(const Pattern &pattern) {
    uint64_t sum = 1;
    switch (pattern.kind) {
    case Pattern::Kind::Bytes:
      return pattern.bytes.size();
    case Pattern::Kind::Characters:
      return 4;
    case Pattern::Kind::Language:
      return pattern.automaton->stateCount();
    case Pattern::Kind::Repeat: {
      bool isBounded = pattern.most != Pattern::unbounded;
      uint64_t copies = isBounded ? pattern.most : pattern.least + 1ull;
      return std::min(limit, copies * (1 + of(*pattern.parts[0])));
    }
    case Pattern::Kind::Network:
      sum += pattern.nodeCount;
      for (const NetworkStep &step : pattern.steps)
        if (step.part)
          sum = std::min(limit, sum + of(*step.part));
      return sum;
    default:
      for (const PatternRef &part : pattern.parts)
        sum = std::min(limit, sum + of(*part));
      return sum;
    }
  }

  const uint64_t limit;
  std::map<const Pattern *, uint64_t> known;
};

} // namespace

uint64_t countPositions(const PatternRef &pattern, uint64_t limit) {
  return PositionCount(limit).of(*pattern);
}

Result<Automaton> compilePattern(const PatternRef &pattern, CompileWork &work) {
  auto nfa = buildNfa(*pattern, work);
  if (!nfa)
    return nfa.error();
  auto graph = determinize(*nfa, work.steps, maxDeterminizeSteps);
  if (!graph)
    return graph.error();
  return minimize(*graph, work.refineSteps);
}

Result<Automaton> compilePattern(const PatternRef &pattern) {
  CompileWork work;
  return compilePattern(pattern, work);
}

} // namespace sgl
