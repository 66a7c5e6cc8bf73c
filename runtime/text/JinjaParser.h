// Tokens to a syntax tree; follows jinja2/parser.py, precedence included.
//
// The first failure sticks: from then on the parser sees only the end of the
// template, so every loop ends and no half-built tree is used.
#pragma once

#include "runtime/text/JinjaAst.h"
#include "runtime/text/JinjaLexer.h"

#include <initializer_list>

namespace sgl::jinja {

class Parser {
public:
  Parser(std::vector<Token> tokens, Failure &failure)
      : tokens(std::move(tokens)), failure(failure) {}

  /// The whole template; false with the failure filled.
  bool parse(std::vector<Stmt> &statements);

private:
  using Names = std::initializer_list<std::string_view>;

  // Statements (JinjaParser.cpp).
  std::vector<Stmt> parseBody(Names ends, std::string_view opener);
  void parseStatement(std::vector<Stmt> &out);
  Stmt parseIf();
  Stmt parseFor();
  Stmt parseSet();
  Stmt parseMacro();
  Stmt parseCallBlock();
  Stmt parseWith();
  Stmt parseFilterBlock();
  Stmt parseScope(std::string_view name);
  Stmt parseNoLoader();
  void parseSignature(MacroBody &macro);
  ExprPtr parseTarget(bool withTuple, bool withNamespace, Names ends = {});
  void checkTarget(const Expr &target, bool withNamespace);
  void endOfBlock();

  // Expressions (JinjaExpressions.cpp).
  ExprPtr parseExpression();
  /// What an element of a tuple may be.
  enum class Element { Any, NoCondition, Primary };
  ExprPtr parseTuple(Names ends = {}, Element element = Element::Any,
                     bool inParentheses = false);
  ExprPtr parseOr();
  ExprPtr parseAnd();
  ExprPtr parseNot();
  ExprPtr parseCompare();
  ExprPtr parseSum();
  ExprPtr parseConcat();
  ExprPtr parseProduct();
  ExprPtr parsePower();
  ExprPtr parseUnary(bool withFilter = true);
  ExprPtr parsePrimary();
  ExprPtr parseList();
  ExprPtr parseDict();
  ExprPtr parsePostfix(ExprPtr base);
  ExprPtr parseFilters(ExprPtr base);
  ExprPtr parseSubscript(ExprPtr base);
  ExprPtr parseIndex();
  ExprPtr parseFilter(ExprPtr base);
  ExprPtr parseTest(ExprPtr base);
  void parseArguments(Expr &call);
  std::string parseDottedName();

  // Nodes.
  ExprPtr make(ExprKind kind, std::string text = "");
  void adopt(Expr &parent, ExprPtr child);
  ExprPtr binary(ExprKind kind, ExprPtr left, ExprPtr right,
                 std::string text = "");
  void deepen(Expr &parent, const Expr *child);

  // Tokens.
  const Token &current() const;
  const Token &ahead() const;
  void next() { position += position + 1 < tokens.size(); }
  bool isOperator(std::string_view text) const;
  bool isName(std::string_view text) const;
  bool skipOperator(std::string_view text);
  bool skipName(std::string_view text);
  void expectOperator(std::string_view text);
  std::string expectName();
  bool failed() const { return hasFailed; }
  void fail(ErrorClass kind, std::string message);
  void fail(std::string message) {
    fail(ErrorClass::Syntax, std::move(message));
  }
  static std::string describe(const Token &token);
  void seeName(std::string_view name);

  /// Counts nesting while it lives.
  struct Nest {
    explicit Nest(Parser &parser);
    ~Nest() { --parser.nesting; }
    Parser &parser;
  };

  std::vector<Token> tokens;
  Token endToken;
  Failure &failure;
  size_t position = 0;
  bool hasFailed = false;
  unsigned nesting = 0;
  unsigned loops = 0;              ///< loops around, up to the next macro
  bool soft = false;               ///< inside an if: unknown filters may wait
  std::vector<MacroBody *> macros; ///< around, the innermost last
};

/// Names of filters and tests that this engine has (JinjaFilters.cpp,
/// JinjaTests.cpp), and those that Jinja has but this engine refuses.
bool isFilter(std::string_view name);
bool isRefusedFilter(std::string_view name);
bool isTest(std::string_view name);

} // namespace sgl::jinja
