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
