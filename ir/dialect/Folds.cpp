// Folding, by the very functions that the runtime calls.
//
// A fold that would raise an error is not made: the run raises it, with its
// place. A constant whose type is not known here (sgl-opt without a program)
// is left alone.
#include "ir/dialect/Sgl.h"

#include "ir/value/Builtins.h"
#include "ir/value/Convert.h"

using namespace mlir;

namespace sgl::ir {

/// Constants grow no larger than this by folding.
constexpr size_t largestFolded = 64 << 10;

static Tables &tablesOf(Operation *op) {
  return cast<SglDialect>(op->getDialect())->tables();
}

/// The values of constant operands; none if one is not constant.
static std::optional<std::vector<Value>>
constants(Operation *op, ArrayRef<Attribute> operands) {
  std::vector<Value> values;
  for (Attribute operand : operands) {
    if (!operand)
      return std::nullopt;
    std::optional<Value> value = tablesOf(op).valueOf(operand);
    if (!value)
      return std::nullopt;
    values.push_back(std::move(*value));
  }
  return values;
}

/// The attribute of a computed value under the result's static type.
static OpFoldResult folded(Operation *op, const Result<Value> &value) {
  if (!value)
    return {};
  Attribute attribute =
      tablesOf(op).attributeOf(*value, op->getResult(0).getType());
  if (auto text = dyn_cast_if_present<StringAttr>(attribute))
    return text.size() <= largestFolded ? attribute : Attribute();
  if (auto json = dyn_cast_if_present<ValueAttr>(attribute))
    return json.getJson().size() <= largestFolded ? attribute : Attribute();
  return attribute;
}

OpFoldResult ConstOp::fold(FoldAdaptor) { return getValueAttr(); }

/// A cast to the same type, or back to where an inner cast came from.
OpFoldResult CastOp::fold(FoldAdaptor adaptor) {
  if (getValue().getType() == getType())
    return getValue();
  auto inner = getValue().getDefiningOp<CastOp>();
  if (inner && inner.getValue().getType() == getType())
    return inner.getValue();
  if (Attribute value = adaptor.getValue())
    if (!isa<ValueAttr>(value) || tablesOf(*this).typeOf(getType()))
      return value;
  return {};
}

OpFoldResult ConcatOp::fold(FoldAdaptor adaptor) {
  auto values = constants(*this, adaptor.getValues());
  if (!values)
    return {};
  std::string text;
  for (const Value &value : *values)
    text += sgl::print(value);
  return folded(*this, Value::text(std::move(text)));
}

OpFoldResult BuiltinOp::fold(FoldAdaptor adaptor) {
  const Builtin *builtin = findBuiltin(std::string_view(getName()));
  auto values = constants(*this, adaptor.getArguments());
  if (!builtin || !values || values->size() < builtin->minArgs ||
      values->size() > builtin->maxArgs)
    return {};
  return folded(*this, builtin->function(*values));
}

OpFoldResult UnaryOp::fold(FoldAdaptor adaptor) {
  auto inner = getValue().getDefiningOp<UnaryOp>();
  if (getName() == "not" && inner && inner.getName() == "not")
    return inner.getValue();
  auto values = constants(*this, adaptor.getOperands());
  if (!values)
    return {};
  return folded(*this,
                applyUnary(std::string_view(getName()), values->front()));
}

OpFoldResult BinaryOp::fold(FoldAdaptor adaptor) {
  auto values = constants(*this, adaptor.getOperands());
  if (!values)
    return {};
  return folded(*this, applyBinary(std::string_view(getName()), (*values)[0],
                                   (*values)[1]));
}

/// The value of a record type's fields, in order.
OpFoldResult RecordOp::fold(FoldAdaptor adaptor) {
  auto values = constants(*this, adaptor.getFields());
  const sgl::Type *type = tablesOf(*this).type(getOf());
  if (!values || !type || !type->record)
    return {};
  return folded(*this, Value::record(type->record, std::move(*values)));
}

OpFoldResult FieldOp::fold(FoldAdaptor adaptor) {
  // A field of a record that is built here is what was put there.
  if (auto record = getBase().getDefiningOp<RecordOp>()) {
    const sgl::Type *type = tablesOf(*this).type(record.getOf());
    if (type && type->record)
      for (size_t i = 0; i < type->record->fields.size(); ++i)
        if (type->record->fields[i].name == getName() &&
            record.getFields()[i].getType() == getType())
          return record.getFields()[i];
  }
  auto values = constants(*this, adaptor.getOperands());
  if (!values)
    return {};
  return folded(*this, field(values->front(), std::string_view(getName())));
}

OpFoldResult ListOp::fold(FoldAdaptor adaptor) {
  auto values = constants(*this, adaptor.getElements());
  if (!values || !tablesOf(*this).type(getOf()))
    return {};
  return folded(*this, Value::list(std::move(*values)));
}

OpFoldResult DictOp::fold(FoldAdaptor adaptor) {
  auto values = constants(*this, adaptor.getItems());
  if (!values || !tablesOf(*this).type(getOf()))
    return {};
  MapData items;
  for (size_t i = 0; i + 1 < values->size(); i += 2) {
    const std::string *key = (*values)[i].asText();
    for (const auto &item : items)
      if (!key || item.first == *key)
        return {};
    items.emplace_back(*key, (*values)[i + 1]);
  }
  return folded(*this, Value::map(std::move(items)));
}

OpFoldResult ElementOp::fold(FoldAdaptor adaptor) {
  // An element of a list that is built here is what was put there.
  auto list = getBase().getDefiningOp<ListOp>();
  auto index = dyn_cast_if_present<IntegerAttr>(adaptor.getKey());
  if (list && index) {
    int64_t position = index.getInt();
    if (position >= 0 && size_t(position) < list.getElements().size() &&
        list.getElements()[position].getType() == getType())
      return list.getElements()[position];
  }
  auto values = constants(*this, adaptor.getOperands());
  if (!values)
    return {};
  return folded(*this, element((*values)[0], (*values)[1]));
}

OpFoldResult CheckOp::fold(FoldAdaptor adaptor) {
  auto values = constants(*this, adaptor.getOperands());
  const sgl::Type *type = tablesOf(*this).type(getOf());
  if (!values || !type || !conforms(values->front(), type))
    return {};
  return folded(*this, values->front());
}

OpFoldResult ConvertOp::fold(FoldAdaptor adaptor) {
  auto values = constants(*this, adaptor.getOperands());
  const sgl::Type *type = tablesOf(*this).type(getOf());
  if (!values || !type)
    return {};
  return folded(*this, convert(values->front(), type));
}

OpFoldResult ExtendOp::fold(FoldAdaptor) {
  if (getText().empty())
    return getState();
  return {};
}

} // namespace sgl::ir
