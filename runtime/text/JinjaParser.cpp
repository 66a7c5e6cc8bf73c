// Statements of the template language.
#include "runtime/text/JinjaParser.h"

#include <algorithm>

namespace sgl::jinja {

const Token &Parser::current() const {
  return hasFailed ? endToken : tokens[position];
}
const Token &Parser::ahead() const {
  return hasFailed || position + 1 >= tokens.size() ? endToken
                                                    : tokens[position + 1];
}

void Parser::fail(ErrorClass kind, std::string message) {
  if (hasFailed)
    return;
  failure = {kind, std::move(message), current().line};
  hasFailed = true;
}

Parser::Nest::Nest(Parser &parser) : parser(parser) {
  if (++parser.nesting > maxNesting)
    parser.fail(ErrorClass::Limit,
                "nested deeper than " + std::to_string(maxNesting) + " levels");
}

std::string Parser::describe(const Token &token) {
  switch (token.kind) {
  case TokenKind::End:
    return "the end of the template";
  case TokenKind::BlockEnd:
    return "the end of the statement";
  case TokenKind::VariableEnd:
    return "the end of the print statement";
  case TokenKind::String:
    return "a string";
  default:
    return "'" + token.text + "'";
  }
}

bool Parser::isOperator(std::string_view text) const {
  return current().kind == TokenKind::Operator && current().text == text;
}
bool Parser::isName(std::string_view text) const {
  return current().kind == TokenKind::Name && current().text == text;
}
bool Parser::skipOperator(std::string_view text) {
  bool found = isOperator(text);
  if (found)
    next();
  return found;
}
bool Parser::skipName(std::string_view text) {
  bool found = isName(text);
  if (found)
    next();
  return found;
}
void Parser::expectOperator(std::string_view text) {
  if (!skipOperator(text))
    fail("expected '" + std::string(text) + "', got " + describe(current()));
}
std::string Parser::expectName() {
  if (current().kind != TokenKind::Name) {
    fail("expected a name, got " + describe(current()));
    return "";
  }
  std::string name = current().text;
  next();
  return name;
}

/// A macro takes extra arguments only if its body reads their names.
void Parser::seeName(std::string_view name) {
  for (MacroBody *macro : macros) {
    macro->usesCaller |= name == "caller";
    macro->usesVarargs |= name == "varargs";
    macro->usesKwargs |= name == "kwargs";
  }
}

bool Parser::parse(std::vector<Stmt> &statements) {
  endToken.line = tokens.back().line;
  statements = parseBody({}, "");
  return !failed();
}

void Parser::endOfBlock() {
  if (current().kind != TokenKind::BlockEnd)
    fail("expected the end of the statement, got " + describe(current()));
  next();
}

/// Statements up to a tag in `ends`, whose name is then the current token; or
/// up to the end of the template when `ends` is empty.
std::vector<Stmt> Parser::parseBody(Names ends, std::string_view opener) {
  Nest nest(*this);
  std::vector<Stmt> out;
  while (!failed()) {
    const Token &token = current();
    if (token.kind == TokenKind::End) {
      if (ends.size() != 0)
        fail("the template ends inside '" + std::string(opener) + "'");
      break;
    }
    if (token.kind == TokenKind::Data) {
      Stmt stmt;
      stmt.line = token.line;
      stmt.text = token.text;
      out.push_back(std::move(stmt));
      next();
    } else if (token.kind == TokenKind::VariableBegin) {
      Stmt stmt;
      stmt.kind = StmtKind::Print;
      stmt.line = token.line;
      next();
      stmt.value = parseTuple();
      if (current().kind != TokenKind::VariableEnd)
        fail("expected the end of the print statement, got " +
             describe(current()));
      next();
      out.push_back(std::move(stmt));
    } else {
      next(); // BlockBegin
      if (current().kind != TokenKind::Name)
        fail("expected the name of a tag, got " + describe(current()));
      if (std::find(ends.begin(), ends.end(), current().text) != ends.end())
        break;
      parseStatement(out);
    }
  }
  return out;
}

void Parser::parseStatement(std::vector<Stmt> &out) {
  unsigned line = current().line;
  std::string tag = current().text;
  size_t first = out.size();
  if (tag == "if") {
    out.push_back(parseIf());
  } else if (tag == "for") {
    out.push_back(parseFor());
  } else if (tag == "set") {
    out.push_back(parseSet());
  } else if (tag == "macro") {
    out.push_back(parseMacro());
  } else if (tag == "call") {
    out.push_back(parseCallBlock());
  } else if (tag == "with") {
    out.push_back(parseWith());
  } else if (tag == "filter") {
    out.push_back(parseFilterBlock());
  } else if (tag == "generation") {
    out.push_back(parseScope("endgeneration"));
  } else if (tag == "break" || tag == "continue") {
    if (loops == 0)
      fail("'" + tag + "' outside of a loop");
    next();
    endOfBlock();
    Stmt stmt;
    stmt.kind = tag == "break" ? StmtKind::Break : StmtKind::Continue;
    out.push_back(std::move(stmt));
  } else if (tag == "include" || tag == "import" || tag == "from" ||
             tag == "extends") {
    out.push_back(parseNoLoader());
  } else if (tag == "block" || tag == "autoescape") {
    fail(ErrorClass::Unsupported, "the tag '" + tag + "' is not supported");
  } else {
    fail("unknown tag '" + tag + "'");
  }
  if (out.size() > first)
    out.back().line = line;
}

Stmt Parser::parseIf() {
  Stmt stmt;
  stmt.kind = StmtKind::If;
  bool outer = soft;
  do {
    next(); // if, elif
    Branch branch;
    branch.test = parseTuple({}, Element::NoCondition);
    endOfBlock();
    soft = true;
    branch.body = parseBody({"elif", "else", "endif"}, "if");
    soft = outer;
    stmt.branches.push_back(std::move(branch));
  } while (isName("elif") && !failed());
  if (skipName("else")) {
    endOfBlock();
    soft = true;
    stmt.otherwise = parseBody({"endif"}, "if");
    soft = outer;
  }
  next();
  endOfBlock();
  return stmt;
}

Stmt Parser::parseFor() {
  Stmt stmt;
  stmt.kind = StmtKind::For;
  next();
  stmt.target = parseTarget(true, false, {"in"});
  if (!skipName("in"))
    fail("expected 'in', got " + describe(current()));
  stmt.value = parseTuple({"recursive"}, Element::NoCondition);
  if (skipName("if"))
    stmt.test = parseExpression();
  stmt.recursive = skipName("recursive");
  endOfBlock();
  bool outer = soft;
  soft = false;
  ++loops;
  stmt.body = parseBody({"endfor", "else"}, "for");
  --loops;
  if (skipName("else")) {
    endOfBlock();
    stmt.otherwise = parseBody({"endfor"}, "for");
  }
  soft = outer;
  next();
  endOfBlock();
  return stmt;
}

Stmt Parser::parseSet() {
  Stmt stmt;
  stmt.kind = StmtKind::Set;
  next();
  stmt.target = parseTarget(true, true);
  if (skipOperator("=")) {
    stmt.value = parseTuple();
    endOfBlock();
    return stmt;
  }
  stmt.kind = StmtKind::SetBlock;
  stmt.value = make(ExprKind::BlockText);
  if (isOperator("|"))
    while (skipOperator("|"))
      stmt.value = parseFilter(std::move(stmt.value));
  endOfBlock();
  stmt.body = parseBody({"endset"}, "set");
  next();
  endOfBlock();
  return stmt;
}

/// What a `for`, `set` or `with` writes to: names, tuples of names, and for
/// `set` the attribute of a namespace.
ExprPtr Parser::parseTarget(bool withTuple, bool withNamespace, Names ends) {
  if (withNamespace && current().kind == TokenKind::Name &&
      ahead().kind == TokenKind::Operator && ahead().text == ".") {
    ExprPtr name = make(ExprKind::Name, expectName());
    next(); // "."
    ExprPtr attribute = make(ExprKind::Attribute, expectName());
    adopt(*attribute, std::move(name));
    return attribute;
  }
  ExprPtr target;
  if (withTuple) {
    size_t before = position;
    target = parseTuple(ends, Element::Primary);
    if (failed() && position == before)
      failure.message = "expected a name to assign to";
  } else {
    target = make(ExprKind::Name, expectName());
  }
  if (!failed())
    checkTarget(*target, withNamespace);
  return target;
}

void Parser::checkTarget(const Expr &target, bool withNamespace) {
  if (target.kind == ExprKind::Name)
    return;
  if (target.kind != ExprKind::Tuple)
    return fail("cannot assign to this expression");
  for (const ExprPtr &child : target.children)
    checkTarget(*child, withNamespace);
}

void Parser::parseSignature(MacroBody &macro) {
  expectOperator("(");
  while (!failed() && !isOperator(")")) {
    if (!macro.parameters.empty())
      expectOperator(",");
    macro.parameters.push_back(expectName());
    if (skipOperator("="))
      macro.defaults.push_back(parseExpression());
    else if (!macro.defaults.empty())
      fail("a parameter without a default follows one with a default");
  }
  expectOperator(")");
}

Stmt Parser::parseMacro() {
  Stmt stmt;
  stmt.kind = StmtKind::Macro;
  next();
  stmt.macro = std::make_unique<MacroBody>();
  stmt.macro->name = expectName();
  macros.push_back(stmt.macro.get());
  parseSignature(*stmt.macro);
  endOfBlock();
  unsigned outerLoops = std::exchange(loops, 0);
  bool outerSoft = std::exchange(soft, false);
  stmt.macro->body = parseBody({"endmacro"}, "macro");
  loops = outerLoops;
  soft = outerSoft;
  macros.pop_back();
  next();
  endOfBlock();
  return stmt;
}

Stmt Parser::parseCallBlock() {
  Stmt stmt;
  stmt.kind = StmtKind::CallBlock;
  next();
  stmt.macro = std::make_unique<MacroBody>();
  stmt.macro->name = "caller";
  if (isOperator("("))
    parseSignature(*stmt.macro);
  stmt.value = parseExpression();
  if (!failed() && stmt.value->kind != ExprKind::Call)
    fail("expected a call behind 'call'");
  endOfBlock();
  macros.push_back(stmt.macro.get());
  unsigned outerLoops = std::exchange(loops, 0);
  bool outerSoft = std::exchange(soft, false);
  stmt.macro->body = parseBody({"endcall"}, "call");
  loops = outerLoops;
  soft = outerSoft;
  macros.pop_back();
  next();
  endOfBlock();
  return stmt;
}

Stmt Parser::parseWith() {
  Stmt stmt;
  stmt.kind = StmtKind::With;
  next();
  while (!failed() && current().kind != TokenKind::BlockEnd) {
    if (!stmt.assignments.empty())
      expectOperator(",");
    ExprPtr target = parseTarget(false, false);
    expectOperator("=");
    ExprPtr value = parseExpression();
    stmt.assignments.emplace_back(std::move(target), std::move(value));
  }
  endOfBlock();
  bool outer = std::exchange(soft, false);
  stmt.body = parseBody({"endwith"}, "with");
  soft = outer;
  next();
  endOfBlock();
  return stmt;
}

Stmt Parser::parseFilterBlock() {
  Stmt stmt;
  stmt.kind = StmtKind::FilterBlock;
  next();
  stmt.value = parseFilter(make(ExprKind::BlockText));
  while (skipOperator("|"))
    stmt.value = parseFilter(std::move(stmt.value));
  endOfBlock();
  stmt.body = parseBody({"endfilter"}, "filter");
  next();
  endOfBlock();
  return stmt;
}

Stmt Parser::parseScope(std::string_view end) {
  Stmt stmt;
  stmt.kind = StmtKind::Scope;
  next();
  endOfBlock();
  unsigned outerLoops = std::exchange(loops, 0);
  stmt.body = parseBody({end}, "generation");
  loops = outerLoops;
  next();
  endOfBlock();
  return stmt;
}

Stmt Parser::parseNoLoader() {
  Stmt stmt;
  stmt.kind = StmtKind::NoLoader;
  while (!failed() && current().kind != TokenKind::BlockEnd &&
         current().kind != TokenKind::End)
    next();
  endOfBlock();
  return stmt;
}

} // namespace sgl::jinja
