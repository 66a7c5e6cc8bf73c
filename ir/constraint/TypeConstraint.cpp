// Types as patterns: the bare form of a whole gen and the JSON form of parts.
#include "ir/constraint/TypeConstraint.h"

#include "ir/constraint/Intersect.h"
#include "ir/constraint/JsonPattern.h"
#include "ir/constraint/NumberPattern.h"
#include "ir/constraint/Regex.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <map>
#include <set>
#include <utility>

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

using Fault = ConstraintFault::Kind;

/// Which records hold themselves, through whatever stands between.
class SelfHolding {
public:
  bool operator()(const RecordDecl *decl) {
    auto it = known.find(decl);
    if (it == known.end())
      it = known.emplace(decl, reaches(decl)).first;
    return it->second;
  }

private:
  static bool reaches(const RecordDecl *decl) {
    std::set<const RecordDecl *> seen;
    std::vector<const Type *> open;
    for (const RecordField &field : decl->fields)
      open.push_back(field.type);
    while (!open.empty()) {
      const Type *type = open.back();
      open.pop_back();
      if (type->element)
        open.push_back(type->element);
      open.insert(open.end(), type->members.begin(), type->members.end());
      if (!type->record)
        continue;
      if (type->record == decl)
        return true;
      if (seen.insert(type->record).second)
        for (const RecordField &field : type->record->fields)
          open.push_back(field.type);
    }
    return false;
  }

  std::map<const RecordDecl *, bool> known;
};

/// One attempt, with so many levels for records that hold themselves.
class TypeCompiler {
public:
  TypeCompiler(TypeForm form, uint32_t levels)
      : layout(form.whitespace), lenient(form.lenient), levelsLeft(levels) {}

  Result<Automaton> run(const Type *type) {
    PatternRef tree = standsBare(type) ? bare(type) : json(type);
    if (!tree)
      return Error{fault.message};
    if (isRecursive && countPositions(tree, maxUnfolded) >= maxUnfolded) {
      fail("the type " + toString(type) + " unfolds to too many positions",
           Fault::TooLarge);
      return Error{fault.message};
    }
    auto automaton = compilePattern(tree);
    if (!automaton) {
      fail("the type " + toString(type) + ": " + automaton.error().message,
           Fault::TooLarge);
      return Error{fault.message};
    }
    if (automaton->isEmpty()) {
      fail("no text fits the type " + toString(type));
      return Error{fault.message};
    }
    return automaton;
  }

  bool isPlaced = false;    ///< the message names a field
  bool isRecursive = false; ///< fewer levels may make a difference
  ConstraintFault fault;

private:
  std::nullptr_t fail(std::string text, Fault kind = Fault::Unsatisfiable) {
    if (fault.message.empty())
      fault = {kind, std::move(text), ""};
    return nullptr;
  }

  // All give null after an error.
  PatternRef bare(const Type *type);
  PatternRef json(const Type *type);
  PatternRef makeJson(const Type *type);
  PatternRef jsonStr(const Type *type);
  PatternRef jsonLiteral(const LiteralValue &literal);
  PatternRef jsonEnum(const EnumDecl &decl);
  PatternRef jsonUnion(const Type *type);
  bool canTellApart(const Type *type, const std::vector<PatternRef> &members);
  PatternRef jsonList(const Type *type);
  PatternRef jsonRecord(const RecordDecl &decl);
  bool lengths(const Type *type, uint32_t &least, uint32_t &most);
  std::optional<Automaton> matchingText(const Type *type);

  const JsonLayout layout;
  const bool lenient;
  uint32_t levelsLeft; ///< of records that hold themselves, from here inwards
  SelfHolding holdsItself;
  /// JSON forms, by the type and the levels that were left.
  std::map<std::pair<const Type *, uint32_t>, PatternRef> made;
};

bool TypeCompiler::lengths(const Type *type, uint32_t &least, uint32_t &most) {
  const Refinement &r = type->refinement;
  uint64_t low = r.minLength.value_or(0);
  uint64_t high = r.maxLength.value_or(0);
  if (low > maxLengthBound || high > maxLengthBound)
    fail("the type " + toString(type) + " has a length beyond " +
             std::to_string(maxLengthBound),
         Fault::TooLarge);
  else if (r.maxLength && low > high)
    fail("no text fits the type " + toString(type));
  least = static_cast<uint32_t>(low);
  most = r.maxLength ? static_cast<uint32_t>(high) : Pattern::unbounded;
  return fault.message.empty();
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
  fail("the type " + toString(type) + ": " + automaton.error().message,
       Fault::TooLarge);
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
  std::pair key{type, levelsLeft};
  if (auto it = made.find(key); it != made.end())
    return it->second;
  PatternRef tree = makeJson(type);
  if (tree)
    made.emplace(key, tree);
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
  case TypeKind::Union:
    return jsonUnion(type);
  case TypeKind::List:
    return jsonList(type);
  case TypeKind::Map: {
    PatternRef value = json(type->element);
    if (!value)
      return nullptr;
    return layout.object({}, {{jsonString(0, Pattern::unbounded), value}});
  }
  case TypeKind::Json:
    return layout.anyValue(jsonLevels);
  case TypeKind::Record:
    return jsonRecord(*type->record);
  default:
    return fail("a generated value cannot hold a " + toString(type),
                Fault::Unsupported);
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

/// Do both stand for the same values where they share a text: two kinds of
/// text, of int, of bool?
bool readAlike(const Type *a, const Type *b) {
  auto plain = [](const Type *type) {
    if (!type->is(TypeKind::Literal))
      return type->kind;
    switch (type->literal.kind) {
    case LiteralValue::Kind::Int:
      return TypeKind::Int;
    case LiteralValue::Kind::Bool:
      return TypeKind::Bool;
    case LiteralValue::Kind::Text:
      break;
    }
    return TypeKind::Str;
  };
  TypeKind kind = plain(a);
  return kind == plain(b) && (kind == TypeKind::Int || kind == TypeKind::Bool ||
                              kind == TypeKind::Str || kind == TypeKind::Float);
}

PatternRef TypeCompiler::jsonUnion(const Type *type) {
  std::vector<PatternRef> choices;
  for (const Type *member : type->members) {
    choices.push_back(json(member));
    if (!choices.back())
      return nullptr;
  }
  if (!lenient && !canTellApart(type, choices))
    return nullptr;
  return choice(std::move(choices));
}

/// Has each text one member only? Looks for a text that two members share.
bool TypeCompiler::canTellApart(const Type *type,
                                const std::vector<PatternRef> &members) {
  std::vector<std::optional<Automaton>> automata(members.size());
  for (size_t i = 0; i < members.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      if (readAlike(type->members[i], type->members[j]))
        continue;
      for (size_t k : {i, j})
        if (!automata[k]) {
          auto made = compilePattern(members[k]);
          if (!made) {
            fail("the type " + toString(type->members[k]) + ": " +
                     made.error().message,
                 Fault::TooLarge);
            return false;
          }
          automata[k] = std::move(*made);
        }
      auto both = intersect(*automata[i], *automata[j]);
      if (!both) {
        fail("the type " + toString(type) + ": " + both.error().message,
             Fault::TooLarge);
        return false;
      }
      if (auto shared = shortestText(*both)) {
        fail("`" + *shared + "` could be " + toString(type->members[j]) +
                 " or " + toString(type->members[i]),
             Fault::Ambiguous);
        return false;
      }
    }
  return true;
}

PatternRef TypeCompiler::jsonList(const Type *type) {
  uint32_t least = 0, most = 0;
  PatternRef item = json(type->element);
  if (!item || !lengths(type, least, most))
    return nullptr;
  return layout.list({}, item, least, most);
}

/// A field that may be left out: optional, and null where it is.
bool mayBeLeftOut(const RecordField &field) {
  return field.type->is(TypeKind::Optional) &&
         field.defaultJson.value_or("null") == "null";
}

/// Where no level is left, nothing fits: lists and maps around are empty there
/// and optionals null.
PatternRef TypeCompiler::jsonRecord(const RecordDecl &decl) {
  const bool isLevel = holdsItself(&decl);
  if (isLevel) {
    isRecursive = true;
    if (levelsLeft == 0)
      return choice({});
    --levelsLeft;
  }
  std::vector<JsonLayout::Member> members;
  if (decl.isTool)
    members.push_back({jsonText("tool"), jsonText(decl.name)});
  for (const RecordField &field : decl.fields) {
    PatternRef value = json(field.type);
    if (!value) {
      // The innermost place is in the message already.
      if (!std::exchange(isPlaced, true))
        fault.message += " (field `" + field.name + "` of " + decl.name + ")";
      return nullptr;
    }
    members.push_back({jsonText(field.name), value, !mayBeLeftOut(field)});
  }
  if (isLevel)
    ++levelsLeft;
  return layout.object(members, {}, 0, Pattern::unbounded);
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

Result<Automaton> compileType(const Type *type, TypeForm form,
                              ConstraintFault *fault) {
  for (uint32_t levels : recursionLevels) {
    TypeCompiler compiler(form, levels);
    Result<Automaton> made = compiler.run(type);
    if (made)
      return made;
    bool mayFit = compiler.isRecursive &&
                  compiler.fault.kind == Fault::TooLarge &&
                  levels != *std::rbegin(recursionLevels);
    if (mayFit)
      continue;
    if (fault)
      *fault = compiler.fault;
    return made;
  }
  return Error{"no levels"};
}

} // namespace sgl
