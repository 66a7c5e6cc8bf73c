// What all of one check shares: types, modules, symbols, and how errors are
// reported.
//
// A type that could not be found out is `errorType()`: it fits everywhere, so
// that one mistake gives one message.
#pragma once

#include "compiler/check/Check.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sgl {

/// Lists of lists, and json values, nest this deep.
inline constexpr unsigned maxTypeDepth = 200;
/// Constants, aliases and records may need each other this deep.
inline constexpr size_t maxDeclarationDepth = 256;

enum class SymbolKind {
  Constant,
  Function, ///< also a tool
  Record,
  Enum,
  Alias,
  Module, ///< `import … as r`
  Broken, ///< of an import that failed: fits everywhere, says nothing
};

/// What a name of a file means.
struct Symbol {
  SymbolKind kind = SymbolKind::Broken;
  Span span;                    ///< where the name is introduced in this file
  ast::Module *owner = nullptr; ///< the module that declares it
  ast::ConstDecl *constant = nullptr;
  ast::FnDecl *function = nullptr;
  ast::RecordItem *record = nullptr;
  ast::EnumItem *enumeration = nullptr;
  ast::TypeAlias *alias = nullptr;
  ast::Module *module = nullptr; ///< Module: what it stands for
  bool imported = false;
};

using SymbolTable = std::unordered_map<std::string, Symbol>;

/// How states fare in a function; see StateEffects.h.
struct ParamEffect {
  bool extends = false;   ///< `+=` on it, here or in what it calls
  bool opensRole = false; ///< a turn begins on it
};

struct Session {
  SourceManager &sources;
  const ImportOptions &options;
  Diagnostics &diagnostics;
  CheckedProgram &checked;
  TypeContext &types;
  ast::Program &program;

  std::unordered_map<const ast::Module *, SymbolTable> symbols;
  std::unordered_map<const ast::FnDecl *, std::vector<ParamEffect>> effects;
  /// Constants and aliases: being worked on, done.
  std::unordered_set<const void *> active, done;
  /// Fields with a default, which may not be worked out yet.
  std::unordered_set<const RecordField *> defaultedFields;
  /// Bytes and elements of folded constants so far; see Fold.h.
  uint64_t foldedSize = 0;
  uint64_t errors = 0;            ///< of the checker itself, so far
  const Type *metaType = nullptr; ///< of `meta(x)`
  /// Records `{first, second}` that `zip` gives, by their types.
  std::map<std::pair<const Type *, const Type *>, const Type *> pairs;

  Session(SourceManager &sources, const ImportOptions &options,
          Diagnostics &diagnostics, CheckedProgram &checked);

  Diagnostic &error(const char *code, Span span, std::string message);
  Diagnostic &warning(const char *code, Span span, std::string message);
  bool refuse(std::string_view feature, Span span);
  /// No more errors are taken.
  bool isFull() const;
  /// Adds "did you mean" with the nearest candidate and returns it; "" where
  /// none is near, or where that was asked too often.
  std::string
  suggestNearest(Diagnostic &diagnostic, Span span, const std::string &name,
                 const std::function<std::vector<std::string>()> &candidates);

  /// The symbol `name` of a module, or null.
  const Symbol *find(const ast::Module &module, const std::string &name) const;
  /// A public name of another module, or null with E0201 reported.
  const Symbol *findIn(const ast::Module &module, const ast::Name &name);
  /// The record `{first: a, second: b}`.
  const Type *pairOf(const Type *a, const Type *b);
  /// Does a type that was put together nest beyond maxTypeDepth?
  bool isTooDeep(const Type *type) const;
  /// The least type that holds both, or null. Literals and refinements widen
  /// only where they differ.
  const Type *unify(const Type *a, const Type *b);

private:
  unsigned depthOf(const Type *type, unsigned above) const;
  std::unordered_map<const Type *, unsigned> pairDepths;
  size_t guesses = 0;
  Diagnostic dropped; ///< behind the limit on the number of errors
};

/// The type of what is already reported; compare by address.
const Type *errorType();
inline bool isError(const Type *type) { return type == errorType(); }

/// How a value of one type enters a place of another (2.2).
enum class Fit {
  Yes,
  Checked, ///< refined or literal: its value is checked
  Null,    ///< only if it is not null
  No,
};
Fit fit(TypeContext &types, const Type *from, const Type *to);

/// Without `?`.
inline const Type *present(const Type *type) {
  return type->is(TypeKind::Optional) ? type->element : type;
}
/// A state, or a list of them.
bool holdsStates(const Type *type);
bool isStateList(const Type *type);
/// With the kind looked through literals: `"a"` is Str.
TypeKind plainKind(const Type *type);
bool isNumber(const Type *type);
bool isMedia(const Type *type);
/// "`int`" for messages.
std::string ticked(const Type *type);
std::string ticked(std::string_view name);

} // namespace sgl
