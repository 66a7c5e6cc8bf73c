// What the parser says when a word does not fit: what was expected, in the
// user's words, and what stands there.
#pragma once

#include "compiler/syntax/SyntaxLog.h"

#include "antlr4-runtime.h"

namespace sgl::syntax {

/// Reports to a SyntaxLog instead of to listeners; recovers as ANTLR does.
class ErrorStrategy final : public antlr4::DefaultErrorStrategy {
public:
  ErrorStrategy(std::string_view text, SyntaxLog &log) : text(text), log(log) {}

protected:
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
};

} // namespace sgl::syntax
