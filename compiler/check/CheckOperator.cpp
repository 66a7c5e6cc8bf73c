// Operators on values: arithmetic, comparison, membership, logic.
#include "compiler/check/BodyChecker.h"

#include "compiler/check/Fold.h"

namespace sgl {

namespace {

const char *shown(ast::BinaryOp op) {
  switch (op) {
  case ast::BinaryOp::Add:
    return "+";
  case ast::BinaryOp::Sub:
    return "-";
  case ast::BinaryOp::Mul:
    return "*";
  case ast::BinaryOp::Div:
    return "/";
  case ast::BinaryOp::Mod:
    return "%";
  case ast::BinaryOp::Eq:
    return "==";
  case ast::BinaryOp::Ne:
    return "!=";
  case ast::BinaryOp::Lt:
    return "<";
  case ast::BinaryOp::Le:
    return "<=";
  case ast::BinaryOp::Gt:
    return ">";
  case ast::BinaryOp::Ge:
    return ">=";
  case ast::BinaryOp::In:
    return "in";
  case ast::BinaryOp::NotIn:
    return "not in";
  case ast::BinaryOp::And:
    return "and";
  case ast::BinaryOp::Or:
    return "or";
  case ast::BinaryOp::Range:
    return "..";
  case ast::BinaryOp::RangeInclusive:
    return "..=";
  }
  return "";
}

/// Takes the type expected where it stands, so it is read behind the other.
bool isLiteral(const ast::Expr &expr) {
  return expr.kind == ast::ExprKind::Text || expr.kind == ast::ExprKind::List ||
         expr.kind == ast::ExprKind::Map || expr.kind == ast::ExprKind::Int ||
         expr.kind == ast::ExprKind::Null;
}

} // namespace

const Type *BodyChecker::checkUnary(ast::Expr &expr, const Type *expected) {
  ast::Expr &operand = *expr.children[0];
  if (expr.unary == ast::UnaryOp::Not) {
    checkAs(operand, types.boolType());
    return types.boolType();
  }
  if (operand.kind == ast::ExprKind::Int) {
    // The lowest int has no positive twin: read sign and digits as one.
    operand.type = checkInt(operand, expected, true);
    expr.constant = std::move(operand.constant);
    operand.constant.reset();
    return operand.type;
  }
  const Type *type = checkExpr(operand, expected);
  if (isError(type) || refuseNull(operand))
    return errorType();
  if (!isNumber(type)) {
    session
        .error("E0301", operand.span,
               "`-` takes a number, found " + ticked(type))
        .label("of type " + ticked(type));
    return errorType();
  }
  return types.get(plainKind(type));
}

const Type *BodyChecker::checkBinary(ast::Expr &expr, const Type *expected) {
  using Op = ast::BinaryOp;
  switch (expr.binary) {
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::Div:
  case Op::Mod:
    return checkArithmetic(expr, expected);
  case Op::Range:
  case Op::RangeInclusive:
    return checkRange(expr);
  case Op::Eq:
  case Op::Ne:
    return checkEquality(expr);
  case Op::Lt:
  case Op::Le:
  case Op::Gt:
  case Op::Ge:
    return checkOrder(expr);
  case Op::In:
  case Op::NotIn:
    return checkMembership(expr);
  case Op::And:
  case Op::Or:
    checkCondition(expr);
    return expr.type;
  }
  return errorType();
}

const Type *BodyChecker::checkArithmetic(ast::Expr &expr,
                                         const Type *expected) {
  ast::Expr &left = *expr.children[0], &right = *expr.children[1];
  if (expr.binary == ast::BinaryOp::Add &&
      (makesPart(left) || makesPart(right))) {
    session
        .error("E0509", expr.span, "parts of a prompt stand outside of a `+=`")
        .label("not a value")
        .note("write `s += …`; a helper that writes parts takes the state");
    return errorType();
  }
  bool list = expected && present(expected)->is(TypeKind::List);
  const Type *hint = list ? expected : nullptr;
  checkExpr(left, hint);
  checkExpr(right, !hint && !isError(left.type) && left.type->is(TypeKind::List)
                       ? types.list(left.type->element)
                       : hint);
  const Type *type = sumType(left, right, expr.binary, expr.span);
  return type ? type : errorType();
}

const Type *BodyChecker::sumType(const ast::Expr &left, const ast::Expr &right,
                                 ast::BinaryOp op, Span span) {
  const Type *a = left.type, *b = right.type;
  if (isError(a) || isError(b))
    return nullptr;
  bool nullLeft = refuseNull(left), nullRight = refuseNull(right);
  if (nullLeft || nullRight)
    return nullptr;
  bool whole = plainKind(a) == TypeKind::Int && plainKind(b) == TypeKind::Int;
  if (isNumber(a) && isNumber(b)) {
    if (op == ast::BinaryOp::Div)
      return types.floatType();
    if (op != ast::BinaryOp::Mod || whole)
      return whole ? types.intType() : types.floatType();
  }
  if (op == ast::BinaryOp::Add) {
    if (plainKind(a) == TypeKind::Str && plainKind(b) == TypeKind::Str)
      return types.strType();
    if (a->is(TypeKind::List) && b->is(TypeKind::List))
      if (const Type *element = session.unify(a->element, b->element))
        return types.list(element);
  }
  std::string takes = op == ast::BinaryOp::Add
                          ? "two numbers, two texts or two lists of one type"
                      : op == ast::BinaryOp::Mod ? "two `int`s"
                                                 : "two numbers";
  Diagnostic &d = session.error(
      "E0301", span, std::string("`") + shown(op) + "` takes " + takes);
  d.label("of " + ticked(a) + " and " + ticked(b));
  if (op == ast::BinaryOp::Add &&
      (plainKind(a) == TypeKind::Str || plainKind(b) == TypeKind::Str))
    d.note("a value goes into a text as `\"… ${x}\"`");
  return nullptr;
}

const Type *BodyChecker::checkRange(ast::Expr &expr) {
  checkAs(*expr.children[0], types.intType());
  checkAs(*expr.children[1], types.intType());
  return types.list(types.intType());
}

//===-- Comparison --------------------------------------------------------===//

const Type *BodyChecker::checkEquality(ast::Expr &expr) {
  ast::Expr &left = *expr.children[0], &right = *expr.children[1];
  if (isLiteral(left) && !isLiteral(right)) {
    const Type *type = checkExpr(right);
    checkExpr(left, type);
  } else {
    const Type *type = checkExpr(left);
    checkExpr(right, type);
  }
  const Type *a = left.type, *b = right.type, *result = types.boolType();
  if (isError(a) || isError(b))
    return result;
  if (!isPrintable(a) || !isPrintable(b)) {
    const ast::Expr &bad = isPrintable(a) ? right : left;
    session
        .error("E0301", bad.span,
               bad.type->is(TypeKind::Void)
                   ? "this call gives no result to compare"
                   : "a " + ticked(bad.type) + " does not compare")
        .label("of type " + ticked(bad.type));
    return result;
  }
  const char *always = expr.binary == ast::BinaryOp::Eq ? "never" : "always";
  auto decided = [&](const ast::Expr &constant, const ast::Expr &other) {
    Diagnostic &d =
        session.error("E0305", expr.span,
                      std::string("this comparison is ") + always + " true");
    d.label(ticked(other.type) + " is never " +
            (constant.type->is(TypeKind::Null) ? "null"
                                               : toJson(*constant.constant)));
    if (other.binding)
      d.also(other.binding->span, "of type " + ticked(other.binding->type));
  };
  // A constant that the other side's type leaves out.
  for (auto [constant, other] : {std::pair(&left, &right), {&right, &left}}) {
    if (!constant->constant || other->constant)
      continue;
    bool comparable = constant->type->is(TypeKind::Null) ||
                      session.unify(baseType(types, constant->type),
                                    baseType(types, present(other->type)));
    if (comparable && !conforms(*constant->constant, other->type) &&
        !other->type->is(TypeKind::Json) &&
        !(isNumber(constant->type) &&
          plainKind(other->type) != plainKind(constant->type))) {
      decided(*constant, *other);
      return result;
    }
  }
  const Type *wideA = baseType(types, a), *wideB = baseType(types, b);
  if (!session.unify(wideA, wideB) && !assignable(wideA, wideB) &&
      !assignable(wideB, wideA)) {
    session
        .error("E0301", expr.span,
               std::string("`") + shown(expr.binary) +
                   "` compares two values of one type")
        .label("of " + ticked(a) + " and " + ticked(b));
  }
  return result;
}

const Type *BodyChecker::checkOrder(ast::Expr &expr) {
  ast::Expr &left = *expr.children[0], &right = *expr.children[1];
  checkExpr(left);
  checkExpr(right);
  const Type *a = left.type, *b = right.type;
  if (isError(a) || isError(b))
    return types.boolType();
  bool nullLeft = refuseNull(left), nullRight = refuseNull(right);
  bool texts = plainKind(a) == TypeKind::Str && plainKind(b) == TypeKind::Str;
  if (!nullLeft && !nullRight && !texts && !(isNumber(a) && isNumber(b)))
    session
        .error("E0301", expr.span,
               std::string("`") + shown(expr.binary) +
                   "` takes two numbers or two texts")
        .label("of " + ticked(a) + " and " + ticked(b));
  return types.boolType();
}

const Type *BodyChecker::checkMembership(ast::Expr &expr) {
  ast::Expr &left = *expr.children[0], &right = *expr.children[1];
  checkExpr(right);
  const Type *in = right.type, *result = types.boolType();
  if (isError(in) || refuseNull(right)) {
    checkExpr(left);
    return result;
  }
  TypeKind kind = plainKind(in);
  if (kind == TypeKind::Str || kind == TypeKind::Map) {
    checkAs(left, types.strType());
    return result;
  }
  const Type *type =
      checkExpr(left, kind == TypeKind::List ? in->element : nullptr);
  if (isError(type) || kind == TypeKind::Json)
    return result;
  if (kind != TypeKind::List) {
    session
        .error("E0301", right.span,
               std::string("`") + shown(expr.binary) +
                   "` looks into a list, a text or a map, not a " + ticked(in))
        .label("of type " + ticked(in));
    return result;
  }
  if (!isPrintable(type) ||
      !session.unify(baseType(types, type), baseType(types, in->element)))
    session
        .error("E0301", left.span,
               "no element of a " + ticked(in) + " is a " + ticked(type))
        .label("of type " + ticked(type));
  return result;
}

} // namespace sgl
