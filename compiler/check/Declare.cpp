// Enters declarations before any body is read; see Declare.h.
#include "compiler/check/Declare.h"

#include "compiler/check/Types.h"

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

/// Does a record hold itself other than through a list, a map or `?`? Depth
/// first over fields; each record is entered once.
class ContainmentCheck {
public:
  explicit ContainmentCheck(Session &session) : session(session) {}

  void run(ast::Module &module) {
    for (auto &item : module.records)
      spans[item->decl] = item->name.span;
    for (auto &item : module.records)
      visit(item->decl);
  }

private:
  void visit(const RecordDecl *decl) {
    if (!spans.count(decl) || done.count(decl))
      return;
    if (active.size() >= maxDeclarationDepth) {
      session
          .error("E0407", spans[decl],
                 "records contain each other more than " +
                     std::to_string(maxDeclarationDepth) + " deep")
          .label("too deep");
      done.insert(decl);
      return;
    }
    if (!active.insert(decl).second) {
      session
          .error("E0407", spans[decl],
                 "record " + ticked(decl->name) + " contains itself")
          .label("no value would be of this type")
          .note("it may contain itself through a list, a map or `?`");
      done.insert(decl);
      return;
    }
    for (const RecordField &field : decl->fields)
      if (field.type->is(TypeKind::Record))
        visit(field.type->record);
    active.erase(decl);
    done.insert(decl);
  }

  Session &session;
  std::unordered_map<const RecordDecl *, Span> spans;
  std::unordered_set<const RecordDecl *> active, done;
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
  ContainmentCheck(session).run(module);
}

bool isRoleName(std::string_view name) {
  return name == "system" || name == "user" || name == "assistant" ||
         name == "tool" || name == "role";
}

} // namespace sgl
