// The syntax tree of a template: expressions and statements as plain data.
//
// What must hold: no expression is deeper than `maxDepth` and no statement
// nested deeper than `maxNesting`, so walking and freeing the tree is safe.
#pragma once

#include "runtime/text/JinjaValue.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sgl::jinja {

inline constexpr unsigned maxDepth = 300;
inline constexpr unsigned maxNesting = 100;

enum class ExprKind {
  Constant,  ///< value
  Name,      ///< text
  BlockText, ///< the text of the set or filter block around it
  List,      ///< children
  Tuple,     ///< children
  Dict,      ///< children: key, value, key, value
  Attribute, ///< child.text
  Item,      ///< child[child]
  Slice,     ///< child[child:child:child], absent ones null
  Call,      ///< child(arguments)
  Filter,    ///< child | text(arguments)
  Test,      ///< child is text(arguments)
  Not,
  And,
  Or,
  Negative,
  Positive,
  Binary,    ///< text is the operator
  Compare,   ///< children[0] operators[0] children[1] operators[1] ...
  Concat,    ///< children joined by ~
  Condition, ///< children: value, test, other value or null
};

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

struct Expr {
  ExprKind kind = ExprKind::Constant;
  unsigned line = 0;
  unsigned depth = 1;
  std::string text;
  Value value;
  std::vector<ExprPtr> children;
  std::vector<std::string> operators;
  std::vector<ExprPtr> arguments; ///< positional, of Call, Filter, Test
  std::vector<std::pair<std::string, ExprPtr>> named;
  ExprPtr spread, spreadNamed; ///< *x and **x
};

enum class StmtKind {
  Data,        ///< text
  Print,       ///< value
  If,          ///< branches, otherwise
  For,         ///< target, value, test, body, otherwise, recursive
  Set,         ///< target, value
  SetBlock,    ///< target, value (filters over BlockText), body
  FilterBlock, ///< value (filters over BlockText), body
  Macro,       ///< text, macro
  CallBlock,   ///< value (a Call), macro
  With,        ///< targets and values in branches' conditions, body
  Scope,       ///< body
  Break,
  Continue,
  NoLoader, ///< include, import, from, extends: there is nothing to load from
};

struct Stmt;
struct Branch {
  ExprPtr test;
  std::vector<Stmt> body;
};

/// A macro, or the body of a call block.
struct MacroBody {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<ExprPtr> defaults; ///< of the last parameters
  std::vector<Stmt> body;
  bool usesCaller = false, usesVarargs = false, usesKwargs = false;
};

struct Stmt {
  StmtKind kind = StmtKind::Data;
  unsigned line = 0;
  std::string text;
  ExprPtr target, value, test;
  std::vector<Branch> branches;
  std::vector<std::pair<ExprPtr, ExprPtr>> assignments; ///< of With
  std::vector<Stmt> body, otherwise;
  std::unique_ptr<MacroBody> macro;
  bool recursive = false;
};

} // namespace sgl::jinja
