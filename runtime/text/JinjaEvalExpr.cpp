// Expressions.
#include "runtime/text/JinjaRun.h"

#include <algorithm>

namespace sgl::jinja {

Value Run::lookUp(const std::string &name) {
  for (const Scope *s = scope; s; s = s->parent)
    if (const Value *value = s->find(name))
      return *value;
  if (auto found = globals.find(name); found != globals.end())
    return found->second;
  Value global = findGlobal(*this, name);
  if (!global.isUndefined())
    return global;
  return undefinedBecause("'" + name + "' is undefined");
}

Value Run::evaluate(const Expr &expr) {
  Deeper deeper(*this);
  if (!spend(1))
    return {};
  line = expr.line;
  auto child = [&](size_t i) { return evaluate(*expr.children[i]); };
  switch (expr.kind) {
  case ExprKind::Constant:
    return expr.value;
  case ExprKind::Name:
    return lookUp(expr.text);
  case ExprKind::BlockText:
    return blockText;
  case ExprKind::List:
    return charge(evaluateAll(expr.children));
  case ExprKind::Tuple:
    return charge(evaluateAll(expr.children), true);
  case ExprKind::Dict:
    return evaluateDict(expr);
  case ExprKind::Attribute:
    return getAttribute(*this, child(0), expr.text);
  case ExprKind::Item: {
    Value base = child(0);
    return getItem(*this, base, child(1));
  }
  case ExprKind::Slice:
    return evaluateSlice(expr);
  case ExprKind::Call: {
    Value callee = child(0);
    return call(callee, evaluateArguments(expr));
  }
  case ExprKind::Filter: {
    Value value = child(0);
    return applyFilter(expr.text, value, evaluateArguments(expr));
  }
  case ExprKind::Test: {
    Value value = child(0);
    return Value(applyTest(expr.text, value, evaluateArguments(expr)));
  }
  case ExprKind::Not:
    return Value(!child(0).truthy());
  case ExprKind::And: {
    Value left = child(0);
    return left.truthy() ? child(1) : left;
  }
  case ExprKind::Or: {
    Value left = child(0);
    return left.truthy() ? left : child(1);
  }
  case ExprKind::Negative:
    return negative(*this, child(0));
  case ExprKind::Positive:
    return binaryOperator(*this, "+", Value::integer(0), child(0));
  case ExprKind::Binary: {
    Value left = child(0);
    return binaryOperator(*this, expr.text, left, child(1));
  }
  case ExprKind::Compare:
    return evaluateCompare(expr);
  case ExprKind::Concat:
    return evaluateConcat(expr);
  case ExprKind::Condition:
    if (child(1).truthy())
      return child(0);
    if (expr.children[2])
      return child(2);
    return undefinedBecause("the condition is false and has no else");
  }
  return {};
}

std::vector<Value> Run::evaluateAll(const std::vector<ExprPtr> &list) {
  std::vector<Value> values;
  values.reserve(list.size());
  for (const ExprPtr &item : list) {
    if (failed())
      break;
    values.push_back(evaluate(*item));
  }
  return values;
}

Value Run::evaluateDict(const Expr &expr) {
  Dict dict;
  for (size_t i = 0; i + 1 < expr.children.size() && !failed(); i += 2) {
    Value key = evaluate(*expr.children[i]);
    if (!hashable(key))
      return fail(ErrorClass::Type,
                  "unhashable type: '" + std::string(key.typeName()) + "'");
    dict.set(std::move(key), evaluate(*expr.children[i + 1]));
  }
  return charge(std::move(dict));
}

Arguments Run::evaluateArguments(const Expr &expr) {
  Arguments arguments;
  arguments.positional = evaluateAll(expr.arguments);
  for (const auto &[name, value] : expr.named) {
    if (failed())
      break;
    arguments.named.emplace_back(name, evaluate(*value));
  }
  if (expr.spread && !failed())
    for (Value &item : iterate(*this, evaluate(*expr.spread)))
      arguments.positional.push_back(std::move(item));
  if (!expr.spreadNamed || failed())
    return arguments;
  Value named = evaluate(*expr.spreadNamed);
  if (!named.dict())
    fail(ErrorClass::Type, "argument after ** must be a mapping");
  else
    for (const auto &[key, value] : named.dict()->items)
      arguments.named.emplace_back(toText(key).view(), value);
  return arguments;
}

Value Run::evaluateSlice(const Expr &expr) {
  Value base = evaluate(*expr.children[0]);
  Value bounds[3];
  const Value *given[3] = {};
  for (size_t i = 0; i < 3; ++i) {
    if (!expr.children[i + 1])
      continue;
    bounds[i] = evaluate(*expr.children[i + 1]);
    if (!bounds[i].isNone())
      given[i] = &bounds[i];
  }
  return failed() ? Value() : slice(*this, base, given[0], given[1], given[2]);
}

Value Run::evaluateCompare(const Expr &expr) {
  Value left = evaluate(*expr.children[0]);
  for (size_t i = 0; i < expr.operators.size() && !failed(); ++i) {
    Value right = evaluate(*expr.children[i + 1]);
    if (failed() || !compare(*this, expr.operators[i], left, right))
      return Value(false);
    left = std::move(right);
  }
  return Value(true);
}

Value Run::evaluateConcat(const Expr &expr) {
  Text text;
  for (const ExprPtr &part : expr.children) {
    text.append(print(evaluate(*part)));
    if (failed())
      return {};
  }
  return charge(std::move(text));
}

} // namespace sgl::jinja
