// Types as written.

#include "compiler/syntax/Builder.h"

#include <algorithm>

namespace sgl::syntax {

using namespace ast;

static TypeExprPtr makeType(TypeExprKind kind, Span span) {
  auto type = std::make_unique<TypeExpr>();
  type->kind = kind;
  type->span = span;
  return type;
}

TypeExprPtr Builder::type(P::TypeContext *context) {
  if (!context || context->memberType().empty())
    return makeType(TypeExprKind::Error, spanOf(context));
  std::vector<P::MemberTypeContext *> members = context->memberType();
  if (members.size() == 1)
    return memberType(members.front());
  TypeExprPtr result = makeType(TypeExprKind::Union, spanOf(context));
  for (auto *member : members)
    result->children.push_back(memberType(member));
  return result;
}

/// `T? in 0..9` is optional outside and refined inside.
TypeExprPtr Builder::memberType(P::MemberTypeContext *context) {
  TypeExprPtr result = plainType(context->plainType());
  std::vector<P::BoundsContext *> ranges = context->bounds();
  std::vector<P::TextContext *> patterns = context->text();
  if (!ranges.empty() || !patterns.empty()) {
    TypeExprPtr refined = makeType(TypeExprKind::Refined, spanOf(context));
    refined->children.push_back(std::move(result));
    if (!ranges.empty())
      refined->range = bounds(ranges.front());
    if (!patterns.empty()) {
      std::optional<std::string> pattern = constantText(patterns.front());
      refined->text = pattern.value_or("");
      refined->hasPattern = pattern.has_value();
      refined->patternSpan = spanOf(patterns.front());
    }
    if (ranges.size() > 1)
      log.error("E0100", spanOf(ranges[1]), "a type takes one `in`")
          .label("the second one");
    if (patterns.size() > 1)
      log.error("E0100", spanOf(patterns[1]), "a type takes one `matching`")
          .label("the second one");
    result = std::move(refined);
  }
  if (!context->QUESTION())
    return result;
  TypeExprPtr optional = makeType(TypeExprKind::Optional, spanOf(context));
  optional->children.push_back(std::move(result));
  return optional;
}

TypeExprPtr Builder::plainType(P::PlainTypeContext *context) {
  if (!context)
    return makeType(TypeExprKind::Error, log.span(0, 0));
  Span span = spanOf(context);
  if (auto *node = context->qualifiedName()) {
    TypeExprPtr result = makeType(TypeExprKind::Named, span);
    result->path = qualified(node);
    bool complete = !result->path.empty() &&
                    std::none_of(result->path.begin(), result->path.end(),
                                 [](const Name &n) { return n.text.empty(); });
    if (complete)
      return result;
  }
  if (auto *node = context->listType()) {
    TypeExprPtr result = makeType(TypeExprKind::List, span);
    result->children.push_back(type(node->type()));
    if (node->bounds())
      result->range = bounds(node->bounds());
    return result;
  }
  if (auto *node = context->mapType())
    return mapType(node);
  if (auto *node = context->text()) {
    TypeExprPtr result = makeType(TypeExprKind::Text, span);
    std::optional<std::string> value = constantText(node);
    if (!value)
      result->kind = TypeExprKind::Error;
    result->text = value.value_or("");
    return result;
  }
  return makeType(TypeExprKind::Error, span);
}

TypeExprPtr Builder::mapType(P::MapTypeContext *context) {
  TypeExprPtr result = makeType(TypeExprKind::Map, spanOf(context));
  result->children.push_back(type(context->value));
  Span key = spanOf(context->key);
  TypeExprPtr keyType = type(context->key);
  if (keyType->kind != TypeExprKind::Error && wordAt(key) != "str")
    log.error("E0100", key, "the keys of a map are `str`")
        .label("write `str`")
        .suggest(key, "str", "write `str`");
  return result;
}

/// Digits and sign, without `_`.
std::string Builder::number(P::NumberContext *context) {
  std::string digits(wordAt(spanOf(context)));
  std::erase_if(digits, [](char c) {
    return c == '_' || c == ' ' || c == '\t' || c == '\n' || c == '\r';
  });
  return digits;
}

RangeBounds Builder::bounds(P::BoundsContext *context) {
  RangeBounds range;
  range.span = spanOf(context);
  if (context->low)
    range.low = number(context->low);
  if (context->high)
    range.high = number(context->high);
  range.inclusive = context->RANGE_INCLUSIVE() != nullptr;
  range.single = !range.inclusive && !context->RANGE();
  return range;
}

} // namespace sgl::syntax
