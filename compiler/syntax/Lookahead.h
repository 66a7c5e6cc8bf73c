// Decides by one word of lookahead, which nearly always settles it.
//
// ANTLR simulates its network for each decision that one word does not settle
// in every case, and a short program pays for a cold cache: 4 of 7 ms. Here
// sets FIRST and FOLLOW are computed once, in about 0.1 ms, and asked before;
// what stays open goes on to ANTLR, so the language is the grammar's.
#pragma once

#include "antlr4-runtime.h"

#include <bitset>
#include <optional>
#include <vector>

namespace sgl::syntax {

/// FIRST and FOLLOW of a grammar.
class WordSets {
public:
  /// Types of words; EOF is 0.
  using Set = std::bitset<160>;

  explicit WordSets(const antlr4::atn::ATN &atn);
  /// For each alternative of a decision the words that may begin it.
  const std::vector<Set> &alternatives(size_t decision);

private:
  struct First {
    Set words;
    bool nullable = false;
    bool known = false;
  };
  First first(antlr4::atn::ATNState *state);
  void collect(antlr4::atn::ATNState *state, std::vector<bool> &seen,
               First &result);
  const First &firstOfRule(size_t rule);
  void computeFollow();

  const antlr4::atn::ATN &atn;
  std::vector<First> rules;
  std::vector<Set> follow;
  std::vector<std::vector<Set>> decisions;
};

class Prediction final : public antlr4::atn::ParserATNSimulator {
public:
  /// Takes the place of `original`, whose caches it shares.
  Prediction(antlr4::Parser *parser, antlr4::atn::ParserATNSimulator &original);
  size_t adaptivePredict(antlr4::TokenStream *input, size_t decision,
                         antlr4::ParserRuleContext *context) override;

private:
  std::optional<size_t> byGrammarRule(antlr4::TokenStream *input, size_t rule,
                                      size_t first, size_t last) const;
};

} // namespace sgl::syntax
