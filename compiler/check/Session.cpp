// Symbols, limits on errors, and relations between types that need a context.
#include "compiler/check/Session.h"

#include "compiler/check/Names.h"
#include "compiler/check/Unsupported.h"

#include <algorithm>

namespace sgl {

namespace {

/// More errors than anybody reads are dropped, so that hostile input stays
/// cheap.
constexpr size_t maxReports = 1000;
/// Behind so many "did you mean" nobody reads on either, and each costs.
constexpr size_t maxGuesses = 100;

const Type *metaRecord(TypeContext &types) {
  auto field = [](std::string name, const Type *type) {
    RecordField f;
    f.name = std::move(name);
    f.type = type;
    return f;
  };
  RecordDecl *token = types.declareRecord("TokenLogprob");
  token->fields = {field("token", types.strType()),
                   field("logprob", types.floatType()),
                   field("top", types.map(types.floatType()))};
  RecordDecl *meta = types.declareRecord("Meta");
  meta->fields = {field("finish", types.strType()),
                  field("prompt_tokens", types.intType()),
                  field("cached_tokens", types.intType()),
                  field("tokens", types.intType()),
                  field("logprob", types.floatType()),
                  field("logprobs", types.list(types.record(token)))};
  return types.record(meta);
}

} // namespace

Session::Session(SourceManager &sources, const ImportOptions &options,
                 Diagnostics &diagnostics, CheckedProgram &checked)
    : sources(sources), options(options), diagnostics(diagnostics),
      checked(checked), types(*checked.types), program(checked.program),
      metaType(metaRecord(types)) {}

bool Session::isFull() const { return diagnostics.all().size() >= maxReports; }

Diagnostic &Session::error(const char *code, Span span, std::string message) {
  ++errors;
  if (isFull()) {
    dropped = {};
    return dropped;
  }
  return diagnostics.error(code, span, std::move(message));
}

Diagnostic &Session::warning(const char *code, Span span, std::string message) {
  if (isFull()) {
    dropped = {};
    return dropped;
  }
  return diagnostics.warning(code, span, std::move(message));
}

bool Session::refuse(std::string_view feature, Span span) {
  if (isFull())
    return isUnsupported(feature);
  return refuseUnsupported(diagnostics, feature, span);
}

const Symbol *Session::find(const ast::Module &module,
                            const std::string &name) const {
  auto table = symbols.find(&module);
  if (table == symbols.end())
    return nullptr;
  auto entry = table->second.find(name);
  return entry == table->second.end() ? nullptr : &entry->second;
}

const Symbol *Session::findIn(const ast::Module &module,
                              const ast::Name &name) {
  const Symbol *symbol = find(module, name.text);
  bool isPrivate = !name.text.empty() && name.text[0] == '_';
  if (symbol && !symbol->imported && !isPrivate)
    return symbol;
  const std::string &path = sources.file(module.file).path();
  if (symbol && isPrivate) {
    error("E0201", name.span, ticked(name.text) + " is private to " + path)
        .label("not reachable from here")
        .note("names that start with `_` belong to their file");
    return nullptr;
  }
  Diagnostic &d = error("E0201", name.span,
                        "cannot find " + ticked(name.text) + " in " + path)
                      .label("not declared there");
  suggestNearest(d, name.span, name.text, [&] {
    std::vector<std::string> names;
    for (const auto &[candidate, s] : symbols[&module])
      if (!s.imported && candidate[0] != '_')
        names.push_back(candidate);
    return names;
  });
  if (symbol)
    d.note("that file imports it; imported names are not passed on");
  return nullptr;
}

std::string Session::suggestNearest(
    Diagnostic &diagnostic, Span span, const std::string &name,
    const std::function<std::vector<std::string>()> &candidates) {
  if (isFull() || ++guesses > maxGuesses)
    return "";
  std::string nearest = nearestName(name, candidates());
  if (!nearest.empty())
    diagnostic.suggest(span, nearest, "did you mean " + ticked(nearest) + "?");
  return nearest;
}

const Type *Session::pairOf(const Type *a, const Type *b) {
  const Type *&pair = pairs[{a, b}];
  if (!pair) {
    RecordDecl *decl = types.declareRecord("Pair");
    RecordField first, second;
    first.name = "first";
    first.type = a;
    second.name = "second";
    second.type = b;
    decl->fields = {first, second};
    pair = types.record(decl);
    pairDepths[pair] = 1 + std::max(depthOf(a, 0), depthOf(b, 0));
  }
  return pair;
}

/// Levels of `type` below `above` others; stops counting above the limit.
unsigned Session::depthOf(const Type *type, unsigned above) const {
  unsigned deepest = above;
  if (above > maxTypeDepth)
    return deepest;
  auto look = [&](const Type *part) {
    deepest = std::max(deepest, depthOf(part, above + 1));
  };
  if (type->element)
    look(type->element);
  for (const Type *member : type->members)
    look(member);
  if (auto pair = pairDepths.find(type); pair != pairDepths.end())
    deepest = std::max(deepest, above + pair->second);
  return deepest;
}

bool Session::isTooDeep(const Type *type) const {
  return depthOf(type, 0) > maxTypeDepth;
}

const Type *Session::unify(const Type *a, const Type *b) {
  if (isError(a) || isError(b))
    return errorType();
  if (a == b || assignable(a, b))
    return b;
  if (assignable(b, a))
    return a;
  if (a->is(TypeKind::Null) || b->is(TypeKind::Null))
    return types.optional(a->is(TypeKind::Null) ? b : a);
  if (a->is(TypeKind::Optional) || b->is(TypeKind::Optional)) {
    const Type *inner = unify(present(a), present(b));
    return inner ? types.optional(inner) : nullptr;
  }
  const Type *wideA = baseType(types, a), *wideB = baseType(types, b);
  if (wideA == a && wideB == b)
    return nullptr;
  return unify(wideA, wideB);
}

const Type *errorType() {
  static const Type type;
  return &type;
}

Fit fit(TypeContext &types, const Type *from, const Type *to) {
  if (isError(from) || isError(to) || assignable(from, to))
    return Fit::Yes;
  const Type *wide = baseType(types, to);
  if (assignable(from, wide))
    return Fit::Checked;
  if (from->is(TypeKind::Optional) && assignable(from->element, wide))
    return Fit::Null;
  return Fit::No;
}

bool isStateList(const Type *type) {
  return type->is(TypeKind::List) && type->element->is(TypeKind::State);
}

bool holdsStates(const Type *type) {
  return type->is(TypeKind::State) || isStateList(type);
}

TypeKind plainKind(const Type *type) {
  if (!type->is(TypeKind::Literal)) {
    if (!type->is(TypeKind::Union))
      return type->kind;
    // A union of literals of one kind behaves as that kind.
    TypeKind kind = plainKind(type->members.front());
    for (const Type *member : type->members)
      if (!member->is(TypeKind::Literal) || plainKind(member) != kind)
        return TypeKind::Union;
    return kind;
  }
  switch (type->literal.kind) {
  case LiteralValue::Kind::Text:
    return TypeKind::Str;
  case LiteralValue::Kind::Int:
    return TypeKind::Int;
  case LiteralValue::Kind::Bool:
    return TypeKind::Bool;
  }
  return type->kind;
}

bool isNumber(const Type *type) {
  TypeKind kind = plainKind(type);
  return kind == TypeKind::Int || kind == TypeKind::Float;
}

bool isMedia(const Type *type) {
  return type->is(TypeKind::Image) || type->is(TypeKind::Video);
}

std::string ticked(const Type *type) { return "`" + toString(type) + "`"; }
std::string ticked(std::string_view name) {
  return "`" + std::string(name) + "`";
}

} // namespace sgl
