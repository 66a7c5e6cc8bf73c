// Modules and functions of the IR; see AstToIr.h.
#include "compiler/lower/AstToIr.h"
#include "compiler/lower/FunctionLowering.h"
#include "compiler/lower/ModuleLowering.h"
#include "compiler/lower/Walk.h"

#include "ir/constraint/Regex.h"
#include "ir/constraint/TypeConstraint.h"

#include <algorithm>
#include <set>

using namespace mlir;

namespace sgl {

OwningOpRef<ModuleOp> importAst(MLIRContext &context,
                                const CheckedProgram &program,
                                const SourceManager &sources) {
  return ModuleLowering(context, program, sources).run();
}

//===-- The module -------------------------------------------------------===//

ModuleLowering::ModuleLowering(MLIRContext &context,
                               const CheckedProgram &program,
                               const SourceManager &sources)
    : mlirContext(context), program(program), sources(sources),
      dialect(*context.getOrLoadDialect<ir::SglDialect>()) {
  context.getOrLoadDialect<func::FuncDialect>();
  dialect.resetTables(program.types.get());
}

OwningOpRef<ModuleOp> ModuleLowering::run() {
  module = ModuleOp::create(UnknownLoc::get(&mlirContext));
  nameFunctions();
  markRecursive();
  for (const ast::FnDecl *function : program.functions)
    if (!function->isTool)
      declare(*function);
  return std::move(module);
}

/// `lib/judge.sgl` -> judge; `<std/reason.sgl>`, of the library, -> std.reason.
static std::string moduleName(llvm::StringRef path) {
  bool ofLibrary = path.consume_front("<") && path.consume_back(">");
  path.consume_back(".sgl");
  if (!ofLibrary)
    return path.substr(path.find_last_of('/') + 1).str();
  std::string name = path.str();
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

/// Functions of the compiled file keep their names; those of imported ones get
/// their file's in front. Two of one name differ by a number.
void ModuleLowering::nameFunctions() {
  const ast::Module *main = program.program.modules.front().get();
  std::set<std::string> taken;
  for (bool ofMain : {true, false})
    for (const ast::FnDecl *function : program.functions) {
      if ((function->module == main) != ofMain)
        continue;
      std::string name = function->name.text;
      if (!ofMain)
        name = moduleName(sources.file(function->module->file).path()) + "." +
               name;
      std::string unique = name;
      for (unsigned copy = 2; !taken.insert(unique).second; ++copy)
        unique = name + "#" + std::to_string(copy);
      symbols[function] = StringAttr::get(&mlirContext, unique);
    }
}

/// Marks functions that can reach themselves: they stay calls.
void ModuleLowering::markRecursive() {
  using Calls = std::set<const ast::FnDecl *>;
  struct Callees : Visitor {
    Calls calls;
    bool visit(const ast::Expr &expr) override {
      if (expr.callee == ast::CalleeKind::Function)
        calls.insert(expr.function);
      return true;
    }
  };
  std::unordered_map<const ast::FnDecl *, Calls> graph;
  for (const ast::FnDecl *function : program.functions) {
    Callees callees;
    walk(function->body, callees);
    graph[function] = std::move(callees.calls);
  }
  for (const ast::FnDecl *function : program.functions) {
    Calls seen;
    std::vector<const ast::FnDecl *> next(graph[function].begin(),
                                          graph[function].end());
    while (!next.empty()) {
      const ast::FnDecl *callee = next.back();
      next.pop_back();
      if (!seen.insert(callee).second)
        continue;
      next.insert(next.end(), graph[callee].begin(), graph[callee].end());
    }
    recursive[function] = seen.count(function);
  }
}

void ModuleLowering::declare(const ast::FnDecl &function) {
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  SmallVector<mlir::Type> inputs, results;
  if (!function.resultType->is(TypeKind::Void))
    results.push_back(irType(function.resultType));
  for (const ast::Param &param : function.params) {
    inputs.push_back(irType(param.binding->type));
    if (isByReference(param.binding->type))
      results.push_back(inputs.back());
  }
  auto func = builder.create<func::FuncOp>(
      location(function.span), symbol(&function).getValue(),
      builder.getFunctionType(inputs, results));
  bool ofMain = function.module == program.program.modules.front().get();
  bool isEntry = ofMain && function.name.text.front() != '_';
  if (isEntry)
    func->setAttr(ir::entryAttr, builder.getUnitAttr());
  // A private function that nothing calls any more is erased.
  func.setVisibility(isEntry ? SymbolTable::Visibility::Public
                             : SymbolTable::Visibility::Private);
  if (recursive[&function])
    func->setAttr(ir::recursiveAttr, builder.getUnitAttr());
  if (!function.doc.empty())
    func->setAttr(ir::docAttr, builder.getStringAttr(function.doc));
  if (!function.resultType->is(TypeKind::Void))
    func->setAttr(ir::resultAttr, key(function.resultType));
  for (auto [index, param] : llvm::enumerate(function.params)) {
    const sgl::Type *type = param.binding->type;
    func.setArgAttr(index, ir::nameAttr,
                    builder.getStringAttr(param.name.text));
    func.setArgAttr(index, ir::typeAttr, key(type));
    if (!param.doc.empty())
      func.setArgAttr(index, ir::docAttr, builder.getStringAttr(param.doc));
    if (param.defaultValue)
      func.setArgAttr(index, ir::defaultAttr,
                      tables().attributeOf(
                          &mlirContext, *param.defaultValue->constant, type));
  }
  FunctionLowering(*this, function).run(func);
}

Location ModuleLowering::location(Span span) {
  const SourceFile &file = sources.file(span.file);
  LineColumn at = file.at(span.begin);
  Location point = FileLineColLoc::get(
      StringAttr::get(&mlirContext, file.path()), at.line, at.column);
  return FusedLoc::get(
      {point},
      ir::SpanAttr::get(&mlirContext, span.file, span.begin, span.size()),
      &mlirContext);
}

//===-- Constraints ------------------------------------------------------===//

std::optional<std::string> ModuleLowering::constrainTo(const sgl::Type *type) {
  if (!isConstraining(type))
    return std::nullopt;
  const std::string &name = tables().key(type);
  if (!tables().constraint(name)) {
    auto compiled = program.automata.find(type);
    assert(compiled != program.automata.end() &&
           "check compiles what its gens are constrained by");
    tables().addConstraint(name, {name, compiled->second});
  }
  return name;
}

std::string ModuleLowering::constrainToRegex(const std::string &pattern) {
  std::string name = "regex " + pattern;
  if (tables().constraint(name))
    return name;
  auto compiled = program.patterns.find(pattern);
  std::shared_ptr<const Automaton> automaton;
  if (compiled != program.patterns.end())
    automaton = compiled->second;
  else if (Result<Automaton> own = compileRegex(pattern)) // of `defaults`
    automaton = std::make_shared<const Automaton>(std::move(*own));
  assert(automaton && "check refuses patterns that do not compile");
  if (automaton)
    tables().addConstraint(name, {pattern, std::move(automaton)});
  return name;
}

//===-- Functions --------------------------------------------------------===//

/// Does the function read facts of its calls (`meta(x)`, `scores`, `prob`)?
static bool readsFacts(const ast::FnDecl &function) {
  struct Finder : Visitor {
    bool found = false;
    bool visit(const ast::Expr &expr) override {
      found |= expr.callee == ast::CalleeKind::Meta ||
               expr.callee == ast::CalleeKind::Scores ||
               expr.callee == ast::CalleeKind::Prob;
      return !found;
    }
  } finder;
  walk(function.body, finder);
  return finder.found;
}

FunctionLowering::FunctionLowering(ModuleLowering &module,
                                   const ast::FnDecl &function)
    : module(module), function(function), places(function),
      builder(module.context()), keepsFacts(readsFacts(function)) {}

void FunctionLowering::run(func::FuncOp func) {
  mlir::Block *entry = func.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  for (auto [index, param] : llvm::enumerate(function.params))
    env[slotOf(param.binding)] = entry->getArgument(index);
  lowerBlock(function.body);

  Location location = at(function.span);
  SmallVector<mlir::Value> results;
  if (!function.resultType->is(TypeKind::Void))
    results.push_back(slotValue(env, Slot::given(Exit::Return),
                                irType(function.resultType), location));
  for (const ast::Param &param : function.params)
    if (isByReference(param.binding->type))
      results.push_back(env.at(slotOf(param.binding)));
  builder.create<func::ReturnOp>(location, results);
}

} // namespace sgl
