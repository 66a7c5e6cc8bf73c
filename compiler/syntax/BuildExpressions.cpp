// Expressions: precedence, chains, calls.

#include "compiler/syntax/Builder.h"
#include "compiler/syntax/Precedence.h"

#include <algorithm>

namespace sgl::syntax {

using namespace ast;

/// Precedence climbing over the flat list that the grammar gives.
class Climber {
public:
  Climber(Builder &builder, SglParser::ExpressionContext *context)
      : builder(builder), operands(context->operand()),
        operators(context->binaryOperator()) {
    for (auto *operand : operands) {
      std::vector<size_t> prefixes;
      for (auto *child : operand->children) {
        auto *leaf = dynamic_cast<antlr4::tree::TerminalNode *>(child);
        if (!leaf)
          break;
        prefixes.push_back(leaf->getSymbol()->getType());
      }
      length += prefixes.size() + 1;
      prefixesOf.push_back(std::move(prefixes));
    }
  }

  /// Upper bound of the levels of tree that the list makes.
  size_t levels() const { return length; }

  ExprPtr climb(int least) {
    ExprPtr left = operand();
    while (current < operators.size()) {
      BinaryOp op = binaryOperator(operators[current]);
      int level = precedenceOf(op);
      if (level < least || current + 1 >= operands.size())
        break;
      ++current;
      prefix = 0;
      ExprPtr right = climb(level + 1);
      ExprPtr both =
          builder.make(ExprKind::Binary, Span::join(left->span, right->span));
      both->binary = op;
      both->children.push_back(std::move(left));
      both->children.push_back(std::move(right));
      left = std::move(both);
    }
    return left;
  }

private:
  static BinaryOp binaryOperator(SglParser::BinaryOperatorContext *context) {
    bool negated = context->NOT() != nullptr;
    return negated ? BinaryOp::NotIn
                   : binaryOpOf(context->getStart()->getType());
  }

  /// The current operand with its prefixes from `prefix` on.
  ExprPtr operand() {
    const std::vector<size_t> &prefixes = prefixesOf[current];
    auto *context = operands[current];
    if (prefix == prefixes.size())
      return builder.postfix(context->postfix());
    auto *sign =
        dynamic_cast<antlr4::tree::TerminalNode *>(context->children[prefix]);
    Span at = builder.spanOf(sign->getSymbol());
    bool isNot = prefixes[prefix] == SglLexer::NOT;
    ++prefix;
    ExprPtr inner = isNot ? climb(precedenceOfNot) : operand();
    ExprPtr result = builder.make(ExprKind::Unary, Span::join(at, inner->span));
    result->unary = isNot ? UnaryOp::Not : UnaryOp::Minus;
    result->children.push_back(std::move(inner));
    return result;
  }

  Builder &builder;
  std::vector<SglParser::OperandContext *> operands;
  std::vector<SglParser::BinaryOperatorContext *> operators;
  std::vector<std::vector<size_t>> prefixesOf;
  size_t current = 0, prefix = 0, length = 0;
};

ExprPtr Builder::expression(P::ExpressionContext *context) {
  if (!context || context->operand().empty())
    return errorAt(context);
  Climber climber(*this, context);
  depth += climber.levels();
  ExprPtr result =
      tooDeep(spanOf(context)) ? errorAt(context) : climber.climb(0);
  depth -= climber.levels();
  return result;
}

std::vector<ExprPtr>
Builder::expressions(const std::vector<P::ExpressionContext *> &list) {
  std::vector<ExprPtr> result;
  for (auto *entry : list)
    result.push_back(expression(entry));
  return result;
}

ExprPtr Builder::nameExpression(const Name &name) {
  ExprPtr result =
      make(name.text.empty() ? ExprKind::Error : ExprKind::Name, name.span);
  result->text = name.text;
  result->nameSpan = name.span;
  return result;
}

ExprPtr Builder::primary(P::PrimaryContext *context) {
  if (!context)
    return make(ExprKind::Error, log.span(0, 0));
  if (auto *node = context->literal())
    return literal(node);
  if (auto *node = context->name())
    return nameExpression(name(node));
  if (auto *node = context->text())
    return textLiteral(node);
  if (auto *node = context->group())
    return expression(node->expression());
  if (auto *node = context->listExpression()) {
    ExprPtr result = make(ExprKind::List, spanOf(node));
    result->children = expressions(node->expression());
    return result;
  }
  if (auto *node = context->mapExpression())
    return map(node);
  if (auto *node = context->holeExpression())
    return hole(node);
  if (auto *node = context->forkExpression())
    return fork(node);
  if (auto *node = context->ifExpression())
    return ifExpression(node);
  return errorAt(context);
}

ExprPtr Builder::literal(P::LiteralContext *context) {
  Span span = spanOf(context);
  if (context->NULL_())
    return make(ExprKind::Null, span);
  if (context->TRUE() || context->FALSE()) {
    ExprPtr result = make(ExprKind::Bool, span);
    result->truth = context->TRUE() != nullptr;
    return result;
  }
  ExprPtr result =
      make(context->FLOAT() ? ExprKind::Float : ExprKind::Int, span);
  result->text = std::string(wordAt(span));
  std::erase(result->text, '_');
  return result;
}

ExprPtr Builder::postfix(P::PostfixContext *context) {
  if (!context)
    return make(ExprKind::Error, log.span(0, 0));
  return suffixes(primary(context->primary()), context->suffix());
}

ExprPtr Builder::place(P::PlaceContext *context) {
  if (!context)
    return make(ExprKind::Error, log.span(0, 0));
  return suffixes(nameExpression(name(context->name())), context->suffix());
}

ExprPtr Builder::suffixes(ExprPtr base,
                          const std::vector<P::SuffixContext *> &list) {
  depth += list.size();
  if (tooDeep(base->span)) {
    base->kind = ExprKind::Error;
  } else {
    for (auto *entry : list)
      base = suffix(std::move(base), entry);
  }
  depth -= list.size();
  return base;
}

/// .name · [index] · (arguments)
ExprPtr Builder::suffix(ExprPtr base, P::SuffixContext *context) {
  Span span = Span::join(base->span, spanOf(context));
  ExprKind kind = context->arguments()      ? ExprKind::Call
                  : context->LEFT_BRACKET() ? ExprKind::Index
                                            : ExprKind::Field;
  ExprPtr result = make(kind, span);
  if (kind == ExprKind::Call) {
    result->nameSpan = base->span;
    result->args = arguments(context->arguments());
  }
  result->children.push_back(std::move(base));
  if (kind == ExprKind::Index)
    result->children.push_back(expression(context->expression()));
  if (kind == ExprKind::Field) {
    Name field = name(context->member());
    result->text = field.text;
    result->nameSpan = field.span;
    if (field.text.empty())
      result->kind = ExprKind::Error;
  }
  return result;
}

std::vector<Arg> Builder::arguments(P::ArgumentsContext *context) {
  std::vector<Arg> result;
  if (!context)
    return result;
  for (auto *entry : context->argument()) {
    Arg arg;
    arg.label = optionalName(entry->member());
    arg.value = expression(entry->expression());
    result.push_back(std::move(arg));
  }
  return result;
}

ExprPtr Builder::map(P::MapExpressionContext *context) {
  ExprPtr result = make(ExprKind::Map, spanOf(context));
  for (auto *entry : context->mapEntry()) {
    if (!entry->text())
      continue;
    result->keys.push_back(textLiteral(entry->text()));
    result->children.push_back(expression(entry->expression()));
  }
  return result;
}

/// gen(…) as name: Type · select(…) as name
ExprPtr Builder::hole(P::HoleExpressionContext *context) {
  bool isSelect = context->word && context->word->getType() == SglLexer::SELECT;
  ExprPtr result =
      make(isSelect ? ExprKind::Select : ExprKind::Gen, spanOf(context));
  if (context->word)
    result->nameSpan = spanOf(context->word);
  result->args = arguments(context->arguments());
  result->capture = optionalName(context->name());
  if (!context->type())
    return result;
  result->captureType = type(context->type());
  if (isSelect)
    log.error("E0100", result->captureType->span,
              "a `select` takes no type: its choices are the type")
        .label("leave this out");
  return result;
}

/// fork(s, n) · fork s as f for x in xs { … }
ExprPtr Builder::fork(P::ForkExpressionContext *context) {
  Span span = spanOf(context);
  std::vector<Arg> args;
  if (context->arguments())
    args = arguments(context->arguments());
  auto *branch = context->forkBranch();
  if (!branch) {
    ExprPtr result =
        make(context->arguments() ? ExprKind::Fork : ExprKind::Error, span);
    result->nameSpan = spanOf(context->getStart());
    result->args = std::move(args);
    return result;
  }
  ExprPtr result = make(ExprKind::ForkBlock, span);
  result->nameSpan = spanOf(context->getStart());
  auto made = std::make_unique<ForkBlock>();
  made->span = span;
  if (context->place()) {
    made->source = place(context->place());
  } else if (args.size() == 1 && !args.front().label) {
    made->source = std::move(args.front().value);
  } else {
    log.error("E0100", spanOf(context->arguments()),
              "a fork with a block takes one state")
        .label("write `fork s as f { … }`");
    made->source = errorAt(context->arguments());
  }
  made->branch = name(branch->branch);
  made->loopName = optionalName(branch->element);
  if (branch->FOR())
    made->list = expression(branch->expression());
  made->body = std::make_unique<Block>(block(branch->block()));
  result->fork = std::move(made);
  if (result->fork->branch.text.empty() ||
      (result->fork->list && !result->fork->loopName))
    result->kind = ExprKind::Error;
  return result;
}

ExprPtr Builder::ifExpression(P::IfExpressionContext *context) {
  std::vector<P::IfExpressionContext *> chain;
  for (auto *link = context; link; link = link->ifExpression())
    chain.push_back(link);
  depth += chain.size();
  ExprPtr result;
  if (tooDeep(spanOf(context)))
    chain.clear();
  auto side = [&](P::BracedContext *braced) {
    return braced ? expression(braced->expression()) : errorAt(context);
  };
  for (size_t i = chain.size(); i-- > 0;) {
    ExprPtr link = make(ExprKind::If, spanOf(chain[i]));
    link->children.push_back(expression(chain[i]->expression()));
    link->children.push_back(side(chain[i]->then));
    link->children.push_back(result ? std::move(result)
                                    : side(chain[i]->otherwise));
    result = std::move(link);
  }
  depth -= chain.size();
  return result ? std::move(result) : errorAt(context);
}

} // namespace sgl::syntax
