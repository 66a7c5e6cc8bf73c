// Values: names, operators, literals, and how a value enters a type.
#include "compiler/lower/FunctionLowering.h"
#include "compiler/lower/Walk.h"

using namespace mlir;

namespace sgl {

//===-- Small operations -------------------------------------------------===//

mlir::Value FunctionLowering::constant(const Value &value,
                                       const sgl::Type *type,
                                       Location location) {
  Attribute attribute =
      module.tables().attributeOf(module.context(), value, type);
  assert(attribute && "states and media are never constant");
  return builder.create<ir::ConstOp>(location, irType(type), attribute);
}

mlir::Value FunctionLowering::text(llvm::StringRef text, Location location) {
  return builder.create<ir::ConstOp>(location,
                                     ir::StrType::get(module.context()),
                                     builder.getStringAttr(text));
}

mlir::Value FunctionLowering::integer(int64_t value, Location location) {
  return builder.create<ir::ConstOp>(location, builder.getI64Type(),
                                     builder.getI64IntegerAttr(value));
}

mlir::Value FunctionLowering::boolean(bool value, Location location) {
  return builder.create<ir::ConstOp>(location, builder.getI1Type(),
                                     builder.getBoolAttr(value));
}

mlir::Value FunctionLowering::negate(mlir::Value value, Location location) {
  return builder.create<ir::UnaryOp>(location, builder.getI1Type(), "not",
                                     value);
}

mlir::Value FunctionLowering::recast(mlir::Value value, mlir::Type type,
                                     Location location) {
  if (value.getType() == type)
    return value;
  return builder.create<ir::CastOp>(location, type, value);
}

mlir::Value FunctionLowering::binary(llvm::StringRef name, mlir::Value left,
                                     mlir::Value right, mlir::Type type,
                                     Location location) {
  return builder.create<ir::BinaryOp>(location, type, name, left, right);
}

mlir::Value FunctionLowering::builtin(llvm::StringRef name,
                                      ValueRange arguments, mlir::Type type,
                                      Location location) {
  return builder.create<ir::BuiltinOp>(location, type, name, arguments);
}

//===-- Entering a type --------------------------------------------------===//

mlir::Value FunctionLowering::lowerAs(const ast::Expr &expr,
                                      const sgl::Type *to) {
  return enter(lowerExpr(expr), expr.type, to, at(expr.span));
}

/// Without `?`.
static const sgl::Type *present(const sgl::Type *type) {
  return type->is(TypeKind::Optional) ? type->element : type;
}

mlir::Value FunctionLowering::enter(mlir::Value value, const sgl::Type *from,
                                    const sgl::Type *to, Location location) {
  if (from == to)
    return value;
  if (value.getType().isInteger(64) && present(to)->is(TypeKind::Float))
    value = builtin("float", value, builder.getF64Type(), location);
  mlir::Type type = irType(to);
  // A value that enters a refined or literal type is checked.
  if (!assignable(from, to) && !from->is(TypeKind::Void))
    return builder.create<ir::CheckOp>(location, type, value, key(to));
  return recast(value, type, location);
}

mlir::Value FunctionLowering::lowerExpr(const ast::Expr &expr) {
  if (expr.constant)
    return constant(*expr.constant, expr.type, at(expr.span));
  mlir::Value value = lowerUncoerced(expr);
  if (!value || expr.type->is(TypeKind::Void))
    return value;
  // Narrowing: the name's own type holds more than what is known here.
  return recast(value, irType(expr.type), at(expr.span));
}

mlir::Value FunctionLowering::lowerUncoerced(const ast::Expr &expr) {
  using K = ast::ExprKind;
  switch (expr.kind) {
  case K::Name:
    return env.at(slotOf(expr.binding));
  case K::Text:
    return lowerText(expr);
  case K::Field:
    return lowerField(expr);
  case K::Index: {
    mlir::Value base = lowerExpr(*expr.children[0]);
    mlir::Value index = lowerExpr(*expr.children[1]);
    return builder.create<ir::ElementOp>(at(expr.span), irType(expr.type), base,
                                         index);
  }
  case K::Call:
    return lowerCall(expr);
  case K::Fork:
    return lowerForkCall(expr);
  case K::ForkBlock:
    return lowerForkBlock(*expr.fork, places.of(expr), expr.span);
  case K::List:
    return lowerList(expr);
  case K::Map:
    return lowerMap(expr);
  case K::Unary:
    return lowerUnary(expr);
  case K::Binary:
    return lowerBinary(expr);
  case K::If:
    return lowerChoice(
        lowerExpr(*expr.children[0]), at(expr.span),
        [&] { return lowerAs(*expr.children[1], expr.type); },
        [&] { return lowerAs(*expr.children[2], expr.type); });
  case K::Int:
  case K::Float:
  case K::Bool:
  case K::Null:
  case K::Gen:
  case K::Select:
  case K::Error:
    break;
  }
  assert(false && "check gives literals a constant and refuses a lone gen");
  return {};
}

//===-- Names and parts of values ----------------------------------------===//

mlir::Value FunctionLowering::lowerText(const ast::Expr &expr) {
  Location location = at(expr.span);
  SmallVector<mlir::Value> pieces;
  for (const ast::TextPart &part : expr.parts) {
    if (part.hole)
      pieces.push_back(lowerExpr(*part.hole));
    else if (!part.bytes.empty())
      pieces.push_back(text(part.bytes, at(part.span)));
  }
  return builder.create<ir::ConcatOp>(
      location, ir::StrType::get(module.context()), pieces);
}

mlir::Value FunctionLowering::lowerField(const ast::Expr &expr) {
  const ast::Expr &base = *expr.children[0];
  if (base.type->is(TypeKind::State))
    return lowerStateField(expr);
  const sgl::Type *type = expr.type;
  if (base.type->is(TypeKind::Record))
    for (const RecordField &field : base.type->record->fields)
      if (field.name == expr.text)
        type = field.type;
  return builder.create<ir::FieldOp>(at(expr.span), irType(type),
                                     lowerExpr(base), expr.text);
}

mlir::Value FunctionLowering::lowerStateField(const ast::Expr &expr) {
  const ast::Expr &base = *expr.children[0];
  Location location = at(expr.span);
  if (expr.text == "text" || expr.text == "messages" || expr.text == "tokens")
    return builder.create<ir::InspectOp>(location, irType(expr.type),
                                         lowerExpr(base), expr.text);
  if (base.kind == ast::ExprKind::Name) {
    auto known = env.find({Slot::Kind::Captured, base.binding->id, expr.text});
    if (known != env.end())
      return known->second;
  }
  return builder.create<ir::CaptureOp>(location, irType(expr.type),
                                       lowerExpr(base), expr.text,
                                       key(expr.type).getValue());
}

void FunctionLowering::assign(const ast::Expr &place, mlir::Value value) {
  Location location = at(place.span);
  switch (place.kind) {
  case ast::ExprKind::Name:
    env[slotOf(place.binding)] =
        recast(value, irType(place.binding->type), location);
    return;
  case ast::ExprKind::Index: {
    mlir::Value base = lowerExpr(*place.children[0]);
    mlir::Value index = lowerExpr(*place.children[1]);
    return assign(*place.children[0],
                  builder.create<ir::WithElementOp>(location, base.getType(),
                                                    base, index, value));
  }
  case ast::ExprKind::Field: {
    mlir::Value base = lowerExpr(*place.children[0]);
    return assign(*place.children[0],
                  builder.create<ir::WithFieldOp>(location, base.getType(),
                                                  base, place.text, value));
  }
  default:
    // A state that has no name, `f(fork(s))`: nothing reads it again.
    return;
  }
}

//===-- Lists and maps ---------------------------------------------------===//

mlir::Value FunctionLowering::lowerList(const ast::Expr &expr) {
  const sgl::Type *type = present(expr.type);
  const sgl::Type *element = type->element ? type->element : type;
  SmallVector<mlir::Value> elements;
  for (const ast::ExprPtr &child : expr.children)
    elements.push_back(lowerAs(*child, element));
  return builder.create<ir::ListOp>(at(expr.span), irType(expr.type), key(type),
                                    elements);
}

mlir::Value FunctionLowering::lowerMap(const ast::Expr &expr) {
  const sgl::Type *type = present(expr.type);
  const sgl::Type *element = type->element ? type->element : type;
  SmallVector<mlir::Value> items;
  for (size_t i = 0; i < expr.children.size(); ++i) {
    items.push_back(lowerExpr(*expr.keys[i]));
    items.push_back(lowerAs(*expr.children[i], element));
  }
  return builder.create<ir::DictOp>(at(expr.span), irType(expr.type), key(type),
                                    items);
}

//===-- Operators --------------------------------------------------------===//

mlir::Value FunctionLowering::lowerUnary(const ast::Expr &expr) {
  mlir::Value value = lowerExpr(*expr.children[0]);
  llvm::StringRef name = expr.unary == ast::UnaryOp::Not ? "not" : "neg";
  return builder.create<ir::UnaryOp>(at(expr.span), value.getType(), name,
                                     value);
}

static llvm::StringRef operatorName(ast::BinaryOp op) {
  using Op = ast::BinaryOp;
  switch (op) {
  case Op::Add:
    return "add";
  case Op::Sub:
    return "sub";
  case Op::Mul:
    return "mul";
  case Op::Div:
    return "div";
  case Op::Mod:
    return "mod";
  case Op::Eq:
    return "eq";
  case Op::Ne:
    return "ne";
  case Op::Lt:
    return "lt";
  case Op::Le:
    return "le";
  case Op::Gt:
    return "gt";
  case Op::Ge:
    return "ge";
  case Op::In:
  case Op::NotIn:
    return "in";
  case Op::And:
    return "and";
  case Op::Or:
    return "or";
  case Op::Range:
  case Op::RangeInclusive:
    break;
  }
  return "";
}

mlir::Value FunctionLowering::lowerBinary(const ast::Expr &expr) {
  using Op = ast::BinaryOp;
  Location location = at(expr.span);
  if (expr.binary == Op::Range || expr.binary == Op::RangeInclusive)
    return lowerRange(expr);
  if (expr.binary == Op::And || expr.binary == Op::Or)
    return lowerShortCircuit(expr);
  mlir::Value left = lowerExpr(*expr.children[0]);
  mlir::Value right = lowerExpr(*expr.children[1]);
  mlir::Value result = binary(operatorName(expr.binary), left, right,
                              irType(expr.type), location);
  return expr.binary == Op::NotIn ? negate(result, location) : result;
}

/// Only names, constants and comparisons: evaluating it can neither fail nor
/// call anything.
static bool isHarmless(const ast::Expr &expr) {
  if (expr.constant)
    return true;
  using K = ast::ExprKind;
  using Op = ast::BinaryOp;
  switch (expr.kind) {
  case K::Name:
    return true;
  case K::Field:
    return !expr.children[0]->type->is(TypeKind::Json) &&
           isHarmless(*expr.children[0]);
  case K::Unary:
    return expr.unary == ast::UnaryOp::Not && isHarmless(*expr.children[0]);
  case K::Binary:
    return (expr.binary == Op::And || expr.binary == Op::Or ||
            expr.binary == Op::Eq || expr.binary == Op::Ne ||
            expr.binary == Op::Lt || expr.binary == Op::Le ||
            expr.binary == Op::Gt || expr.binary == Op::Ge) &&
           isHarmless(*expr.children[0]) && isHarmless(*expr.children[1]);
  default:
    return false;
  }
}

/// `and`, `or`: the right side runs only where it decides, unless running it
/// cannot be noticed.
mlir::Value FunctionLowering::lowerShortCircuit(const ast::Expr &expr) {
  Location location = at(expr.span);
  bool isAnd = expr.binary == ast::BinaryOp::And;
  mlir::Value left = lowerExpr(*expr.children[0]);
  if (isHarmless(*expr.children[1]))
    return binary(isAnd ? "and" : "or", left, lowerExpr(*expr.children[1]),
                  builder.getI1Type(), location);
  auto right = [&] { return lowerExpr(*expr.children[1]); };
  auto decided = [&] { return boolean(!isAnd, location); };
  return isAnd ? lowerChoice(left, location, right, decided)
               : lowerChoice(left, location, decided, right);
}

mlir::Value
FunctionLowering::lowerChoice(mlir::Value condition, Location location,
                              llvm::function_ref<mlir::Value()> whenTrue,
                              llvm::function_ref<mlir::Value()> whenFalse) {
  const Slot result{Slot::Kind::Result, 0, ""};
  Branch a = lowerBranch({}, location, [&](auto) { env[result] = whenTrue(); });
  Branch b =
      lowerBranch({}, location, [&](auto) { env[result] = whenFalse(); });
  finishIf(location, condition, std::move(a), std::move(b));
  mlir::Value value = env.at(result);
  env.erase(result);
  return value;
}

/// `a..b` and `a..=b`, lists of `int`.
mlir::Value FunctionLowering::lowerRange(const ast::Expr &expr) {
  Location location = at(expr.span);
  mlir::Value from = lowerExpr(*expr.children[0]);
  mlir::Value to = lowerExpr(*expr.children[1]);
  if (expr.binary == ast::BinaryOp::RangeInclusive)
    to =
        binary("add", to, integer(1, location), builder.getI64Type(), location);
  return builtin("range", {from, to}, irType(expr.type), location);
}

} // namespace sgl
