// Expressions of the template language, from the loosest operator down:
//   x if y else z  <  or  <  and  <  not  <  comparisons and `in`  <  + -
//   <  ~  <  * / // %  <  **  <  unary + -  <  postfix . [] () | is
#include "runtime/text/JinjaParser.h"

#include <algorithm>

namespace sgl::jinja {

ExprPtr Parser::make(ExprKind kind, std::string text) {
  auto node = std::make_unique<Expr>();
  node->kind = kind;
  node->line = current().line;
  node->text = std::move(text);
  return node;
}

void Parser::deepen(Expr &parent, const Expr *child) {
  if (!child)
    return;
  parent.depth = std::max(parent.depth, child->depth + 1);
  if (parent.depth > maxDepth)
    fail(ErrorClass::Limit, "an expression is deeper than " +
                                std::to_string(maxDepth) + " operators");
}

void Parser::adopt(Expr &parent, ExprPtr child) {
  deepen(parent, child.get());
  parent.children.push_back(std::move(child));
}

ExprPtr Parser::binary(ExprKind kind, ExprPtr left, ExprPtr right,
                       std::string text) {
  ExprPtr node = make(kind, std::move(text));
  adopt(*node, std::move(left));
  adopt(*node, std::move(right));
  return node;
}

ExprPtr Parser::parseExpression() {
  Nest nest(*this);
  bool outer = soft;
  ExprPtr value = parseOr();
  while (!failed() && skipName("if")) {
    ExprPtr node = make(ExprKind::Condition);
    soft = true;
    ExprPtr test = parseOr();
    ExprPtr other = skipName("else") ? parseExpression() : nullptr;
    soft = outer;
    adopt(*node, std::move(value));
    adopt(*node, std::move(test));
    adopt(*node, std::move(other));
    value = std::move(node);
  }
  return value;
}

/// One expression, or several with commas as a tuple. `ends` are names behind
/// which no element follows.
ExprPtr Parser::parseTuple(Names ends, Element element, bool inParentheses) {
  Nest nest(*this);
  ExprPtr tuple = make(ExprKind::Tuple);
  bool comma = false;
  auto ended = [&] {
    const Token &t = current();
    if (t.kind == TokenKind::VariableEnd || t.kind == TokenKind::BlockEnd ||
        t.kind == TokenKind::End || isOperator(")"))
      return true;
    return t.kind == TokenKind::Name &&
           std::find(ends.begin(), ends.end(), t.text) != ends.end();
  };
  while (!failed() && !ended()) {
    adopt(*tuple, element == Element::Any           ? parseExpression()
                  : element == Element::NoCondition ? parseOr()
                                                    : parsePrimary());
    if (!isOperator(","))
      break;
    comma = true;
    next();
  }
  if (comma || failed())
    return tuple;
  if (tuple->children.empty()) {
    if (!inParentheses)
      fail("expected an expression, got " + describe(current()));
    return tuple;
  }
  return std::move(tuple->children[0]);
}

ExprPtr Parser::parseOr() {
  ExprPtr left = parseAnd();
  while (skipName("or"))
    left = binary(ExprKind::Or, std::move(left), parseAnd());
  return left;
}

ExprPtr Parser::parseAnd() {
  ExprPtr left = parseNot();
  while (skipName("and"))
    left = binary(ExprKind::And, std::move(left), parseNot());
  return left;
}

ExprPtr Parser::parseNot() {
  if (!isName("not"))
    return parseCompare();
  Nest nest(*this);
  ExprPtr node = make(ExprKind::Not);
  next();
  adopt(*node, parseNot());
  return node;
}

ExprPtr Parser::parseCompare() {
  ExprPtr first = parseSum();
  ExprPtr node;
  auto grow = [&](std::string op) {
    if (!node) {
      node = make(ExprKind::Compare);
      adopt(*node, std::move(first));
    }
    node->operators.push_back(std::move(op));
    adopt(*node, parseSum());
  };
  static constexpr std::string_view operators[] = {"==", "!=", "<",
                                                   "<=", ">",  ">="};
  while (!failed()) {
    const Token &t = current();
    bool isNotIn = isName("not") && ahead().kind == TokenKind::Name &&
                   ahead().text == "in";
    if (t.kind == TokenKind::Operator &&
        std::find(std::begin(operators), std::end(operators), t.text) !=
            std::end(operators)) {
      std::string op = t.text;
      next();
      grow(op);
    } else if (skipName("in")) {
      grow("in");
    } else if (isNotIn) {
      next();
      next();
      grow("not in");
    } else {
      break;
    }
  }
  return node ? std::move(node) : std::move(first);
}

ExprPtr Parser::parseSum() {
  ExprPtr left = parseConcat();
  while (isOperator("+") || isOperator("-")) {
    std::string op = current().text;
    next();
    left = binary(ExprKind::Binary, std::move(left), parseConcat(), op);
  }
  return left;
}

ExprPtr Parser::parseConcat() {
  ExprPtr first = parseProduct();
  if (!isOperator("~"))
    return first;
  ExprPtr node = make(ExprKind::Concat);
  adopt(*node, std::move(first));
  while (skipOperator("~"))
    adopt(*node, parseProduct());
  return node;
}

ExprPtr Parser::parseProduct() {
  ExprPtr left = parsePower();
  while (isOperator("*") || isOperator("/") || isOperator("//") ||
         isOperator("%")) {
    std::string op = current().text;
    next();
    left = binary(ExprKind::Binary, std::move(left), parsePower(), op);
  }
  return left;
}

/// Left-associative, and tighter than the unary minus in front: as Jinja does.
ExprPtr Parser::parsePower() {
  ExprPtr left = parseUnary();
  while (skipOperator("**"))
    left = binary(ExprKind::Binary, std::move(left), parseUnary(), "**");
  return left;
}

ExprPtr Parser::parseUnary(bool withFilter) {
  Nest nest(*this);
  ExprPtr node;
  if (isOperator("-") || isOperator("+")) {
    node = make(isOperator("-") ? ExprKind::Negative : ExprKind::Positive);
    next();
    adopt(*node, parseUnary(false));
  } else {
    node = parsePrimary();
  }
  node = parsePostfix(std::move(node));
  return withFilter ? parseFilters(std::move(node)) : std::move(node);
}

ExprPtr Parser::parsePrimary() {
  Nest nest(*this);
  const Token token = current();
  ExprPtr node = make(ExprKind::Constant);
  if (token.kind == TokenKind::Name) {
    next();
    if (token.text == "true" || token.text == "True")
      node->value = Value(true);
    else if (token.text == "false" || token.text == "False")
      node->value = Value(false);
    else if (token.text == "none" || token.text == "None")
      node->value = Value(None{});
    else {
      node->kind = ExprKind::Name;
      node->text = token.text;
      seeName(token.text);
    }
    return node;
  }
  if (token.kind == TokenKind::String) {
    std::string text;
    for (; current().kind == TokenKind::String; next())
      text += current().text;
    node->value = makeText(text);
    return node;
  }
  if (token.kind == TokenKind::Integer || token.kind == TokenKind::Float) {
    node->value = token.kind == TokenKind::Integer ? Value(token.integer)
                                                   : Value(token.number);
    next();
    return node;
  }
  if (skipOperator("(")) {
    ExprPtr inner = parseTuple({}, Element::Any, true);
    expectOperator(")");
    return inner;
  }
  if (isOperator("["))
    return parseList();
  if (isOperator("{"))
    return parseDict();
  fail("expected an expression, got " + describe(token));
  return node;
}

ExprPtr Parser::parseList() {
  ExprPtr node = make(ExprKind::List);
  next();
  while (!failed() && !isOperator("]")) {
    if (!node->children.empty())
      expectOperator(",");
    if (isOperator("]"))
      break;
    adopt(*node, parseExpression());
  }
  expectOperator("]");
  return node;
}

ExprPtr Parser::parseDict() {
  ExprPtr node = make(ExprKind::Dict);
  next();
  while (!failed() && !isOperator("}")) {
    if (!node->children.empty())
      expectOperator(",");
    if (isOperator("}"))
      break;
    adopt(*node, parseExpression());
    expectOperator(":");
    adopt(*node, parseExpression());
  }
  expectOperator("}");
  return node;
}

} // namespace sgl::jinja
