// The values of the template language: Python's, as far as templates see them.
//
// Texts, lists, tuples and dicts are immutable and shared. What can change or
// be called (namespaces, macros, loops) is an Object that the Run owns until
// the rendering ends, so no cycle of values can leak. Integers are 128 bits
// wide: enough for any number that a chat template has.
#pragma once

#include "runtime/text/JinjaText.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace sgl::jinja {

/// What kind of failure: the names are those that `sglmodel template` prints.
enum class ErrorClass {
  Syntax,
  Raise,
  Undefined,
  Type,
  Security,
  Runtime,
  ZeroDivision,
  Overflow,
  Unsupported,
  Limit,
};
std::string_view className(ErrorClass kind);

class Run;
class Value;
struct List;
struct Dict;

using Int = __int128;

/// Why a value is undefined; raised when the template uses it as a value.
struct Missing {
  std::string message;
  ErrorClass kind = ErrorClass::Undefined;
};

/// Arguments of a call, filter or test.
struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> named;

  /// Takes the argument at `index` or called `name`; null when absent.
  const Value *find(size_t index, std::string_view name) const;
};

/// Something with identity: a namespace, a macro, a loop, a function.
class Object {
public:
  virtual ~Object() = default;
  /// As Python names its type.
  virtual std::string_view typeName() const = 0;
  /// Null when there is no such attribute.
  virtual const Value *attribute(std::string_view name) { return nullptr; }
  virtual bool callable() const { return false; }
  virtual Value call(Run &run, Arguments arguments);
};

struct None {};
using TextRef = std::shared_ptr<const Text>;
using ListRef = std::shared_ptr<const List>;
using DictRef = std::shared_ptr<const Dict>;
using MissingRef = std::shared_ptr<const Missing>;

class Value {
public:
  Value() = default; ///< undefined
  Value(None) : data(None{}) {}
  Value(bool b) : data(b) {}
  Value(Int i) : data(i) {}
  Value(double f) : data(f) {}
  Value(Text t) : data(std::make_shared<const Text>(std::move(t))) {}
  Value(TextRef t) : data(std::move(t)) {}
  Value(ListRef l) : data(std::move(l)) {}
  Value(DictRef d) : data(std::move(d)) {}
  Value(MissingRef m) : data(std::move(m)) {}
  Value(Object *o) : data(o) {}
  static Value integer(int64_t i) { return Value(static_cast<Int>(i)); }

  bool isUndefined() const { return data.index() == 0; }
  bool isNone() const { return std::holds_alternative<None>(data); }
  const bool *boolean() const { return std::get_if<bool>(&data); }
  const double *floating() const { return std::get_if<double>(&data); }
  const Int *integerOnly() const { return std::get_if<Int>(&data); }
  const Text *text() const { return pointee<TextRef>(); }
  const List *list() const { return pointee<ListRef>(); } ///< tuples too
  const Dict *dict() const { return pointee<DictRef>(); }
  const Missing *missing() const { return pointee<MissingRef>(); }
  Object *object() const {
    auto *o = std::get_if<Object *>(&data);
    return o ? *o : nullptr;
  }
  /// An int or a bool as an int; false when it is neither.
  bool asInt(Int &out) const;
  /// An int, bool or float as a double; false when it is none.
  bool asDouble(double &out) const;

  bool truthy() const;
  /// As Python prints the type: "str", "NoneType", "dict".
  std::string_view typeName() const;
  /// How deep lists and dicts nest: 0 for anything else.
  unsigned depth() const;
  /// How much there is to print or compare: shared parts count each time.
  size_t weight() const;

private:
  template <typename Ref>
  auto pointee() const -> decltype(std::declval<Ref>().get()) {
    auto *ref = std::get_if<Ref>(&data);
    return ref ? ref->get() : nullptr;
  }
  std::variant<MissingRef, None, bool, Int, double, TextRef, ListRef, DictRef,
               Object *>
      data;
};

struct List {
  std::vector<Value> items;
  bool tuple = false;
  bool group = false; ///< of groupby: (grouper, list), readable by name
  unsigned depth = 1;
  size_t weight = 1;
};

/// A dict in the order of insertion.
struct Dict {
  std::vector<std::pair<Value, Value>> items;
  unsigned depth = 1;
  size_t weight = 1;

  const Value *find(std::string_view key) const;
  const Value *find(const Value &key) const;
  /// Sets or replaces; the key keeps its place.
  void set(Value key, Value value);

private:
  std::unordered_map<std::string, size_t> index; ///< by keyOf
};

Value makeList(std::vector<Value> items, bool tuple = false);
Value makeDict(Dict dict);
/// An undefined value that says why when it is used.
Value undefinedBecause(std::string message,
                       ErrorClass kind = ErrorClass::Undefined);
inline Value makeText(std::string_view bytes, bool data = false) {
  return Value(Text(bytes, data));
}

/// `==` of Python: numbers by value, containers by content.
bool equal(const Value &a, const Value &b);
/// May it be a key of a dict?
bool hashable(const Value &value);

/// What `{{ value }}` prints (str), and what a list shows of it (repr).
Text toText(const Value &value);
Text toRepr(const Value &value);
std::string intText(Int value);
/// Shortest digits that read back, as Python's repr writes them.
std::string floatText(double value);

} // namespace sgl::jinja
