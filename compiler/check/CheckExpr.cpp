// The entry of expressions, names, and how a value enters a type.
#include "compiler/check/BodyChecker.h"

#include "compiler/check/Fold.h"

namespace sgl {

const Type *BodyChecker::fail(ast::Expr &expr) {
  expr.constant.reset();
  return expr.type = errorType();
}

const Type *BodyChecker::checkExpr(ast::Expr &expr, const Type *expected) {
  if (expected && isError(expected))
    expected = nullptr;
  expr.type = checkInner(expr, expected);
  assert(expr.type && "every expression gets a type");
  bool builds = expr.kind == ast::ExprKind::List ||
                expr.kind == ast::ExprKind::Map ||
                expr.kind == ast::ExprKind::ForkBlock ||
                expr.callee == ast::CalleeKind::Builtin;
  if (builds && session.isTooDeep(expr.type)) {
    session
        .error("E0301", expr.span,
               "this type nests more than " + std::to_string(maxTypeDepth) +
                   " deep")
        .label("one level too many");
    return fail(expr);
  }
  foldExpr(session, expr);
  return expr.type;
}

const Type *BodyChecker::checkInner(ast::Expr &expr, const Type *expected) {
  using K = ast::ExprKind;
  switch (expr.kind) {
  case K::Int:
    return checkInt(expr, expected, false);
  case K::Float:
    return checkFloat(expr);
  case K::Bool:
    expr.constant = Value::boolean(expr.truth);
    return types.boolType();
  case K::Null:
    expr.constant = Value::null();
    return types.nullType();
  case K::Text:
    return checkText(expr, expected);
  case K::Name:
    return checkName(expr);
  case K::Field:
    return checkField(expr);
  case K::Index:
    return checkIndex(expr);
  case K::Call:
    return checkCall(expr, expected);
  case K::Gen:
  case K::Select:
    session
        .error("E0509", expr.span,
               std::string("`") + (expr.kind == K::Gen ? "gen" : "select") +
                   "` stands outside of a `+=`")
        .label("a part of a prompt, not a value")
        .note("write `s += gen() as x` and read `x`");
    if (!function)
      return errorType();
    return expr.kind == K::Gen ? checkGen(expr) : checkSelect(expr);
  case K::Fork:
    return checkForkCall(expr);
  case K::ForkBlock:
    return checkForkBlock(*expr.fork, true, expected);
  case K::List:
    return checkList(expr, expected);
  case K::Map:
    return checkMap(expr, expected);
  case K::Unary:
    return checkUnary(expr, expected);
  case K::Binary:
    return checkBinary(expr, expected);
  case K::If:
    return checkIf(expr, expected);
  case K::Error:
    return errorType();
  }
  return errorType();
}

//===-- Names -------------------------------------------------------------===//

const Type *BodyChecker::checkName(ast::Expr &expr) {
  if (ast::Binding *binding = findValue(expr.text)) {
    expr.binding = binding;
    if (binding->constant)
      expr.constant = binding->constant;
    if (!binding->type)
      return errorType();
    if (const Type *narrowed = env.narrowedType({binding, ""}))
      return narrowed;
    return binding->type;
  }
  if (const Symbol *symbol = session.find(module, expr.text))
    return symbolValue(expr, *symbol);
  return reportUnknownName(expr);
}

/// A name of the file that is no value by itself.
const Type *BodyChecker::symbolValue(ast::Expr &expr, const Symbol &symbol) {
  const char *what = nullptr, *hint = nullptr;
  switch (symbol.kind) {
  case SymbolKind::Broken:
    return errorType();
  case SymbolKind::Constant:
    ensureConstant(session, *symbol.owner, *symbol.constant);
    expr.binding = symbol.constant->binding.get();
    expr.constant = expr.binding->constant;
    return expr.binding->type ? expr.binding->type : errorType();
  case SymbolKind::Function:
    what = "a function";
    hint = "functions are not values; call it: `f(…)`";
    break;
  case SymbolKind::Record:
    what = "a record type";
    hint = "make a value of it with its fields: `R(field: value)`";
    break;
  case SymbolKind::Enum:
    what = "an enum";
    hint = "name a member: `E.member`";
    break;
  case SymbolKind::Alias:
    what = "a type";
    hint = "a value is expected here";
    break;
  case SymbolKind::Module:
    what = "a module";
    hint = "name something in it: `m.name`";
    break;
  }
  session
      .error("E0301", expr.span,
             ticked(expr.text) + " is " + what + ", not a value")
      .label("used as a value")
      .also(symbol.span, "declared here")
      .note(hint);
  return errorType();
}

//===-- Entering a type ---------------------------------------------------===//

const Type *BodyChecker::checkAs(ast::Expr &expr, const Type *to) {
  checkExpr(expr, to);
  coerce(expr, to);
  return expr.type;
}

bool BodyChecker::coerce(ast::Expr &expr, const Type *to) {
  if (isError(expr.type) || isError(to))
    return false;
  if (expr.type->is(TypeKind::Void)) {
    session
        .error("E0301", expr.span,
               "this call gives no result, " + ticked(to) + " is expected")
        .label("nothing to use here");
    fail(expr);
    return false;
  }
  switch (fit(types, expr.type, to)) {
  case Fit::Yes:
    break;
  case Fit::Checked:
    if (!expr.constant)
      return true;
    if (Status status = conforms(*expr.constant, to); !status) {
      session
          .error("E0301", expr.span,
                 "expected " + ticked(to) + ", found " + toJson(*expr.constant))
          .label("not a " + ticked(to))
          .note(status.error().message);
      fail(expr);
      return false;
    }
    expr.type = to;
    break;
  case Fit::Null:
    return !refuseNull(expr);
  case Fit::No:
    reportMismatch(expr, to);
    fail(expr);
    return false;
  }
  // A constant of a whole number becomes the float that is asked for.
  if (expr.constant && expr.constant->asInt() &&
      present(to)->is(TypeKind::Float)) {
    expr.constant = Value::number(double(*expr.constant->asInt()));
    expr.type = types.floatType();
  }
  return true;
}

void BodyChecker::reportMismatch(const ast::Expr &expr, const Type *to) {
  Diagnostic &d =
      session.error("E0301", expr.span,
                    "expected " + ticked(to) + ", found " + ticked(expr.type));
  d.label("of type " + ticked(expr.type));
  const ast::Binding *binding = expr.binding;
  bool plainText = expr.type->is(TypeKind::Str);
  if (binding && binding->kind == ast::BindingKind::Capture && plainText)
    d.also(binding->span, "generated as text here")
        .note("`gen` gives text unless told otherwise: `gen() as " +
              binding->name + ": " + toString(to) + "`");
  else if (binding && binding->span.end)
    d.also(binding->span, "declared here");
  TypeKind kind = plainKind(present(to));
  if (kind == TypeKind::Int && expr.type->is(TypeKind::Float))
    d.note("`round`, `floor` and `ceil` give an `int`");
  else if (kind == TypeKind::Str && isPrintable(expr.type))
    d.note("`text(x)` or `\"${x}\"` makes a text of it");
  else if ((kind == TypeKind::Int || kind == TypeKind::Float) &&
           (plainText || expr.type->is(TypeKind::Json)))
    d.note("`" + toString(types.get(kind)) + "(x)` converts, or raises");
  else if (expr.type->is(TypeKind::Null))
    d.note("only `T?` may be null");
}

bool BodyChecker::refuseNull(const ast::Expr &expr) {
  if (!expr.type->is(TypeKind::Optional))
    return false;
  Diagnostic &d = session.error("E0308", expr.span, "this value may be null");
  d.label("of type " + ticked(expr.type));
  if (expr.binding && expr.kind == ast::ExprKind::Name)
    d.also(expr.binding->span, "declared here");
  d.note("compare with `null` first, or give a fallback: `or_else(x, y)`");
  return true;
}

void BodyChecker::checkPrintable(const ast::Expr &expr) {
  if (isError(expr.type) || refuseNull(expr))
    return;
  if (expr.type->is(TypeKind::Void)) {
    session.error("E0301", expr.span, "this call gives no result to print")
        .label("nothing to print");
    return;
  }
  if (isPrintable(expr.type))
    return;
  Diagnostic &d = session.error("E0301", expr.span,
                                "a " + ticked(expr.type) + " has no text form");
  d.label("cannot be printed");
  if (expr.type->is(TypeKind::State))
    d.note("`.text` is the text of a state, `.messages` its turns");
  else if (isMedia(expr.type))
    d.note("media is a part of its own: `s += user(photo, \"…\")`");
}

//===-- Conditional values ------------------------------------------------===//

const Type *BodyChecker::checkIf(ast::Expr &expr, const Type *expected) {
  Condition condition = checkCondition(*expr.children[0]);
  Env before = env;
  apply(condition.whenTrue);
  const Type *a = checkExpr(*expr.children[1], expected);
  Env behindThen = std::move(env);
  env = std::move(before);
  apply(condition.whenFalse);
  const Type *b = checkExpr(*expr.children[2], expected);
  env = merge(session, env, behindThen);
  if (expected) {
    coerce(*expr.children[1], expected);
    coerce(*expr.children[2], expected);
    a = expr.children[1]->type;
    b = expr.children[2]->type;
  }
  const Type *both = session.unify(a, b);
  if (!both) {
    session
        .error("E0301", expr.span,
               "the sides of this `if` have different types")
        .label("one value of either type")
        .also(expr.children[1]->span, "of type " + ticked(a))
        .also(expr.children[2]->span, "of type " + ticked(b));
    return errorType();
  }
  return both;
}

} // namespace sgl
