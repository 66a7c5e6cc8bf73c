// What a condition says about types: `x != null`, `x == "yes"`, and, or, not.
#include "compiler/check/BodyChecker.h"

#include "compiler/check/Fold.h"

namespace sgl {

void BodyChecker::apply(const Facts &facts) {
  for (const auto &[place, type] : facts)
    env.narrow(place, type);
}

std::optional<Place> BodyChecker::placeOf(const ast::Expr &expr) const {
  if (expr.kind == ast::ExprKind::Name) {
    if (!expr.binding || !isLocal(expr.binding))
      return std::nullopt;
    return Place{expr.binding, ""};
  }
  if (expr.kind != ast::ExprKind::Field || expr.children.empty())
    return std::nullopt;
  const ast::Expr &base = *expr.children[0];
  if (!base.type ||
      !(base.type->is(TypeKind::Record) || base.type->is(TypeKind::State)))
    return std::nullopt;
  std::optional<Place> place = placeOf(base);
  if (place)
    place->fields += "." + expr.text;
  return place;
}

const Type *BodyChecker::without(const Type *type, const Value &value) {
  if (value.isNull())
    return present(type);
  if (type->is(TypeKind::Optional)) {
    const Type *rest = without(type->element, value);
    return rest ? types.optional(rest) : nullptr;
  }
  if (!type->is(TypeKind::Union))
    return type;
  std::vector<const Type *> rest;
  for (const Type *member : type->members)
    if (!(member->is(TypeKind::Literal) && conforms(value, member)))
      rest.push_back(member);
  return rest.empty() ? nullptr : types.unionOf(std::move(rest));
}

Condition BodyChecker::comparisonFacts(const ast::Expr &expr) {
  Condition condition;
  bool isEq = expr.binary == ast::BinaryOp::Eq;
  Facts &same = isEq ? condition.whenTrue : condition.whenFalse;
  Facts &differ = isEq ? condition.whenFalse : condition.whenTrue;
  const ast::Expr &left = *expr.children[0], &right = *expr.children[1];
  for (auto [subject, other] : {std::pair(&left, &right), {&right, &left}}) {
    std::optional<Place> place = placeOf(*subject);
    if (!place || isError(subject->type) || isError(other->type))
      continue;
    const Type *type = subject->type;
    bool mayBeNull = other->type->is(TypeKind::Null) ||
                     other->type->is(TypeKind::Optional) ||
                     other->type->is(TypeKind::Json);
    if (type->is(TypeKind::Optional) && !mayBeNull)
      same.emplace_back(*place, type->element);
    if (!other->constant || type->is(TypeKind::Json))
      continue;
    const Type *rest = without(type, *other->constant);
    if (rest && rest != type)
      differ.emplace_back(*place, rest);
    const std::string *text = other->constant->asText();
    if (text && present(type)->is(TypeKind::Union) &&
        plainKind(present(type)) == TypeKind::Str)
      same.emplace_back(*place, types.text(*text));
  }
  return condition;
}

namespace {

const Type *latest(const Facts &facts, const Place &place) {
  const Type *type = nullptr;
  for (const auto &[known, knownType] : facts)
    if (known == place)
      type = knownType;
  return type;
}

Facts both(Facts a, const Facts &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// What holds if one of two sets of facts does.
Facts either(TypeContext &types, const Facts &a, const Facts &b) {
  Facts result;
  for (const auto &entry : a) {
    const Type *other = latest(b, entry.first);
    if (other && !latest(result, entry.first))
      result.emplace_back(entry.first,
                          types.unionOf({latest(a, entry.first), other}));
  }
  return result;
}

} // namespace

Condition BodyChecker::checkCondition(ast::Expr &expr) {
  if (expr.kind == ast::ExprKind::Unary && expr.unary == ast::UnaryOp::Not) {
    Condition inner = checkCondition(*expr.children[0]);
    expr.type = types.boolType();
    foldExpr(session, expr);
    return {std::move(inner.whenFalse), std::move(inner.whenTrue)};
  }
  bool isAnd = expr.binary == ast::BinaryOp::And;
  if (expr.kind == ast::ExprKind::Binary &&
      (isAnd || expr.binary == ast::BinaryOp::Or)) {
    Condition a = checkCondition(*expr.children[0]);
    auto narrowed = env.narrowed;
    apply(isAnd ? a.whenTrue : a.whenFalse);
    Condition b = checkCondition(*expr.children[1]);
    env.narrowed = std::move(narrowed);
    expr.type = types.boolType();
    foldExpr(session, expr);
    if (isAnd)
      return {both(a.whenTrue, b.whenTrue),
              either(types, a.whenFalse, both(a.whenTrue, b.whenFalse))};
    return {either(types, a.whenTrue, both(a.whenFalse, b.whenTrue)),
            both(a.whenFalse, b.whenFalse)};
  }
  checkAs(expr, types.boolType());
  bool comparison =
      expr.kind == ast::ExprKind::Binary &&
      (expr.binary == ast::BinaryOp::Eq || expr.binary == ast::BinaryOp::Ne);
  return comparison ? comparisonFacts(expr) : Condition();
}

} // namespace sgl
