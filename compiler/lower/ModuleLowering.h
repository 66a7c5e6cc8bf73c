// What the functions of one module share while they are lowered: names of
// functions, locations, types, and the pool of constraints.
#pragma once

#include "compiler/check/Check.h"
#include "ir/dialect/Sgl.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sgl {

class ModuleLowering {
public:
  ModuleLowering(mlir::MLIRContext &context, const CheckedProgram &program,
                 const SourceManager &sources);
  mlir::OwningOpRef<mlir::ModuleOp> run();

  mlir::MLIRContext *context() { return &mlirContext; }
  TypeContext &types() { return *program.types; }
  ir::Tables &tables() { return dialect.tables(); }
  /// File, line and column, with the span for run-time messages.
  mlir::Location location(Span span);
  mlir::Type irType(const Type *type) {
    return tables().irType(&mlirContext, type);
  }
  mlir::StringAttr key(const Type *type) {
    return mlir::StringAttr::get(&mlirContext, tables().key(type));
  }
  llvm::StringRef sourceText(Span span) const { return sources.text(span); }
  mlir::StringAttr symbol(const ast::FnDecl *function) const {
    return symbols.at(function);
  }

  /// The key of what constrains a gen of `type`; none for free text.
  std::optional<std::string> constrainTo(const Type *type);
  /// The key of a constant pattern.
  std::string constrainToRegex(const std::string &pattern);

private:
  void nameFunctions();
  void markRecursive();
  void declare(const ast::FnDecl &function);

  mlir::MLIRContext &mlirContext;
  const CheckedProgram &program;
  const SourceManager &sources;
  ir::SglDialect &dialect;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::unordered_map<const ast::FnDecl *, mlir::StringAttr> symbols;
  std::unordered_map<const ast::FnDecl *, bool> recursive;
};

} // namespace sgl
