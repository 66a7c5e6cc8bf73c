// Reading the type pool. See TypeTable.h; FORMAT.md lists the forms.
//
// Records and enums are declared first, so that every type may name them; the
// other types are made when first named, which bounds their nesting and finds
// cycles.

#include "ir/plan/TypeTable.h"

namespace sgl::plan {

namespace {

constexpr uint32_t maxTypeDepth = 64;

class TypeReader {
public:
  TypeReader(Reader &reader, const Cursor &at, Plan &plan)
      : reader(reader), at(at), plan(plan), context(*plan.context) {}

  bool read() {
    if (!reader.list(at, [&](const Cursor &) { return true; }))
      return false;
    items = at.value->asList();
    plan.types.assign(items->size(), nullptr);
    visiting.assign(items->size(), false);
    records.assign(items->size(), nullptr);
    for (uint32_t i = 0; i < items->size(); ++i)
      if (!declare(i))
        return false;
    for (uint32_t i = 0; i < items->size(); ++i)
      if (!make(i, 0))
        return false;
    for (uint32_t i = 0; i < items->size(); ++i)
      if (records[i] && !readFields(i))
        return false;
    return true;
  }

private:
  Cursor cursor(uint32_t index) const {
    return {&(*items)[index], &at, {}, index};
  }

  std::string kindOf(const Cursor &item) {
    if (auto *name = item.value->asText())
      return *name;
    const Value *kind = entry(*item.value, "kind");
    return kind && kind->asText() ? *kind->asText() : "";
  }

  bool declare(uint32_t index) {
    Cursor item = cursor(index);
    std::string kind = kindOf(item);
    if (item.value->asText() || (kind != "record" && kind != "enum"))
      return true;
    std::string name, doc;
    if (kind == "enum"
            ? !reader.shape(item, {"kind", "name", "members"}, {"doc"})
            : !reader.shape(item, {"kind", "name", "fields"}, {"doc", "tool"}))
      return false;
    if (!reader.text(Reader::child(item, "name"), name) ||
        !optionalText(item, "doc", doc))
      return false;
    if (kind == "enum")
      return declareEnum(item, index, name, doc);
    RecordDecl *decl = context.declareRecord(name);
    decl->doc = doc;
    Cursor tool = Reader::child(item, "tool");
    if (tool.value && !reader.boolean(tool, decl->isTool))
      return false;
    records[index] = decl;
    plan.types[index] = context.record(decl);
    return true;
  }

  bool declareEnum(const Cursor &item, uint32_t index, const std::string &name,
                   const std::string &doc) {
    EnumDecl *decl = context.declareEnum(name);
    decl->doc = doc;
    Cursor members = Reader::child(item, "members");
    bool fine = reader.list(members, [&](const Cursor &at) {
      EnumMember member;
      if (!reader.shape(at, {"name"}, {"text", "doc"}) ||
          !reader.text(Reader::child(at, "name"), member.name))
        return false;
      member.text = member.name;
      if (!optionalText(at, "text", member.text) ||
          !optionalText(at, "doc", member.doc))
        return false;
      decl->members.push_back(std::move(member));
      return true;
    });
    if (fine && decl->members.empty())
      return reader.fail(members, "an enum has at least one member");
    plan.types[index] = context.enumeration(decl);
    return fine;
  }

  bool optionalText(const Cursor &at, std::string_view key, std::string &out) {
    Cursor found = Reader::child(at, key);
    return !found.value || reader.text(found, out);
  }

  /// Makes the type of a number named at `from`.
  const Type *named(const Cursor &from, uint32_t depth) {
    uint32_t number = 0;
    if (!reader.number(from, number))
      return nullptr;
    if (number >= items->size()) {
      reader.fail(from, "there is no type " + std::to_string(number));
      return nullptr;
    }
    return make(number, depth + 1) ? plan.types[number] : nullptr;
  }

  bool make(uint32_t index, uint32_t depth) {
    if (plan.types[index])
      return true;
    Cursor item = cursor(index);
    if (visiting[index])
      return reader.fail(item, "type contains itself");
    if (depth > maxTypeDepth)
      return reader.fail(item, "types nest deeper than " +
                                   std::to_string(maxTypeDepth));
    visiting[index] = true;
    plan.types[index] =
        item.value->asText() ? basic(item) : structured(item, depth);
    visiting[index] = false;
    return plan.types[index] != nullptr;
  }

  const Type *basic(const Cursor &item) {
    static const std::pair<std::string_view, TypeKind> names[] = {
        {"void", TypeKind::Void},   {"null", TypeKind::Null},
        {"bool", TypeKind::Bool},   {"int", TypeKind::Int},
        {"float", TypeKind::Float}, {"str", TypeKind::Str},
        {"json", TypeKind::Json},   {"state", TypeKind::State},
        {"image", TypeKind::Image}, {"video", TypeKind::Video}};
    const std::string &name = *item.value->asText();
    for (auto [known, kind] : names)
      if (known == name)
        return context.get(kind);
    if (name == "message")
      return context.message();
    reader.fail(item, "unknown type \"" + name.substr(0, 60) + "\"");
    return nullptr;
  }

  const Type *structured(const Cursor &item, uint32_t depth) {
    std::string kind = kindOf(item);
    if (kind == "literal")
      return literal(item);
    if (kind == "union")
      return unionType(item, depth);
    Refinement bounds;
    if (kind == "list" || kind == "map" || kind == "optional") {
      bool list = kind == "list";
      if (!(list ? reader.shape(item, {"kind", "of"}, {"min", "max"})
                 : reader.shape(item, {"kind", "of"})) ||
          (list && !lengths(item, bounds)))
        return nullptr;
      const Type *element = named(Reader::child(item, "of"), depth);
      if (!element)
        return nullptr;
      return list            ? context.list(element, bounds)
             : kind == "map" ? context.map(element)
                             : context.optional(element);
    }
    return refined(item, kind);
  }

  bool lengths(const Cursor &item, Refinement &out) {
    for (auto [key, bound] :
         {std::pair{"min", &out.minLength}, std::pair{"max", &out.maxLength}}) {
      Cursor found = Reader::child(item, key);
      uint64_t number = 0;
      if (!found.value)
        continue;
      if (!reader.number(found, INT64_MAX, number))
        return false;
      *bound = number;
    }
    return true;
  }

  const Type *literal(const Cursor &item) {
    if (!reader.shape(item, {"kind", "value"}))
      return nullptr;
    Cursor at = Reader::child(item, "value");
    LiteralValue value;
    if (auto *text = at.value->asText()) {
      value.text = *text;
    } else if (auto *number = at.value->asInt()) {
      value.kind = LiteralValue::Kind::Int;
      value.number = *number;
    } else if (auto *flag = at.value->asBool()) {
      value.kind = LiteralValue::Kind::Bool;
      value.number = *flag;
    } else {
      reader.fail(at, "expected a text, an int or a bool");
      return nullptr;
    }
    return context.literal(value);
  }

  const Type *unionType(const Cursor &item, uint32_t depth) {
    std::vector<const Type *> members;
    if (!reader.shape(item, {"kind", "of"}))
      return nullptr;
    Cursor of = Reader::child(item, "of");
    if (!reader.list(of, [&](const Cursor &at) {
          members.push_back(named(at, depth));
          return members.back() != nullptr;
        }))
      return nullptr;
    if (members.empty()) {
      reader.fail(of, "a union has members");
      return nullptr;
    }
    return context.unionOf(std::move(members));
  }

  const Type *refined(const Cursor &item, const std::string &kind) {
    if (kind != "int" && kind != "float" && kind != "str") {
      reader.fail(item, "unknown kind of type \"" + kind.substr(0, 60) + "\"");
      return nullptr;
    }
    Refinement out;
    bool text = kind == "str";
    if (!(text ? reader.shape(item, {"kind"}, {"min", "max", "pattern"})
               : reader.shape(item, {"kind"}, {"min", "max"})))
      return nullptr;
    if (text) {
      Cursor pattern = Reader::child(item, "pattern");
      if (!lengths(item, out) ||
          (pattern.value && !reader.text(pattern, out.pattern.emplace())))
        return nullptr;
      return context.refined(TypeKind::Str, out);
    }
    if (kind == "int") {
      for (auto [key, bound] :
           {std::pair{"min", &out.minInt}, std::pair{"max", &out.maxInt}})
        if (Cursor at = Reader::child(item, key);
            at.value && !reader.integer(at, bound->emplace()))
          return nullptr;
      return context.refined(TypeKind::Int, out);
    }
    for (auto [key, bound] :
         {std::pair{"min", &out.minFloat}, std::pair{"max", &out.maxFloat}})
      if (Cursor at = Reader::child(item, key); at.value) {
        if (!at.value->asFloat()) {
          reader.fail(at, "expected a float");
          return nullptr;
        }
        *bound = *at.value->asFloat();
      }
    return context.refined(TypeKind::Float, out);
  }

  bool readFields(uint32_t index) {
    Cursor item = cursor(index);
    RecordDecl *decl = records[index];
    return reader.list(Reader::child(item, "fields"), [&](const Cursor &at) {
      RecordField field;
      if (!reader.shape(at, {"name", "type"}, {"doc", "default"}) ||
          !reader.text(Reader::child(at, "name"), field.name) ||
          !optionalText(at, "doc", field.doc))
        return false;
      field.type = named(Reader::child(at, "type"), 0);
      if (Cursor given = Reader::child(at, "default"); given.value)
        field.defaultJson = toJson(*given.value);
      for (const RecordField &other : decl->fields)
        if (other.name == field.name)
          return reader.fail(at, "field \"" + field.name + "\" appears twice");
      decl->fields.push_back(std::move(field));
      return decl->fields.back().type != nullptr;
    });
  }

  Reader &reader;
  const Cursor &at;
  Plan &plan;
  TypeContext &context;
  const ListData *items = nullptr;
  std::vector<bool> visiting;
  std::vector<RecordDecl *> records;
};

} // namespace

bool readTypes(Reader &reader, const Cursor &at, Plan &plan) {
  plan.context = std::make_shared<TypeContext>();
  return TypeReader(reader, at, plan).read();
}

} // namespace sgl::plan
