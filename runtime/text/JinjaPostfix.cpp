// What stands behind an operand: attributes, items, calls, filters and tests.
#include "runtime/text/JinjaParser.h"

namespace sgl::jinja {

ExprPtr Parser::parsePostfix(ExprPtr base) {
  while (!failed()) {
    if (isOperator(".") || isOperator("[")) {
      base = parseSubscript(std::move(base));
    } else if (isOperator("(")) {
      ExprPtr call = make(ExprKind::Call);
      adopt(*call, std::move(base));
      parseArguments(*call);
      base = std::move(call);
    } else {
      break;
    }
  }
  return base;
}

ExprPtr Parser::parseFilters(ExprPtr base) {
  while (!failed()) {
    if (skipOperator("|")) {
      base = parseFilter(std::move(base));
    } else if (skipName("is")) {
      base = parseTest(std::move(base));
    } else if (isOperator("(")) {
      ExprPtr call = make(ExprKind::Call);
      adopt(*call, std::move(base));
      parseArguments(*call);
      base = std::move(call);
    } else {
      break;
    }
  }
  return base;
}

ExprPtr Parser::parseSubscript(ExprPtr base) {
  if (skipOperator(".")) {
    if (current().kind == TokenKind::Integer) {
      ExprPtr item = make(ExprKind::Item);
      ExprPtr index = make(ExprKind::Constant);
      index->value = Value(current().integer);
      next();
      adopt(*item, std::move(base));
      adopt(*item, std::move(index));
      return item;
    }
    ExprPtr node = make(ExprKind::Attribute, expectName());
    adopt(*node, std::move(base));
    return node;
  }
  next(); // "["
  ExprPtr index = parseIndex();
  if (isOperator(","))
    fail(ErrorClass::Unsupported, "several indexes in one [] are not "
                                  "supported");
  expectOperator("]");
  if (failed())
    return index;
  if (index->kind == ExprKind::Slice) {
    deepen(*index, base.get());
    index->children[0] = std::move(base);
    return index;
  }
  ExprPtr item = make(ExprKind::Item);
  adopt(*item, std::move(base));
  adopt(*item, std::move(index));
  return item;
}

/// What stands in brackets: an expression, or a slice whose first child is
/// left null for the caller.
ExprPtr Parser::parseIndex() {
  ExprPtr slice = make(ExprKind::Slice);
  slice->children.resize(4);
  if (!isOperator(":")) {
    ExprPtr first = parseExpression();
    if (!isOperator(":"))
      return first;
    deepen(*slice, first.get());
    slice->children[1] = std::move(first);
  }
  next(); // ":"
  for (size_t i = 2; i < 4 && !failed(); ++i) {
    if (!isOperator(":") && !isOperator("]")) {
      slice->children[i] = parseExpression();
      deepen(*slice, slice->children[i].get());
    }
    if (!skipOperator(":"))
      break;
  }
  return slice;
}

std::string Parser::parseDottedName() {
  std::string name = expectName();
  while (skipOperator("."))
    name += "." + expectName();
  return name;
}

ExprPtr Parser::parseFilter(ExprPtr base) {
  ExprPtr node = make(ExprKind::Filter);
  node->text = parseDottedName();
  if (isRefusedFilter(node->text))
    fail(ErrorClass::Unsupported,
         "the filter '" + node->text + "' is not supported");
  else if (!isFilter(node->text) && !soft)
    fail("no filter named '" + node->text + "'");
  adopt(*node, std::move(base));
  if (isOperator("("))
    parseArguments(*node);
  return node;
}

ExprPtr Parser::parseTest(ExprPtr base) {
  bool negated = skipName("not");
  ExprPtr node = make(ExprKind::Test);
  node->text = parseDottedName();
  if (!isTest(node->text) && !soft)
    fail("no test named '" + node->text + "'");
  adopt(*node, std::move(base));
  const Token &t = current();
  if (isOperator("(")) {
    parseArguments(*node);
  } else if (t.kind == TokenKind::String || t.kind == TokenKind::Integer ||
             t.kind == TokenKind::Float || isOperator("[") || isOperator("{") ||
             (t.kind == TokenKind::Name && t.text != "else" && t.text != "or" &&
              t.text != "and")) {
    if (isName("is"))
      fail("tests cannot be chained with 'is'");
    ExprPtr argument = parsePostfix(parsePrimary());
    deepen(*node, argument.get());
    node->arguments.push_back(std::move(argument));
  }
  if (!negated)
    return node;
  ExprPtr inverse = make(ExprKind::Not);
  adopt(*inverse, std::move(node));
  return inverse;
}

void Parser::parseArguments(Expr &call) {
  next(); // "("
  bool first = true;
  while (!failed() && !isOperator(")")) {
    if (!first)
      expectOperator(",");
    first = false;
    if (isOperator(")"))
      break;
    if (skipOperator("**")) {
      call.spreadNamed = parseExpression();
      deepen(call, call.spreadNamed.get());
    } else if (skipOperator("*")) {
      call.spread = parseExpression();
      deepen(call, call.spread.get());
    } else if (current().kind == TokenKind::Name &&
               ahead().kind == TokenKind::Operator && ahead().text == "=") {
      std::string name = expectName();
      next(); // "="
      ExprPtr value = parseExpression();
      deepen(call, value.get());
      call.named.emplace_back(std::move(name), std::move(value));
    } else {
      if (!call.named.empty() || call.spreadNamed)
        fail("a positional argument follows a named one");
      ExprPtr value = parseExpression();
      deepen(call, value.get());
      call.arguments.push_back(std::move(value));
    }
  }
  expectOperator(")");
}

} // namespace sgl::jinja
