// Parse tree to syntax tree.
//
// Entry point: Builder::module. Works on broken trees too: what is missing
// becomes an Error node or is left out, so that the rest can be checked. Texts
// get their value here (BuildText.cpp), operators their precedence
// (BuildExpressions.cpp).
#pragma once

#include "compiler/syntax/Ast.h"
#include "compiler/syntax/Words.h"

#include "SglParser.h"

namespace sgl::syntax {

/// Levels of tree below which no later stage needs to be able to go.
constexpr size_t deepestTree = 1000;

class Builder {
public:
  using P = SglParser;
  using Rule = antlr4::ParserRuleContext;

  Builder(const SourceFile &file, const Words &words, SyntaxLog &log)
      : text(file.text()), words(words), log(log) {}

  std::unique_ptr<ast::Module> module(P::FileContext *file);

private:
  // BuildItems.cpp
  void item(P::ItemContext *context, ast::Module &module);
  void importItem(P::ImportItemContext *context, ast::Module &module);
  void constItem(P::ConstItemContext *context, ast::Module &module);
  void recordItem(P::RecordItemContext *context, ast::Module &module);
  void enumItem(P::EnumItemContext *context, ast::Module &module);
  void toolItem(P::ToolItemContext *context, ast::Module &module);
  void functionItem(P::FunctionItemContext *context, ast::Module &module);
  void testItem(P::TestItemContext *context, ast::Module &module);
  std::vector<ast::Param> parameters(P::ParametersContext *context);
  std::string docOf(Rule *context) const;

  // BuildTypes.cpp
  ast::TypeExprPtr type(P::TypeContext *context);
  ast::TypeExprPtr memberType(P::MemberTypeContext *context);
  ast::TypeExprPtr plainType(P::PlainTypeContext *context);
  ast::TypeExprPtr mapType(P::MapTypeContext *context);
  ast::RangeBounds bounds(P::BoundsContext *context);
  std::string number(P::NumberContext *context);

  // BuildStatements.cpp
  ast::Block block(P::BlockContext *context);
  using StmtPtr = std::unique_ptr<ast::Stmt>;
  StmtPtr statement(P::StatementContext *context);
  StmtPtr binding(ast::StmtKind kind, Rule *context, P::NameContext *name,
                  P::TypeContext *type, P::ExpressionContext *value);
  StmtPtr ifStatement(P::IfStatementContext *context);
  StmtPtr matchStatement(P::MatchStatementContext *context);
  StmtPtr retryStatement(P::RetryStatementContext *context);
  StmtPtr joinStatement(P::JoinStatementContext *context);
  StmtPtr checkStatement(ast::StmtKind kind, Rule *context,
                         std::vector<P::ExpressionContext *> expressions);
  StmtPtr loop(ast::StmtKind kind, Rule *context, P::ExpressionContext *value,
               P::BlockContext *body);
  StmtPtr callStatement(ast::ExprPtr value, Rule *context);
  StmtPtr placeStatement(P::PlaceStatementContext *context);
  void reportUnknown(Span span);
  StmtPtr roleBlock(ast::ExprPtr call, P::PlaceStatementContext *context);
  ast::MatchArm arm(P::ArmContext *context);
  ast::Pattern pattern(P::PatternContext *context);

  // BuildExpressions.cpp
  ast::ExprPtr expression(P::ExpressionContext *context);
  ast::ExprPtr primary(P::PrimaryContext *context);
  ast::ExprPtr postfix(P::PostfixContext *context);
  ast::ExprPtr place(P::PlaceContext *context);
  ast::ExprPtr suffixes(ast::ExprPtr base,
                        const std::vector<P::SuffixContext *> &list);
  ast::ExprPtr suffix(ast::ExprPtr base, P::SuffixContext *context);
  ast::ExprPtr literal(P::LiteralContext *context);
  ast::ExprPtr map(P::MapExpressionContext *context);
  ast::ExprPtr hole(P::HoleExpressionContext *context);
  ast::ExprPtr fork(P::ForkExpressionContext *context);
  ast::ExprPtr ifExpression(P::IfExpressionContext *context);
  ast::ExprPtr nameExpression(const ast::Name &name);
  std::vector<ast::Arg> arguments(P::ArgumentsContext *context);
  std::vector<ast::ExprPtr>
  expressions(const std::vector<P::ExpressionContext *> &list);
  friend class Climber;

  // BuildText.cpp
  friend class TextReader;
  ast::ExprPtr textLiteral(P::TextContext *context);
  /// The value of a text that may hold no `${}`; nothing if it has errors.
  std::optional<std::string> constantText(P::TextContext *context);

  // Builder.cpp
  Span spanOf(Rule *context) const;
  Span spanOf(const antlr4::Token *token) const;
  std::string_view wordAt(Span span) const {
    return text.substr(span.begin, span.size());
  }
  ast::Name name(Rule *context) const;
  std::optional<ast::Name> optionalName(Rule *context) const;
  std::vector<ast::Name> qualified(P::QualifiedNameContext *context) const;
  ast::ExprPtr make(ast::ExprKind kind, Span span) const;
  StmtPtr make(ast::StmtKind kind, Rule *context) const;
  ast::ExprPtr errorAt(Rule *context) const;
  bool tooDeep(Span span);

  std::string_view text;
  const Words &words;
  SyntaxLog &log;
  size_t depth = 0;
  bool deepReported = false;
  size_t itemEnd = 0; ///< where the next item begins
};

} // namespace sgl::syntax
