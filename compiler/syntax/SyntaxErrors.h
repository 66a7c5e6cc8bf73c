// What the parser says when a word does not fit: what was expected, in the
// user's words, and what stands there.
#pragma once

#include "compiler/syntax/Recovery.h"
#include "compiler/syntax/SyntaxLog.h"

#include "antlr4-runtime.h"

#include <optional>
#include <set>

namespace sgl::syntax {

/// Reports to a SyntaxLog instead of to listeners; goes on by Recovery.
class ErrorStrategy final : public antlr4::DefaultErrorStrategy {
public:
  ErrorStrategy(std::string_view text, SyntaxLog &log) : text(text), log(log) {}

  void recover(antlr4::Parser *parser, std::exception_ptr failure) override;

protected:
  void beginErrorCondition(antlr4::Parser *parser) override;
  void consumeUntil(antlr4::Parser *parser,
                    const antlr4::misc::IntervalSet &set) override;
  antlr4::Token *singleTokenDeletion(antlr4::Parser *parser) override;
  bool singleTokenInsertion(antlr4::Parser *parser) override;
  void reportNoViableAlternative(
      antlr4::Parser *parser,
      const antlr4::NoViableAltException &failure) override;
  void
  reportInputMismatch(antlr4::Parser *parser,
                      const antlr4::InputMismatchException &failure) override;
  void reportUnwantedToken(antlr4::Parser *parser) override;
  void reportMissingToken(antlr4::Parser *parser) override;

private:
  void mismatch(antlr4::Parser *parser, const antlr4::Token *token);

  std::string_view text;
  SyntaxLog &log;
  std::optional<Recovery> recovery; ///< made at the first error
  size_t errorLine = 0;             ///< where the current error lies
  size_t lastIndex = size_t(-1);    ///< where recovery began last
  std::set<size_t> lastStates;      ///< of the parser, there
};

} // namespace sgl::syntax
