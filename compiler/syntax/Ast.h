// The syntax tree: plain data, no ANTLR, no MLIR.
//
// `parse` fills everything but the fields marked "check:", which the checker
// writes in place (the typed tree). Each node carries the span of its text.
#pragma once

#include "compiler/source/SourceFile.h"
#include "ir/value/Type.h"
#include "ir/value/Value.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sgl::ast {

struct Expr;
struct Stmt;
struct Block;
struct FnDecl;
using ExprPtr = std::unique_ptr<Expr>;

/// A name as written, with its place.
struct Name {
  std::string text;
  Span span;
};

//===-- Types
//--------------------------------------------------------------===//

struct RangeBounds {
  /// Numbers as written ("0", "-1.5"); empty: open.
  std::string low, high;
  bool inclusive = false; ///< ..=
  bool single = false;    ///< [T; 3]
  Span span;
};

/// Error: not readable, reported already.
enum class TypeExprKind {
  Named,
  List,
  Map,
  Text,
  Union,
  Optional,
  Refined,
  Error,
};

struct TypeExpr {
  TypeExprKind kind = TypeExprKind::Named;
  Span span;
  std::vector<Name> path; ///< Named: Grade, judge.Grade
  std::vector<std::unique_ptr<TypeExpr>> children; ///< List, Map (value),
                                                   ///< Optional, Refined: one;
                                                   ///< Union: all
  std::string text;                                ///< Text; Refined: pattern
  bool hasPattern = false;
  Span patternSpan;                 ///< the literal of `matching`
  std::optional<RangeBounds> range; ///< Refined, List length
  const Type *type = nullptr;       ///< check: what it means
};
using TypeExprPtr = std::unique_ptr<TypeExpr>;

//===-- Bindings (made by check)
//-------------------------------------------===//

enum class BindingKind {
  Let, ///< immutable local
  Var, ///< mutable local
  Param,
  Capture,  ///< `gen() as name`
  Loop,     ///< of for, or of a fork's `for`
  Branch,   ///< `as f` of a fork: a state
  Pattern,  ///< bound by match
  Constant, ///< top-level let
};

/// One name with a value. Owned by the function or module that declares it.
struct Binding {
  BindingKind kind = BindingKind::Let;
  std::string name;
  Span span;
  const Type *type = nullptr;
  std::optional<Value> constant; ///< Constant: its value
  uint32_t id = 0;               ///< dense within its function
};

//===-- Expressions
//--------------------------------------------------------===//

enum class ExprKind {
  Int,
  Float,
  Bool,
  Null,
  Text,      ///< "…" with parts
  Name,      ///< a name
  Field,     ///< base.name
  Index,     ///< base[index]
  Call,      ///< callee(args)
  Gen,       ///< gen(args) as capture: Type
  Select,    ///< select(args) as capture
  Fork,      ///< fork(s, n)
  ForkBlock, ///< fork s as f for x in xs { … } as an expression
  List,      ///< [a, b]
  Map,       ///< {"k": v}
  Unary,     ///< -a, not a
  Binary,    ///< a op b
  If,        ///< if c { a } else { b }
  Error,     ///< not readable, reported already: fits everywhere, and check
             ///< says nothing about it
};

enum class BinaryOp {
  Add,
  Sub,
  Mul,
  Div,
  Mod,
  Range,
  RangeInclusive,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  In,
  NotIn,
  And,
  Or,
};
enum class UnaryOp { Minus, Not };

/// A piece of a text literal: bytes (escapes and margins already applied), or a
/// hole `${expr}`.
struct TextPart {
  std::string bytes;
  ExprPtr hole; ///< set: a hole
  Span span;
};

struct Arg {
  std::optional<Name> label; ///< `name: value`
  ExprPtr value;
};

struct ForkBlock {
  ExprPtr source;
  Name branch;
  std::optional<Name> loopName; ///< with `for x in list`
  ExprPtr list;
  std::unique_ptr<Block> body;
  Span span;
  Binding *branchBinding = nullptr, *loopBinding = nullptr; ///< check:
  const Type *joinType = nullptr; ///< check: type of the joined value, or void
};

/// check: what a call calls.
enum class CalleeKind {
  None,
  Function,
  Record,
  RecordConvert, ///< `Person(j)`: one unnamed json or text
  EnumConvert,
  Tool,
  Builtin,
  Role,
  Special,
  Image,
  Video,
  State,
  Meta,
  Scores,
  Prob,
  LastError,
  Mock,
  Render,
};

struct Expr {
  ExprKind kind = ExprKind::Null;
  Span span;

  std::string text;   ///< Int, Float: digits as written without `_`;
                      ///< Name, Field: the name
  Span nameSpan;      ///< Field: of the name behind the dot; Call: callee
  bool truth = false; ///< Bool
  std::vector<TextPart> parts;   ///< Text
  bool raw = false;              ///< Text: r"…"
  std::vector<ExprPtr> children; ///< Field, Unary: base; Index: base, index;
                                 ///< Call: callee; List: elements; Binary:
                                 ///< left, right; If: condition, then, else;
                                 ///< Map: values
  std::vector<ExprPtr> keys;     ///< Map: a text each
  std::vector<Arg> args;         ///< Call, Gen, Select, Fork
  BinaryOp binary = BinaryOp::Add;
  UnaryOp unary = UnaryOp::Minus;
  std::optional<Name> capture;     ///< Gen, Select
  TypeExprPtr captureType;         ///< Gen
  std::unique_ptr<ForkBlock> fork; ///< ForkBlock

  // check:
  const Type *type = nullptr;    ///< type of the value here (after narrowing)
  std::optional<Value> constant; ///< its value where known when compiled
  Binding *binding = nullptr;    ///< Name; Gen, Select: the capture's; Field
                                 ///< `s.name`: the capture's
  CalleeKind callee = CalleeKind::None;
  FnDecl *function = nullptr; ///< Call of a function
  const RecordDecl *record = nullptr;
  const EnumDecl *enumeration = nullptr;
  std::string builtin;       ///< Call of a built-in: its name; of a Role: the
                             ///< role (of `role("x", …)` its first argument)
  std::vector<int> argOrder; ///< Call of Function/Record: for each
                             ///< parameter or field the index in args, or
                             ///< -1 for its default
  bool isPart = false;       ///< Binary Add that joins parts of a prompt
};

//===-- Statements
//---------------------------------------------------------===//

enum class StmtKind {
  Let,
  Var,
  Assign,    ///< place = value
  Extend,    ///< place += parts, extend place with parts (or v += e)
  RoleBlock, ///< user(s) { … }, role("name", s) { … }
  If,
  Match,
  For,
  While,
  ForkBlock, ///< fork as a statement
  Parallel,
  Retry,
  Join, ///< join value; join fs; join fs into s
  Return,
  Break,
  Continue,
  Expect,
  Assert,
  Call, ///< a call as a statement
};

enum class PatternKind { Literal, Text, Name, Wildcard, Call };

struct Pattern {
  PatternKind kind = PatternKind::Wildcard;
  Span span;
  ExprPtr literal;                 ///< Literal: int float bool null
  std::string text;                ///< Text
  std::vector<Name> path;          ///< Name: x, Grade.A; Call: callee
  std::vector<Name> fields;        ///< Call: names bound
  std::vector<Binding *> bindings; ///< check: of Name or of fields
  bool binds = false;              ///< check: Name binds what is left
  const Type *type = nullptr;    ///< check: a type's name, or the member's type
  std::optional<Value> constant; ///< check: the value compared with
};

struct Block {
  std::vector<std::unique_ptr<Stmt>> statements;
  Span span;
};

struct MatchArm {
  std::vector<Pattern> patterns;
  Block body;
  Span span;
};

struct Stmt {
  StmtKind kind = StmtKind::Call;
  Span span;

  Name name;                  ///< Let, Var, For: the variable;
                              ///< RoleBlock: the role as called
  TypeExprPtr declaredType;   ///< Let, Var
  ExprPtr place;              ///< Assign, Extend; RoleBlock: the state;
                              ///< Join: the state behind `into`
  ExprPtr value;              ///< Let Var Assign Return Join; If While: the
                              ///< condition; For: the list; Match: subject;
                              ///< Retry: tries; Expect, Assert: condition;
                              ///< Call: the call
  ExprPtr message;            ///< Expect, Assert; RoleBlock: role's name text
  std::vector<ExprPtr> parts; ///< Extend
  Block body;                 ///< If While For Parallel Retry RoleBlock
  std::unique_ptr<Block> otherwise; ///< If, Retry: else (else if: one If in it)
  std::vector<MatchArm> arms;
  std::unique_ptr<ForkBlock> fork;

  // check:
  Binding *binding = nullptr; ///< Let Var For
  bool isArithmetic = false;  ///< Extend on a number, text or list
  std::string role;           ///< RoleBlock: the role
};

//===-- Items
//--------------------------------------------------------------===//

struct Param {
  Name name;
  TypeExprPtr type;
  ExprPtr defaultValue;
  std::string doc;
  Binding *binding = nullptr; ///< check:
};

struct Module;

struct FnDecl {
  Name name;
  std::vector<Param> params;
  TypeExprPtr result; ///< null: no result
  Block body;
  std::string doc;
  Span span;
  bool isTool = false; ///< declared with `tool`: no body
  /// Has syntax errors: statements may be missing or stand in another block,
  /// so how paths end is not known.
  bool damaged = false;
  // check:
  Module *module = nullptr;
  const Type *resultType = nullptr;               ///< void without `->`
  std::vector<std::unique_ptr<Binding>> bindings; ///< all, by id
  const RecordDecl *toolRecord = nullptr;
};

struct Field {
  Name name;
  TypeExprPtr type;
  ExprPtr defaultValue;
  std::string doc;
};

struct RecordItem {
  Name name;
  std::vector<Field> fields;
  std::string doc;
  RecordDecl *decl = nullptr; ///< check:
};

struct EnumItemMember {
  Name name;
  std::optional<std::string> text;
  std::string doc;
};

struct EnumItem {
  Name name;
  std::vector<EnumItemMember> members;
  std::string doc;
  EnumDecl *decl = nullptr; ///< check:
};

struct TypeAlias {
  Name name;
  TypeExprPtr type;
  std::string doc;
};

struct ConstDecl {
  Name name;
  TypeExprPtr declaredType;
  ExprPtr value;
  std::string doc;
  std::unique_ptr<Binding> binding; ///< check:
};

struct TestDecl {
  std::string title;
  std::optional<Name> mode; ///< live
  Block body;
  Span span;
};

struct Import {
  std::vector<Name> path;          ///< std.reason
  std::optional<std::string> file; ///< "lib/judge.sgl"
  Span pathSpan;
  std::optional<Name> alias;
  std::vector<Name> names; ///< the list in parentheses
  bool hasList = false;
  Span span;
  Module *module = nullptr; ///< check:
};

/// One file.
struct Module {
  uint32_t file = 0; ///< in the SourceManager
  std::string doc;
  std::vector<Import> imports;
  std::vector<Arg> defaults; ///< of all `defaults(...)`
  Span defaultsSpan;
  std::vector<std::unique_ptr<ConstDecl>> constants;
  std::vector<std::unique_ptr<TypeAlias>> aliases;
  std::vector<std::unique_ptr<RecordItem>> records;
  std::vector<std::unique_ptr<EnumItem>> enums;
  std::vector<std::unique_ptr<FnDecl>> functions; ///< and tools
  std::vector<std::unique_ptr<TestDecl>> tests;
};

/// All modules of a compilation; modules[0] is the file that was named.
struct Program {
  std::vector<std::unique_ptr<Module>> modules;
};

} // namespace sgl::ast
