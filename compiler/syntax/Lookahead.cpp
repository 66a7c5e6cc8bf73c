// FIRST and FOLLOW by the book, and the choices that they leave open.
#include "compiler/syntax/Lookahead.h"

#include "SglParser.h"

#include <cassert>

namespace sgl::syntax {

using namespace antlr4;
using namespace antlr4::atn;

static size_t bitOf(size_t type) { return type == Token::EOF ? 0 : type; }

WordSets::WordSets(const ATN &atn)
    : atn(atn), rules(atn.ruleToStartState.size()),
      follow(atn.ruleToStartState.size()),
      decisions(atn.decisionToState.size()) {
  assert(atn.maxTokenType < Set().size() && "sets hold every word");
  computeFollow();
}

/// Walks the states that `state` reaches without reading a word.
void WordSets::collect(ATNState *state, std::vector<bool> &seen,
                       First &result) {
  if (seen[state->stateNumber])
    return;
  seen[state->stateNumber] = true;
  if (state->getStateType() == ATNState::RULE_STOP) {
    result.nullable = true;
    return;
  }
  for (Transition *edge : state->transitions) {
    if (edge->getSerializationType() == Transition::RULE) {
      auto *call = static_cast<RuleTransition *>(edge);
      const First &callee = firstOfRule(call->target->ruleIndex);
      result.words |= callee.words;
      if (callee.nullable)
        collect(call->followState, seen, result);
    } else if (edge->isEpsilon()) {
      collect(edge->target, seen, result);
    } else {
      for (ssize_t type : edge->label().toList())
        result.words.set(bitOf(size_t(type)));
    }
  }
}

WordSets::First WordSets::first(ATNState *state) {
  First result;
  std::vector<bool> seen(atn.states.size());
  collect(state, seen, result);
  return result;
}

/// No rule of the grammar begins with itself, so this ends.
const WordSets::First &WordSets::firstOfRule(size_t rule) {
  if (!rules[rule].known) {
    First result = first(atn.ruleToStartState[rule]);
    result.known = true;
    rules[rule] = result;
  }
  return rules[rule];
}

void WordSets::computeFollow() {
  struct Call {
    size_t caller, callee;
    First behind;
  };
  std::vector<Call> calls;
  for (ATNState *state : atn.states)
    for (Transition *edge :
         state ? state->transitions : std::vector<Transition *>())
      if (edge->getSerializationType() == Transition::RULE) {
        auto *call = static_cast<RuleTransition *>(edge);
        calls.push_back({state->ruleIndex, call->target->ruleIndex,
                         first(call->followState)});
      }
  follow[SglParser::RuleFile].set(bitOf(Token::EOF));
  bool changed = true;
  while (changed) {
    changed = false;
    for (const Call &call : calls) {
      Set more = follow[call.callee] | call.behind.words;
      if (call.behind.nullable)
        more |= follow[call.caller];
      changed |= more != follow[call.callee];
      follow[call.callee] = more;
    }
  }
}

const std::vector<WordSets::Set> &WordSets::alternatives(size_t decision) {
  std::vector<Set> &sets = decisions[decision];
  if (!sets.empty())
    return sets;
  DecisionState *state = atn.decisionToState[decision];
  for (Transition *edge : state->transitions) {
    First begin = first(edge->target);
    if (begin.nullable)
      begin.words |= follow[state->ruleIndex];
    sets.push_back(begin.words);
  }
  return sets;
}

static WordSets &setsOf(const ATN &atn) {
  // One grammar, one table; sglc is single-threaded.
  static WordSets sets(atn);
  return sets;
}

Prediction::Prediction(Parser *parser, ParserATNSimulator &original)
    : ParserATNSimulator(parser, original.atn, original.decisionToDFA,
                         original.getSharedContextCache()) {}

/// Does the pattern of a match arm, and no value, begin here?
static bool beginsArm(TokenStream *input) {
  for (ssize_t i = 1; i < 64; ++i) {
    switch (input->LA(i)) {
    case SglParser::FAT_ARROW:
      return true;
    case SglParser::LEFT_BRACE:
    case SglParser::RIGHT_BRACE:
    case SglParser::OPEN_HOLE:
    case SglParser::EQUALS:
    case SglParser::PLUS_EQUALS:
    case Token::EOF:
      return false;
    default:
      break;
    }
  }
  return true; // not known: ANTLR finds out
}

/// Does the second word of a statement settle that the first one is a name, or
/// that it is a keyword?
static std::optional<bool> isKeyword(size_t second) {
  switch (second) {
  case SglParser::EQUALS:
  case SglParser::PLUS_EQUALS:
  case SglParser::DOT:
    return false;
  case SglParser::LEFT_PAREN:
  case SglParser::LEFT_BRACKET:
    return std::nullopt;
  default:
    return true;
  }
}

/// The choice between alternatives `first` … `last` that one word leaves open.
/// Where both going on (first) and ending (last) fit, the grammar goes on.
std::optional<size_t> Prediction::byGrammarRule(TokenStream *input, size_t rule,
                                                size_t first,
                                                size_t last) const {
  switch (rule) {
  case SglParser::RuleQualifiedName:
  case SglParser::RuleHoleExpression:
  case SglParser::RuleBounds:
    return first;
  case SglParser::RuleMemberType:
    if (input->LA(1) == SglParser::IN)
      return first;
    return std::nullopt;
  case SglParser::RuleReturnStatement:
    if (!beginsArm(input))
      return first;
    return std::nullopt;
  case SglParser::RuleJoinStatement:
    if (input->LA(1) != SglParser::INTO && !beginsArm(input))
      return first;
    return std::nullopt;
  case SglParser::RuleArgument:
    // A label, or a value that begins with a name.
    return input->LA(2) == SglParser::COLON ? first : last;
  case SglParser::RuleStatement:
    // `retry`, `expect`, `parallel` may be names.
    if (std::optional<bool> keyword = isKeyword(input->LA(2)))
      return *keyword ? first : last;
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

size_t Prediction::adaptivePredict(TokenStream *input, size_t decision,
                                   ParserRuleContext *context) {
  const std::vector<WordSets::Set> &sets = setsOf(atn).alternatives(decision);
  size_t word = bitOf(input->LA(1));
  size_t first = 0, last = 0;
  for (size_t i = 0; i < sets.size(); ++i)
    if (sets[i].test(word)) {
      last = i + 1;
      first = first == 0 ? last : first;
    }
  if (first != 0 && first == last)
    return first;
  if (first != last)
    if (std::optional<size_t> choice = byGrammarRule(
            input, atn.decisionToState[decision]->ruleIndex, first, last))
      return *choice;
  return ParserATNSimulator::adaptivePredict(input, decision, context);
}

} // namespace sgl::syntax
