// Blocks, statements, patterns.

#include "compiler/syntax/Builder.h"

#include <algorithm>

namespace sgl::syntax {

using namespace ast;

Block Builder::block(P::BlockContext *context) {
  Block result;
  result.span = spanOf(context);
  if (!context)
    return result;
  for (auto *entry : context->statement())
    if (StmtPtr made = statement(entry))
      result.statements.push_back(std::move(made));
  return result;
}

/// Null for a statement of which too little could be read.
Builder::StmtPtr Builder::statement(P::StatementContext *context) {
  if (!context || context->children.empty())
    return nullptr;
  if (auto *node = context->letStatement())
    return binding(StmtKind::Let, node, node->name(), node->type(),
                   node->expression());
  if (auto *node = context->varStatement())
    return binding(StmtKind::Var, node, node->name(), node->type(),
                   node->expression());
  if (auto *node = context->placeStatement())
    return placeStatement(node);
  if (auto *node = context->extendStatement()) {
    StmtPtr result = make(StmtKind::Extend, node);
    result->place = place(node->place());
    if (node->parts())
      result->parts = expressions(node->parts()->expression());
    return result;
  }
  if (auto *node = context->ifStatement())
    return ifStatement(node);
  if (auto *node = context->matchStatement())
    return matchStatement(node);
  if (auto *node = context->forStatement()) {
    StmtPtr result =
        loop(StmtKind::For, node, node->expression(), node->block());
    result->name = name(node->name());
    return result->name.text.empty() ? nullptr : std::move(result);
  }
  if (auto *node = context->whileStatement())
    return loop(StmtKind::While, node, node->expression(), node->block());
  if (auto *node = context->forkExpression())
    return callStatement(fork(node), context);
  if (auto *node = context->holeExpression())
    return callStatement(hole(node), context);
  if (auto *node = context->parallelStatement()) {
    StmtPtr result = make(StmtKind::Parallel, node);
    result->body = block(node->block());
    return result;
  }
  if (auto *node = context->retryStatement())
    return retryStatement(node);
  if (auto *node = context->joinStatement())
    return joinStatement(node);
  if (auto *node = context->returnStatement()) {
    StmtPtr result = make(StmtKind::Return, node);
    if (node->expression())
      result->value = expression(node->expression());
    return result;
  }
  if (context->breakStatement())
    return make(StmtKind::Break, context);
  if (context->continueStatement())
    return make(StmtKind::Continue, context);
  if (auto *node = context->expectStatement())
    return checkStatement(StmtKind::Expect, node, node->expression());
  if (auto *node = context->assertStatement())
    return checkStatement(StmtKind::Assert, node, node->expression());
  return nullptr;
}

Builder::StmtPtr Builder::binding(StmtKind kind, Rule *context,
                                  P::NameContext *nameNode,
                                  P::TypeContext *typeNode,
                                  P::ExpressionContext *value) {
  StmtPtr result = make(kind, context);
  result->name = name(nameNode);
  if (result->name.text.empty())
    return nullptr;
  if (typeNode)
    result->declaredType = type(typeNode);
  result->value = expression(value);
  return result;
}

Builder::StmtPtr Builder::loop(StmtKind kind, Rule *context,
                               P::ExpressionContext *value,
                               P::BlockContext *body) {
  StmtPtr result = make(kind, context);
  // Where the block is not found, the value goes on in a way not understood.
  bool isWhole = body && !body->exception;
  result->value = isWhole ? expression(value) : errorAt(value);
  result->body = block(body);
  return result;
}

/// A chain of `else if` is read from its end, so that its length costs no
/// stack.
Builder::StmtPtr Builder::ifStatement(P::IfStatementContext *context) {
  std::vector<P::IfStatementContext *> chain;
  for (auto *link = context; link; link = link->ifStatement())
    chain.push_back(link);
  StmtPtr result;
  depth += chain.size();
  if (tooDeep(spanOf(context))) {
    depth -= chain.size();
    return nullptr;
  }
  for (size_t i = chain.size(); i-- > 0;) {
    StmtPtr link = loop(StmtKind::If, chain[i], chain[i]->expression(),
                        chain[i]->block(0));
    if (result) {
      link->otherwise = std::make_unique<Block>();
      link->otherwise->span = result->span;
      link->otherwise->statements.push_back(std::move(result));
    } else if (chain[i]->otherwise) {
      link->otherwise = std::make_unique<Block>(block(chain[i]->otherwise));
    }
    result = std::move(link);
  }
  depth -= chain.size();
  return result;
}

Builder::StmtPtr Builder::matchStatement(P::MatchStatementContext *context) {
  StmtPtr result = make(StmtKind::Match, context);
  result->value = expression(context->expression());
  for (auto *entry : context->arm())
    result->arms.push_back(arm(entry));
  return result;
}

Builder::StmtPtr Builder::retryStatement(P::RetryStatementContext *context) {
  StmtPtr result =
      loop(StmtKind::Retry, context, context->expression(), context->block(0));
  if (context->otherwise)
    result->otherwise = std::make_unique<Block>(block(context->otherwise));
  return result;
}

Builder::StmtPtr Builder::joinStatement(P::JoinStatementContext *context) {
  StmtPtr result = make(StmtKind::Join, context);
  if (context->expression())
    result->value = expression(context->expression());
  if (context->place())
    result->place = place(context->place());
  return result;
}

Builder::StmtPtr
Builder::checkStatement(StmtKind kind, Rule *context,
                        std::vector<P::ExpressionContext *> list) {
  StmtPtr result = make(kind, context);
  result->value = list.empty() ? errorAt(context) : expression(list.front());
  if (list.size() > 1)
    result->message = expression(list[1]);
  return result;
}

/// A value that stands alone: a call, a fork with a body, or a part that lies
/// outside of `+=` (which check refuses).
Builder::StmtPtr Builder::callStatement(ExprPtr value, Rule *context) {
  bool isBlock = value->kind == ExprKind::ForkBlock;
  StmtPtr result =
      make(isBlock ? StmtKind::ForkBlock : StmtKind::Call, context);
  if (isBlock)
    result->fork = std::move(value->fork);
  else
    result->value = std::move(value);
  return result;
}

/// What begins such a statement here, for words of other languages.
static const char *ourWordFor(std::string_view word) {
  struct Habit {
    std::string_view theirs;
    const char *ours;
  };
  constexpr Habit habits[] = {
      {"foreach", "for"},  {"loop", "while"},     {"until", "while"},
      {"switch", "match"}, {"case", "match"},     {"const", "let"},
      {"val", "let"},      {"mut", "var"},        {"def", "fn"},
      {"func", "fn"},      {"function", "fn"},    {"elif", "else if"},
      {"try", "retry"},    {"require", "expect"}, {"ret", "return"}};
  for (const Habit &habit : habits)
    if (habit.theirs == word)
      return habit.ours;
  return nullptr;
}

Builder::StmtPtr Builder::placeStatement(P::PlaceStatementContext *context) {
  ExprPtr target = place(context->place());
  if (target->kind == ExprKind::Error)
    return nullptr;
  if (context->EQUALS()) {
    StmtPtr result = make(StmtKind::Assign, context);
    result->place = std::move(target);
    result->value = expression(context->expression());
    return result;
  }
  if (context->PLUS_EQUALS()) {
    StmtPtr result = make(StmtKind::Extend, context);
    result->place = std::move(target);
    if (context->parts())
      result->parts = expressions(context->parts()->expression());
    return result;
  }
  if (context->block())
    return roleBlock(std::move(target), context);
  if (target->kind == ExprKind::Call)
    return callStatement(std::move(target), context);
  if (target->kind == ExprKind::Name)
    reportUnknown(target->span);
  else
    log.error("E0100", target->span, "this value is not used")
        .label("only a call may stand alone");
  return nullptr;
}

/// A word that stands where a statement should.
void Builder::reportUnknown(Span span) {
  std::string word(wordAt(span));
  Diagnostic &error =
      log.error("E0106", span, "unknown statement `" + word + "`")
          .label("no statement begins with this word");
  if (const char *ours = ourWordFor(word))
    error.suggest(span, ours, std::string("did you mean `") + ours + "`?");
}

/// user(s) { … } · role("name", s) { … }
Builder::StmtPtr Builder::roleBlock(ExprPtr call,
                                    P::PlaceStatementContext *context) {
  if (call->kind == ExprKind::Name) {
    reportUnknown(call->span);
    return nullptr;
  }
  bool isCall =
      call->kind == ExprKind::Call && call->children[0]->kind == ExprKind::Name;
  bool isRole = isCall && call->children[0]->text == "role";
  if (!isCall || call->args.size() != (isRole ? 2u : 1u)) {
    log.error("E0100", call->span, "a block cannot follow this")
        .label(isRole ? "a role's block is `role(\"name\", s) { … }`"
                      : "a turn's block is `user(s) { … }`");
    return nullptr;
  }
  StmtPtr result = make(StmtKind::RoleBlock, context);
  result->name = {call->children[0]->text, call->children[0]->span};
  if (isRole)
    result->message = std::move(call->args.front().value);
  result->place = std::move(call->args.back().value);
  result->body = block(context->block());
  return result;
}

MatchArm Builder::arm(P::ArmContext *context) {
  MatchArm result;
  result.span = spanOf(context);
  for (auto *entry : context->pattern())
    result.patterns.push_back(pattern(entry));
  if (context->block()) {
    result.body = block(context->block());
    return result;
  }
  result.body.span = spanOf(context->statement());
  if (StmtPtr made = statement(context->statement()))
    result.body.statements.push_back(std::move(made));
  return result;
}

Pattern Builder::pattern(P::PatternContext *context) {
  Pattern result;
  result.span = spanOf(context);
  if (auto *node = context->number()) {
    result.kind = PatternKind::Literal;
    std::string digits = number(node);
    bool isNegative = !digits.empty() && digits.front() == '-';
    result.literal =
        make(node->FLOAT() ? ExprKind::Float : ExprKind::Int, result.span);
    result.literal->text = digits.substr(isNegative ? 1 : 0);
    if (isNegative) {
      ExprPtr minus = make(ExprKind::Unary, result.span);
      minus->children.push_back(std::move(result.literal));
      result.literal = std::move(minus);
    }
  } else if (context->word) {
    result.kind = PatternKind::Literal;
    bool isNull = context->word->getType() == SglLexer::NULL_;
    result.literal =
        make(isNull ? ExprKind::Null : ExprKind::Bool, result.span);
    result.literal->truth = context->word->getType() == SglLexer::TRUE;
  } else if (auto *text = context->text()) {
    result.kind = PatternKind::Text;
    result.text = constantText(text).value_or("");
  } else if (auto *named = context->qualifiedName()) {
    result.path = qualified(named);
    bool isCall = context->nameList() != nullptr;
    bool isWildcard =
        !isCall && result.path.size() == 1 && result.path[0].text == "_";
    result.kind = isCall       ? PatternKind::Call
                  : isWildcard ? PatternKind::Wildcard
                               : PatternKind::Name;
    if (isCall)
      for (auto *field : context->nameList()->name())
        result.fields.push_back(name(field));
  }
  return result;
}

} // namespace sgl::syntax
