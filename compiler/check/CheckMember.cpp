// What stands behind a dot or in brackets: fields, members, captures, elements.
#include "compiler/check/BodyChecker.h"

#include "compiler/check/Types.h"

namespace sgl {

//===-- Names of modules and enums ----------------------------------------===//

const Type *BodyChecker::enumMember(ast::Expr &expr, const Type *type) {
  const EnumDecl *decl = type->enumeration;
  for (uint32_t i = 0; i < decl->members.size(); ++i) {
    if (decl->members[i].name != expr.text)
      continue;
    expr.enumeration = decl;
    expr.constant = Value::enumeration(decl, i);
    return type;
  }
  Diagnostic &d =
      session.error("E0201", expr.nameSpan,
                    ticked(decl->name) + " has no member " + ticked(expr.text));
  d.label("no such member");
  std::vector<std::string> names;
  for (const EnumMember &member : decl->members)
    names.push_back(member.name);
  session.suggestNearest(d, expr.nameSpan, expr.text, [&] { return names; });
  return errorType();
}

/// `Grade.A`, `judge.LIMIT`, `judge.Grade.A`: names that are no fields. False
/// where `expr` reads a value.
bool BodyChecker::checkQualified(ast::Expr &expr) {
  ast::Expr &base = *expr.children[0];
  if (base.kind == ast::ExprKind::Field &&
      base.children[0]->kind == ast::ExprKind::Name) {
    ast::Expr &scope = *base.children[0];
    if (findValue(scope.text))
      return false;
    const Symbol *symbol = session.find(module, scope.text);
    if (!symbol || symbol->kind != SymbolKind::Module)
      return false;
    const Symbol *inner = session.find(*symbol->module, base.text);
    const Type *type =
        inner && !inner->imported ? typeOfSymbol(session, *inner) : nullptr;
    if (!type || !type->is(TypeKind::Enum) ||
        !session.findIn(*symbol->module, {base.text, base.nameSpan}))
      return false;
    base.type = scope.type = types.voidType();
    expr.type = enumMember(expr, type);
    return true;
  }
  if (base.kind != ast::ExprKind::Name || findValue(base.text))
    return false;
  const Symbol *symbol = session.find(module, base.text);
  if (!symbol)
    return false;
  base.type = types.voidType();
  if (symbol->kind == SymbolKind::Module) {
    symbol = session.findIn(*symbol->module, {expr.text, expr.nameSpan});
    expr.type = symbol ? symbolValue(expr, *symbol) : errorType();
    return true;
  }
  const Type *type = typeOfSymbol(session, *symbol);
  if (type && isError(type)) {
    expr.type = type;
    return true;
  }
  if (!type || !type->is(TypeKind::Enum))
    return false;
  expr.type = enumMember(expr, type);
  return true;
}

//===-- Fields ------------------------------------------------------------===//

const Type *BodyChecker::checkField(ast::Expr &expr) {
  if (checkQualified(expr))
    return expr.type;
  ast::Expr &base = *expr.children[0];
  const Type *type = checkExpr(base);
  if (isError(type) || refuseNull(base))
    return errorType();
  if (type->is(TypeKind::Json))
    return type;
  if (type->is(TypeKind::State))
    return checkStateField(expr);
  if (!type->is(TypeKind::Record)) {
    Diagnostic &d = session.error("E0301", expr.nameSpan,
                                  "a " + ticked(type) + " has no fields");
    d.label("no such field").also(base.span, "of type " + ticked(type));
    if (isStateList(type))
      d.note("the states of a list are read one by one: `fs[0]." + expr.text +
             "`");
    return errorType();
  }
  for (const RecordField &field : type->record->fields) {
    if (field.name != expr.text)
      continue;
    if (std::optional<Place> place = placeOf(expr))
      if (const Type *narrowed = env.narrowedType(*place))
        return narrowed;
    return field.type;
  }
  Diagnostic &d =
      session.error("E0201", expr.nameSpan,
                    ticked(type) + " has no field " + ticked(expr.text));
  d.label("no such field");
  std::vector<std::string> names;
  for (const RecordField &field : type->record->fields)
    names.push_back(field.name);
  session.suggestNearest(d, expr.nameSpan, expr.text, [&] { return names; });
  return errorType();
}

//===-- What a state holds ------------------------------------------------===//

const Type *BodyChecker::checkStateField(ast::Expr &expr) {
  ast::Expr &base = *expr.children[0];
  markUsed(base);
  if (expr.text == "text")
    return types.strType();
  if (expr.text == "tokens")
    return types.intType();
  if (expr.text == "messages")
    return types.list(types.message());
  ast::Binding *state =
      base.kind == ast::ExprKind::Name ? base.binding : nullptr;
  const StateFacts *facts = state ? env.facts(state) : nullptr;
  if (!facts)
    return checkElementField(expr);
  auto found = facts->captures.get().find(expr.text);
  if (found == facts->captures.get().end())
    return info(state).elementOf ? checkElementField(expr)
                                 : reportNoCapture(expr);
  const CaptureFact &fact = found->second;
  if (!fact.onAllPaths) {
    session
        .error("E0203", expr.nameSpan,
               ticked(expr.text) + " is generated on some paths only")
        .label("may not exist here")
        .also(fact.span, "generated here, if this is reached")
        .note("give it a value on every path, or read it where it is known");
    return errorType();
  }
  if (fact.otherType) {
    session
        .error("E0203", expr.nameSpan,
               ticked(expr.text) + " has a type of its own on each path")
        .label("a " + ticked(fact.type) + " or a " + ticked(fact.otherType))
        .also(fact.span, "generated here")
        .note("one name of a state has one type on all paths");
    return errorType();
  }
  expr.binding = fact.binding;
  if (std::optional<Place> place = placeOf(expr))
    if (const Type *narrowed = env.narrowedType(*place))
      return narrowed;
  return fact.type;
}

/// `fs[i].name`: looked up when it runs, so the function has one type for it.
const Type *BodyChecker::checkElementField(ast::Expr &expr) {
  auto found = dynamicCaptures.find(expr.text);
  if (found == dynamicCaptures.end())
    return reportNoCapture(expr);
  const CaptureFact &fact = found->second;
  if (fact.otherType) {
    session
        .error("E0203", expr.nameSpan,
               ticked(expr.text) + " has more than one type in this function")
        .label("a " + ticked(fact.type) + " or a " + ticked(fact.otherType))
        .also(fact.span, "generated here")
        .note("the names of a list's states are looked up when it runs");
    return errorType();
  }
  return fact.type;
}

const Type *BodyChecker::reportNoCapture(const ast::Expr &expr) {
  if (session.isFull())
    return errorType();
  std::vector<std::string> names = {"text", "messages", "tokens"};
  for (const CaptureSite &site : captureSites()) {
    names.push_back(site.name);
    if (site.name != expr.text)
      continue;
    bool inside =
        site.fork.begin <= expr.span.begin && expr.span.end <= site.fork.end;
    if (site.inFork && !inside) {
      session
          .error("E0204", expr.nameSpan,
                 ticked(expr.text) + " belongs to the branches of a fork")
          .label("not generated on this state")
          .also(site.span, "generated in each branch here")
          .note("`join " + expr.text + "` hands back its values");
      return errorType();
    }
    if (site.span.begin > expr.span.begin) {
      session
          .error("E0202", expr.nameSpan,
                 ticked(expr.text) + " is read before it is generated")
          .label("nothing has this name yet")
          .also(site.span, "generated here");
      return errorType();
    }
  }
  const ast::Expr &base = *expr.children[0];
  Diagnostic &d = session.error(
      "E0201", expr.nameSpan,
      "nothing is generated under the name " + ticked(expr.text) +
          (base.kind == ast::ExprKind::Name ? " on " + ticked(base.text) : ""));
  d.label("no such name")
      .note("a function knows the names that it generates itself; others hand "
            "values back by `return`");
  session.suggestNearest(d, expr.nameSpan, expr.text, [&] { return names; });
  return errorType();
}

//===-- Elements ----------------------------------------------------------===//

const Type *BodyChecker::checkIndex(ast::Expr &expr) {
  ast::Expr &base = *expr.children[0], &index = *expr.children[1];
  const Type *type = checkExpr(base);
  if (isError(type) || refuseNull(base)) {
    checkExpr(index);
    return errorType();
  }
  switch (type->kind) {
  case TypeKind::List:
    checkAs(index, types.intType());
    return type->element;
  case TypeKind::Map:
    checkAs(index, types.strType());
    return type->element;
  case TypeKind::Json: {
    const Type *key = checkExpr(index);
    if (!isError(key) && plainKind(key) != TypeKind::Int &&
        plainKind(key) != TypeKind::Str)
      session
          .error("E0301", index.span,
                 "a `json` is read by a `str` or an `int`, not by a " +
                     ticked(key))
          .label("of type " + ticked(key));
    return type;
  }
  default:
    break;
  }
  checkExpr(index);
  Diagnostic &d = session.error("E0301", base.span,
                                "a " + ticked(type) + " has no elements");
  d.label("of type " + ticked(type));
  if (plainKind(type) == TypeKind::Str)
    d.note("`slice(x, from, to)` is a part of a text");
  return errorType();
}

} // namespace sgl
