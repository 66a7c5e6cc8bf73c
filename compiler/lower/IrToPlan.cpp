// Functions and graphs of a plan; one op's node is EmitNode.cpp's. See
// IrToPlan.h.
#include "compiler/lower/IrToPlan.h"
#include "compiler/lower/PlanEmitter.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <filesystem>

using namespace mlir;

namespace sgl {

plan::Plan emitPlan(ModuleOp module, const CheckedProgram &program,
                    const SourceManager &sources) {
  return PlanEmitter(module, program, sources).run();
}

PlanEmitter::PlanEmitter(ModuleOp module, const CheckedProgram &program,
                         const SourceManager &sources)
    : module(module), program(program), sources(sources),
      tables(module.getContext()->getLoadedDialect<ir::SglDialect>()->tables()),
      pools(plan, tables) {}

plan::Plan PlanEmitter::run() {
  // Shared with the program, not owned: see emitPlan.
  plan.context = std::shared_ptr<TypeContext>(std::shared_ptr<void>(),
                                              program.types.get());
  nameFiles();
  for (func::FuncOp func : module.getOps<func::FuncOp>())
    functions.emplace(func.getSymName(), plan::FunctionId(functions.size()));
  for (func::FuncOp func : module.getOps<func::FuncOp>())
    findEffects(func);
  for (func::FuncOp func : module.getOps<func::FuncOp>())
    plan.functions.push_back(emitFunction(func));
  plan.effects.assign(effects.begin(), effects.end());
  return std::move(plan);
}

/// Paths are relative to the main file's folder, so that the same sources give
/// the same bytes from wherever they are compiled.
void PlanEmitter::nameFiles() {
  const ast::Module &main = *program.program.modules.front();
  std::filesystem::path folder =
      std::filesystem::path(sources.file(main.file).path()).parent_path();
  for (uint32_t i = 0; i < sources.count(); ++i) {
    const SourceFile &file = sources.file(i);
    std::filesystem::path path(file.path());
    std::string shown = path.lexically_relative(folder).generic_string();
    bool isEmbedded = file.path().starts_with("<");
    if (shown.empty() || folder.empty() || isEmbedded)
      shown = path.generic_string();
    plan::SourceName name;
    name.path = std::move(shown);
    name.hash = llvm::utohexstr(llvm::xxHash64(llvm::StringRef(file.text())),
                                /*LowerCase=*/true, 16);
    for (uint32_t at = 0; at <= file.text().size();) {
      name.lineStarts.push_back(at);
      size_t end = file.text().find('\n', at);
      at = end == std::string_view::npos ? uint32_t(file.text().size()) + 1
                                         : uint32_t(end) + 1;
    }
    plan.files.push_back(std::move(name));
  }
}

/// The outside effects of one op; empty for others.
static llvm::StringRef effectOf(Operation *op) {
  if (isa<ir::ToolOp>(op))
    return "tool";
  if (isa<ir::PrintOp>(op))
    return "print";
  if (isa<ir::AskOp>(op))
    return "ask";
  if (isa<ir::ReadFileOp>(op))
    return "read_file";
  return {};
}

void PlanEmitter::findEffects(func::FuncOp func) {
  func.walk([&](Operation *op) {
    llvm::StringRef effect = effectOf(op);
    if (!effect.empty())
      effects.insert(effect.str());
  });
}

/// Does `op`, or what it holds or may call, act on the outside? Calls count
/// wherever the program has such an effect at all.
bool PlanEmitter::actsOutside(Operation *op) const {
  if (effects.empty())
    return false;
  return op
      ->walk([&](Operation *inner) {
        return !effectOf(inner).empty() || isa<ir::CallOp>(inner)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Does `op`, or what it holds, raise an error that the source asks for?
static bool mayRaise(Operation *op) {
  return op->walk([](ir::FailOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

plan::Function PlanEmitter::emitFunction(func::FuncOp func) {
  plan::Function function;
  function.name = func.getSymName().str();
  function.entry = func->hasAttr(ir::entryAttr);
  if (auto doc = func->getAttrOfType<StringAttr>(ir::docAttr))
    function.doc = doc.str();
  if (auto result = func->getAttrOfType<StringAttr>(ir::resultAttr))
    function.result = pools.type(result);
  for (unsigned i = 0; i < func.getNumArguments(); ++i) {
    plan::Param param;
    if (auto name = func.getArgAttrOfType<StringAttr>(i, ir::nameAttr))
      param.name = name.str();
    if (auto type = func.getArgAttrOfType<StringAttr>(i, ir::typeAttr))
      param.type = pools.type(type);
    if (auto doc = func.getArgAttrOfType<StringAttr>(i, ir::docAttr))
      param.doc = doc.str();
    if (Attribute value = func.getArgAttr(i, ir::defaultAttr))
      param.defaultValue = tables.valueOf(value);
    function.params.push_back(std::move(param));
  }
  function.graph = emitGraph(func.front(), {}, {});
  return function;
}

plan::Graph PlanEmitter::emitGraph(mlir::Block &block,
                                   ArrayRef<mlir::Value> captured,
                                   ArrayRef<unsigned> inputOfCaptured) {
  Scope outer = std::exchange(scope, {});
  plan::Graph graph;
  for (mlir::Value argument : block.getArguments())
    scope.ids[argument] = graph.inputs++;
  unsigned first = graph.inputs;
  for (auto [value, input] : llvm::zip(captured, inputOfCaptured)) {
    scope.ids[value] = first + input;
    graph.inputs = std::max(graph.inputs, first + input + 1);
  }
  scope.next = graph.inputs;
  for (Operation &op : block.without_terminator())
    emitOp(op, graph);
  for (mlir::Value value : block.getTerminator()->getOperands())
    graph.yield.push_back(scope.ids.at(value));
  scope = std::move(outer);
  return graph;
}

void PlanEmitter::emitOp(Operation &op, plan::Graph &graph) {
  if (auto cast = dyn_cast<ir::CastOp>(op)) {
    scope.ids[cast.getResult()] = scope.ids.at(cast.getValue());
    return;
  }
  if (isa<ir::ConstOp, ir::RootOp>(op) && op.use_empty())
    return;
  plan::Node node;
  node.at = placeInSource(op.getLoc());
  node.outs = op.getNumResults();
  for (mlir::Value operand : op.getOperands())
    node.in.push_back(scope.ids.at(operand));
  fill(op, node);
  if (op.getNumRegions())
    emitRegions(op, node);
  order(op, node, uint32_t(graph.nodes.size()));
  if (auto level = op.getAttrOfType<IntegerAttr>(ir::levelAttr))
    node.hints.emplace_back("level", level.getInt());
  for (mlir::Value result : op.getResults())
    scope.ids[result] = scope.next++;
  graph.nodes.push_back(std::move(node));
}

/// Regions are closed graphs: what they read from outside is handed in behind
/// the operands, each value once.
void PlanEmitter::emitRegions(Operation &op, plan::Node &node) {
  llvm::SetVector<mlir::Value> captured;
  getUsedValuesDefinedAbove(op.getRegions(), captured);
  std::vector<plan::ValueId> handed;
  std::vector<unsigned> inputs;
  for (mlir::Value value : captured) {
    plan::ValueId id = scope.ids.at(value);
    auto found = std::find(handed.begin(), handed.end(), id);
    inputs.push_back(unsigned(found - handed.begin()));
    if (found == handed.end())
      handed.push_back(id);
  }
  for (Region &region : op.getRegions()) {
    if (region.empty())
      continue;
    plan::Graph graph =
        emitGraph(region.front(), captured.getArrayRef(), inputs);
    // A region that reads less than its twin still takes the same inputs.
    node.regions.push_back(std::move(graph));
  }
  node.in.insert(node.in.end(), handed.begin(), handed.end());
}

/// Outside effects run in order, behind whatever may raise an error before.
void PlanEmitter::order(Operation &op, plan::Node &node, uint32_t index) {
  if (actsOutside(&op)) {
    node.after = scope.before;
    scope.before = {index};
  } else if (!effects.empty() && mayRaise(&op)) {
    scope.before.push_back(index);
  }
}

/// Where an op comes from: of merged ones the first, of inlined ones the place
/// in the callee.
plan::At PlanEmitter::placeInSource(Location location) const {
  if (auto fused = dyn_cast<FusedLoc>(location)) {
    if (auto span = dyn_cast_if_present<ir::SpanAttr>(fused.getMetadata()))
      return {span.getFile(), span.getBegin(), span.getLength()};
    if (!fused.getLocations().empty())
      return placeInSource(fused.getLocations().front());
  }
  if (auto site = dyn_cast<CallSiteLoc>(location))
    return placeInSource(site.getCallee());
  return {};
}

} // namespace sgl
