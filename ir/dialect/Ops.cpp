// Verifiers and the printed form of constants.
//
// Verifiers check structure: counts, types of yields, names that a plan knows.
// Their words are for us; what a user can get wrong is said by check.
#include "ir/dialect/Sgl.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

/// `3 : i64`, `true`, `"text" -> !sgl.str`: a number has its type already, so
/// the arrow stands behind it only where the constant was cast to another.
static ParseResult parseConstant(OpAsmParser &parser, Attribute &value,
                                 mlir::Type &type) {
  if (parser.parseAttribute(value))
    return failure();
  if (isa<IntegerAttr, FloatAttr>(value)) {
    type = cast<TypedAttr>(value).getType();
    if (failed(parser.parseOptionalArrow()))
      return success();
    return parser.parseType(type);
  }
  return failure(parser.parseArrow() || parser.parseType(type));
}

static void printConstant(OpAsmPrinter &printer, Operation *, Attribute value,
                          mlir::Type type) {
  printer.printAttribute(value);
  if (!isa<IntegerAttr, FloatAttr>(value) ||
      cast<TypedAttr>(value).getType() != type)
    printer << " -> " << type;
}

#define GET_OP_CLASSES
#include "SglOps.cpp.inc"

namespace sgl::ir {

//===-- Values -----------------------------------------------------------===//

LogicalResult UnaryOp::verify() {
  if (llvm::is_contained({"not", "neg"}, getName()))
    return success();
  return emitOpError("knows no operator ") << getNameAttr();
}

LogicalResult BinaryOp::verify() {
  if (llvm::is_contained({"add", "sub", "mul", "div", "mod", "eq", "ne", "lt",
                          "le", "gt", "ge", "in", "and", "or"},
                         getName()))
    return success();
  return emitOpError("knows no operator ") << getNameAttr();
}

LogicalResult DictOp::verify() {
  if (getItems().size() % 2)
    return emitOpError("needs a value for each key, but has ")
           << getItems().size() << " operands";
  return success();
}

//===-- Prompts ----------------------------------------------------------===//

/// Options are constants; each dynamic one has an operand behind `fixed` ones.
static LogicalResult verifyOptions(Operation *op, DictionaryAttr options,
                                   ArrayAttr names, size_t operands,
                                   size_t fixed) {
  if (names.size() + fixed != operands)
    return op->emitOpError("names ")
           << names.size() << " dynamic options but has " << operands - fixed
           << " operands for them";
  for (Attribute name : names)
    if (options.contains(cast<StringAttr>(name)))
      return op->emitOpError("has the option ") << name << " twice";
  return success();
}

LogicalResult GenOp::verify() {
  if (getFollow() && getEndOfTurn())
    return emitOpError("is followed either by text or by the end of its turn");
  if (getForced() && !getConstraint())
    return emitOpError("is forced to a text by no constraint");
  return verifyOptions(*this, getOptions(), getDynamicNames(),
                       getDynamic().size(), 0);
}

LogicalResult SelectOp::verify() {
  size_t fixed = getChoices().empty() ? 1 : 0;
  if (getDynamic().size() < fixed)
    return emitOpError("needs choices or a list of them");
  return verifyOptions(*this, getOptions(), getDynamicNames(),
                       getDynamic().size(), fixed);
}

LogicalResult InspectOp::verify() {
  if (llvm::is_contained({"text", "messages", "tokens"}, getName()))
    return success();
  return emitOpError("cannot read ") << getNameAttr() << " of a state";
}

//===-- Control ----------------------------------------------------------===//

/// `region` takes `inputs` and yields `outputs`.
static LogicalResult verifyRegion(Operation *op, Region &region,
                                  ArrayRef<mlir::Type> inputs,
                                  TypeRange outputs, StringRef what) {
  Block &block = region.front();
  if (block.getArgumentTypes() != TypeRange(inputs))
    return op->emitOpError() << what << " takes (" << block.getArgumentTypes()
                             << ") instead of (" << inputs << ")";
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield)
    return op->emitOpError() << what << " must end in sgl.yield";
  if (yield.getValues().getTypes() == outputs)
    return success();
  InFlightDiagnostic error = op->emitOpError() << what << " yields wrong types";
  error.attachNote(yield.getLoc())
      << "expected (" << outputs << "), but this yields ("
      << yield.getValues().getTypes() << ")";
  return error;
}

LogicalResult IfOp::verifyRegions() {
  if (failed(verifyRegion(*this, getThenRegion(), {}, getResultTypes(),
                          "the then region")))
    return failure();
  return verifyRegion(*this, getElseRegion(), {}, getResultTypes(),
                      "the else region");
}

/// The type of the elements of what a loop goes over; null: not a list.
static mlir::Type elementType(mlir::Type list) {
  auto type = dyn_cast<ListType>(list);
  return type ? type.getElement() : mlir::Type();
}

LogicalResult ForOp::verifyRegions() {
  mlir::Type element = elementType(getList().getType());
  if (!element)
    return emitOpError("goes over a list, not ") << getList().getType();
  if (getInits().getTypes() != getResultTypes())
    return emitOpError("must give the types that it carries");
  SmallVector<mlir::Type> inputs{element, IntegerType::get(getContext(), 64)};
  llvm::append_range(inputs, getInits().getTypes());
  return verifyRegion(*this, getBody(), inputs, getResultTypes(), "the body");
}

LogicalResult WhileOp::verifyRegions() {
  if (getInits().getTypes() != getResultTypes())
    return emitOpError("must give the types that it carries");
  SmallVector<mlir::Type> inputs(getInits().getTypes());
  mlir::Type boolean = IntegerType::get(getContext(), 1);
  if (failed(verifyRegion(*this, getCondition(), inputs, boolean,
                          "the condition")))
    return failure();
  return verifyRegion(*this, getBody(), inputs, getResultTypes(), "the body");
}

LogicalResult MapOp::verifyRegions() {
  mlir::Type element = elementType(getList().getType());
  if (!element)
    return emitOpError("goes over a list, not ") << getList().getType();
  SmallVector<mlir::Type> outputs;
  for (mlir::Type result : getResultTypes()) {
    if (!elementType(result))
      return emitOpError("gives lists, not ") << result;
    outputs.push_back(elementType(result));
  }
  return verifyRegion(*this, getBody(),
                      {element, IntegerType::get(getContext(), 64)}, outputs,
                      "the body");
}

LogicalResult RetryOp::verifyRegions() {
  auto error = OptType::get(getContext(), StrType::get(getContext()));
  if (failed(verifyRegion(*this, getBody(),
                          {IntegerType::get(getContext(), 64), error},
                          getResultTypes(), "the body")))
    return failure();
  if (getOtherwise().empty())
    return success();
  return verifyRegion(*this, getOtherwise(), {error}, getResultTypes(),
                      "the else region");
}

//===-- Calls ------------------------------------------------------------===//

CallInterfaceCallable CallOp::getCallableForCallee() { return getCalleeAttr(); }
void CallOp::setCalleeFromCallable(CallInterfaceCallable callee) {
  setCalleeAttr(cast<FlatSymbolRefAttr>(callee.get<SymbolRefAttr>()));
}
Operation::operand_range CallOp::getArgOperands() { return getArguments(); }
MutableOperandRange CallOp::getArgOperandsMutable() {
  return getArgumentsMutable();
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError("calls no function named ") << getCalleeAttr();
  auto type =
      FunctionType::get(getContext(), getOperandTypes(), getResultTypes());
  if (callee.getFunctionType() != type)
    return emitOpError("calls with ")
           << type << " a function of type " << callee.getFunctionType();
  return success();
}

} // namespace sgl::ir
