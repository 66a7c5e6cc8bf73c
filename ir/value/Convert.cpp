// From untyped values to typed ones, and the check of refinements.
//
// Entry points: convert, conforms (Value.h). Both walk value and type together,
// so their depth is the value's. Errors name the path: `items[2].score: …`.

#include "ir/value/Convert.h"
#include "ir/value/Utf8.h"

#include <cmath>

namespace sgl {

namespace {

std::string shorten(std::string text) {
  constexpr size_t longest = 60;
  if (text.size() <= longest)
    return text;
  size_t cut = longest;
  while (cut && (text[cut] & 0xC0) == 0x80)
    --cut;
  return text.substr(0, cut) + "…";
}

/// A value in a message, quoted where it is text.
std::string shown(const Value &value) { return shorten(toJson(value)); }

std::string_view kindOf(const Value &v) {
  if (v.isNull())
    return "null";
  if (v.asBool())
    return "bool";
  if (v.asInt())
    return "int";
  if (v.asFloat())
    return "float";
  if (v.asText())
    return "text";
  if (v.asList())
    return "list";
  if (v.asMap())
    return "object";
  if (v.asRecord())
    return v.asRecord()->decl->name;
  if (v.asEnum())
    return v.asEnum()->decl->name;
  return v.asState() ? "state" : "media";
}

template <typename T>
std::string bounds(const std::optional<T> &low, const std::optional<T> &high,
                   std::string (*show)(T)) {
  return (low ? show(*low) : "") + ".." + (high ? "=" + show(*high) : "");
}

class Converter {
public:
  Error failure;

  bool run(const Value &value, const Type *type, Value &out) {
    switch (type->kind) {
    case TypeKind::Void:
      return mismatch(value, type);
    case TypeKind::Null:
      return take(value.isNull(), value, type, out);
    case TypeKind::Bool:
      return take(value.asBool(), value, type, out);
    case TypeKind::Json:
      return take(!value.asState() && !value.asMedia(), value, type, out);
    case TypeKind::State:
      return take(bool(value.asState()), value, type, out);
    case TypeKind::Image:
    case TypeKind::Video:
      return take(bool(value.asMedia()), value, type, out);
    case TypeKind::Int:
      return runInt(value, type, out);
    case TypeKind::Float:
      return runFloat(value, type, out);
    case TypeKind::Str:
      return runText(value, type, out);
    case TypeKind::List:
      return runList(value, type, out);
    case TypeKind::Map:
      return runMap(value, type, out);
    case TypeKind::Optional:
      out = Value::null();
      return value.isNull() || run(value, type->element, out);
    case TypeKind::Union:
      return runUnion(value, type, out);
    case TypeKind::Literal:
      return runLiteral(value, type, out);
    case TypeKind::Record:
      return runRecord(value, type, out);
    case TypeKind::Enum:
      return runEnum(value, type, out);
    }
    return false;
  }

private:
  bool refuse(std::string message) {
    failure.message =
        path.empty() ? std::move(message) : path + ": " + std::move(message);
    return false;
  }
  bool mismatch(const Value &value, const Type *type) {
    std::string found(kindOf(value));
    if (!value.isNull() && !value.asState() && !value.asMedia())
      found += " " + shown(value);
    return refuse("expected " + toString(type) + ", found " + found);
  }
  bool take(bool fits, const Value &value, const Type *type, Value &out) {
    if (!fits)
      return mismatch(value, type);
    out = value;
    return true;
  }

  bool runInt(const Value &value, const Type *type, Value &out) {
    if (!value.asInt())
      return mismatch(value, type);
    const Refinement &r = type->refinement;
    int64_t i = *value.asInt();
    if ((r.minInt && i < *r.minInt) || (r.maxInt && i > *r.maxInt))
      return refuse(shown(value) + " is not in " +
                    bounds<int64_t>(r.minInt, r.maxInt, [](int64_t b) {
                      return std::to_string(b);
                    }));
    out = value;
    return true;
  }

  bool runFloat(const Value &value, const Type *type, Value &out) {
    if (!value.asInt() && !value.asFloat())
      return mismatch(value, type);
    double f = value.asInt() ? double(*value.asInt()) : *value.asFloat();
    const Refinement &r = type->refinement;
    if ((r.minFloat && f < *r.minFloat) || (r.maxFloat && f > *r.maxFloat))
      return refuse(shown(value) + " is not in " +
                    bounds<double>(r.minFloat, r.maxFloat, printFloat));
    out = Value::number(f);
    return true;
  }

  bool lengthFits(uint64_t length, const Refinement &r, const char *unit) {
    if ((!r.minLength || length >= *r.minLength) &&
        (!r.maxLength || length <= *r.maxLength))
      return true;
    std::string range = bounds<uint64_t>(
        r.minLength, r.maxLength, [](uint64_t b) { return std::to_string(b); });
    return refuse("has " + std::to_string(length) + " " + unit +
                  (length == 1 ? "" : "s") + ", not " + range);
  }

  bool runText(const Value &value, const Type *type, Value &out) {
    if (!textOf(value))
      return mismatch(value, type);
    const Refinement &r = type->refinement;
    if ((r.minLength || r.maxLength) &&
        !lengthFits(countCharacters(*textOf(value)), r, "character"))
      return false;
    if (r.pattern) {
      Result<bool> match = matchesPattern(*r.pattern, *textOf(value));
      if (!match)
        return refuse(match.error().message);
      if (!*match)
        return refuse(shown(value) + " does not match r\"" + *r.pattern + "\"");
    }
    out = value.asText() ? value : Value::text(*textOf(value));
    return true;
  }

  /// Runs `part` of the value behind `step` of the path.
  bool runPart(std::string step, const Value &value, const Type *type,
               Value &out) {
    size_t length = path.size();
    path += path.empty() && step[0] == '.' ? step.substr(1) : step;
    bool fine = run(value, type, out);
    path.resize(length);
    return fine;
  }

  bool runList(const Value &value, const Type *type, Value &out) {
    const ListData *list = value.asList();
    if (!list)
      return mismatch(value, type);
    if (!lengthFits(list->size(), type->refinement, "element"))
      return false;
    ListData items(list->size());
    for (size_t i = 0; i < list->size(); ++i)
      if (!runPart("[" + std::to_string(i) + "]", (*list)[i], type->element,
                   items[i]))
        return false;
    out = Value::list(std::move(items));
    return true;
  }

  bool runMap(const Value &value, const Type *type, Value &out) {
    MapData items;
    if (auto *map = value.asMap())
      items = *map;
    else if (auto *record = value.asRecord())
      for (size_t i = 0; i < record->fields.size(); ++i)
        items.emplace_back(record->decl->fields[i].name, record->fields[i]);
    else
      return mismatch(value, type);
    for (auto &[key, item] : items) {
      Value source = item;
      if (!runPart("." + shorten(key), source, type->element, item))
        return false;
    }
    out = Value::map(std::move(items));
    return true;
  }

  bool runUnion(const Value &value, const Type *type, Value &out) {
    // A value that already is of a member stays what it is.
    for (const Type *member : type->members)
      if (isOfType(value, member))
        return run(value, member, out);
    for (const Type *member : type->members) {
      Error before = failure;
      if (run(value, member, out))
        return true;
      failure = before;
    }
    return mismatch(value, type);
  }

  bool runLiteral(const Value &value, const Type *type, Value &out) {
    Value expected = literalValue(type->literal);
    return take(equal(value, expected), value, type, out);
  }

  bool runEnum(const Value &value, const Type *type, Value &out) {
    const EnumDecl *decl = type->enumeration;
    if (value.asEnum() && value.asEnum()->decl == decl) {
      out = value;
      return true;
    }
    if (const std::string *text = value.asText())
      for (uint32_t i = 0; i < decl->members.size(); ++i)
        if (decl->members[i].text == *text) {
          out = Value::enumeration(decl, i);
          return true;
        }
    return mismatch(value, type);
  }

  bool runRecord(const Value &value, const Type *type, Value &out) {
    const RecordDecl *decl = type->record;
    if (!value.asMap() && !value.asRecord())
      return mismatch(value, type);
    if (auto *map = value.asMap())
      for (const auto &[key, item] : *map)
        if (!knownKey(*decl, key, item))
          return false;
    if (value.asRecord() && value.asRecord()->decl != decl)
      return mismatch(value, type);
    std::vector<Value> fields(decl->fields.size());
    for (size_t i = 0; i < fields.size(); ++i) {
      const RecordField &field = decl->fields[i];
      Value found;
      if (const Value *given = entry(value, field.name))
        found = *given;
      else if (!fillIn(field, found))
        return false;
      if (!runPart("." + field.name, found, field.type, fields[i]))
        return false;
    }
    out = Value::record(decl, std::move(fields));
    return true;
  }

  bool knownKey(const RecordDecl &decl, const std::string &key,
                const Value &item) {
    for (const RecordField &field : decl.fields)
      if (field.name == key)
        return true;
    if (!decl.isTool || key != "tool")
      return refuse(decl.name + " has no field `" + shorten(key) + "`");
    if (item.asText() && *item.asText() == decl.name)
      return true;
    return refuse("expected the tool \"" + decl.name + "\", found " +
                  shown(item));
  }

  bool fillIn(const RecordField &field, Value &out) {
    if (field.defaultJson) {
      Result<Value> value = parseJson(*field.defaultJson);
      if (!value)
        return refuse("default of `" + field.name +
                      "`: " + value.error().message);
      out = *value;
      return true;
    }
    if (field.type->is(TypeKind::Optional) || field.type->is(TypeKind::Json))
      return true;
    return refuse("field `" + field.name + "` is missing");
  }

  std::string path;
};

/// Text, element count and range checks of one refinement on a typed value.
bool fits(const Value &value, const Type *type) {
  Converter converter;
  Value out;
  return converter.run(value, type, out);
}

} // namespace

Value literalValue(const LiteralValue &literal) {
  switch (literal.kind) {
  case LiteralValue::Kind::Text:
    return Value::text(literal.text);
  case LiteralValue::Kind::Int:
    return Value::integer(literal.number);
  case LiteralValue::Kind::Bool:
    return Value::boolean(literal.number != 0);
  }
  return {};
}

bool isOfType(const Value &value, const Type *type) {
  switch (type->kind) {
  case TypeKind::Optional:
    return value.isNull() || isOfType(value, type->element);
  case TypeKind::Union:
    for (const Type *member : type->members)
      if (isOfType(value, member))
        return true;
    return false;
  case TypeKind::Record:
    return value.asRecord() && value.asRecord()->decl == type->record;
  case TypeKind::Enum:
    return value.asEnum() && value.asEnum()->decl == type->enumeration;
  case TypeKind::Float:
    return value.asFloat() && fits(value, type);
  case TypeKind::Str:
    return value.asText() && fits(value, type);
  case TypeKind::List:
    if (!value.asList())
      return false;
    for (const Value &item : *value.asList())
      if (!isOfType(item, type->element))
        return false;
    return fits(value, type);
  case TypeKind::Map:
    if (!value.asMap())
      return false;
    for (const auto &[key, item] : *value.asMap())
      if (!isOfType(item, type->element))
        return false;
    return true;
  case TypeKind::Literal:
    return !value.asEnum() && fits(value, type);
  default:
    return fits(value, type);
  }
}

Result<Value> convert(const Value &json, const Type *type) {
  Converter converter;
  Value out;
  if (!converter.run(json, type, out))
    return converter.failure;
  return out;
}

Status conforms(const Value &value, const Type *type) {
  Result<Value> converted = convert(value, type);
  if (!converted)
    return converted.error();
  return Done{};
}

} // namespace sgl
