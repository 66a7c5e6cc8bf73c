// `match`: patterns against a type, what is left behind each arm, and whether
// anything is left behind all (2.9).
//
// The subject's type falls apart into atoms: a member of an enum, a literal, a
// bool, null, a member of a union, or a whole open type. A pattern takes atoms
// away; an atom of an open type goes only by its type's name.
#include "compiler/check/BodyChecker.h"

#include "compiler/check/Types.h"

namespace sgl {

struct BodyChecker::Atom {
  const Type *type = nullptr; ///< the member of the union, or null's type
  std::optional<Value> value; ///< the one value it is, where it is one
  std::string shown;
  bool covered = false;
};

class BodyChecker::MatchChecker {
public:
  MatchChecker(BodyChecker &body, ast::Stmt &stmt)
      : body(body), session(body.session), types(body.types), stmt(stmt) {}

  void run() {
    subject = body.checkExpr(*stmt.value);
    if (subject->is(TypeKind::Void) && !isError(subject)) {
      session.error("E0301", stmt.value->span, "this call gives no result")
          .label("nothing to match");
      subject = errorType();
    }
    if (!isError(subject) && (holdsStates(subject) || isMedia(subject))) {
      session
          .error("E0301", stmt.value->span,
                 "a " + ticked(subject) + " does not match")
          .label("of type " + ticked(subject));
      subject = errorType();
    }
    place = body.placeOf(*stmt.value);
    if (!isError(subject))
      split(subject);
    Env before = body.env;
    std::optional<Env> behind;
    for (ast::MatchArm &arm : stmt.arms) {
      body.env = before;
      checkArm(arm);
      behind = behind ? merge(session, *behind, body.env) : body.env;
    }
    bool all = checkExhaustive();
    body.env = behind ? *behind : before;
    if (!all)
      body.env = merge(session, body.env, before);
  }

private:
  //===-- Atoms -----------------------------------------------------------===//

  void addAtom(const Type *type, std::optional<Value> value,
               std::string shown) {
    Atom atom;
    atom.type = type;
    atom.value = std::move(value);
    atom.shown = std::move(shown);
    atoms.push_back(std::move(atom));
  }

  void split(const Type *type) {
    switch (type->kind) {
    case TypeKind::Optional:
      split(type->element);
      return addAtom(types.nullType(), Value::null(), "null");
    case TypeKind::Null:
      return addAtom(type, Value::null(), "null");
    case TypeKind::Union:
      for (const Type *member : type->members)
        split(member);
      return;
    case TypeKind::Bool:
      addAtom(type, Value::boolean(true), "true");
      return addAtom(type, Value::boolean(false), "false");
    case TypeKind::Literal:
      return addAtom(type, literalValue(type->literal), toString(type));
    case TypeKind::Enum: {
      const EnumDecl *decl = type->enumeration;
      for (uint32_t i = 0; i < decl->members.size(); ++i)
        addAtom(type, Value::enumeration(decl, i),
                decl->name + "." + decl->members[i].name);
      return;
    }
    default:
      return addAtom(type, std::nullopt, toString(type));
    }
  }

  static Value literalValue(const LiteralValue &literal) {
    switch (literal.kind) {
    case LiteralValue::Kind::Text:
      return Value::text(literal.text);
    case LiteralValue::Kind::Int:
      return Value::integer(literal.number);
    case LiteralValue::Kind::Bool:
      return Value::boolean(literal.number != 0);
    }
    return Value::null();
  }

  /// The type of what no arm has taken yet; null: nothing.
  const Type *rest() const {
    std::vector<const Type *> left;
    for (const Atom &atom : atoms)
      if (!atom.covered)
        left.push_back(atom.type);
    return left.empty() ? nullptr : types.unionOf(std::move(left));
  }

  //===-- Arms ------------------------------------------------------------===//

  void checkArm(ast::MatchArm &arm) {
    ScopeGuard scope(body);
    std::vector<const Type *> taken;
    bool known = true;
    for (ast::Pattern &pattern : arm.patterns) {
      const Type *type = checkPattern(pattern, arm.patterns.size() > 1);
      known &= type != nullptr;
      if (type)
        taken.push_back(type);
    }
    if (known && place && !taken.empty() && !isError(subject)) {
      const Type *narrowed = types.unionOf(taken);
      if (narrowed != subject)
        body.env.narrow(*place, narrowed);
    }
    body.checkStatements(arm.body);
  }

  /// The type of the subject behind the pattern, or null where it was
  /// reported or says nothing.
  const Type *checkPattern(ast::Pattern &pattern, bool several) {
    switch (pattern.kind) {
    case ast::PatternKind::Literal: {
      const Type *type = body.checkExpr(*pattern.literal, wanted());
      if (isError(type) || !pattern.literal->constant)
        return nullptr;
      return takeValue(pattern, *pattern.literal->constant, type);
    }
    case ast::PatternKind::Text:
      return takeValue(pattern, Value::text(pattern.text),
                       types.text(pattern.text));
    case ast::PatternKind::Wildcard:
      return takeRest(pattern);
    case ast::PatternKind::Name:
      return takeName(pattern, several);
    case ast::PatternKind::Call:
      return takeCall(pattern, several);
    }
    return nullptr;
  }

  const Type *wanted() const {
    return present(subject)->is(TypeKind::Float) ? present(subject) : nullptr;
  }

  const Type *takeValue(ast::Pattern &pattern, Value value, const Type *type) {
    pattern.constant = value;
    pattern.type = type;
    if (isError(subject))
      return nullptr;
    if (subject->is(TypeKind::Json))
      return subject;
    const Type *hit = nullptr;
    bool again = false;
    for (Atom &atom : atoms) {
      if (atom.value ? !equal(*atom.value, value) : !conforms(value, atom.type))
        continue;
      again |= atom.covered;
      hit = atom.type;
      if (atom.value)
        atom.covered = true;
      break;
    }
    pattern.type = hit ? hit : type;
    if (!hit) {
      bool kin = session.unify(baseType(types, type),
                               baseType(types, present(subject)));
      session
          .error(kin || value.isNull() ? "E0305" : "E0301", pattern.span,
                 ticked(subject) + " is never " + toJson(value))
          .label("never matches")
          .also(stmt.value->span, "of type " + ticked(subject));
      return nullptr;
    }
    if (again)
      warnTaken(pattern);
    return hit;
  }

  void warnTaken(const ast::Pattern &pattern) {
    session.warning("W0601", pattern.span, "this pattern is never reached")
        .label("an arm before it takes all of this");
  }

  const Type *takeRest(ast::Pattern &pattern) {
    if (isError(subject))
      return nullptr;
    const Type *left = rest();
    if (!left) {
      warnTaken(pattern);
      return subject;
    }
    for (Atom &atom : atoms)
      atom.covered = true;
    return left;
  }

  //===-- Names of types, members and what is left ------------------------===//

  /// The type that a path names, or null where it names none.
  const Type *typeOf(const std::vector<ast::Name> &path) {
    const Symbol *symbol = session.find(body.module, path[0].text);
    if (path.size() == 1) {
      if (!symbol)
        return basicType(types, path[0].text);
      return typeOfSymbol(session, *symbol);
    }
    if (!symbol || symbol->kind != SymbolKind::Module || path.size() != 2)
      return nullptr;
    const Symbol *inner = session.findIn(*symbol->module, path[1]);
    return inner ? typeOfSymbol(session, *inner) : errorType();
  }

  const Type *takeName(ast::Pattern &pattern, bool several) {
    std::vector<ast::Name> &path = pattern.path;
    if (path.size() > 1) {
      // `Grade.A`, `judge.Grade.A`: a member; `judge.Report`: a type.
      std::vector<ast::Name> owner(path.begin(), path.end() - 1);
      const Symbol *first = session.find(body.module, path[0].text);
      bool isModule = first && first->kind == SymbolKind::Module;
      if (!isModule || path.size() > 2)
        return takeMember(pattern, typeOf(owner), path.back());
      return takeType(pattern, typeOf(path));
    }
    const Type *type = typeOf(path);
    if (type)
      return takeType(pattern, type);
    const Type *left = takeRest(pattern);
    if (several) {
      session
          .error("E0301", pattern.span, "a pattern beside others binds no name")
          .label("would be bound on some sides only")
          .note("write `_`, or an arm of its own");
      return left;
    }
    pattern.binds = true;
    pattern.type = left ? left : errorType();
    pattern.bindings = {
        body.declare(ast::BindingKind::Pattern, path[0], pattern.type)};
    return left;
  }

  const Type *takeMember(ast::Pattern &pattern, const Type *type,
                         const ast::Name &name) {
    if (!type || (!isError(type) && !type->is(TypeKind::Enum))) {
      session
          .error("E0201", pattern.span,
                 "this pattern names no member of an enum")
          .label("not a member");
      return nullptr;
    }
    if (isError(type))
      return nullptr;
    const EnumDecl *decl = type->enumeration;
    std::vector<std::string> names;
    for (uint32_t i = 0; i < decl->members.size(); ++i) {
      if (decl->members[i].name == name.text)
        return takeValue(pattern, Value::enumeration(decl, i), type);
      names.push_back(decl->members[i].name);
    }
    Diagnostic &d = session.error("E0201", name.span,
                                  ticked(decl->name) + " has no member " +
                                      ticked(name.text));
    d.label("no such member");
    session.suggestNearest(d, name.span, name.text, [&] { return names; });
    return nullptr;
  }

  /// Takes all atoms of a type: `int` also those that are refined or literal.
  const Type *takeType(ast::Pattern &pattern, const Type *type) {
    pattern.type = type;
    if (isError(type) || isError(subject))
      return nullptr;
    if (subject->is(TypeKind::Json)) {
      session
          .error("E0301", pattern.span,
                 "a `json` is not matched by the name of a type")
          .label("a type's name")
          .note("convert it first: `Person(j)`, `int(j)`, `text(j)`");
      return nullptr;
    }
    std::vector<const Type *> taken;
    bool fresh = false;
    for (Atom &atom : atoms) {
      if (!assignable(atom.type, type) && baseType(types, atom.type) != type)
        continue;
      if (atom.type->is(TypeKind::Null) ||
          (isNumber(atom.type) && plainKind(atom.type) != plainKind(type)) ||
          type->is(TypeKind::Json))
        continue;
      taken.push_back(atom.type);
      fresh |= !atom.covered;
      atom.covered = true;
    }
    if (taken.empty()) {
      session
          .error("E0305", pattern.span,
                 ticked(subject) + " is never a " + ticked(type))
          .label("never matches")
          .also(stmt.value->span, "of type " + ticked(subject));
      return nullptr;
    }
    if (!fresh)
      warnTaken(pattern);
    const Type *result = types.unionOf(std::move(taken));
    pattern.type = result->is(TypeKind::Union) ? type : result;
    return result;
  }

  /// `Finish(answer)` binds fields by name, `int(n)` the member itself.
  const Type *takeCall(ast::Pattern &pattern, bool several) {
    const Type *type = typeOf(pattern.path);
    if (!type) {
      session.error("E0201", pattern.span, "unknown type in a pattern")
          .label("no type of this name");
      bindAll(pattern, errorType());
      return nullptr;
    }
    const Type *taken = takeType(pattern, type);
    if (several && !pattern.fields.empty())
      session
          .error("E0301", pattern.span, "a pattern beside others binds no name")
          .label("would be bound on some sides only")
          .note("give it an arm of its own");
    if (isError(type) || !type->is(TypeKind::Record)) {
      if (!isError(type) && pattern.fields.size() != 1)
        session
            .error("E0604", pattern.span,
                   ticked(type) + " binds one name: the value itself")
            .label("write one name");
      bindAll(pattern, taken ? taken : errorType());
      return taken;
    }
    for (const ast::Name &name : pattern.fields) {
      const Type *fieldType = nullptr;
      std::vector<std::string> names;
      for (const RecordField &field : type->record->fields) {
        names.push_back(field.name);
        if (field.name == name.text)
          fieldType = field.type;
      }
      if (!fieldType) {
        Diagnostic &d =
            session.error("E0201", name.span,
                          ticked(type) + " has no field " + ticked(name.text));
        d.label("no such field");
        session.suggestNearest(d, name.span, name.text, [&] { return names; });
        fieldType = errorType();
      }
      pattern.bindings.push_back(
          body.declare(ast::BindingKind::Pattern, name, fieldType));
    }
    return taken;
  }

  void bindAll(ast::Pattern &pattern, const Type *type) {
    for (const ast::Name &name : pattern.fields)
      pattern.bindings.push_back(
          body.declare(ast::BindingKind::Pattern, name, type));
  }

  //===-- Is anything left? -----------------------------------------------===//

  bool checkExhaustive() {
    std::string missing;
    const Atom *firstMissing = nullptr;
    size_t count = 0;
    for (const Atom &atom : atoms) {
      if (atom.covered)
        continue;
      if (!firstMissing)
        firstMissing = &atom;
      if (++count <= 5)
        missing += (missing.empty() ? "" : ", ") + ticked(atom.shown);
    }
    if (!count)
      return true;
    if (count > 5)
      missing += " and " + std::to_string(count - 5) + " more";
    Diagnostic &d =
        session.error("E0306", stmt.value->span, "`match` misses " + missing);
    d.label("of type " + ticked(subject));
    d.note(firstMissing->value ? "add an arm for each, or `_` for the rest"
                               : "add an arm with `_` or a name for the rest");
    return false;
  }

  BodyChecker &body;
  Session &session;
  TypeContext &types;
  ast::Stmt &stmt;
  const Type *subject = nullptr;
  std::optional<Place> place;
  std::vector<Atom> atoms;
};

void BodyChecker::checkMatch(ast::Stmt &stmt) {
  MatchChecker(*this, stmt).run();
}

} // namespace sgl
