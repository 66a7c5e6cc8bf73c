// Numbers, texts, lists and maps as written.
#include "compiler/check/BodyChecker.h"

#include <charconv>

namespace sgl {

namespace {

/// Of an expected type the part that a literal of this kind takes: the member
/// of a union, what stands before a `?`.
const Type *target(const Type *expected, TypeKind kind) {
  if (!expected)
    return nullptr;
  expected = present(expected);
  if (expected->is(TypeKind::Union))
    for (const Type *member : expected->members)
      if (member->kind == kind)
        return member;
  return expected;
}

} // namespace

//===-- Numbers -----------------------------------------------------------===//

const Type *BodyChecker::checkInt(ast::Expr &expr, const Type *expected,
                                  bool negative) {
  uint64_t magnitude = 0;
  const char *end = expr.text.data() + expr.text.size();
  auto [stop, failed] = std::from_chars(expr.text.data(), end, magnitude);
  uint64_t limit = uint64_t(INT64_MAX) + (negative ? 1 : 0);
  if (failed != std::errc() || stop != end || magnitude > limit) {
    session.error("E0301", expr.span, "this number does not fit an `int`")
        .label("more than 64 bits")
        .note("an `int` reaches from -2^63 to 2^63 - 1");
    return errorType();
  }
  int64_t value = negative ? int64_t(~magnitude + 1) : int64_t(magnitude);
  const Type *exact = target(expected, TypeKind::Int);
  const Type *to = target(expected, TypeKind::Float);
  if (to && to->is(TypeKind::Float) && !exact->is(TypeKind::Int)) {
    expr.constant = Value::number(double(value));
    return types.floatType();
  }
  expr.constant = Value::integer(value);
  return types.intType();
}

const Type *BodyChecker::checkFloat(ast::Expr &expr) {
  double value = 0;
  const char *end = expr.text.data() + expr.text.size();
  auto [stop, failed] = std::from_chars(expr.text.data(), end, value);
  if (failed != std::errc() || stop != end) {
    session.error("E0301", expr.span, "this number does not fit a `float`")
        .label("out of range")
        .note("a `float` is a binary64 number, never infinite");
    return errorType();
  }
  expr.constant = Value::number(value);
  return types.floatType();
}

//===-- Texts -------------------------------------------------------------===//

const Type *BodyChecker::checkText(ast::Expr &expr, const Type *expected) {
  bool known = true;
  for (ast::TextPart &part : expr.parts) {
    if (!part.hole) {
      warnPlainName(part);
      continue;
    }
    known = false;
    checkExpr(*part.hole);
    checkPrintable(*part.hole);
  }
  if (!known || !expected)
    return types.strType();
  std::string text;
  for (const ast::TextPart &part : expr.parts)
    text += part.bytes;
  const Type *literal = types.text(text);
  // The member of a union that is this very text.
  const Type *to = present(expected);
  if (to == literal)
    return literal;
  if (to->is(TypeKind::Union))
    for (const Type *member : to->members)
      if (member == literal)
        return literal;
  return types.strType();
}

//===-- Lists and maps ----------------------------------------------------===//

namespace {

/// `[]` and `{}`: a type of their own only beside others.
bool isEmptyLiteral(const ast::Expr &expr) {
  bool container =
      expr.kind == ast::ExprKind::List || expr.kind == ast::ExprKind::Map;
  return container && expr.children.empty();
}

} // namespace

/// `type` joins the elements seen so far, of type `all`; null was reported.
const Type *BodyChecker::widen(const Type *all, const ast::Expr &element,
                               const ast::Expr &first, const char *what) {
  const Type *type = element.type;
  if (type->is(TypeKind::Literal))
    type = baseType(types, type);
  const Type *both = all ? session.unify(all, type) : type;
  if (!both && isPrintable(all) && isPrintable(type))
    both = types.jsonType();
  if (!both)
    session
        .error("E0301", element.span,
               "elements of a " + std::string(what) + " have one type")
        .label("of type " + ticked(type))
        .also(first.span, "of type " + ticked(all));
  return both;
}

/// The one type of all elements, `expected` where it is given. Null: there are
/// none and nothing is expected.
const Type *BodyChecker::checkElements(std::vector<ast::ExprPtr> &elements,
                                       const Type *expected, const char *what) {
  const Type *all = nullptr;
  bool broken = false;
  std::vector<ast::Expr *> empty;
  for (auto &element : elements) {
    if (!expected && elements.size() > 1 && isEmptyLiteral(*element)) {
      empty.push_back(element.get());
      continue;
    }
    const Type *type = checkExpr(*element, expected);
    if (isError(type)) {
      broken = true;
    } else if (type->is(TypeKind::Void)) {
      session.error("E0301", element->span, "this call gives no result")
          .label(std::string("nothing to put into the ") + what);
      broken = true;
    } else if (expected) {
      broken |= !coerce(*element, expected);
    } else if (const Type *both = widen(all, *element, *elements[0], what)) {
      all = both;
    } else {
      broken = true;
    }
  }
  // An empty literal is a list or map like its neighbours, or a json.
  for (ast::Expr *element : empty) {
    bool kin =
        all &&
        ((all->is(TypeKind::List) && element->kind == ast::ExprKind::List) ||
         (all->is(TypeKind::Map) && element->kind == ast::ExprKind::Map));
    if (all && !kin)
      all = types.jsonType();
    broken |= isError(checkExpr(*element, all));
  }
  if (broken)
    return errorType();
  if (expected)
    return expected;
  // Whole numbers beside floats are floats.
  if (all && all->is(TypeKind::Float))
    for (auto &element : elements)
      coerce(*element, all);
  return all;
}

const Type *BodyChecker::checkList(ast::Expr &expr, const Type *expected) {
  const Type *to = target(expected, TypeKind::List);
  bool asJson = to && to->is(TypeKind::Json);
  const Type *element = nullptr;
  if (asJson)
    element = to;
  else if (to && to->is(TypeKind::List))
    element = to->element;
  const Type *type = checkElements(expr.children, element, "list");
  for (auto &child : expr.children)
    if (!isError(child->type) && holdsStates(child->type) &&
        refuseAlias(*child, "a list"))
      type = errorType();
  if (!type) {
    session.error("E0301", expr.span, "the type of this empty list is unknown")
        .label("of what?")
        .note("say it: `var xs: [str] = []`");
    return errorType();
  }
  if (isError(type))
    return type;
  if (isStateList(type)) {
    session.error("E0301", expr.span, "a list cannot hold lists of states")
        .label("not here")
        .note("states live in variables and in `[state]` lists");
    return errorType();
  }
  return asJson ? to : types.list(type);
}

const Type *BodyChecker::checkMap(ast::Expr &expr, const Type *expected) {
  const Type *to = target(expected, TypeKind::Map);
  bool asJson = to && to->is(TypeKind::Json);
  const Type *value = nullptr;
  if (asJson)
    value = to;
  else if (to && to->is(TypeKind::Map))
    value = to->element;
  for (auto &key : expr.keys)
    checkAs(*key, types.strType());
  const Type *type = checkElements(expr.children, value, "map");
  if (!type) {
    session.error("E0301", expr.span, "the type of this empty map is unknown")
        .label("of what?")
        .note("say it: `var m: {str: int} = {}`");
    return errorType();
  }
  if (isError(type))
    return type;
  if (holdsStates(type)) {
    session.error("E0301", expr.span, "a map cannot hold states")
        .label("not here")
        .note("states live in variables and in `[state]` lists");
    return errorType();
  }
  return asJson ? to : types.map(type);
}

} // namespace sgl
