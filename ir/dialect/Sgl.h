// The `sgl` dialect: what a user of it includes.
//
// The prose is in the .td files beside this one; Rationale.md says why.
#pragma once

#include "ir/dialect/Tables.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <memory>

namespace sgl::ir {

/// What effects are on: the world outside (tools, print, ask), and the error
/// that a run may raise.
struct Outside : mlir::SideEffects::Resource::Base<Outside> {
  llvm::StringRef getName() override { return "Outside"; }
};
struct Failure : mlir::SideEffects::Resource::Base<Failure> {
  llvm::StringRef getName() override { return "Failure"; }
};

/// Names of attributes of functions (`func.func`).
inline constexpr llvm::StringLiteral entryAttr = "sgl.entry";
inline constexpr llvm::StringLiteral recursiveAttr = "sgl.recursive";
inline constexpr llvm::StringLiteral docAttr = "sgl.doc";
inline constexpr llvm::StringLiteral resultAttr = "sgl.result"; ///< type key
/// … of their parameters,
inline constexpr llvm::StringLiteral nameAttr = "sgl.name";
inline constexpr llvm::StringLiteral typeAttr = "sgl.type"; ///< type key
inline constexpr llvm::StringLiteral defaultAttr = "sgl.default";
/// … and of operations.
inline constexpr llvm::StringLiteral levelAttr = "sgl.level";

} // namespace sgl::ir

#include "SglDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "SglTypes.h.inc"
#define GET_ATTRDEF_CLASSES
#include "SglAttrs.h.inc"
#define GET_OP_CLASSES
#include "SglOps.h.inc"
