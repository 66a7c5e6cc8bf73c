// State of one emission; see IrToPlan.h.
#pragma once

#include "compiler/check/Check.h"
#include "compiler/lower/PlanPools.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace sgl {

class PlanEmitter {
public:
  PlanEmitter(mlir::ModuleOp module, const CheckedProgram &program,
              const SourceManager &sources);
  plan::Plan run();

private:
  /// Numbers of the graph at hand.
  struct Scope {
    std::map<mlir::Value, plan::ValueId, bool (*)(mlir::Value, mlir::Value)>
        ids{[](mlir::Value a, mlir::Value b) {
          return a.getAsOpaquePointer() < b.getAsOpaquePointer();
        }};
    plan::ValueId next = 0;
    /// Nodes that the next outside effect must wait for.
    std::vector<uint32_t> before;
  };

  void nameFiles();
  void findEffects(mlir::func::FuncOp func);
  bool actsOutside(mlir::Operation *op) const;
  plan::Function emitFunction(mlir::func::FuncOp func);
  /// `captured` values are the inputs behind the block's arguments;
  /// `inputOfCaptured` says which each is.
  plan::Graph emitGraph(mlir::Block &block,
                        llvm::ArrayRef<mlir::Value> captured,
                        llvm::ArrayRef<unsigned> inputOfCaptured);
  void emitOp(mlir::Operation &op, plan::Graph &graph);
  void emitRegions(mlir::Operation &op, plan::Node &node);
  void order(mlir::Operation &op, plan::Node &node, uint32_t index);
  plan::At placeInSource(mlir::Location location) const;

  //===-- One node (EmitNode.cpp) -----------------------------------------===//
  /// Op, names, pools: all but operands and regions.
  void fill(mlir::Operation &op, plan::Node &node);
  bool fillValue(mlir::Operation &op, plan::Node &node);
  bool fillPrompt(mlir::Operation &op, plan::Node &node);
  bool fillControl(mlir::Operation &op, plan::Node &node);
  bool fillOutside(mlir::Operation &op, plan::Node &node);
  void fillConst(mlir::Operation &op, plan::Node &node);
  void fillGen(mlir::Operation &op, plan::Node &node);
  void fillSelect(mlir::Operation &op, plan::Node &node);
  std::vector<plan::Option> options(mlir::DictionaryAttr constant,
                                    mlir::ArrayAttr names, uint32_t operand);

  mlir::ModuleOp module;
  const CheckedProgram &program;
  const SourceManager &sources;
  ir::Tables &tables;
  plan::Plan plan;
  PlanPools pools;
  std::map<std::string, plan::FunctionId, std::less<>> functions;
  std::set<std::string> effects;
  Scope scope;
};

} // namespace sgl
