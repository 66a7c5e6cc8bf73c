// Types one function, or one constant, in place.
//
// The methods lie in files by idea: Scope.cpp (names), CheckExpr.cpp,
// CheckLiteral.cpp, CheckOperator.cpp, CheckMember.cpp (fields, `s.name`),
// CheckCall.cpp, CheckSpecial.cpp (roles, states, `meta`), CheckGen.cpp,
// CheckPart.cpp, CheckStmt.cpp, CheckLoop.cpp, CheckMatch.cpp, CheckFork.cpp,
// States.cpp (who may hold and write a state), Narrow.cpp. What holds: behind
// checkExpr an expression has a type, and its constant where it is known.
#pragma once

#include "compiler/check/Flow.h"
#include "compiler/check/Session.h"

namespace sgl {

class BodyChecker {
public:
  /// `function` null: a constant of `module`, where only constants are seen.
  BodyChecker(Session &session, ast::Module &module, ast::FnDecl *function);

  void checkFunction();
  /// A constant that enters `to` (null: its own type). E0208 where it is none.
  /// `what` names it in messages: "the default of `n`".
  const Type *checkConstant(ast::Expr &expr, const Type *to,
                            const std::string &what);
  /// The file's `defaults(...)`.
  void checkDefaults();

private:
  //===-- Names (Scope.cpp) -----------------------------------------------===//
  struct Local {
    ast::Binding *binding = nullptr;
    size_t scope = 0;       ///< depth of the scope that declares it
    size_t branchDepth = 0; ///< how many forks it is inside of
  };
  /// What is known of a binding beside its type; by id.
  struct LocalInfo {
    size_t branchDepth = 0;
    const ast::Binding *elementOf = nullptr; ///< `for f in fs`: fs
    std::optional<Span> textAdded;           ///< W0507
    bool used = false;
    bool ofSelect = false;
  };
  /// A gen with a name, anywhere in the function; for messages.
  struct CaptureSite {
    std::string name;
    Span span;
    Span block; ///< where the name is seen
    bool inFork = false;
    Span fork;
  };
  struct ScopeGuard {
    explicit ScopeGuard(BodyChecker &checker) : checker(checker) {
      checker.openScope();
    }
    ~ScopeGuard() { checker.closeScope(); }
    BodyChecker &checker;
  };

  void openScope();
  void closeScope();
  ast::Binding *declare(ast::BindingKind kind, const ast::Name &name,
                        const Type *type);
  const Local *findLocal(const std::string &name) const;
  /// The value a name stands for: a local, or a constant of the file.
  ast::Binding *findValue(const std::string &name);
  LocalInfo &info(const ast::Binding *binding);
  bool isLocal(const ast::Binding *binding) const;
  const Type *reportUnknownName(const ast::Expr &expr);
  std::vector<std::string> visibleNames();
  std::vector<std::string> callableNames();
  const std::vector<CaptureSite> &captureSites();

  //===-- Expressions -----------------------------------------------------===//
  const Type *checkExpr(ast::Expr &expr, const Type *expected = nullptr);
  /// Checks `expr` and reports where it does not fit `to`.
  const Type *checkAs(ast::Expr &expr, const Type *to);
  /// `expr` is checked: does it fit? Converts constants. `why` may be null.
  bool coerce(ast::Expr &expr, const Type *to);
  void reportMismatch(const ast::Expr &expr, const Type *to);
  const Type *checkInner(ast::Expr &expr, const Type *expected);
  const Type *fail(ast::Expr &expr);
  const Type *checkName(ast::Expr &expr);
  const Type *checkInt(ast::Expr &expr, const Type *expected, bool negative);
  const Type *checkFloat(ast::Expr &expr);
  const Type *checkText(ast::Expr &expr, const Type *expected);
  const Type *checkList(ast::Expr &expr, const Type *expected);
  const Type *checkMap(ast::Expr &expr, const Type *expected);
  const Type *checkElements(std::vector<ast::ExprPtr> &elements,
                            const Type *expected, const char *what);
  const Type *widen(const Type *all, const ast::Expr &element,
                    const ast::Expr &first, const char *what);
  const Type *checkUnary(ast::Expr &expr, const Type *expected);
  const Type *checkBinary(ast::Expr &expr, const Type *expected);
  const Type *checkArithmetic(ast::Expr &expr, const Type *expected);
  const Type *checkRange(ast::Expr &expr);
  const Type *checkEquality(ast::Expr &expr);
  const Type *checkOrder(ast::Expr &expr);
  const Type *checkMembership(ast::Expr &expr);
  const Type *checkIf(ast::Expr &expr, const Type *expected);
  const Type *checkField(ast::Expr &expr);
  const Type *checkIndex(ast::Expr &expr);
  bool checkQualified(ast::Expr &expr);
  const Type *enumMember(ast::Expr &expr, const Type *type);
  const Type *checkStateField(ast::Expr &expr);
  const Type *checkElementField(ast::Expr &expr);
  const Type *reportNoCapture(const ast::Expr &expr);
  const Type *symbolValue(ast::Expr &expr, const Symbol &symbol);
  /// Arithmetic on two checked operands; null where it was reported.
  const Type *sumType(const ast::Expr &left, const ast::Expr &right,
                      ast::BinaryOp op, Span span);
  /// Reports E0308 where a value may be null; true: it may.
  bool refuseNull(const ast::Expr &expr);
  void checkPrintable(const ast::Expr &expr);

  //===-- Calls -----------------------------------------------------------===//
  const Type *checkCall(ast::Expr &expr, const Type *expected);
  const Type *checkSymbolCall(ast::Expr &expr, const Symbol &symbol,
                              const Type *expected);
  const Type *checkFunctionCall(ast::Expr &expr, ast::FnDecl &function);
  const Type *checkRecordCall(ast::Expr &expr, const Type *type);
  const Type *checkConversion(ast::Expr &expr, const Type *type);
  const Type *checkBuiltinCall(ast::Expr &expr);
  const Type *checkSortBy(ast::Expr &expr, const Type *list);
  const Type *checkSpecialCall(ast::Expr &expr, const std::string &name);
  const Type *checkMeta(ast::Expr &expr, ast::CalleeKind kind);
  const Type *reportUnknownCall(ast::Expr &expr, const std::string &name);
  /// Fills argOrder; false where E0604 was reported.
  bool orderArguments(ast::Expr &expr, const std::vector<std::string> &names,
                      const std::vector<bool> &optional, bool named,
                      const std::string &what);
  bool checkArity(ast::Expr &expr, size_t least, size_t most);
  void checkArgumentsAnyway(ast::Expr &expr);
  std::string shownCallee(const ast::Expr &expr) const;

  //===-- Generation ------------------------------------------------------===//
  const Type *checkGen(ast::Expr &expr);
  const Type *checkSelect(ast::Expr &expr);
  const Type *choiceType(ast::Expr &choices);
  void checkChoices(const ast::Expr &choices);
  void checkOptions(std::vector<ast::Arg> &args, size_t from, bool ofSelect);
  void checkOption(ast::Arg &arg, bool ofSelect);
  void checkConstraints(ast::Expr &expr, const Type *type);
  void capture(ast::Expr &expr, const Type *type);

  //===-- Parts -----------------------------------------------------------===//
  void checkParts(std::vector<ast::ExprPtr> &parts);
  void checkPart(ast::Expr &part);
  void checkTextPart(ast::Expr &part);
  void checkCallPart(ast::Expr &part);
  void checkRolePart(ast::Expr &part, const std::string &role);
  bool isPartCall(const ast::Expr &expr);
  bool makesPart(const ast::Expr &expr);
  /// Begins a turn on the state that is extended; false: E0504.
  bool openTurn(const std::string &role, Span span);
  void closeTurn();
  std::string roleOf(ast::Expr &call, const std::string &name);
  void warnPlainName(const ast::TextPart &part);
  void warnGenInTurn(Span span);
  void warnBlankEnd(const ast::Expr &before, Span gen);

  //===-- Statements ------------------------------------------------------===//
  void checkBlock(ast::Block &block);
  void checkStatements(ast::Block &block);
  void checkStmt(ast::Stmt &stmt);
  void checkLet(ast::Stmt &stmt);
  void checkAssign(ast::Stmt &stmt);
  void checkExtend(ast::Stmt &stmt);
  void checkAugmented(ast::Stmt &stmt, const Type *type);
  bool checkAssignable(ast::Expr &place);
  void checkIfStmt(ast::Stmt &stmt);
  void checkFor(ast::Stmt &stmt);
  void checkWhile(ast::Stmt &stmt);
  void checkMatch(ast::Stmt &stmt);
  void checkRetry(ast::Stmt &stmt);
  void checkRoleBlock(ast::Stmt &stmt);
  void checkReturn(ast::Stmt &stmt);
  void checkJump(ast::Stmt &stmt);
  void checkExpect(ast::Stmt &stmt);
  const Type *iterated(ast::Stmt &stmt);
  /// A loop's head forgets what its body changes.
  void enterLoop(const ast::Block &body);
  /// What closes or retypes in one pass meets the next.
  void checkNextPass(const Env &head, const Env &tail);
  void leaveLoop(const Env &head);

  //===-- Match -----------------------------------------------------------===//
  struct Atom;
  class MatchChecker;
  friend class MatchChecker;

  //===-- Forks -----------------------------------------------------------===//
  struct Branch; ///< Branch.h
  const Type *branchElement(ast::Expr &list);
  const Type *joinedType(Branch &branch);
  const Type *checkForkBlock(ast::ForkBlock &fork, bool isExpression,
                             const Type *expected);
  const Type *checkForkCall(ast::Expr &expr);
  void checkJoin(ast::Stmt &stmt);
  void joinBranch(ast::Stmt &stmt);
  void closeStates(ast::Stmt &stmt);

  //===-- States (States.cpp) ---------------------------------------------===//
  /// The binding a state expression reads: of `s`, `fs[i]`, or null.
  ast::Binding *stateRoot(const ast::Expr &expr) const;
  const ast::Binding *owner(const ast::Binding *state);
  /// May the state behind `place` be written here? E0502, E0503.
  bool checkWritable(const ast::Expr &place, Span span);
  /// A state gets a second name: E0506.
  bool refuseAlias(const ast::Expr &expr, const char *how);
  bool isAlias(const ast::Expr &expr) const;
  void checkStateArguments(const ast::Expr &call, ast::FnDecl &function);
  /// What is known of the state an expression gives.
  StateFacts factsOf(const ast::Expr &expr);
  void markUsed(const ast::Expr &expr);
  void warnUnusedText();

  //===-- Conditions (Narrow.cpp) -----------------------------------------===//
  Condition checkCondition(ast::Expr &expr);
  Condition comparisonFacts(const ast::Expr &expr);
  void apply(const Facts &facts);
  std::optional<Place> placeOf(const ast::Expr &expr) const;
  /// The type without the values that equal `value`.
  const Type *without(const Type *type, const Value &value);

  struct Loop {
    std::vector<Env> breaks, continues;
    size_t branchDepth = 0;
  };

  Session &session;
  TypeContext &types;
  ast::Module &module;
  ast::FnDecl *function;

  Env env;
  std::unordered_map<std::string, std::vector<Local>> locals;
  std::vector<std::vector<std::string>> scopes;
  std::vector<LocalInfo> infos;
  std::vector<Loop> loops;
  std::vector<Branch *> branches;
  /// States whose `+=` is being read, the innermost last.
  std::vector<const ast::Expr *> extending;
  size_t retryDepth = 0;
  size_t returns = 0; ///< `return` and `join` seen so far
  /// Captures by name, in the order of the source: types for `fs[i].name`.
  std::unordered_map<std::string, CaptureFact> dynamicCaptures;
  std::optional<std::vector<CaptureSite>> sites;
};

/// Makes sure that a constant's type and value are known. E0208 on a cycle.
void ensureConstant(Session &session, ast::Module &module,
                    ast::ConstDecl &constant);

} // namespace sgl
