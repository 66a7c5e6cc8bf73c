// Nodes that compute plain values: one call into ir/value each.

#include "ir/value/Builtins.h"
#include "ir/value/Convert.h"
#include "runtime/exec/Machine.h"

namespace sgl::exec {

using plan::Op;

namespace {

Value recordOf(const Type *type, const std::vector<Value> &in) {
  return Value::record(type->record, in);
}

Result<Value> dictOf(const std::vector<Value> &in) {
  Value map = Value::map({});
  MapData items;
  for (size_t i = 0; i + 1 < in.size(); i += 2) {
    if (!textOf(in[i]))
      return Error{"key of a map must be a text"};
    items.emplace_back(*textOf(in[i]), in[i + 1]);
  }
  // A key set again keeps its place: the later value wins.
  MapData unique;
  for (auto &[key, value] : items) {
    bool seen = false;
    for (auto &[name, old] : unique)
      if (name == key) {
        old = value;
        seen = true;
      }
    if (!seen)
      unique.emplace_back(std::move(key), std::move(value));
  }
  return Value::map(std::move(unique));
}

Value concatOf(const std::vector<Value> &in) {
  std::string text;
  for (const Value &part : in)
    text += sgl::print(part);
  return Value::text(std::move(text));
}

/// A text becomes a record by its JSON, anything else as it is (2.2).
Result<Value> convertTo(const Value &value, const Type *type) {
  if (value.asText() && (type->is(TypeKind::Record) ||
                         type->is(TypeKind::Map) || type->is(TypeKind::List))) {
    Result<Value> json = parseJson(*value.asText());
    return json ? convert(*json, type) : json;
  }
  return convert(value, type);
}

} // namespace

Result<Value> evaluateValue(const plan::Plan &plan, const plan::Node &node,
                            const std::vector<Value> &in) {
  switch (node.op) {
  case Op::Const:
    return node.value;
  case Op::Concat:
    return concatOf(in);
  case Op::Builtin:
    return findBuiltin(node.name)->function(in);
  case Op::Unary:
    return applyUnary(node.name, in[0]);
  case Op::Binary:
    return applyBinary(node.name, in[0], in[1]);
  case Op::Record:
    return recordOf(plan.types[node.type], in);
  case Op::Field:
    return field(in[0], node.name);
  case Op::List:
    return Value::list(in);
  case Op::Dict:
    return dictOf(in);
  case Op::Element:
    return element(in[0], in[1]);
  case Op::WithElement:
    return withElement(in[0], in[1], in[2]);
  case Op::WithField:
    return withField(in[0], node.name, in[1]);
  case Op::Check:
    return convert(in[0], plan.types[node.type]);
  case Op::Convert:
    return convertTo(in[0], plan.types[node.type]);
  case Op::Is:
    return Value::boolean(isOfType(in[0], plan.types[node.type]));
  case Op::Fail:
    return Error{node.name == "expect" ? "expect failed: " + sgl::print(in[0])
                                       : sgl::print(in[0])};
  default:
    return Error{"node cannot be run"};
  }
}

} // namespace sgl::exec
