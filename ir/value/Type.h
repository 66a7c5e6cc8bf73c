// Types of the language as plain, interned data.
//
// A TypeContext owns every Type; two structurally equal types made by one
// context are one pointer, so comparison is by address. Records and enums are
// nominal: their declaration is filled in after the name is known, so that a
// record may contain itself through a list, a map or `?`.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sgl {

class Value;
class TypeContext;
struct Type;

enum class TypeKind : uint8_t {
  Void, ///< a function without `->`
  Null, ///< the type of `null` alone
  Bool,
  Int,
  Float,
  Str,
  Json,
  State,
  Image,
  Video,
  List,     ///< element, bounds on the length
  Map,      ///< {str: element}
  Optional, ///< element or null
  Union,    ///< members, two or more, none a union, optional or null
  Literal,  ///< one text, int or bool
  Record,
  Enum,
};

/// Refinements. Absent bounds do not limit. `bounds` counts characters of a
/// `str` and elements of a list; `range` limits int and float values.
struct Refinement {
  std::optional<int64_t> minInt, maxInt;
  std::optional<double> minFloat, maxFloat;
  std::optional<uint64_t> minLength, maxLength;
  std::optional<std::string> pattern; ///< of `matching`: the whole text
  bool empty() const;
  bool operator==(const Refinement &) const = default;
};

struct RecordField {
  std::string name;
  const Type *type = nullptr;
  std::string doc;
  /// Constant default as canonical JSON text (see Value.h); absent: required,
  /// unless `type` is optional (then null).
  std::optional<std::string> defaultJson;
};

struct RecordDecl {
  std::string name, doc;
  std::vector<RecordField> fields;
  bool isTool = false; ///< arguments of a `tool`
};

struct EnumMember {
  std::string name; ///< as written: Metre
  std::string text; ///< its text: "m"; the name where none is given
  std::string doc;
};

struct EnumDecl {
  std::string name, doc;
  std::vector<EnumMember> members;
};

/// A literal type's one value.
struct LiteralValue {
  enum class Kind : uint8_t { Text, Int, Bool } kind = Kind::Text;
  std::string text;
  int64_t number = 0; ///< Int, or 0/1 of Bool
  bool operator==(const LiteralValue &) const = default;
};

struct Type {
  TypeKind kind = TypeKind::Void;
  const Type *element = nullptr;      ///< List, Map, Optional
  std::vector<const Type *> members;  ///< Union
  LiteralValue literal;               ///< Literal
  Refinement refinement;              ///< Int, Float, Str, List
  const RecordDecl *record = nullptr; ///< Record
  const EnumDecl *enumeration = nullptr;

  bool is(TypeKind k) const { return kind == k; }
};

class TypeContext {
public:
  TypeContext();
  TypeContext(const TypeContext &) = delete;

  const Type *voidType() const { return basics.at(TypeKind::Void); }
  const Type *get(TypeKind basic) const { return basics.at(basic); }
  const Type *boolType() const { return get(TypeKind::Bool); }
  const Type *intType() const { return get(TypeKind::Int); }
  const Type *floatType() const { return get(TypeKind::Float); }
  const Type *strType() const { return get(TypeKind::Str); }
  const Type *jsonType() const { return get(TypeKind::Json); }
  const Type *stateType() const { return get(TypeKind::State); }
  const Type *nullType() const { return get(TypeKind::Null); }

  const Type *list(const Type *element, Refinement bounds = {});
  const Type *map(const Type *element);
  /// Optional of optional, null or a json is the type itself.
  const Type *optional(const Type *element);
  /// Flattens unions, drops doubles; a null or optional member makes the whole
  /// optional; one member is itself.
  const Type *unionOf(std::vector<const Type *> members);
  const Type *literal(LiteralValue value);
  const Type *text(std::string value);
  const Type *refined(TypeKind basic, Refinement refinement);

  /// Declares a record or enum; fields and members are filled in later.
  RecordDecl *declareRecord(std::string name);
  EnumDecl *declareEnum(std::string name);
  const Type *record(const RecordDecl *decl);
  const Type *enumeration(const EnumDecl *decl);
  /// The built-in `record Message { role: str, content: str }`.
  const Type *message() const { return messageType; }

private:
  const Type *intern(Type type);
  std::map<TypeKind, const Type *> basics;
  std::deque<Type> types;
  std::map<std::string, std::vector<const Type *>> buckets;
  std::deque<RecordDecl> records;
  std::deque<EnumDecl> enums;
  const Type *messageType = nullptr;
};

/// As the user writes it: `int in 0..=10`, `"yes" | "no"`, `[str; 1..=5]?`.
std::string toString(const Type *type);
/// Without refinement and literal-ness: `int in 0..=9` is int, `"a"` is str.
const Type *baseType(TypeContext &context, const Type *type);
/// May a value of `from` stand where `to` is expected, without a check? (2.2:
/// int to float, member to union, T to T?, refined and literal to base,
/// anything but states and media to json.)
bool assignable(const Type *from, const Type *to);
/// Can `text` (in `${}`) print it: all but states and media.
bool isPrintable(const Type *type);

} // namespace sgl
