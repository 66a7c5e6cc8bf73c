// Calls of functions, records, enums and built-ins: who is called, and how the
// arguments find their parameters.
#include "compiler/check/BodyChecker.h"

#include "compiler/check/BuiltinTypes.h"
#include "compiler/check/Declare.h"
#include "compiler/check/Types.h"

#include <algorithm>

namespace sgl {

namespace {

bool isSpecialName(std::string_view name) {
  static const std::unordered_set<std::string_view> names = {
      "state",  "image",      "video",      "special", "meta",
      "scores", "prob",       "last_error", "mock",    "render",
      "run",    "signatures", "read_file"};
  return names.count(name);
}

} // namespace

const Type *BodyChecker::checkCall(ast::Expr &expr, const Type *expected) {
  ast::Expr &callee = *expr.children[0];
  callee.type = types.voidType();
  if (callee.kind == ast::ExprKind::Name) {
    const std::string &name = callee.text;
    // A call looks among functions first; a variable hides none (2.1).
    const Symbol *symbol = session.find(module, name);
    if (symbol && symbol->kind != SymbolKind::Constant &&
        symbol->kind != SymbolKind::Module)
      return checkSymbolCall(expr, *symbol, expected);
    if (isRoleName(name)) {
      session
          .error("E0509", expr.span,
                 "the turn " + ticked(name + "(…)") +
                     " stands outside of a `+=`")
          .label("a part of a prompt, not a value")
          .note("write `s += " + name + "(…)`");
      checkArgumentsAnyway(expr);
      return errorType();
    }
    if (name == "Message")
      return checkRecordCall(expr, types.message());
    if (isSpecialName(name))
      return checkSpecialCall(expr, name);
    if (isBuiltinName(name)) {
      expr.callee = ast::CalleeKind::Builtin;
      expr.builtin = name;
      return checkBuiltinCall(expr);
    }
    return reportUnknownCall(expr, name);
  }
  if (callee.kind == ast::ExprKind::Field &&
      callee.children[0]->kind == ast::ExprKind::Name) {
    ast::Expr &scope = *callee.children[0];
    scope.type = types.voidType();
    const Symbol *symbol = session.find(module, scope.text);
    if (symbol && symbol->kind == SymbolKind::Broken) {
      checkArgumentsAnyway(expr);
      return errorType();
    }
    if (symbol && symbol->kind == SymbolKind::Module) {
      symbol = session.findIn(*symbol->module, {callee.text, callee.nameSpan});
      if (symbol)
        return checkSymbolCall(expr, *symbol, expected);
      checkArgumentsAnyway(expr);
      return errorType();
    }
    bool known = findValue(scope.text);
    Diagnostic &d =
        known
            ? session.error("E0301", callee.nameSpan, "values have no methods")
            : session.error("E0201", scope.span,
                            "cannot find module " + ticked(scope.text));
    d.label(known ? "called as a method" : "not imported in this file");
    if (known)
      d.note("a function takes the value: `" + callee.text + "(" + scope.text +
             ", …)`");
    checkArgumentsAnyway(expr);
    return errorType();
  }
  session.error("E0301", callee.span, "only functions are called")
      .label("not the name of a function");
  checkArgumentsAnyway(expr);
  return errorType();
}

const Type *BodyChecker::checkSymbolCall(ast::Expr &expr, const Symbol &symbol,
                                         const Type *expected) {
  switch (symbol.kind) {
  case SymbolKind::Function:
    if (!symbol.function->isTool)
      return checkFunctionCall(expr, *symbol.function);
    break;
  case SymbolKind::Broken:
    checkArgumentsAnyway(expr);
    return errorType();
  default:
    break;
  }
  const Type *type = typeOfSymbol(session, symbol);
  if (type && type->is(TypeKind::Record))
    return checkRecordCall(expr, type);
  if (type && type->is(TypeKind::Enum))
    return checkConversion(expr, type);
  if (!type || !isError(type))
    session
        .error("E0301", expr.children[0]->span,
               "only functions, records and enums are called")
        .label("not one of them")
        .also(symbol.span, "declared here");
  checkArgumentsAnyway(expr);
  return errorType();
}

const Type *BodyChecker::reportUnknownCall(ast::Expr &expr,
                                           const std::string &name) {
  checkArgumentsAnyway(expr);
  ast::Expr &callee = *expr.children[0];
  if (ast::Binding *value = findValue(name)) {
    session
        .error("E0301", callee.span,
               ticked(name) + " is a value, not a "
                              "function")
        .label("called here")
        .also(value->span, "declared here");
    return errorType();
  }
  Diagnostic &d = session.error("E0201", callee.span,
                                "cannot find function " + ticked(name));
  d.label("no function of this name");
  if (name == "ask" || name == "print") {
    d.note("it comes from the library: import std.io (" + name + ")");
    return errorType();
  }
  session.suggestNearest(d, callee.span, name, [&] { return callableNames(); });
  return errorType();
}

std::vector<std::string> BodyChecker::callableNames() {
  std::vector<std::string> names = builtinNames();
  for (const auto &[known, symbol] : session.symbols[&module])
    if (symbol.kind == SymbolKind::Function ||
        symbol.kind == SymbolKind::Record || symbol.kind == SymbolKind::Enum)
      names.push_back(known);
  for (const char *role : {"system", "user", "assistant", "tool", "role"})
    names.push_back(role);
  for (const char *special : {"state", "special", "meta", "scores", "prob",
                              "last_error", "image", "signatures"})
    names.push_back(special);
  return names;
}

/// Arguments of a call that cannot be checked still are, for their own errors.
void BodyChecker::checkArgumentsAnyway(ast::Expr &expr) {
  for (ast::Arg &arg : expr.args)
    if (arg.value->kind != ast::ExprKind::Gen &&
        arg.value->kind != ast::ExprKind::Select)
      checkExpr(*arg.value);
}

std::string BodyChecker::shownCallee(const ast::Expr &expr) const {
  const ast::Expr &callee = *expr.children[0];
  return ticked(callee.text);
}

//===-- Arguments and parameters ------------------------------------------===//

bool BodyChecker::orderArguments(ast::Expr &expr,
                                 const std::vector<std::string> &names,
                                 const std::vector<bool> &optional, bool named,
                                 const std::string &what) {
  expr.argOrder.assign(names.size(), -1);
  bool fine = true, sawLabel = false;
  auto wrong = [&](Span span, std::string message) -> Diagnostic & {
    fine = false;
    return session.error("E0604", span, std::move(message));
  };
  for (size_t i = 0; i < expr.args.size(); ++i) {
    const ast::Arg &arg = expr.args[i];
    size_t to = i;
    if (arg.label) {
      sawLabel = true;
      to = size_t(std::find(names.begin(), names.end(), arg.label->text) -
                  names.begin());
      if (to == names.size()) {
        Diagnostic &d =
            wrong(arg.label->span, what + " has no " +
                                       (named ? "field " : "parameter ") +
                                       ticked(arg.label->text));
        d.label("unknown");
        session.suggestNearest(d, arg.label->span, arg.label->text,
                               [&] { return names; });
        continue;
      }
    } else if (named) {
      wrong(arg.value->span, "the fields of " + what + " are given by name")
          .label("which field?")
          .note("write `name: value`");
      continue;
    } else if (sawLabel) {
      wrong(arg.value->span, "arguments without a name come first")
          .label("behind a named one");
      continue;
    } else if (to >= names.size()) {
      wrong(arg.value->span,
            what + " takes " + std::to_string(names.size()) +
                (names.size() == 1 ? " argument" : " arguments") + ", not " +
                std::to_string(expr.args.size()))
          .label("one too many");
      break;
    }
    if (expr.argOrder[to] >= 0)
      wrong(arg.label ? arg.label->span : arg.value->span,
            ticked(names[to]) + " is given twice")
          .label("again here")
          .also(expr.args[expr.argOrder[to]].value->span, "first here");
    expr.argOrder[to] = int(i);
  }
  if (!fine)
    return false;
  std::string missing;
  size_t count = 0;
  for (size_t i = 0; i < names.size(); ++i)
    if (expr.argOrder[i] < 0 && !optional[i]) {
      missing += (missing.empty() ? "" : ", ") + ticked(names[i]);
      ++count;
    }
  if (count)
    wrong(expr.span, what + " misses " + missing)
        .label(count == 1 ? "one is missing" : "some are missing");
  return fine;
}

bool BodyChecker::checkArity(ast::Expr &expr, size_t least, size_t most) {
  for (const ast::Arg &arg : expr.args)
    if (arg.label) {
      session
          .error("E0604", arg.label->span,
                 shownCallee(expr) + " takes its arguments without names")
          .label("a name");
      return false;
    }
  size_t count = expr.args.size();
  if (count >= least && count <= most)
    return true;
  std::string takes = std::to_string(least);
  if (most != least)
    takes += " to " + std::to_string(most);
  session
      .error("E0604", expr.span,
             shownCallee(expr) + " takes " + takes +
                 (most == 1 ? " argument" : " arguments") + ", not " +
                 std::to_string(count))
      .label(count < least ? "one is missing" : "one too many");
  return false;
}

const Type *BodyChecker::checkFunctionCall(ast::Expr &expr,
                                           ast::FnDecl &callee) {
  expr.callee = ast::CalleeKind::Function;
  expr.function = &callee;
  std::vector<std::string> names;
  std::vector<bool> optional;
  for (const ast::Param &param : callee.params) {
    const Type *type = param.binding->type;
    names.push_back(param.name.text);
    optional.push_back(param.defaultValue || type->is(TypeKind::Optional) ||
                       isError(type));
  }
  if (!orderArguments(expr, names, optional, false, ticked(callee.name.text))) {
    checkArgumentsAnyway(expr);
    return callee.resultType;
  }
  // Evaluated as written, so checked in that order too.
  std::vector<const Type *> wanted(expr.args.size());
  for (size_t i = 0; i < expr.argOrder.size(); ++i)
    if (expr.argOrder[i] >= 0)
      wanted[expr.argOrder[i]] = callee.params[i].binding->type;
  for (size_t i = 0; i < expr.args.size(); ++i)
    checkAs(*expr.args[i].value, wanted[i]);
  checkStateArguments(expr, callee);
  return callee.resultType;
}

//===-- Records and enums -------------------------------------------------===//

const Type *BodyChecker::checkRecordCall(ast::Expr &expr, const Type *type) {
  const RecordDecl *decl = type->record;
  expr.record = decl;
  if (expr.args.size() == 1 && !expr.args[0].label)
    return checkConversion(expr, type);
  expr.callee = decl->isTool ? ast::CalleeKind::Tool : ast::CalleeKind::Record;
  std::vector<std::string> names;
  std::vector<bool> optional;
  for (const RecordField &field : decl->fields) {
    names.push_back(field.name);
    optional.push_back(session.defaultedFields.count(&field) ||
                       field.type->is(TypeKind::Optional) ||
                       isError(field.type));
  }
  if (!orderArguments(expr, names, optional, true, ticked(decl->name))) {
    checkArgumentsAnyway(expr);
    return type;
  }
  for (size_t i = 0; i < expr.argOrder.size(); ++i)
    if (expr.argOrder[i] >= 0)
      checkAs(*expr.args[expr.argOrder[i]].value, decl->fields[i].type);
  return type;
}

/// `Person(j)`, `Grade("A")`: one json or text.
const Type *BodyChecker::checkConversion(ast::Expr &expr, const Type *type) {
  bool isEnum = type->is(TypeKind::Enum);
  expr.callee =
      isEnum ? ast::CalleeKind::EnumConvert : ast::CalleeKind::RecordConvert;
  if (isEnum)
    expr.enumeration = type->enumeration;
  if (!checkArity(expr, 1, 1)) {
    checkArgumentsAnyway(expr);
    return type;
  }
  ast::Expr &value = *expr.args[0].value;
  const Type *from = checkExpr(value);
  if (isError(from) || refuseNull(value))
    return type;
  TypeKind kind = plainKind(from);
  if (kind != TypeKind::Str && kind != TypeKind::Json) {
    Diagnostic &d = session.error("E0301", value.span,
                                  ticked(type) +
                                      " is made of a `json` or a "
                                      "text, found " +
                                      ticked(from));
    d.label("of type " + ticked(from));
    if (!isEnum)
      d.note("its fields are given by name: `" + type->record->name +
             "(field: value)`");
    return type;
  }
  if (isEnum && value.constant && !convert(*value.constant, type))
    session
        .error("E0301", value.span,
               ticked(type) + " has no member with the text " +
                   toJson(*value.constant))
        .label("no such text");
  return type;
}

//===-- Built-ins ---------------------------------------------------------===//

const Type *BodyChecker::checkBuiltinCall(ast::Expr &expr) {
  std::vector<OverloadMatch> all = builtinOverloads(session, expr.builtin);
  size_t least = SIZE_MAX, most = 0;
  for (const OverloadMatch &match : all) {
    least = std::min(least, match.parameterCount());
    most = std::max(most, match.parameterCount());
  }
  if (!checkArity(expr, least, most)) {
    checkArgumentsAnyway(expr);
    return errorType();
  }
  std::vector<OverloadMatch> left;
  for (const OverloadMatch &match : all)
    if (match.parameterCount() == expr.args.size())
      left.push_back(match);
  bool broken = false;
  for (size_t i = 0; i < expr.args.size(); ++i) {
    ast::Expr &arg = *expr.args[i].value;
    const Type *type =
        checkExpr(arg, left.size() == 1 ? left[0].expected(i) : nullptr);
    if (isError(type)) {
      broken = true;
      continue;
    }
    std::vector<OverloadMatch> fits;
    for (const OverloadMatch &match : left) {
      OverloadMatch copy = match;
      if (copy.accept(i, type))
        fits.push_back(copy);
    }
    if (fits.empty()) {
      bool onlyNull = false;
      for (OverloadMatch copy : left)
        onlyNull |=
            type->is(TypeKind::Optional) && copy.accept(i, type->element);
      if (onlyNull && refuseNull(arg))
        broken = true;
      if (broken)
        continue;
      std::string takes;
      for (const OverloadMatch &match : left) {
        std::string one = match.describe(i);
        if (takes.find(one) == std::string::npos)
          takes += (takes.empty() ? "" : " or ") + one;
      }
      session
          .error("E0301", arg.span,
                 ticked(expr.builtin) + " takes " + takes + " here, found " +
                     (type->is(TypeKind::Void) ? "nothing" : ticked(type)))
          .label("of type " + ticked(type));
      broken = true;
      continue;
    }
    left = std::move(fits);
  }
  if (broken)
    return errorType();
  if (expr.builtin == "sort_by")
    return checkSortBy(expr, expr.args[0].value->type);
  return left[0].result();
}

const Type *BodyChecker::checkSortBy(ast::Expr &expr, const Type *list) {
  const ast::Expr &key = *expr.args[1].value;
  const std::string *name = key.constant ? key.constant->asText() : nullptr;
  const Type *result = types.list(list->element);
  if (!name)
    return result;
  std::vector<std::string> names;
  for (const RecordField &field : list->element->record->fields) {
    names.push_back(field.name);
    if (field.name != *name)
      continue;
    if (!isError(field.type) && !isNumber(field.type) &&
        plainKind(field.type) != TypeKind::Str)
      session
          .error("E0301", key.span,
                 "a " + ticked(field.type) + " has no order to sort by")
          .label("of type " + ticked(field.type));
    return result;
  }
  Diagnostic &d =
      session.error("E0201", key.span,
                    ticked(list->element) + " has no field " + ticked(*name));
  d.label("no such field");
  session.suggestNearest(d, key.span, *name, [&] { return names; });
  if (d.fix)
    d.fix->replacement = "\"" + d.fix->replacement + "\"";
  return result;
}

} // namespace sgl
