// Lowers the body of one function.
//
// The methods lie in files by idea: AstToIr.cpp (functions), LowerBlock.cpp
// (statements, what follows an early exit), Branches.cpp (where paths meet),
// LowerControl.cpp (if, match, loops, retry), LowerFork.cpp, LowerExpr.cpp,
// LowerCall.cpp, LowerPrompt.cpp (parts, roles, `follow`), LowerGen.cpp.
//
// States are taken by reference in the source and are values here: a function
// returns the last value of each state that it takes. What must hold: `env` has
// a value for every name in scope at the insertion point.
#pragma once

#include "compiler/lower/Env.h"
#include "compiler/lower/ModuleLowering.h"
#include "compiler/lower/Places.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace sgl {

class FunctionLowering {
public:
  FunctionLowering(ModuleLowering &module, const ast::FnDecl &function);
  /// Fills `func`, whose entry block is empty.
  void run(mlir::func::FuncOp func);

private:
  //===-- Blocks (LowerBlock.cpp) -----------------------------------------===//
  using Statements = llvm::ArrayRef<std::unique_ptr<ast::Stmt>>;
  /// A block of the source: `follow` looks no further than its end.
  void lowerBlock(const ast::Block &block);
  void lowerStatements(Statements statements);
  void lowerStatement(const ast::Stmt &stmt);
  void lowerAssign(const ast::Stmt &stmt);
  void lowerExpect(const ast::Stmt &stmt);
  void exit(Exit exit, const ast::Expr *value, Span span);
  bool mayHaveExited() const;
  /// The flags that may be set here, as one `i1`; null: none.
  mlir::Value exitTaken(mlir::Location location);
  /// Runs `body` where none of the flags that may be set here is. `keepsNames`:
  /// what it declares is in scope behind it.
  void unlessExited(mlir::Location location, llvm::function_ref<void()> body,
                    bool keepsNames = false);
  /// Runs `body`, which puts the rest of a block into a region.
  void nest(llvm::function_ref<void()> body);

  //===-- Where paths meet (Branches.cpp) ---------------------------------===//
  /// A region under construction and what holds at its end.
  struct Branch {
    std::unique_ptr<mlir::Region> region;
    Env env;
    bool live = true;
  };
  using Body = llvm::function_ref<void(mlir::Block::BlockArgListType)>;
  /// Runs `body` in a new region that takes `inputs`; `env` and the insertion
  /// point are as before behind it.
  Branch lowerBranch(mlir::TypeRange inputs, mlir::Location location,
                     Body body);
  /// The slots in which the ends of branches differ, for results. `branches`
  /// has one or two.
  std::vector<Slot> meet(llvm::ArrayRef<Branch *> branches);
  /// Ends the region with the values of `slots`.
  void yieldSlots(Branch &branch, llvm::ArrayRef<Slot> slots,
                  mlir::TypeRange types, mlir::Location location);
  void finishIf(mlir::Location location, mlir::Value condition, Branch whenTrue,
                Branch whenFalse);
  mlir::Value placeholder(mlir::Type type, mlir::Location location);
  mlir::Value slotValue(const Env &env, const Slot &slot, mlir::Type type,
                        mlir::Location location);
  std::vector<mlir::Type> typesOf(llvm::ArrayRef<Slot> slots,
                                  llvm::ArrayRef<Branch *> branches);

  //===-- Control (LowerControl.cpp) --------------------------------------===//
  void lowerIf(const ast::Stmt &stmt, Statements rest);
  void lowerMatch(const ast::Stmt &stmt);
  void lowerArms(const ast::Stmt &stmt, size_t begin, size_t end,
                 mlir::Value subject);
  /// Does one of the arms `begin` to `end` match? Null: always.
  mlir::Value matchesAny(const ast::Stmt &stmt, size_t begin, size_t end,
                         mlir::Value subject);
  mlir::Value matches(const ast::Pattern &pattern, const Type *type,
                      mlir::Value subject);
  void bindPattern(const ast::Pattern &pattern, mlir::Value subject);
  void lowerFor(const ast::Stmt &stmt);
  void lowerWhile(const ast::Stmt &stmt);
  void lowerRetry(const ast::Stmt &stmt);
  /// What a loop carries: names that its body writes, exits that it may take.
  std::vector<Slot> carriedBy(const ast::Block &body,
                              const std::set<uint32_t> &writes);
  std::vector<mlir::Value> initial(llvm::ArrayRef<Slot> slots,
                                   mlir::Location location);
  mlir::Type typeOf(const Slot &slot);
  void enterPass(llvm::ArrayRef<Slot> slots, mlir::ValueRange values);
  void leavePass();
  void leaveLoop(llvm::ArrayRef<Slot> slots, mlir::ValueRange results);
  /// What was generated on `states` is looked up when it runs from here on.
  void forgetCaptures(const std::set<uint32_t> &states);
  /// The list that a loop goes over: the keys of a map.
  mlir::Value lowerIterated(const ast::Expr &list);

  //===-- Forks (LowerFork.cpp) -------------------------------------------===//
  mlir::Value lowerForkCall(const ast::Expr &expr);
  /// Null where nothing is joined.
  mlir::Value lowerForkBlock(const ast::ForkBlock &fork, uint32_t place,
                             Span span);
  /// The value that the branch joins; null where it joins none.
  mlir::Value lowerBranchBody(const ast::ForkBlock &fork, mlir::Value source,
                              mlir::Location location);
  void copyCaptures(const ast::Expr &from, const ast::Binding *to);

  //===-- Expressions (LowerExpr.cpp) -------------------------------------===//
  /// The value, under the static type of expr.type.
  mlir::Value lowerExpr(const ast::Expr &expr);
  /// The value as it enters a place of type `to`: converted and checked.
  mlir::Value lowerAs(const ast::Expr &expr, const Type *to);
  mlir::Value enter(mlir::Value value, const Type *from, const Type *to,
                    mlir::Location location);
  mlir::Value lowerUncoerced(const ast::Expr &expr);
  mlir::Value lowerText(const ast::Expr &expr);
  mlir::Value lowerField(const ast::Expr &expr);
  mlir::Value lowerStateField(const ast::Expr &expr);
  mlir::Value lowerList(const ast::Expr &expr);
  mlir::Value lowerMap(const ast::Expr &expr);
  mlir::Value lowerUnary(const ast::Expr &expr);
  mlir::Value lowerBinary(const ast::Expr &expr);
  mlir::Value lowerShortCircuit(const ast::Expr &expr);
  mlir::Value lowerRange(const ast::Expr &expr);
  /// `make` in each arm of an `if`, whose result has type `type`.
  mlir::Value lowerChoice(mlir::Value condition, mlir::Location location,
                          llvm::function_ref<mlir::Value()> whenTrue,
                          llvm::function_ref<mlir::Value()> whenFalse);
  /// Writes `value` to `x`, `x[i]`, `x.field` or deeper.
  void assign(const ast::Expr &place, mlir::Value value);
  mlir::Value constant(const Value &value, const Type *type,
                       mlir::Location location);
  mlir::Value text(llvm::StringRef text, mlir::Location location);
  mlir::Value integer(int64_t value, mlir::Location location);
  mlir::Value boolean(bool value, mlir::Location location);
  mlir::Value negate(mlir::Value value, mlir::Location location);
  mlir::Value recast(mlir::Value value, mlir::Type type,
                     mlir::Location location);
  mlir::Value binary(llvm::StringRef name, mlir::Value left, mlir::Value right,
                     mlir::Type type, mlir::Location location);
  mlir::Value builtin(llvm::StringRef name, mlir::ValueRange arguments,
                      mlir::Type type, mlir::Location location);

  //===-- Calls (LowerCall.cpp) -------------------------------------------===//
  /// Null where the function has no result.
  mlir::Value lowerCall(const ast::Expr &expr);
  mlir::Value lowerFunctionCall(const ast::Expr &expr);
  mlir::Value lowerRecord(const ast::Expr &expr);
  mlir::Value lowerBuiltin(const ast::Expr &expr);
  mlir::Value lowerFacts(const ast::Expr &expr);
  mlir::Value factsOf(const ast::Expr &name, mlir::Location location);

  //===-- Prompts (LowerPrompt.cpp) ---------------------------------------===//
  /// A state that is being extended: where its `follow` is kept, and its value.
  struct Prompt {
    uint32_t id = noState;
    const ast::Binding *binding = nullptr;
    mlir::Value value;
  };
  static constexpr uint32_t noState = UINT32_MAX;
  /// A gen with nothing but literal text behind it so far.
  struct Open {
    ir::GenOp gen;
    std::string text;
  };
  void lowerExtend(const ast::Stmt &stmt);
  void lowerRoleBlock(const ast::Stmt &stmt);
  Prompt promptAt(const ast::Expr &place);
  void advance(Prompt &prompt, mlir::Value value);
  void lowerPart(const ast::Expr &part, Prompt &prompt);
  void lowerTextPart(const ast::Expr &part, Prompt &prompt);
  void lowerCallPart(const ast::Expr &part, Prompt &prompt);
  void appendLiteral(llvm::StringRef text, Prompt &prompt,
                     mlir::Location location);
  void appendValue(const ast::Expr &part, Prompt &prompt);
  void openTurn(llvm::StringRef role, Prompt &prompt, mlir::Location location);
  void closeTurn(Prompt &prompt, mlir::Location location);
  /// Something that is no literal text comes next on this state.
  void endFollow(uint32_t state) { followed.erase(state); }

  //===-- gen and select (LowerGen.cpp) -----------------------------------===//
  struct Options {
    std::vector<mlir::NamedAttribute> constant;
    std::vector<mlir::Attribute> names;
    std::vector<mlir::Value> dynamic;
    bool has(llvm::StringRef name) const;
    /// The constant value, if `name` is one.
    std::optional<double> number(llvm::StringRef name) const;
  };
  void lowerGen(const ast::Expr &gen, Prompt &prompt);
  void lowerSelect(const ast::Expr &select, Prompt &prompt);
  void addOption(const ast::Arg &arg, Options &options);
  void constrain(const ast::Expr &gen, const ast::Expr *regex, ir::GenOp op);
  void bindCapture(const ast::Expr &expr, Prompt &prompt, mlir::Value state,
                   mlir::Value value, mlir::Value info);

  //===-- Small things ----------------------------------------------------===//
  bool inBranch() const { return joinType; }
  mlir::Location at(Span span) { return module.location(span); }
  mlir::Type irType(const Type *type) { return module.irType(type); }
  mlir::StringAttr key(const Type *type) { return module.key(type); }
  static Slot slotOf(const ast::Binding *binding) {
    return {Slot::Kind::Variable, binding->id, ""};
  }
  llvm::SmallVector<int32_t, 1> placeOf(uint32_t number) {
    return {int32_t(number)};
  }

  ModuleLowering &module;
  const ast::FnDecl &function;
  Places places;
  mlir::OpBuilder builder;
  Env env;
  /// False behind a statement that leaves on every path.
  bool live = true;
  unsigned nestedRests = 0; ///< rests of blocks around, each in a region
  /// The type that `join` hands back in the branch at hand; null: in none.
  const Type *joinType = nullptr;
  std::map<uint32_t, Open> followed;
  std::vector<mlir::Value> lastErrors; ///< of the tries around, outermost first
  bool keepsFacts = false;             ///< does it read `meta` and the like?
};

} // namespace sgl
