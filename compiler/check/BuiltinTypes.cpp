// Overloads of built-ins and their matching; see BuiltinTypes.h.
#include "compiler/check/BuiltinTypes.h"

#include <cassert>

namespace sgl {

namespace {

/// The atoms of a signature. Variables: T any type, U another, O numbers or
/// text, N numbers, E what compares, R records.
struct Shape {
  enum Kind {
    Str,
    Int,
    Float,
    Bool,
    Json,
    Number,   ///< num
    Printed,  ///< any: what `${}` prints
    Jsonable, ///< data: the same or null
    Variable,
    List,
    Map,
    Optional,
    Pair, ///< of T and U
  } kind = Str;
  char variable = 0;
  std::unique_ptr<Shape> inner;
};

/// Reads one shape of "[T]", "{T}", "T?", "int"; `at` moves behind it.
Shape readShape(std::string_view text, size_t &at) {
  Shape shape;
  auto nested = [&](Shape::Kind kind) {
    shape.kind = kind;
    shape.inner = std::make_unique<Shape>(readShape(text, ++at));
    ++at; // the closing bracket
  };
  if (text[at] == '[') {
    nested(Shape::List);
  } else if (text[at] == '{') {
    nested(Shape::Map);
  } else {
    size_t end = at;
    while (end < text.size() && text[end] >= 'A')
      if (text[end] == ']' || text[end] == '}')
        break;
      else
        ++end;
    std::string_view word = text.substr(at, end - at);
    at = end;
    static const std::unordered_map<std::string_view, Shape::Kind> words = {
        {"str", Shape::Str},     {"int", Shape::Int},
        {"float", Shape::Float}, {"bool", Shape::Bool},
        {"json", Shape::Json},   {"num", Shape::Number},
        {"any", Shape::Printed}, {"data", Shape::Jsonable},
        {"pair", Shape::Pair}};
    if (auto found = words.find(word); found != words.end()) {
      shape.kind = found->second;
    } else {
      assert(word.size() == 1 && "a signature names a known shape");
      shape.kind = Shape::Variable;
      shape.variable = word[0];
    }
  }
  if (at < text.size() && text[at] == '?') {
    ++at;
    Shape optional;
    optional.kind = Shape::Optional;
    optional.inner = std::make_unique<Shape>(std::move(shape));
    return optional;
  }
  return shape;
}

struct Signature {
  std::string_view name, text;
};

constexpr Signature signatures[] = {
    // Text.
    {"len", "str -> int"},
    {"len", "[T] -> int"},
    {"len", "{T} -> int"},
    {"len", "json -> int"},
    {"lower", "str -> str"},
    {"upper", "str -> str"},
    {"trim", "str -> str"},
    {"split", "str str -> [str]"},
    {"join_text", "[any] str -> str"},
    {"replace", "str str str -> str"},
    {"contains", "str str -> bool"},
    {"starts_with", "str str -> bool"},
    {"ends_with", "str str -> bool"},
    {"find", "str str -> int?"},
    {"slice", "str int int -> str"},
    {"slice", "[T] int int -> [T]"},
    {"lines", "[any] -> str"},
    {"bullets", "[any] -> str"},
    {"indent", "str int -> str"},
    {"fixed", "num int -> str"},
    // Data.
    {"json", "data -> str"},
    {"parse_json", "str -> json"},
    {"keys", "{T} -> [str]"},
    {"keys", "json -> [str]"},
    {"values", "{T} -> [T]"},
    {"values", "json -> [json]"},
    {"get", "{T} str -> T?"},
    {"get", "[T] int -> T?"},
    {"get", "json str -> json"},
    {"get", "json int -> json"},
    {"or_else", "T? T -> T"},
    {"append", "[T] T -> [T]"},
    {"concat", "[T] [T] -> [T]"},
    {"reverse", "[T] -> [T]"},
    {"sort", "[O] -> [O]"},
    {"sort_by", "[R] str -> [R]"},
    {"unique", "[E] -> [E]"},
    {"zip", "[T] [U] -> [pair]"},
    {"range", "int int -> [int]"},
    {"sum", "[N] -> N"},
    {"min", "[N] -> N"},
    {"max", "[N] -> N"},
    {"mean", "[N] -> float"},
    {"count", "[E] E -> int"},
    {"majority", "[E] -> E"},
    // Numbers.
    {"abs", "N -> N"},
    {"round", "num -> int"},
    {"round", "num int -> float"},
    {"floor", "num -> int"},
    {"ceil", "num -> int"},
    {"div", "int int -> int"},
    // Conversion.
    {"text", "any -> str"},
    {"int", "num -> int"},
    {"int", "str -> int"},
    {"int", "json -> int"},
    {"float", "num -> float"},
    {"float", "str -> float"},
    {"float", "json -> float"},
    {"bool", "bool -> bool"},
    {"bool", "str -> bool"},
    {"bool", "json -> bool"},
    {"list", "json -> [json]"},
};

} // namespace

struct Overload {
  std::vector<Shape> parameters;
  Shape result;
};

namespace {

Overload readSignature(std::string_view text) {
  Overload overload;
  for (size_t at = 0; at < text.size();) {
    if (text[at] == ' ') {
      ++at;
    } else if (text.substr(at, 2) == "->") {
      at += 3;
      overload.result = readShape(text, at);
    } else {
      overload.parameters.push_back(readShape(text, at));
    }
  }
  return overload;
}

struct BuiltinTable {
  std::unordered_map<std::string_view, std::vector<Overload>> overloads;
  std::vector<std::string> names;

  BuiltinTable() {
    for (const Signature &signature : signatures) {
      auto &list = overloads[signature.name];
      if (list.empty())
        names.emplace_back(signature.name);
      list.push_back(readSignature(signature.text));
    }
  }
};

const BuiltinTable &table() {
  static const BuiltinTable built;
  return built;
}

size_t slotOf(char variable) { return variable == 'U' ? 1 : 0; }

using Variables = std::array<const Type *, 2>;

/// The type of a shape, or null where a variable is not bound yet.
const Type *substitute(Session &session, const Shape &shape,
                       const Variables &variables) {
  TypeContext &types = session.types;
  const Type *inner =
      shape.inner ? substitute(session, *shape.inner, variables) : nullptr;
  switch (shape.kind) {
  case Shape::Str:
    return types.strType();
  case Shape::Int:
    return types.intType();
  case Shape::Float:
    return types.floatType();
  case Shape::Bool:
    return types.boolType();
  case Shape::Json:
    return types.jsonType();
  case Shape::Number:
  case Shape::Printed:
  case Shape::Jsonable:
    return nullptr;
  case Shape::Variable:
    return variables[slotOf(shape.variable)];
  case Shape::List:
    return inner ? types.list(inner) : nullptr;
  case Shape::Map:
    return inner ? types.map(inner) : nullptr;
  case Shape::Optional:
    return inner ? types.optional(inner) : nullptr;
  case Shape::Pair:
    return variables[0] && variables[1]
               ? session.pairOf(variables[0], variables[1])
               : nullptr;
  }
  return nullptr;
}

bool comparable(const Type *type) { return isPrintable(type); }

bool bindVariable(Session &session, char variable, const Type *type,
                  Variables &variables) {
  TypeKind kind = plainKind(type);
  bool number = kind == TypeKind::Int || kind == TypeKind::Float;
  if ((variable == 'N' && !number) ||
      (variable == 'O' && !number && kind != TypeKind::Str) ||
      (variable == 'E' && !comparable(type)) ||
      (variable == 'R' && kind != TypeKind::Record))
    return false;
  const Type *&slot = variables[slotOf(variable)];
  if (variable == 'N')
    type = baseType(session.types, type);
  const Type *both = slot ? session.unify(slot, type) : type;
  // A json would swallow every mistake.
  if (!both || (slot && both->is(TypeKind::Json) && both != slot))
    return false;
  slot = both;
  return true;
}

bool match(Session &session, const Shape &shape, const Type *type,
           Variables &variables) {
  TypeKind kind = plainKind(type);
  switch (shape.kind) {
  case Shape::Str:
    return kind == TypeKind::Str;
  case Shape::Int:
    return kind == TypeKind::Int;
  case Shape::Float:
  case Shape::Number:
    return isNumber(type);
  case Shape::Bool:
    return kind == TypeKind::Bool;
  case Shape::Json:
    return kind == TypeKind::Json;
  case Shape::Printed:
    return isPrintable(type) && kind != TypeKind::Optional &&
           kind != TypeKind::Null;
  case Shape::Jsonable:
    return isPrintable(type);
  case Shape::Variable:
    return bindVariable(session, shape.variable, type, variables);
  case Shape::List:
    return kind == TypeKind::List &&
           match(session, *shape.inner, type->element, variables);
  case Shape::Map:
    return kind == TypeKind::Map &&
           match(session, *shape.inner, type->element, variables);
  case Shape::Optional:
    if (kind == TypeKind::Null)
      return true;
    return match(session, *shape.inner, present(type), variables);
  case Shape::Pair:
    return false;
  }
  return false;
}

std::string describeShape(const Shape &shape) {
  switch (shape.kind) {
  case Shape::Str:
    return "a `str`";
  case Shape::Int:
    return "an `int`";
  case Shape::Float:
  case Shape::Number:
    return "a number";
  case Shape::Bool:
    return "a `bool`";
  case Shape::Json:
    return "a `json`";
  case Shape::Printed:
    return "a value that prints";
  case Shape::Jsonable:
    return "a value";
  case Shape::Map:
    return "a map";
  case Shape::Optional:
    return describeShape(*shape.inner);
  case Shape::Pair:
    return "a pair";
  case Shape::Variable:
    switch (shape.variable) {
    case 'N':
      return "a number";
    case 'O':
      return "a number or text";
    case 'R':
      return "a record";
    default:
      return "a value";
    }
  case Shape::List:
    switch (shape.inner->variable) {
    case 'N':
      return "a list of numbers";
    case 'O':
      return "a list of numbers or texts";
    case 'R':
      return "a list of records";
    default:
      return "a list";
    }
  }
  return "a value";
}

} // namespace

bool isBuiltinName(std::string_view name) {
  return table().overloads.count(name);
}

std::vector<OverloadMatch> builtinOverloads(Session &session,
                                            std::string_view name) {
  std::vector<OverloadMatch> matches;
  auto found = table().overloads.find(name);
  if (found != table().overloads.end())
    for (const Overload &overload : found->second)
      matches.emplace_back(session, overload);
  return matches;
}

const std::vector<std::string> &builtinNames() { return table().names; }

size_t OverloadMatch::parameterCount() const {
  return overload->parameters.size();
}

const Type *OverloadMatch::expected(size_t parameter) const {
  return substitute(*session, overload->parameters[parameter], variables);
}

bool OverloadMatch::accept(size_t parameter, const Type *argument) {
  return isError(argument) ||
         match(*session, overload->parameters[parameter], argument, variables);
}

const Type *OverloadMatch::result() const {
  const Type *type = substitute(*session, overload->result, variables);
  return type ? type : errorType();
}

std::string OverloadMatch::describe(size_t parameter) const {
  return describeShape(overload->parameters[parameter]);
}

} // namespace sgl
