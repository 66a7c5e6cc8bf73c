// Writing the type pool. See TypeTable.h; FORMAT.md lists the forms.

#include "ir/plan/TypeTable.h"
#include "ir/value/Convert.h"
#include "ir/value/Print.h"

namespace sgl::plan {

namespace {

std::string_view basicName(TypeKind kind) {
  switch (kind) {
  case TypeKind::Void:
    return "void";
  case TypeKind::Null:
    return "null";
  case TypeKind::Bool:
    return "bool";
  case TypeKind::Int:
    return "int";
  case TypeKind::Float:
    return "float";
  case TypeKind::Str:
    return "str";
  case TypeKind::Json:
    return "json";
  case TypeKind::State:
    return "state";
  case TypeKind::Image:
    return "image";
  case TypeKind::Video:
    return "video";
  case TypeKind::List:
    return "list";
  case TypeKind::Map:
    return "map";
  case TypeKind::Optional:
    return "optional";
  case TypeKind::Union:
    return "union";
  case TypeKind::Literal:
    return "literal";
  case TypeKind::Record:
    return "record";
  case TypeKind::Enum:
    return "enum";
  }
  return "";
}

void addRefinement(MapData &out, const Refinement &r) {
  if (r.minInt)
    out.emplace_back("min", Value::integer(*r.minInt));
  if (r.maxInt)
    out.emplace_back("max", Value::integer(*r.maxInt));
  if (r.minFloat)
    out.emplace_back("min", Value::number(*r.minFloat));
  if (r.maxFloat)
    out.emplace_back("max", Value::number(*r.maxFloat));
  if (r.minLength)
    out.emplace_back("min", Value::integer(int64_t(*r.minLength)));
  if (r.maxLength)
    out.emplace_back("max", Value::integer(int64_t(*r.maxLength)));
  if (r.pattern)
    out.emplace_back("pattern", Value::text(*r.pattern));
}

std::string writeEnum(const EnumDecl &decl) {
  ListData members;
  for (const EnumMember &member : decl.members) {
    MapData entry;
    entry.emplace_back("name", Value::text(member.name));
    if (member.text != member.name)
      entry.emplace_back("text", Value::text(member.text));
    if (!member.doc.empty())
      entry.emplace_back("doc", Value::text(member.doc));
    members.push_back(Value::map(std::move(entry)));
  }
  MapData out;
  out.emplace_back("kind", Value::text("enum"));
  out.emplace_back("name", Value::text(decl.name));
  if (!decl.doc.empty())
    out.emplace_back("doc", Value::text(decl.doc));
  out.emplace_back("members", Value::list(std::move(members)));
  return toJson(Value::map(std::move(out)));
}

} // namespace

TypeTable::TypeTable(const Plan &plan) : context(plan.context.get()) {
  for (const Type *type : plan.types) {
    numbers.emplace(type, uint32_t(types.size()));
    types.push_back(type);
  }
  for (size_t i = 0; i < types.size(); ++i) {
    const Type *type = types[i];
    if (type->element)
      add(type->element);
    for (const Type *member : type->members)
      add(member);
    if (type->record && type != context->message())
      for (const RecordField &field : type->record->fields)
        add(field.type);
  }
}

void TypeTable::add(const Type *type) {
  if (numbers.emplace(type, uint32_t(types.size())).second)
    types.push_back(type);
}

std::string TypeTable::writeRecord(const RecordDecl &decl) const {
  std::string out = "{\"kind\": \"record\", \"name\": ";
  appendJsonText(out, decl.name);
  if (!decl.doc.empty()) {
    out += ", \"doc\": ";
    appendJsonText(out, decl.doc);
  }
  if (decl.isTool)
    out += ", \"tool\": true";
  out += ", \"fields\": [";
  for (size_t i = 0; i < decl.fields.size(); ++i) {
    const RecordField &field = decl.fields[i];
    out += i ? ", {\"name\": " : "{\"name\": ";
    appendJsonText(out, field.name);
    out += ", \"type\": " + std::to_string(number(field.type));
    if (!field.doc.empty()) {
      out += ", \"doc\": ";
      appendJsonText(out, field.doc);
    }
    if (field.defaultJson)
      out += ", \"default\": " + *field.defaultJson;
    out += '}';
  }
  return out + "]}";
}

std::string TypeTable::write(size_t index) const {
  const Type *type = types[index];
  if (type == context->message())
    return "\"message\"";
  if (type->is(TypeKind::Record))
    return writeRecord(*type->record);
  if (type->is(TypeKind::Enum))
    return writeEnum(*type->enumeration);
  std::string kind(basicName(type->kind));
  bool plain = !type->element && type->members.empty() &&
               type->refinement.empty() && !type->is(TypeKind::Literal);
  if (plain)
    return "\"" + kind + "\"";
  MapData out;
  out.emplace_back("kind", Value::text(kind));
  if (type->element)
    out.emplace_back("of", Value::integer(number(type->element)));
  if (type->is(TypeKind::Union)) {
    ListData members;
    for (const Type *member : type->members)
      members.push_back(Value::integer(number(member)));
    out.emplace_back("of", Value::list(std::move(members)));
  }
  if (type->is(TypeKind::Literal))
    out.emplace_back("value", literalValue(type->literal));
  addRefinement(out, type->refinement);
  return toJson(Value::map(std::move(out)));
}

} // namespace sgl::plan
