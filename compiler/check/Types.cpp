// Named, list, map, union, optional and refined types; see Types.h.
#include "compiler/check/Types.h"

#include "compiler/check/PatternCheck.h"

#include <charconv>
#include <cmath>

namespace sgl {

namespace {

class Resolver {
public:
  Resolver(Session &session, ast::Module &module)
      : session(session), types(session.types), module(module) {}

  const Type *resolve(ast::TypeExpr &expr) {
    expr.type = make(expr);
    return expr.type;
  }

private:
  const Type *make(ast::TypeExpr &expr) {
    switch (expr.kind) {
    case ast::TypeExprKind::Named:
      return named(expr);
    case ast::TypeExprKind::List:
      return list(expr);
    case ast::TypeExprKind::Map:
      return map(expr);
    case ast::TypeExprKind::Text:
      return types.text(expr.text);
    case ast::TypeExprKind::Union:
      return unionType(expr);
    case ast::TypeExprKind::Optional:
      return optional(expr);
    case ast::TypeExprKind::Refined:
      return refined(expr);
    case ast::TypeExprKind::Error:
      return errorType();
    }
    return errorType();
  }

  const Type *named(ast::TypeExpr &expr) {
    if (expr.path.empty())
      return errorType();
    if (expr.path.size() == 1)
      return single(expr.path[0]);
    const ast::Name &scope = expr.path[0], &name = expr.path[1];
    const Symbol *symbol = session.find(module, scope.text);
    if (symbol && symbol->kind == SymbolKind::Broken)
      return errorType();
    if (!symbol || symbol->kind != SymbolKind::Module ||
        expr.path.size() != 2) {
      session
          .error("E0201", scope.span,
                 "cannot find module " + ticked(scope.text))
          .label("not imported in this file");
      return errorType();
    }
    symbol = session.findIn(*symbol->module, name);
    return symbol ? ofSymbol(*symbol, name) : errorType();
  }

  const Type *single(const ast::Name &name) {
    if (const Symbol *symbol = session.find(module, name.text))
      return ofSymbol(*symbol, name);
    if (session.refuse("type " + name.text, name.span))
      return errorType();
    if (const Type *basic = basicType(types, name.text))
      return basic;
    Diagnostic &d =
        session.error("E0201", name.span, "unknown type " + ticked(name.text))
            .label("no type of this name");
    session.suggestNearest(d, name.span, name.text,
                           [&] { return typeNames(); });
    return errorType();
  }

  const Type *ofSymbol(const Symbol &symbol, const ast::Name &name) {
    if (const Type *type = typeOfSymbol(session, symbol))
      return type;
    session.error("E0201", name.span, ticked(name.text) + " is not a type")
        .label("a type is expected here")
        .also(symbol.span, "declared here");
    return errorType();
  }

  std::vector<std::string> typeNames() {
    std::vector<std::string> names = {"str",   "int",   "float",
                                      "bool",  "json",  "image",
                                      "video", "state", "Message"};
    for (const auto &[name, symbol] : session.symbols[&module])
      if (symbol.kind == SymbolKind::Record ||
          symbol.kind == SymbolKind::Enum || symbol.kind == SymbolKind::Alias)
        names.push_back(name);
    return names;
  }

  /// A part of a type; states are refused where they cannot live (2.4).
  const Type *part(ast::TypeExpr &expr, const char *where) {
    const Type *type = resolve(expr);
    if (!isError(type) && holdsStates(type)) {
      session
          .error("E0301", expr.span, ticked(type) + " cannot stand in " + where)
          .label("not here")
          .note("states live in variables and in `[state]` lists");
      return errorType();
    }
    return type;
  }

  const Type *list(ast::TypeExpr &expr) {
    ast::TypeExpr &child = *expr.children[0];
    const Type *element = resolve(child);
    if (!isError(element) && isStateList(element))
      element = part(child, "a list");
    Refinement bounds;
    if (expr.range && !lengthBounds(*expr.range, bounds))
      return errorType();
    return isError(element) ? element : types.list(element, bounds);
  }

  const Type *map(ast::TypeExpr &expr) {
    // The grammar writes `{K: V}`; the parser keeps the value's type alone.
    const Type *value = part(*expr.children.back(), "a map");
    return isError(value) ? value : types.map(value);
  }

  const Type *optional(ast::TypeExpr &expr) {
    const Type *element = part(*expr.children[0], "an optional type");
    return isError(element) ? element : types.optional(element);
  }

  const Type *unionType(ast::TypeExpr &expr) {
    std::vector<const Type *> members;
    bool broken = false;
    for (auto &child : expr.children) {
      const Type *member = part(*child, "a union");
      broken |= isError(member);
      members.push_back(member);
    }
    return broken ? errorType() : types.unionOf(std::move(members));
  }

  //===-- Refinements -----------------------------------------------------===//

  const Type *refined(ast::TypeExpr &expr) {
    const Type *type = resolve(*expr.children[0]);
    if (isError(type))
      return type;
    const Type *base = present(type);
    Refinement r = base->refinement;
    bool refinable = base->is(TypeKind::Int) || base->is(TypeKind::Float) ||
                     base->is(TypeKind::Str);
    if (!refinable) {
      session
          .error("E0301", expr.span,
                 ticked(type) + " takes no " +
                     (expr.hasPattern ? "`matching`" : "range"))
          .label("only `int`, `float` and `str` are refined");
      return errorType();
    }
    if (expr.range && !applyRange(base, *expr.range, r))
      return errorType();
    if (expr.hasPattern && !applyPattern(base, expr, r))
      return errorType();
    const Type *result = types.refined(base->kind, std::move(r));
    return type == base ? result : types.optional(result);
  }

  bool applyPattern(const Type *base, ast::TypeExpr &expr, Refinement &r) {
    if (!base->is(TypeKind::Str)) {
      session
          .error("E0301", expr.patternSpan,
                 ticked(base) + " takes no `matching`")
          .label("only a `str` matches a pattern");
      return false;
    }
    r.pattern = expr.text;
    return checkPattern(session, expr.text, expr.patternSpan);
  }

  bool applyRange(const Type *base, const ast::RangeBounds &range,
                  Refinement &r) {
    switch (base->kind) {
    case TypeKind::Int:
      return intBounds(range, r.minInt, r.maxInt);
    case TypeKind::Float:
      return floatBounds(range, r);
    default:
      return lengthBounds(range, r);
    }
  }

  bool bad(const ast::RangeBounds &range, const char *code, std::string why) {
    session.error(code, range.span, std::move(why)).label("in this range");
    return false;
  }

  bool nothingIn(const ast::RangeBounds &range) {
    session.error("E0407", range.span, "no value lies in this range")
        .label("its end is below its start");
    return false;
  }

  template <typename T>
  bool number(const ast::RangeBounds &range, const std::string &digits,
              std::optional<T> &out) {
    if (digits.empty())
      return true;
    T value{};
    const char *end = digits.data() + digits.size();
    auto [stop, failed] = std::from_chars(digits.data(), end, value);
    if (failed == std::errc() && stop == end) {
      out = value;
      return true;
    }
    return bad(range, "E0301",
               ticked(digits) + (std::is_floating_point_v<T>
                                     ? " is not a `float`"
                                     : " is not a whole number of 64 bits"));
  }

  bool intBounds(const ast::RangeBounds &range, std::optional<int64_t> &low,
                 std::optional<int64_t> &high) {
    if (!number(range, range.low, low) || !number(range, range.high, high))
      return false;
    if (range.single)
      high = low;
    else if (high && !range.inclusive) {
      if (*high == INT64_MIN)
        return nothingIn(range);
      --*high;
    }
    return !low || !high || *low <= *high || nothingIn(range);
  }

  bool floatBounds(const ast::RangeBounds &range, Refinement &r) {
    if (!number(range, range.low, r.minFloat) ||
        !number(range, range.high, r.maxFloat))
      return false;
    if (range.single)
      r.maxFloat = r.minFloat;
    else if (r.maxFloat && !range.inclusive)
      r.maxFloat = std::nextafter(*r.maxFloat, -HUGE_VAL);
    return !r.minFloat || !r.maxFloat || *r.minFloat <= *r.maxFloat ||
           nothingIn(range);
  }

  bool lengthBounds(const ast::RangeBounds &range, Refinement &r) {
    std::optional<int64_t> low, high;
    if (!intBounds(range, low, high))
      return false;
    if ((low && *low < 0) || (high && *high < 0))
      return bad(range, "E0407", "a length is not negative");
    if (low)
      r.minLength = uint64_t(*low);
    if (high)
      r.maxLength = uint64_t(*high);
    return true;
  }

  Session &session;
  TypeContext &types;
  ast::Module &module;
};

} // namespace

const Type *resolveType(Session &session, ast::Module &module,
                        ast::TypeExpr &expr) {
  return Resolver(session, module).resolve(expr);
}

const Type *resolveAlias(Session &session, ast::Module &module,
                         ast::TypeAlias &alias) {
  if (session.done.count(&alias))
    return alias.type && alias.type->type ? alias.type->type : errorType();
  if (!alias.type)
    return errorType();
  if (!session.active.insert(&alias).second) {
    session
        .error("E0407", alias.name.span,
               "type " + ticked(alias.name.text) + " is made of itself")
        .label("no value would be of this type")
        .note("only a `record` may contain itself, through a list, a map or "
              "`?`");
    return errorType();
  }
  const Type *type = errorType();
  if (session.active.size() <= maxDeclarationDepth)
    type = resolveType(session, module, *alias.type);
  else
    session
        .error("E0407", alias.name.span,
               "types refer to each other more than " +
                   std::to_string(maxDeclarationDepth) + " deep")
        .label("too deep");
  session.active.erase(&alias);
  session.done.insert(&alias);
  return type;
}

const Type *basicType(TypeContext &types, std::string_view name) {
  static const std::unordered_map<std::string_view, TypeKind> kinds = {
      {"str", TypeKind::Str},     {"int", TypeKind::Int},
      {"float", TypeKind::Float}, {"bool", TypeKind::Bool},
      {"json", TypeKind::Json},   {"image", TypeKind::Image},
      {"video", TypeKind::Video}, {"state", TypeKind::State}};
  if (name == "Message")
    return types.message();
  auto found = kinds.find(name);
  return found == kinds.end() ? nullptr : types.get(found->second);
}

const Type *typeOfSymbol(Session &session, const Symbol &symbol) {
  switch (symbol.kind) {
  case SymbolKind::Record:
    return session.types.record(symbol.record->decl);
  case SymbolKind::Enum:
    return session.types.enumeration(symbol.enumeration->decl);
  case SymbolKind::Alias:
    return resolveAlias(session, *symbol.owner, *symbol.alias);
  case SymbolKind::Function:
    return symbol.function->isTool && symbol.function->toolRecord
               ? session.types.record(symbol.function->toolRecord)
               : nullptr;
  case SymbolKind::Broken:
    return errorType();
  default:
    return nullptr;
  }
}

} // namespace sgl
