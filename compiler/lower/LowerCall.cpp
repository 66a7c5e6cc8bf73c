// Calls of functions, records, built-ins, and facts of what was generated.
#include "compiler/lower/FunctionLowering.h"
#include "compiler/lower/Walk.h"

using namespace mlir;

namespace sgl {

mlir::Value FunctionLowering::lowerCall(const ast::Expr &expr) {
  using K = ast::CalleeKind;
  Location location = at(expr.span);
  switch (expr.callee) {
  case K::Function:
    return lowerFunctionCall(expr);
  case K::Record:
  case K::Tool:
    return lowerRecord(expr);
  case K::RecordConvert:
  case K::EnumConvert:
    return builder.create<ir::ConvertOp>(location, irType(expr.type),
                                         lowerExpr(*expr.args[0].value),
                                         key(expr.type));
  case K::Builtin:
    return lowerBuiltin(expr);
  case K::State:
    return builder.create<ir::RootOp>(location);
  case K::Meta:
  case K::Scores:
  case K::Prob:
    return lowerFacts(expr);
  case K::LastError:
    return lastErrors.back();
  case K::None:
  case K::Role:
  case K::Special:
  case K::Image:
  case K::Video:
  case K::Mock:
  case K::Render:
    break;
  }
  assert(false && "check refuses parts and what is not supported as values");
  return {};
}

/// Arguments run as written. States go in by value and come back behind the
/// result.
mlir::Value FunctionLowering::lowerFunctionCall(const ast::Expr &expr) {
  Location location = at(expr.span);
  const ast::FnDecl &callee = *expr.function;
  SmallVector<const sgl::Type *> wanted(expr.args.size());
  for (auto [param, arg] : llvm::enumerate(expr.argOrder))
    if (arg >= 0)
      wanted[size_t(arg)] = callee.params[param].binding->type;
  SmallVector<mlir::Value> written;
  for (auto [index, arg] : llvm::enumerate(expr.args))
    written.push_back(lowerAs(*arg.value, wanted[index]));

  SmallVector<mlir::Value> operands;
  SmallVector<mlir::Type> results;
  bool hasResult = !callee.resultType->is(TypeKind::Void);
  if (hasResult)
    results.push_back(irType(callee.resultType));
  for (auto [index, param] : llvm::enumerate(callee.params)) {
    const sgl::Type *type = param.binding->type;
    int arg = expr.argOrder[index];
    if (arg >= 0)
      operands.push_back(written[size_t(arg)]);
    else
      operands.push_back(constant(
          param.defaultValue ? *param.defaultValue->constant : Value::null(),
          type, location));
    if (isByReference(type))
      results.push_back(operands.back().getType());
  }
  auto call = builder.create<ir::CallOp>(
      location, results, FlatSymbolRefAttr::get(module.symbol(&callee)),
      operands, builder.getDenseI32ArrayAttr(placeOf(places.of(expr))));

  unsigned result = hasResult ? 1 : 0;
  for (auto [index, param] : llvm::enumerate(callee.params)) {
    if (!isByReference(param.binding->type))
      continue;
    mlir::Value after = call.getResult(result++);
    int arg = expr.argOrder[index];
    if (arg < 0)
      continue;
    const ast::Expr &place = *expr.args[size_t(arg)].value;
    if (const ast::Binding *root = rootOf(place)) {
      endFollow(root->id);
      assign(place, after);
    }
  }
  return hasResult ? call.getResult(0) : mlir::Value();
}

mlir::Value FunctionLowering::lowerRecord(const ast::Expr &expr) {
  Location location = at(expr.span);
  const RecordDecl &record = *expr.record;
  SmallVector<mlir::Value> fields(record.fields.size());
  // In the order of the source: what fails first is what stands first.
  for (size_t arg = 0; arg < expr.args.size(); ++arg)
    for (size_t i = 0; i < fields.size(); ++i)
      if (expr.argOrder[i] == int(arg))
        fields[i] = lowerAs(*expr.args[arg].value, record.fields[i].type);
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i])
      continue;
    const RecordField &field = record.fields[i];
    Value value;
    if (field.defaultJson) {
      Result<Value> json = parseJson(*field.defaultJson);
      assert(json && "a default is canonical JSON");
      Result<Value> typed = convert(*json, field.type);
      assert(typed && "check holds a default against its type");
      value = *typed;
    }
    fields[i] = constant(value, field.type, location);
  }
  return builder.create<ir::RecordOp>(location, irType(expr.type),
                                      key(expr.type), fields);
}

mlir::Value FunctionLowering::lowerBuiltin(const ast::Expr &expr) {
  SmallVector<mlir::Value> arguments;
  for (const ast::Arg &arg : expr.args)
    arguments.push_back(lowerExpr(*arg.value));
  return builtin(expr.builtin, arguments, irType(expr.type), at(expr.span));
}

/// `meta(x)`, `scores(x)`, `prob(x)`: of a capture, or of `s.x`.
mlir::Value FunctionLowering::lowerFacts(const ast::Expr &expr) {
  Location location = at(expr.span);
  mlir::Value facts = factsOf(*expr.args[0].value, location);
  if (expr.callee == ast::CalleeKind::Meta)
    return facts;
  llvm::StringRef name =
      expr.callee == ast::CalleeKind::Scores ? "scores" : "prob";
  return builder.create<ir::FieldOp>(location, irType(expr.type), facts, name);
}

mlir::Value FunctionLowering::factsOf(const ast::Expr &name,
                                      Location location) {
  Slot slot{Slot::Kind::Info, 0, ""};
  if (name.kind == ast::ExprKind::Name)
    slot.id = name.binding->id;
  else if (const ast::Binding *state = rootOf(*name.children[0]))
    slot = {Slot::Kind::Info, state->id, name.text};
  return slotValue(env, slot, ir::JsonType::get(module.context()), location);
}

} // namespace sgl
