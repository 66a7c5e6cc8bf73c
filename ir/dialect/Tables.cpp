// Keys, static types and constants; see Tables.h.
#include "ir/dialect/Tables.h"
#include "ir/dialect/Sgl.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace sgl::ir {

Tables::Tables(TypeContext *given)
    : own(given ? nullptr : std::make_unique<TypeContext>()),
      types(given ? given : own.get()) {
  for (TypeKind kind :
       {TypeKind::Void, TypeKind::Null, TypeKind::Bool, TypeKind::Int,
        TypeKind::Float, TypeKind::Str, TypeKind::Json, TypeKind::State,
        TypeKind::Image, TypeKind::Video})
    key(types->get(kind));
}

const std::string &Tables::key(const sgl::Type *type) {
  auto [it, isNew] = keys.try_emplace(type);
  if (!isNew)
    return it->second;
  std::string written = toString(type), name = written;
  for (unsigned copy = 2; !byKey.try_emplace(name, type).second; ++copy)
    name = written + "#" + std::to_string(copy);
  it->second = std::move(name);
  return it->second;
}

const sgl::Type *Tables::type(llvm::StringRef key) {
  auto it = byKey.find(std::string_view(key));
  if (it != byKey.end())
    return it->second;
  auto build = [&](llvm::StringRef inner, auto make) -> const sgl::Type * {
    const sgl::Type *element = type(inner);
    return element ? make(element) : nullptr;
  };
  if (key.consume_back("?"))
    return build(key, [&](auto *t) { return types->optional(t); });
  if (key.consume_front("{str: ") && key.consume_back("}"))
    return build(key, [&](auto *t) { return types->map(t); });
  if (key.consume_front("[") && key.consume_back("]"))
    return build(key, [&](auto *t) { return types->list(t); });
  return nullptr;
}

/// The static type that all members of a union share; null: they differ.
static mlir::Type commonType(Tables &tables, MLIRContext *context,
                             const sgl::Type *type) {
  mlir::Type common;
  for (const sgl::Type *member : type->members) {
    mlir::Type one = tables.irType(context, member);
    if (common && common != one)
      return {};
    common = one;
  }
  return common;
}

mlir::Type Tables::irType(MLIRContext *context, const sgl::Type *type) {
  assert(type && "the checker gives every expression a type");
  switch (type->kind) {
  case TypeKind::Void:
  case TypeKind::Null:
  case TypeKind::Json:
    return JsonType::get(context);
  case TypeKind::Bool:
    return IntegerType::get(context, 1);
  case TypeKind::Int:
    return IntegerType::get(context, 64);
  case TypeKind::Float:
    return Float64Type::get(context);
  case TypeKind::Str:
    return StrType::get(context);
  case TypeKind::State:
    return StateType::get(context);
  case TypeKind::Image:
  case TypeKind::Video:
    return MediaType::get(context);
  case TypeKind::List:
    return ListType::get(context, irType(context, type->element));
  case TypeKind::Map:
    return MapType::get(context, irType(context, type->element));
  case TypeKind::Optional:
    return OptType::get(context, irType(context, type->element));
  case TypeKind::Literal:
    if (type->literal.kind == LiteralValue::Kind::Text)
      return StrType::get(context);
    return IntegerType::get(
        context, type->literal.kind == LiteralValue::Kind::Int ? 64 : 1);
  case TypeKind::Union:
    if (mlir::Type common = commonType(*this, context, type))
      return common;
    return NamedType::get(context, key(type));
  case TypeKind::Record:
  case TypeKind::Enum:
    return NamedType::get(context, key(type));
  }
  return {};
}

const sgl::Type *Tables::typeOf(mlir::Type type) {
  if (type.isInteger(1))
    return types->boolType();
  if (type.isInteger(64))
    return types->intType();
  if (type.isF64())
    return types->floatType();
  if (isa<StrType>(type))
    return types->strType();
  if (isa<JsonType>(type))
    return types->jsonType();
  if (isa<StateType>(type))
    return types->stateType();
  if (auto named = dyn_cast<NamedType>(type))
    return this->type(named.getKey());
  if (auto list = dyn_cast<ListType>(type)) {
    const sgl::Type *element = typeOf(list.getElement());
    return element ? types->list(element) : nullptr;
  }
  if (auto map = dyn_cast<MapType>(type)) {
    const sgl::Type *element = typeOf(map.getElement());
    return element ? types->map(element) : nullptr;
  }
  if (auto opt = dyn_cast<OptType>(type)) {
    const sgl::Type *element = typeOf(opt.getElement());
    return element ? types->optional(element) : nullptr;
  }
  return nullptr;
}

void Tables::addConstraint(std::string key, ConstraintEntry entry) {
  constraints.insert_or_assign(std::move(key), std::move(entry));
}

const ConstraintEntry *Tables::constraint(llvm::StringRef key) const {
  auto it = constraints.find(std::string_view(key));
  return it == constraints.end() ? nullptr : &it->second;
}

std::optional<Value> Tables::valueOf(Attribute attribute) {
  if (auto boolean = dyn_cast<BoolAttr>(attribute))
    return Value::boolean(boolean.getValue());
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return Value::integer(integer.getInt());
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return Value::number(number.getValueAsDouble());
  if (auto text = dyn_cast<StringAttr>(attribute))
    return Value::text(text.str());
  auto value = dyn_cast<ValueAttr>(attribute);
  if (!value)
    return std::nullopt;
  const sgl::Type *known = type(value.getKey());
  if (!known)
    return std::nullopt;
  Result<Value> json = parseJson(std::string_view(value.getJson()));
  if (!json)
    return std::nullopt;
  Result<Value> typed = convert(*json, known);
  if (!typed)
    return std::nullopt;
  return *typed;
}

/// Bools, numbers and texts as MLIR's own attributes; null for others.
static Attribute plainAttribute(MLIRContext *context, const Value &value) {
  Builder builder(context);
  if (const bool *boolean = value.asBool())
    return builder.getBoolAttr(*boolean);
  if (const int64_t *integer = value.asInt())
    return builder.getI64IntegerAttr(*integer);
  if (const double *number = value.asFloat())
    return builder.getF64FloatAttr(*number);
  if (const std::string *text = value.asText())
    return builder.getStringAttr(*text);
  return {};
}

Attribute Tables::attributeOf(MLIRContext *context, const Value &value,
                              const sgl::Type *type) {
  if (value.asState() || value.asMedia())
    return {};
  if (Attribute plain = plainAttribute(context, value))
    return plain;
  return ValueAttr::get(context, toJson(value), key(type));
}

Attribute Tables::attributeOf(const Value &value, mlir::Type type) {
  const sgl::Type *known = typeOf(type);
  if (!known)
    return {};
  return attributeOf(type.getContext(), value, known);
}

} // namespace sgl::ir
