// Enters declarations before any body is read; see Declare.h.
#include "compiler/check/Declare.h"

#include "compiler/check/Types.h"

#include <algorithm>
#include <unordered_set>

namespace sgl {

namespace {

class Declarer {
public:
  Declarer(Session &session, ast::Module &module)
      : session(session), module(module), table(session.symbols[&module]) {}

  void declareAll() {
    for (auto &constant : module.constants)
      enter(constant->name, SymbolKind::Constant).constant = constant.get();
    for (auto &alias : module.aliases)
      enter(alias->name, SymbolKind::Alias).alias = alias.get();
    for (auto &record : module.records)
      declareRecord(*record);
    for (auto &item : module.enums)
      declareEnum(*item);
    for (auto &function : module.functions)
      declareFunction(*function);
  }

  void importAll() {
    for (ast::Import &import : module.imports)
      importOne(import);
  }

private:
  /// The symbol to fill in; of a name that is taken a scratch one.
  Symbol &enter(const ast::Name &name, SymbolKind kind) {
    auto [entry, fresh] = table.try_emplace(name.text);
    if (!fresh) {
      session
          .error("E0207", name.span, ticked(name.text) + " is declared twice")
          .label("declared again here")
          .also(entry->second.span, "first declared here");
      return scratch = Symbol();
    }
    Symbol &symbol = entry->second;
    symbol.kind = kind;
    symbol.span = name.span;
    symbol.owner = &module;
    return symbol;
  }

  void declareRecord(ast::RecordItem &item) {
    item.decl = session.types.declareRecord(item.name.text);
    item.decl->doc = item.doc;
    enter(item.name, SymbolKind::Record).record = &item;
  }

  void declareEnum(ast::EnumItem &item) {
    item.decl = session.types.declareEnum(item.name.text);
    item.decl->doc = item.doc;
    enter(item.name, SymbolKind::Enum).enumeration = &item;
    std::unordered_map<std::string, Span> names, texts;
    for (const ast::EnumItemMember &member : item.members) {
      EnumMember m;
      m.name = member.name.text;
      m.text = member.text.value_or(member.name.text);
      m.doc = member.doc;
      auto [first, fresh] = names.emplace(m.name, member.name.span);
      if (!fresh)
        session
            .error("E0207", member.name.span,
                   ticked(m.name) + " is a member twice")
            .label("declared again here")
            .also(first->second, "first declared here");
      auto [same, newText] = texts.emplace(m.text, member.name.span);
      if (fresh && !newText)
        session
            .error("E0404", member.name.span,
                   "two members of " + ticked(item.name.text) +
                       " have the text \"" + m.text + "\"")
            .label("the same text again")
            .also(same->second, "first here");
      item.decl->members.push_back(std::move(m));
    }
    if (item.members.empty())
      session
          .error("E0407", item.name.span,
                 "enum " + ticked(item.name.text) + " has no member")
          .label("no value would be of this type");
  }

  void declareFunction(ast::FnDecl &function) {
    function.module = &module;
    if (function.isTool) {
      RecordDecl *decl = session.types.declareRecord(function.name.text);
      decl->doc = function.doc;
      decl->isTool = true;
      function.toolRecord = decl;
      session.refuse("tool", function.name.span);
    } else if (isRoleName(function.name.text)) {
      session
          .error("E0207", function.name.span,
                 "a function cannot be named " + ticked(function.name.text))
          .label("the name of a role")
          .note("`" + function.name.text + "(…)` writes a turn");
    }
    enter(function.name, SymbolKind::Function).function = &function;
  }

  void importOne(ast::Import &import) {
    if (!import.hasList) {
      ast::Name name = moduleName(import);
      if (name.text.empty())
        return;
      Symbol &symbol =
          enter(name, import.module ? SymbolKind::Module : SymbolKind::Broken);
      symbol.module = import.module;
      symbol.imported = true;
      return;
    }
    for (const ast::Name &name : import.names) {
      const Symbol *found = nullptr;
      if (import.module)
        found = session.findIn(*import.module, name);
      Symbol copy = found ? *found : Symbol();
      Symbol &symbol = enter(name, copy.kind);
      copy.span = name.span;
      copy.imported = true;
      symbol = copy;
    }
  }

  /// The alias, else the last part of the path: `judge` of "lib/judge.sgl".
  static ast::Name moduleName(const ast::Import &import) {
    if (import.alias)
      return *import.alias;
    if (!import.file)
      return import.path.empty() ? ast::Name() : import.path.back();
    std::string name = *import.file;
    if (size_t slash = name.rfind('/'); slash != std::string::npos)
      name = name.substr(slash + 1);
    return {name.substr(0, name.find('.')), import.pathSpan};
  }

  Session &session;
  ast::Module &module;
  SymbolTable &table;
  Symbol scratch;
};

//===-- Fields and signatures ---------------------------------------------===//

void resolveRecord(Session &session, ast::Module &module,
                   ast::RecordItem &item) {
  std::unordered_map<std::string, Span> names;
  for (ast::Field &field : item.fields) {
    auto [first, fresh] = names.emplace(field.name.text, field.name.span);
    if (!fresh)
      session
          .error("E0207", field.name.span,
                 ticked(field.name.text) + " is a field twice")
          .label("declared again here")
          .also(first->second, "first declared here");
    RecordField f;
    f.name = field.name.text;
    f.doc = field.doc;
    f.type =
        field.type ? resolveType(session, module, *field.type) : errorType();
    if (!isError(f.type) && holdsStates(f.type)) {
      session
          .error("E0301", field.type->span,
                 ticked(f.type) + " cannot be a field")
          .label("not here")
          .note("states live in variables and in `[state]` lists");
      f.type = errorType();
    }
    item.decl->fields.push_back(std::move(f));
  }
  for (size_t i = 0; i < item.fields.size(); ++i)
    if (item.fields[i].defaultValue)
      session.defaultedFields.insert(&item.decl->fields[i]);
}

void resolveFunction(Session &session, ast::Module &module,
                     ast::FnDecl &function) {
  std::vector<RecordField> fields;
  for (ast::Param &param : function.params) {
    const Type *type =
        param.type ? resolveType(session, module, *param.type) : errorType();
    auto binding = std::make_unique<ast::Binding>();
    binding->kind = ast::BindingKind::Param;
    binding->name = param.name.text;
    binding->span = param.name.span;
    binding->type = type;
    binding->id = uint32_t(function.bindings.size());
    param.binding = binding.get();
    function.bindings.push_back(std::move(binding));
    RecordField field;
    field.name = param.name.text;
    field.doc = param.doc;
    field.type = type;
    fields.push_back(std::move(field));
  }
  function.resultType = function.result
                            ? resolveType(session, module, *function.result)
                            : session.types.voidType();
  if (function.isTool) {
    // The tool's name is also the record type of its arguments.
    auto *decl = const_cast<RecordDecl *>(function.toolRecord);
    decl->fields = std::move(fields);
  }
}

/// Refuses records that hold themselves other than through a list, a map or
/// `?`, and records that nest too deep through whatever. The field at fault
/// gets errorType(), so that all that walks types comes to an end.
class ContainmentCheck {
public:
  explicit ContainmentCheck(Session &session) : session(session) {}

  void run() {
    for (auto &module : session.program.modules)
      for (auto &item : module->records)
        items[item->decl] = item.get();
    for (auto &module : session.program.modules)
      for (auto &item : module->records)
        depthOf(item->decl);
  }

private:
  /// How deep records nest below `decl`, itself included.
  unsigned depthOf(const RecordDecl *decl) {
    auto item = items.find(decl);
    if (item == items.end())
      return 1;
    if (auto known = depths.find(decl); known != depths.end())
      return known->second;
    direct.push_back(decl);
    active.insert(decl);
    unsigned depth = 0;
    RecordDecl &mine = *item->second->decl;
    for (size_t i = 0; i < mine.fields.size(); ++i)
      depth = std::max(depth, depthOfField(mine.fields[i],
                                           item->second->fields[i].name.span));
    active.erase(decl);
    direct.pop_back();
    return depths[decl] = depth + 1;
  }

  unsigned depthOfField(RecordField &field, Span span) {
    // Parts of the type, and whether a container holds them.
    std::vector<std::pair<const Type *, bool>> parts = {{field.type, false}};
    unsigned depth = 0;
    while (!parts.empty()) {
      auto [type, through] = parts.back();
      parts.pop_back();
      if (type->element)
        parts.emplace_back(type->element, true);
      for (const Type *member : type->members)
        parts.emplace_back(member, through);
      if (!type->is(TypeKind::Record))
        continue;
      if (active.count(type->record)) {
        if (!through && closesDirectly(type->record))
          return refuseCycle(field, span, type->record);
        continue;
      }
      if (direct.size() >= maxDeclarationDepth)
        return refuseDepth(field, span);
      size_t outer = directFrom;
      if (through)
        directFrom = direct.size();
      depth = std::max(depth, depthOf(type->record));
      directFrom = outer;
      if (depth >= maxDeclarationDepth)
        return refuseDepth(field, span);
    }
    return depth;
  }

  /// Is the way down from `decl` to here made of direct fields alone?
  bool closesDirectly(const RecordDecl *decl) const {
    return std::find(direct.begin() + directFrom, direct.end(), decl) !=
           direct.end();
  }

  unsigned refuseCycle(RecordField &field, Span span, const RecordDecl *decl) {
    session
        .error("E0407", items[decl]->name.span,
               "record " + ticked(decl->name) + " contains itself")
        .label("no value would be of this type")
        .also(span, "by this field")
        .note("it may contain itself through a list, a map or `?`");
    field.type = errorType();
    return 0;
  }

  unsigned refuseDepth(RecordField &field, Span span) {
    session
        .error("E0407", span,
               "records contain each other more than " +
                   std::to_string(maxDeclarationDepth) + " deep")
        .label("one level too many");
    field.type = errorType();
    return 0;
  }

  Session &session;
  std::unordered_map<const RecordDecl *, ast::RecordItem *> items;
  std::unordered_map<const RecordDecl *, unsigned> depths;
  std::unordered_set<const RecordDecl *> active;
  std::vector<const RecordDecl *> direct; ///< records around this place
  size_t directFrom = 0; ///< those before are left through a container
};

} // namespace

void declareSymbols(Session &session, ast::Module &module) {
  Declarer(session, module).declareAll();
}

void importSymbols(Session &session, ast::Module &module) {
  Declarer(session, module).importAll();
}

void resolveDeclarations(Session &session, ast::Module &module) {
  for (auto &alias : module.aliases)
    resolveAlias(session, module, *alias);
  for (auto &record : module.records)
    resolveRecord(session, module, *record);
  for (auto &function : module.functions)
    resolveFunction(session, module, *function);
}

void checkContainment(Session &session) { ContainmentCheck(session).run(); }

bool isRoleName(std::string_view name) {
  return name == "system" || name == "user" || name == "assistant" ||
         name == "tool" || name == "role";
}

} // namespace sgl
