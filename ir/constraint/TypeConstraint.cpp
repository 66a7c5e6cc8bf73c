// Types as patterns: the bare form of a whole gen and the JSON form of parts.
#include "ir/constraint/TypeConstraint.h"

#include "ir/constraint/Intersect.h"
#include "ir/constraint/JsonPattern.h"
#include "ir/constraint/NumberPattern.h"
#include "ir/constraint/Regex.h"

#include <algorithm>
#include <cassert>
#include <map>

namespace sgl {

namespace {

using namespace pattern;

/// Characters that a text may have at most or must have at least; beyond it the
/// automaton would be too large anyway.
constexpr uint64_t maxLengthBound = 50'000;

bool isTextLiteral(const Type *type) {
  return type->is(TypeKind::Literal) &&
         type->literal.kind == LiteralValue::Kind::Text;
}

class TypeCompiler {
public:
  Result<Automaton> run(const Type *type) {
    PatternRef tree = standsBare(type) ? bare(type) : json(type);
    if (!tree)
      return Error{message};
    auto automaton = compilePattern(tree);
    if (!automaton)
      return Error{"the type " + toString(type) + ": " +
                   automaton.error().message};
    if (automaton->isEmpty())
      return Error{"no text fits the type " + toString(type)};
    return automaton;
  }

private:
  std::nullptr_t fail(std::string text) {
    if (message.empty())
      message = std::move(text);
    return nullptr;
  }

  // All give null after an error.
  PatternRef bare(const Type *type);
  PatternRef json(const Type *type);
  PatternRef makeJson(const Type *type);
  PatternRef jsonStr(const Type *type);
  PatternRef jsonLiteral(const LiteralValue &literal);
  PatternRef jsonEnum(const EnumDecl &decl);
  PatternRef jsonList(const Type *type);
  PatternRef jsonRecord(const RecordDecl &decl);
  bool lengths(const Type *type, uint32_t &least, uint32_t &most);
  std::optional<Automaton> matchingText(const Type *type);

  std::string message;
  std::map<const Type *, PatternRef> made; ///< JSON forms
  std::vector<const RecordDecl *> open;    ///< records around this place
};

bool TypeCompiler::lengths(const Type *type, uint32_t &least, uint32_t &most) {
  const Refinement &r = type->refinement;
  uint64_t low = r.minLength.value_or(0);
  uint64_t high = r.maxLength.value_or(0);
  if (low > maxLengthBound || high > maxLengthBound)
    fail("the type " + toString(type) + " has a length beyond " +
         std::to_string(maxLengthBound));
  else if (r.maxLength && low > high)
    fail("no text fits the type " + toString(type));
  least = static_cast<uint32_t>(low);
  most = r.maxLength ? static_cast<uint32_t>(high) : Pattern::unbounded;
  return message.empty();
}

/// The language of a `str matching r"…"`, within its length bounds.
std::optional<Automaton> TypeCompiler::matchingText(const Type *type) {
  uint32_t least = 0, most = 0;
  if (!lengths(type, least, most))
    return std::nullopt;
  auto automaton = compileRegex(*type->refinement.pattern);
  if (automaton && (least > 0 || most != Pattern::unbounded)) {
    auto bounded =
        compilePattern(repeat(characters(CodePointSet::all()), least, most));
    automaton = bounded ? intersect(*automaton, *bounded) : bounded;
  }
  if (automaton)
    return *automaton;
  fail("the type " + toString(type) + ": " + automaton.error().message);
  return std::nullopt;
}

PatternRef TypeCompiler::bare(const Type *type) {
  std::vector<PatternRef> choices;
  switch (type->kind) {
  case TypeKind::Str: {
    if (type->refinement.pattern) {
      auto automaton = matchingText(type);
      return automaton ? language(std::move(*automaton)) : nullptr;
    }
    uint32_t least = 0, most = 0;
    if (!lengths(type, least, most))
      return nullptr;
    return repeat(characters(CodePointSet::all()), least, most);
  }
  case TypeKind::Enum:
    for (const EnumMember &member : type->enumeration->members)
      choices.push_back(text(member.text));
    return choice(std::move(choices));
  case TypeKind::Union:
    for (const Type *member : type->members)
      choices.push_back(text(member->literal.text));
    return choice(std::move(choices));
  default:
    return text(type->literal.text);
  }
}

PatternRef TypeCompiler::json(const Type *type) {
  if (auto it = made.find(type); it != made.end())
    return it->second;
  PatternRef tree = makeJson(type);
  if (tree)
    made.emplace(type, tree);
  return tree;
}

PatternRef TypeCompiler::makeJson(const Type *type) {
  const Refinement &r = type->refinement;
  switch (type->kind) {
  case TypeKind::Null:
    return text("null");
  case TypeKind::Bool:
    return choice({text("true"), text("false")});
  case TypeKind::Int:
    return intPattern(r.minInt, r.maxInt);
  case TypeKind::Float:
    return floatPattern(r.minFloat, r.maxFloat);
  case TypeKind::Str:
    return jsonStr(type);
  case TypeKind::Literal:
    return jsonLiteral(type->literal);
  case TypeKind::Enum:
    return jsonEnum(*type->enumeration);
  case TypeKind::Optional: {
    PatternRef inner = json(type->element);
    return inner ? choice({text("null"), inner}) : nullptr;
  }
  case TypeKind::Union: {
    std::vector<PatternRef> choices;
    for (const Type *member : type->members) {
      choices.push_back(json(member));
      if (!choices.back())
        return nullptr;
    }
    return choice(std::move(choices));
  }
  case TypeKind::List:
    return jsonList(type);
  case TypeKind::Record:
    return jsonRecord(*type->record);
  default:
    return fail("a generated value cannot hold a " + toString(type));
  }
}

PatternRef TypeCompiler::jsonStr(const Type *type) {
  if (type->refinement.pattern) {
    auto automaton = matchingText(type);
    return automaton ? jsonStringOf(*automaton) : nullptr;
  }
  uint32_t least = 0, most = 0;
  return lengths(type, least, most) ? jsonString(least, most) : nullptr;
}

PatternRef TypeCompiler::jsonLiteral(const LiteralValue &literal) {
  switch (literal.kind) {
  case LiteralValue::Kind::Text:
    return jsonText(literal.text);
  case LiteralValue::Kind::Int:
    return text(std::to_string(literal.number));
  case LiteralValue::Kind::Bool:
    return text(literal.number != 0 ? "true" : "false");
  }
  return nullptr;
}

PatternRef TypeCompiler::jsonEnum(const EnumDecl &decl) {
  std::vector<PatternRef> choices;
  for (const EnumMember &member : decl.members)
    choices.push_back(jsonText(member.text));
  return choice(std::move(choices));
}

PatternRef TypeCompiler::jsonList(const Type *type) {
  uint32_t least = 0, most = 0;
  PatternRef item = json(type->element);
  if (!item || !lengths(type, least, most))
    return nullptr;
  if (most == 0)
    return text("[]");
  uint32_t more = most == Pattern::unbounded ? most : most - 1;
  PatternRef items = sequence({item, repeat(sequence({text(", "), item}),
                                            least > 0 ? least - 1 : 0, more)});
  return sequence({text("["), least > 0 ? items : optional(items), text("]")});
}

/// A field that may be left out: optional, and null where it is.
bool mayBeLeftOut(const RecordField &field) {
  return field.type->is(TypeKind::Optional) &&
         field.defaultJson.value_or("null") == "null";
}

PatternRef TypeCompiler::jsonRecord(const RecordDecl &decl) {
  if (std::find(open.begin(), open.end(), &decl) != open.end())
    return fail("the record " + decl.name +
                " holds itself; such a type cannot be generated yet");
  open.push_back(&decl);
  struct Part {
    PatternRef pattern;
    bool mayBeLeftOut;
  };
  std::vector<Part> parts;
  if (decl.isTool)
    parts.push_back(
        {sequence({text("\"tool\": "), jsonText(decl.name)}), false});
  for (const RecordField &field : decl.fields) {
    PatternRef value = json(field.type);
    if (!value)
      return fail("the field '" + field.name + "' of " + decl.name +
                  " cannot be generated");
    parts.push_back({sequence({jsonText(field.name), text(": "), value}),
                     mayBeLeftOut(field)});
  }
  open.pop_back();
  // From the last part to the first: what may stand from here on, when this
  // would be the first part written, and when others stand before it.
  PatternRef first = text(""), later = text("");
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    PatternRef begun = sequence({part->pattern, later});
    PatternRef joined = sequence({text(", "), part->pattern, later});
    first = part->mayBeLeftOut ? choice({begun, first}) : begun;
    later = part->mayBeLeftOut ? choice({joined, later}) : joined;
  }
  return sequence({text("{"), first, text("}")});
}

} // namespace

bool standsBare(const Type *type) {
  if (type->is(TypeKind::Union))
    return std::all_of(type->members.begin(), type->members.end(),
                       isTextLiteral);
  return type->is(TypeKind::Str) || type->is(TypeKind::Enum) ||
         isTextLiteral(type);
}

bool isConstraining(const Type *type) {
  return !type->is(TypeKind::Str) || !type->refinement.empty();
}

Result<Automaton> compileType(const Type *type) {
  return TypeCompiler().run(type);
}

} // namespace sgl
