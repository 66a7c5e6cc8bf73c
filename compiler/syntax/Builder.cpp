// What all parts of the builder share: places, names, nodes, the depth.
#include "compiler/syntax/Builder.h"

namespace sgl::syntax {

using namespace ast;

Span Builder::spanOf(const antlr4::Token *token) const {
  // Words that the parser made up in place of missing ones have no place.
  if (!token || token->getStartIndex() == INVALID_INDEX)
    return log.span(0, 0);
  return syntax::spanOf(token, log);
}

Span Builder::spanOf(Rule *context) const {
  if (!context || !context->getStart())
    return log.span(0, 0);
  Span begin = spanOf(context->getStart());
  if (!context->getStop() ||
      context->getStop()->getStartIndex() == INVALID_INDEX)
    return begin;
  Span end = spanOf(context->getStop());
  return end.end < begin.begin ? log.span(begin.begin, begin.begin)
                               : log.span(begin.begin, end.end);
}

/// Empty where the name is missing.
Name Builder::name(Rule *context) const {
  Span span = spanOf(context);
  return {std::string(wordAt(span)), span};
}

std::optional<Name> Builder::optionalName(Rule *context) const {
  if (!context)
    return std::nullopt;
  Name found = name(context);
  return found.text.empty() ? std::nullopt : std::optional(found);
}

std::vector<Name> Builder::qualified(P::QualifiedNameContext *context) const {
  std::vector<Name> path;
  if (!context)
    return path;
  if (context->name())
    path.push_back(name(context->name()));
  for (auto *part : context->member())
    path.push_back(name(part));
  return path;
}

ExprPtr Builder::make(ExprKind kind, Span span) const {
  auto expr = std::make_unique<Expr>();
  expr->kind = kind;
  expr->span = span;
  return expr;
}

Builder::StmtPtr Builder::make(StmtKind kind, Rule *context) const {
  auto stmt = std::make_unique<Stmt>();
  stmt->kind = kind;
  stmt->span = spanOf(context);
  return stmt;
}

ExprPtr Builder::errorAt(Rule *context) const {
  return make(ExprKind::Error, spanOf(context));
}

/// Is the tree too deep for the stages that follow? Says so once.
bool Builder::tooDeep(Span span) {
  if (depth <= deepestTree)
    return false;
  if (!deepReported)
    log.error("E0111", span, "this expression is too long or nests too deep")
        .label("more than 1,000 levels")
        .note("give parts of it a name with `let`");
  deepReported = true;
  return true;
}

} // namespace sgl::syntax
