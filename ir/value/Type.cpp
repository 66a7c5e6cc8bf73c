// Interning, printing and the relations between types (see Type.h).
//
// Interning goes by a key text: two types with one key are one pointer. Nominal
// types and elements enter the key by address, so a key stays short.
#include "ir/value/Type.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <unordered_set>

namespace sgl {

//===-- Refinements -------------------------------------------------------===//

bool Refinement::empty() const { return *this == Refinement(); }

namespace {

/// Digits that read back as the same number, with a point: `0.5`, `3.0`.
std::string floatDigits(double value) {
  char buffer[64];
  auto end = std::to_chars(buffer, buffer + sizeof(buffer), value).ptr;
  std::string digits(buffer, end);
  if (digits.find_first_of(".en") == std::string::npos)
    digits += ".0";
  return digits;
}

void addPart(std::string &key, const std::string &part) {
  key += std::to_string(part.size()) + ":" + part;
}

std::string refinementKey(const Refinement &r) {
  std::string key;
  auto add = [&](char tag, const auto &bound, auto print) {
    if (bound)
      key += tag + print(*bound);
  };
  auto whole = [](auto n) { return std::to_string(n); };
  add('a', r.minInt, whole);
  add('b', r.maxInt, whole);
  add('c', r.minFloat, floatDigits);
  add('d', r.maxFloat, floatDigits);
  add('e', r.minLength, whole);
  add('f', r.maxLength, whole);
  if (r.pattern) {
    key += 'p';
    addPart(key, *r.pattern);
  }
  return key;
}

std::string pointerKey(const void *pointer) {
  return std::to_string(reinterpret_cast<uintptr_t>(pointer));
}

std::string keyOf(const Type &type) {
  std::string key = std::to_string(int(type.kind)) + "|";
  if (type.element)
    key += pointerKey(type.element) + "|";
  for (const Type *member : type.members)
    key += pointerKey(member) + ",";
  if (type.kind == TypeKind::Literal) {
    key += std::to_string(int(type.literal.kind)) + "|" +
           std::to_string(type.literal.number) + "|";
    addPart(key, type.literal.text);
  }
  if (type.record)
    key += pointerKey(type.record);
  if (type.enumeration)
    key += pointerKey(type.enumeration);
  return key + refinementKey(type.refinement);
}

} // namespace

//===-- TypeContext -------------------------------------------------------===//

TypeContext::TypeContext() {
  using K = TypeKind;
  for (K kind : {K::Void, K::Null, K::Bool, K::Int, K::Float, K::Str, K::Json,
                 K::State, K::Image, K::Video}) {
    Type type;
    type.kind = kind;
    basics[kind] = intern(std::move(type));
  }
  RecordDecl *message = declareRecord("Message");
  RecordField role, content;
  role.name = "role";
  content.name = "content";
  role.type = content.type = strType();
  message->fields = {role, content};
  messageType = record(message);
}

const Type *TypeContext::intern(Type type) {
  // A key is unique, so each bucket holds at most one type.
  auto &bucket = buckets[keyOf(type)];
  if (bucket.empty()) {
    types.push_back(std::move(type));
    bucket.push_back(&types.back());
  }
  return bucket.front();
}

const Type *TypeContext::list(const Type *element, Refinement bounds) {
  assert(element && "a list has an element type");
  Type type;
  type.kind = TypeKind::List;
  type.element = element;
  type.refinement = std::move(bounds);
  return intern(std::move(type));
}

const Type *TypeContext::map(const Type *element) {
  assert(element && "a map has a value type");
  Type type;
  type.kind = TypeKind::Map;
  type.element = element;
  return intern(std::move(type));
}

const Type *TypeContext::optional(const Type *element) {
  assert(element && "an optional has an element type");
  if (element->is(TypeKind::Optional) || element->is(TypeKind::Null) ||
      element->is(TypeKind::Json))
    return element;
  Type type;
  type.kind = TypeKind::Optional;
  type.element = element;
  return intern(std::move(type));
}

const Type *TypeContext::unionOf(std::vector<const Type *> members) {
  std::vector<const Type *> flat;
  bool nullable = false;
  auto add = [&](auto &self, const Type *type) -> void {
    if (type->is(TypeKind::Null)) {
      nullable = true;
    } else if (type->is(TypeKind::Optional)) {
      nullable = true;
      self(self, type->element);
    } else if (type->is(TypeKind::Union)) {
      for (const Type *member : type->members)
        self(self, member);
    } else if (std::find(flat.begin(), flat.end(), type) == flat.end()) {
      flat.push_back(type);
    }
  };
  for (const Type *member : members)
    add(add, member);
  if (flat.empty())
    return nullType();
  const Type *result = flat.front();
  if (flat.size() > 1) {
    Type type;
    type.kind = TypeKind::Union;
    type.members = std::move(flat);
    result = intern(std::move(type));
  }
  return nullable ? optional(result) : result;
}

const Type *TypeContext::literal(LiteralValue value) {
  Type type;
  type.kind = TypeKind::Literal;
  type.literal = std::move(value);
  return intern(std::move(type));
}

const Type *TypeContext::text(std::string value) {
  LiteralValue literal;
  literal.text = std::move(value);
  return this->literal(std::move(literal));
}

const Type *TypeContext::refined(TypeKind basic, Refinement refinement) {
  assert((basic == TypeKind::Int || basic == TypeKind::Float ||
          basic == TypeKind::Str) &&
         "only numbers and text are refined");
  Type type;
  type.kind = basic;
  type.refinement = std::move(refinement);
  return intern(std::move(type));
}

RecordDecl *TypeContext::declareRecord(std::string name) {
  records.emplace_back();
  records.back().name = std::move(name);
  return &records.back();
}

EnumDecl *TypeContext::declareEnum(std::string name) {
  enums.emplace_back();
  enums.back().name = std::move(name);
  return &enums.back();
}

const Type *TypeContext::record(const RecordDecl *decl) {
  Type type;
  type.kind = TypeKind::Record;
  type.record = decl;
  return intern(std::move(type));
}

const Type *TypeContext::enumeration(const EnumDecl *decl) {
  Type type;
  type.kind = TypeKind::Enum;
  type.enumeration = decl;
  return intern(std::move(type));
}

//===-- Printing ----------------------------------------------------------===//

namespace {

std::string quote(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    switch (c) {
    case '\n':
      out += "\\n";
      break;
    case '\t':
      out += "\\t";
      break;
    case '\r':
      out += "\\r";
      break;
    case '"':
    case '\\':
      out += '\\';
      [[fallthrough]];
    default:
      out += c;
    }
  }
  return out + "\"";
}

/// `0..=9`, `1..`, `3`: empty where no bound is set. A range that is open below
/// does not exist in the language; the lowest number stands for it.
template <typename T, typename Print>
std::string rangeText(const std::optional<T> &low, const std::optional<T> &high,
                      Print print) {
  if (!low && !high)
    return "";
  std::string text = low ? print(*low) : "";
  return text + (high ? "..=" + print(*high) : "..");
}

std::string refinedText(std::string base, const Refinement &r) {
  auto whole = [](auto n) { return std::to_string(n); };
  for (const std::string &range :
       {rangeText(r.minInt, r.maxInt, whole),
        rangeText(r.minFloat, r.maxFloat, floatDigits),
        rangeText(r.minLength, r.maxLength, whole)})
    if (!range.empty())
      base += " in " + range;
  if (r.pattern)
    base += " matching r\"" + *r.pattern + "\"";
  return base;
}

std::string literalText(const LiteralValue &literal) {
  switch (literal.kind) {
  case LiteralValue::Kind::Text:
    return quote(literal.text);
  case LiteralValue::Kind::Int:
    return std::to_string(literal.number);
  case LiteralValue::Kind::Bool:
    return literal.number ? "true" : "false";
  }
  return "";
}

std::string listText(const Type *type) {
  const Refinement &r = type->refinement;
  std::string text = "[" + toString(type->element);
  if (r.minLength || r.maxLength) {
    uint64_t low = r.minLength.value_or(0);
    text += "; " + std::to_string(low);
    if (!r.maxLength)
      text += "..";
    else if (*r.maxLength != low)
      text += "..=" + std::to_string(*r.maxLength);
  }
  return text + "]";
}

std::string unionText(const Type *type) {
  std::string text;
  for (const Type *member : type->members)
    text += (text.empty() ? "" : " | ") + toString(member);
  return text;
}

/// `T?`: of a refined type the mark stands behind the base, `int? in 0..=9`;
/// of a union behind the last member.
std::string optionalText(const Type *element) {
  bool refined = !element->is(TypeKind::List) && !element->refinement.empty();
  if (!refined)
    return toString(element) + "?";
  Type bare = *element;
  bare.refinement = {};
  return refinedText(toString(&bare) + "?", element->refinement);
}

} // namespace

std::string toString(const Type *type) {
  assert(type && "a type is printed");
  switch (type->kind) {
  case TypeKind::Void:
    return "nothing";
  case TypeKind::Null:
    return "null";
  case TypeKind::Bool:
    return "bool";
  case TypeKind::Int:
    return refinedText("int", type->refinement);
  case TypeKind::Float:
    return refinedText("float", type->refinement);
  case TypeKind::Str:
    return refinedText("str", type->refinement);
  case TypeKind::Json:
    return "json";
  case TypeKind::State:
    return "state";
  case TypeKind::Image:
    return "image";
  case TypeKind::Video:
    return "video";
  case TypeKind::List:
    return listText(type);
  case TypeKind::Map:
    return "{str: " + toString(type->element) + "}";
  case TypeKind::Optional:
    return optionalText(type->element);
  case TypeKind::Union:
    return unionText(type);
  case TypeKind::Literal:
    return literalText(type->literal);
  case TypeKind::Record:
    return type->record->name;
  case TypeKind::Enum:
    return type->enumeration->name;
  }
  return "";
}

//===-- Relations ---------------------------------------------------------===//

const Type *baseType(TypeContext &context, const Type *type) {
  switch (type->kind) {
  case TypeKind::Literal:
    switch (type->literal.kind) {
    case LiteralValue::Kind::Text:
      return context.strType();
    case LiteralValue::Kind::Int:
      return context.intType();
    case LiteralValue::Kind::Bool:
      return context.boolType();
    }
    return type;
  case TypeKind::Int:
  case TypeKind::Float:
  case TypeKind::Str:
    return context.get(type->kind);
  case TypeKind::List:
    return context.list(baseType(context, type->element));
  case TypeKind::Map:
    return context.map(baseType(context, type->element));
  case TypeKind::Optional:
    return context.optional(baseType(context, type->element));
  case TypeKind::Union: {
    std::vector<const Type *> members;
    for (const Type *member : type->members)
      members.push_back(baseType(context, member));
    return context.unionOf(std::move(members));
  }
  default:
    return type;
  }
}

namespace {

/// Does `inner` promise all that `outer` asks? Absent bounds ask nothing.
template <typename T>
bool boundsWithin(const std::optional<T> &innerLow,
                  const std::optional<T> &innerHigh,
                  const std::optional<T> &outerLow,
                  const std::optional<T> &outerHigh) {
  if (outerLow && (!innerLow || *innerLow < *outerLow))
    return false;
  return !outerHigh || (innerHigh && *innerHigh <= *outerHigh);
}

bool refinementWithin(const Refinement &inner, const Refinement &outer) {
  return boundsWithin(inner.minInt, inner.maxInt, outer.minInt, outer.maxInt) &&
         boundsWithin(inner.minFloat, inner.maxFloat, outer.minFloat,
                      outer.maxFloat) &&
         boundsWithin(inner.minLength, inner.maxLength, outer.minLength,
                      outer.maxLength) &&
         (!outer.pattern || inner.pattern == outer.pattern);
}

bool literalWithin(const LiteralValue &literal, const Type *to) {
  Refinement exact;
  switch (literal.kind) {
  case LiteralValue::Kind::Text:
    return to->is(TypeKind::Str) && to->refinement.empty();
  case LiteralValue::Kind::Int:
    exact.minInt = exact.maxInt = literal.number;
    return to->is(TypeKind::Int) && refinementWithin(exact, to->refinement);
  case LiteralValue::Kind::Bool:
    return to->is(TypeKind::Bool);
  }
  return false;
}

/// Is each value of `from`, as it is stored, a value of `to`? This is what
/// holds inside of lists and maps, where nothing is converted.
bool isSubtype(const Type *from, const Type *to) {
  if (from == to)
    return true;
  if (from->is(TypeKind::Union))
    return std::all_of(from->members.begin(), from->members.end(),
                       [&](const Type *m) { return isSubtype(m, to); });
  if (from->is(TypeKind::Optional))
    return to->is(TypeKind::Optional) && isSubtype(from->element, to);
  switch (to->kind) {
  case TypeKind::Optional:
    return from->is(TypeKind::Null) || isSubtype(from, to->element);
  case TypeKind::Union:
    return std::any_of(to->members.begin(), to->members.end(),
                       [&](const Type *m) { return isSubtype(from, m); });
  default:
    break;
  }
  if (from->is(TypeKind::Literal))
    return literalWithin(from->literal, to);
  if (from->kind != to->kind)
    return false;
  switch (from->kind) {
  case TypeKind::Int:
  case TypeKind::Float:
  case TypeKind::Str:
    return refinementWithin(from->refinement, to->refinement);
  case TypeKind::List:
    return refinementWithin(from->refinement, to->refinement) &&
           isSubtype(from->element, to->element);
  case TypeKind::Map:
    return isSubtype(from->element, to->element);
  default:
    return false;
  }
}

bool isWhole(const Type *type) {
  return type->is(TypeKind::Int) ||
         (type->is(TypeKind::Literal) &&
          type->literal.kind == LiteralValue::Kind::Int);
}

} // namespace

bool assignable(const Type *from, const Type *to) {
  if (isSubtype(from, to))
    return true;
  if (to->is(TypeKind::Json))
    return isPrintable(from);
  if (to->is(TypeKind::Optional))
    return from->is(TypeKind::Optional) ? assignable(from->element, to->element)
                                        : assignable(from, to->element);
  if (to->is(TypeKind::Union))
    return std::any_of(to->members.begin(), to->members.end(),
                       [&](const Type *m) { return assignable(from, m); });
  return isWhole(from) && to->is(TypeKind::Float) && to->refinement.empty();
}

bool isPrintable(const Type *type) {
  bool simple = !type->element && !type->record && type->members.empty();
  if (simple)
    return !type->is(TypeKind::Void) && !type->is(TypeKind::State) &&
           !type->is(TypeKind::Image) && !type->is(TypeKind::Video);
  // A list instead of recursion: records may name each other without end.
  std::vector<const Type *> parts = {type};
  std::unordered_set<const RecordDecl *> seen;
  while (!parts.empty()) {
    const Type *part = parts.back();
    parts.pop_back();
    if (part->is(TypeKind::Void) || part->is(TypeKind::State) ||
        part->is(TypeKind::Image) || part->is(TypeKind::Video))
      return false;
    if (part->element)
      parts.push_back(part->element);
    parts.insert(parts.end(), part->members.begin(), part->members.end());
    if (part->record && seen.insert(part->record).second)
      for (const RecordField &field : part->record->fields)
        if (field.type)
          parts.push_back(field.type);
  }
  return true;
}

} // namespace sgl
