// The tree as indented text: one node a line, its kind first.

#include "compiler/syntax/Parse.h"

#include "compiler/syntax/Quote.h"

namespace sgl {

using namespace ast;
using syntax::quote;

namespace {

const char *nameOf(BinaryOp op) {
  constexpr const char *names[] = {"+",   "-",  "*",      "/",   "%",  "..",
                                   "..=", "==", "!=",     "<",   "<=", ">",
                                   ">=",  "in", "not in", "and", "or"};
  return names[size_t(op)];
}

const char *nameOf(ExprKind kind) {
  constexpr const char *names[] = {"int",    "float",  "bool",  "null", "text",
                                   "name",   "field",  "index", "call", "gen",
                                   "select", "fork",   "fork",  "list", "map",
                                   "unary",  "binary", "if",    "error"};
  return names[size_t(kind)];
}

const char *nameOf(StmtKind kind) {
  constexpr const char *names[] = {
      "let",   "var",      "assign", "extend",   "role",  "if",   "match",
      "for",   "while",    "fork",   "parallel", "retry", "join", "return",
      "break", "continue", "expect", "assert",   "call"};
  return names[size_t(kind)];
}

class Dumper {
public:
  explicit Dumper(bool types) : types(types) {}

  std::string module(const Module &module);

private:
  /// One line; what `children` prints stands below it, further in.
  template <typename Children>
  void node(const std::string &head, Children children) {
    out.append(depth * 2, ' ');
    out += head;
    out += '\n';
    ++depth;
    children();
    --depth;
  }
  void leaf(const std::string &head) {
    node(head, [] {});
  }
  void imports(const Module &module);
  void function(const FnDecl &function);
  void items(const Module &module);
  void block(const char *name, const Block &block);
  void statement(const Stmt &stmt);
  void statementHead(const Stmt &stmt, std::string &head);
  void arm(const MatchArm &arm);
  void expression(const Expr &expr);
  void children(const Expr &expr);
  void argument(const Arg &arg);
  void fork(const ForkBlock &fork);
  void optional(const ExprPtr &expr) {
    if (expr)
      expression(*expr);
  }
  std::string typeOf(const TypeExpr &type) const;
  std::string bindingType(const Binding *binding) const {
    return types && binding && binding->type ? " : " + toString(binding->type)
                                             : "";
  }
  static std::string joined(const std::vector<Name> &path,
                            const char *separator);

  bool types;
  std::string out;
  size_t depth = 0;
};

std::string Dumper::joined(const std::vector<Name> &path,
                           const char *separator) {
  std::string text;
  for (const Name &part : path)
    text += (text.empty() ? "" : separator) + part.text;
  return text;
}

std::string boundsOf(const RangeBounds &range) {
  if (range.single)
    return range.low;
  return range.low + (range.inclusive ? "..=" : "..") + range.high;
}

std::string Dumper::typeOf(const TypeExpr &type) const {
  switch (type.kind) {
  case TypeExprKind::Named:
    return joined(type.path, ".");
  case TypeExprKind::List:
    return "[" + typeOf(*type.children[0]) +
           (type.range ? "; " + boundsOf(*type.range) : "") + "]";
  case TypeExprKind::Map:
    return "{str: " + typeOf(*type.children[0]) + "}";
  case TypeExprKind::Text:
    return quote(type.text);
  case TypeExprKind::Union: {
    std::string text;
    for (const TypeExprPtr &child : type.children)
      text += (text.empty() ? "" : " | ") + typeOf(*child);
    return text;
  }
  case TypeExprKind::Optional:
    return typeOf(*type.children[0]) + "?";
  case TypeExprKind::Refined:
    return typeOf(*type.children[0]) +
           (type.range ? " in " + boundsOf(*type.range) : "") +
           (type.hasPattern ? " matching " + quote(type.text) : "");
  case TypeExprKind::Error:
    return "<error>";
  }
  return "";
}

void Dumper::argument(const Arg &arg) {
  if (!arg.label)
    return expression(*arg.value);
  node(arg.label->text + ":", [&] { expression(*arg.value); });
}

void Dumper::fork(const ForkBlock &fork) {
  optional(fork.source);
  if (fork.list)
    node("for " + fork.loopName->text + bindingType(fork.loopBinding),
         [&] { expression(*fork.list); });
  block("body", *fork.body);
}

void Dumper::children(const Expr &expr) {
  for (const TextPart &part : expr.parts)
    if (part.hole)
      node("hole", [&] { expression(*part.hole); });
    else
      leaf(quote(part.bytes));
  for (size_t i = 0; i < expr.children.size(); ++i) {
    if (i < expr.keys.size())
      node("entry", [&] {
        expression(*expr.keys[i]);
        expression(*expr.children[i]);
      });
    else
      optional(expr.children[i]);
  }
  for (const Arg &arg : expr.args)
    argument(arg);
  if (expr.fork)
    fork(*expr.fork);
}

void Dumper::expression(const Expr &expr) {
  std::string head = nameOf(expr.kind);
  if (expr.kind == ExprKind::Bool)
    head += expr.truth ? " true" : " false";
  if (!expr.text.empty())
    head += " " + expr.text;
  if (expr.kind == ExprKind::Binary)
    head += std::string(" ") + nameOf(expr.binary);
  if (expr.kind == ExprKind::Unary)
    head += expr.unary == UnaryOp::Minus ? " -" : " not";
  if (expr.raw)
    head += " raw";
  if (expr.capture)
    head += " as " + expr.capture->text;
  if (expr.captureType)
    head += ": " + typeOf(*expr.captureType);
  if (expr.fork)
    head += " as " + expr.fork->branch.text;
  if (types && expr.type)
    head += " : " + toString(expr.type);
  node(head, [&] { children(expr); });
}

void Dumper::block(const char *name, const Block &block) {
  node(name, [&] {
    for (const auto &stmt : block.statements)
      statement(*stmt);
  });
}

std::string patternText(const Pattern &pattern) {
  std::string text;
  switch (pattern.kind) {
  case PatternKind::Wildcard:
    return "_";
  case PatternKind::Text:
    return quote(pattern.text);
  case PatternKind::Literal: {
    const Expr *literal = pattern.literal.get();
    if (literal->kind == ExprKind::Unary)
      return "-" + literal->children[0]->text;
    if (literal->kind == ExprKind::Bool)
      return literal->truth ? "true" : "false";
    return literal->kind == ExprKind::Null ? "null" : literal->text;
  }
  case PatternKind::Name:
  case PatternKind::Call:
    break;
  }
  for (const Name &part : pattern.path)
    text += (text.empty() ? "" : ".") + part.text;
  if (pattern.kind == PatternKind::Name)
    return text;
  text += "(";
  for (const Name &field : pattern.fields)
    text += (text.back() == '(' ? "" : ", ") + field.text;
  return text + ")";
}

void Dumper::arm(const MatchArm &arm) {
  std::string head = "arm ";
  for (const Pattern &pattern : arm.patterns)
    head += (&pattern == &arm.patterns[0] ? "" : " | ") + patternText(pattern);
  block(head.c_str(), arm.body);
}

void Dumper::statementHead(const Stmt &stmt, std::string &head) {
  if (!stmt.name.text.empty())
    head += " " + stmt.name.text;
  if (stmt.declaredType)
    head += ": " + typeOf(*stmt.declaredType);
  head += bindingType(stmt.binding);
  if (stmt.fork)
    head += " as " + stmt.fork->branch.text;
}

void Dumper::statement(const Stmt &stmt) {
  std::string head = nameOf(stmt.kind);
  statementHead(stmt, head);
  bool hasBody =
      stmt.kind == StmtKind::If || stmt.kind == StmtKind::For ||
      stmt.kind == StmtKind::While || stmt.kind == StmtKind::Parallel ||
      stmt.kind == StmtKind::Retry || stmt.kind == StmtKind::RoleBlock;
  node(head, [&] {
    if (stmt.place && stmt.kind != StmtKind::Join)
      node("place", [&] { expression(*stmt.place); });
    optional(stmt.value);
    if (stmt.place && stmt.kind == StmtKind::Join)
      node("into", [&] { expression(*stmt.place); });
    if (stmt.message)
      node("message", [&] { expression(*stmt.message); });
    for (const ExprPtr &part : stmt.parts)
      expression(*part);
    for (const MatchArm &entry : stmt.arms)
      arm(entry);
    if (stmt.fork)
      fork(*stmt.fork);
    if (hasBody)
      block("body", stmt.body);
    if (stmt.otherwise)
      block("else", *stmt.otherwise);
  });
}

void Dumper::imports(const Module &module) {
  for (const Import &import : module.imports) {
    std::string head = "import " + (import.file ? quote(*import.file)
                                                : joined(import.path, "."));
    if (import.alias)
      head += " as " + import.alias->text;
    if (import.hasList)
      head += " (" + joined(import.names, ", ") + ")";
    leaf(head);
  }
}

void Dumper::function(const FnDecl &function) {
  std::string head = (function.isTool ? "tool " : "fn ") + function.name.text;
  if (function.result)
    head += " -> " + typeOf(*function.result);
  node(head, [&] {
    if (!function.doc.empty())
      leaf("doc " + quote(function.doc));
    for (const Param &param : function.params) {
      std::string line = "param " + param.name.text + ": ";
      line += typeOf(*param.type);
      node(line, [&] {
        if (!param.doc.empty())
          leaf("doc " + quote(param.doc));
        optional(param.defaultValue);
      });
    }
    if (!function.isTool)
      block("body", function.body);
  });
}

void Dumper::items(const Module &module) {
  for (const auto &constant : module.constants) {
    std::string head = "const " + constant->name.text;
    if (constant->declaredType)
      head += ": " + typeOf(*constant->declaredType);
    head += bindingType(constant->binding.get());
    node(head, [&] { optional(constant->value); });
  }
  for (const auto &alias : module.aliases)
    leaf("type " + alias->name.text + " = " + typeOf(*alias->type));
  for (const auto &record : module.records)
    node("record " + record->name.text, [&] {
      if (!record->doc.empty())
        leaf("doc " + quote(record->doc));
      for (const Field &field : record->fields)
        node("field " + field.name.text + ": " + typeOf(*field.type), [&] {
          if (!field.doc.empty())
            leaf("doc " + quote(field.doc));
          optional(field.defaultValue);
        });
    });
  for (const auto &enumeration : module.enums)
    node("enum " + enumeration->name.text, [&] {
      for (const EnumItemMember &member : enumeration->members)
        leaf(member.name.text +
             (member.text ? " = " + quote(*member.text) : ""));
    });
}

std::string Dumper::module(const Module &module) {
  if (!module.doc.empty())
    leaf("doc " + quote(module.doc));
  imports(module);
  if (!module.defaults.empty())
    node("defaults", [&] {
      for (const Arg &option : module.defaults)
        argument(option);
    });
  items(module);
  for (const auto &entry : module.functions)
    function(*entry);
  for (const auto &test : module.tests) {
    std::string head = "test " + quote(test->title);
    if (test->mode)
      head += ": " + test->mode->text;
    block(head.c_str(), test->body);
  }
  return std::move(out);
}

} // namespace

std::string dumpAst(const Module &module, bool types) {
  return Dumper(types).module(module);
}

} // namespace sgl
