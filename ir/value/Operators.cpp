// Operators and access to parts of aggregates (2.2). See Builtins.h.
//
// Operands were type-checked, except that a json can be anything: what does
// not fit is an error, never undefined.

#include "ir/value/BuiltinSupport.h"
#include "ir/value/Builtins.h"

#include <cmath>

namespace sgl {

namespace {

Error mismatch(std::string_view op, const Value &a, const Value &b) {
  return Error{"`" + std::string(op) + "` does not work on " + describe(a) +
               " and " + describe(b)};
}

Result<Value> addValues(const Value &a, const Value &b) {
  if (a.asList() && b.asList()) {
    ListData items = *a.asList();
    items.insert(items.end(), b.asList()->begin(), b.asList()->end());
    return Value::list(std::move(items));
  }
  if (textOf(a) && textOf(b))
    return Value::text(*textOf(a) + *textOf(b));
  return mismatch("+", a, b);
}

Result<Value> intArithmetic(std::string_view op, int64_t a, int64_t b) {
  int64_t out = 0;
  bool overflow = false;
  if (op == "add")
    overflow = __builtin_add_overflow(a, b, &out);
  else if (op == "sub")
    overflow = __builtin_sub_overflow(a, b, &out);
  else if (op == "mul")
    overflow = __builtin_mul_overflow(a, b, &out);
  else if (b == 0)
    return Error{"division by zero"};
  else if (op == "mod") {
    // The minimum modulo -1 traps in hardware; the result is 0 for every a.
    out = b == -1 ? 0 : a % b;
    if (out != 0 && (out < 0) != (b < 0))
      out += b;
  } else {
    return finite(double(a) / double(b));
  }
  if (overflow)
    return Error{"integer overflow"};
  return Value::integer(out);
}

Result<Value> floatArithmetic(std::string_view op, double a, double b) {
  if (op == "add")
    return finite(a + b);
  if (op == "sub")
    return finite(a - b);
  if (op == "mul")
    return finite(a * b);
  if (b == 0)
    return Error{"division by zero"};
  if (op == "div")
    return finite(a / b);
  double rest = std::fmod(a, b);
  if (rest != 0 && (rest < 0) != (b < 0))
    rest += b;
  return finite(rest);
}

Result<Value> compare(std::string_view op, const Value &a, const Value &b) {
  int order = 0;
  if (isNumber(a) && isNumber(b))
    order = compareNumbers(a, b);
  else if (textOf(a) && textOf(b)) // UTF-8 orders as code points do
    order = textOf(a)->compare(*textOf(b));
  else
    return mismatch(op == "lt"   ? "<"
                    : op == "le" ? "<="
                    : op == "gt" ? ">"
                                 : ">=",
                    a, b);
  bool out = op == "lt"   ? order < 0
             : op == "le" ? order <= 0
             : op == "gt" ? order > 0
                          : order >= 0;
  return Value::boolean(out);
}

Result<Value> contains(const Value &part, const Value &whole) {
  if (auto *list = whole.asList()) {
    for (const Value &item : *list)
      if (equal(item, part))
        return Value::boolean(true);
    return Value::boolean(false);
  }
  if (textOf(whole) && textOf(part))
    return Value::boolean(textOf(whole)->find(*textOf(part)) !=
                          std::string::npos);
  if ((whole.asMap() || whole.asRecord()) && textOf(part))
    return Value::boolean(entry(whole, *textOf(part)) != nullptr);
  return mismatch("in", part, whole);
}

bool isArithmetic(std::string_view op) {
  return op == "add" || op == "sub" || op == "mul" || op == "div" ||
         op == "mod";
}

std::string_view symbol(std::string_view op) {
  return op == "add"   ? "+"
         : op == "sub" ? "-"
         : op == "mul" ? "*"
         : op == "div" ? "/"
                       : "%";
}

} // namespace

Result<Value> applyBinary(std::string_view op, const Value &a, const Value &b) {
  if (op == "eq" || op == "ne")
    return Value::boolean(equal(a, b) == (op == "eq"));
  if (op == "and" || op == "or") {
    if (!a.asBool() || !b.asBool())
      return mismatch(op, a, b);
    return Value::boolean(op == "and" ? *a.asBool() && *b.asBool()
                                      : *a.asBool() || *b.asBool());
  }
  if (op == "in")
    return contains(a, b);
  if (op == "lt" || op == "le" || op == "gt" || op == "ge")
    return compare(op, a, b);
  if (!isArithmetic(op))
    return Error{"unknown operator `" + std::string(op) + "`"};
  if (a.asInt() && b.asInt())
    return intArithmetic(op, *a.asInt(), *b.asInt());
  if (isNumber(a) && isNumber(b))
    return floatArithmetic(op, asDouble(a), asDouble(b));
  return op == "add" ? addValues(a, b) : mismatch(symbol(op), a, b);
}

Result<Value> applyUnary(std::string_view op, const Value &a) {
  if (op == "not" && a.asBool())
    return Value::boolean(!*a.asBool());
  if (op == "neg" && a.asInt()) {
    if (*a.asInt() == INT64_MIN)
      return Error{"integer overflow"};
    return Value::integer(-*a.asInt());
  }
  if (op == "neg" && a.asFloat())
    return Value::number(-*a.asFloat());
  return Error{"`" + std::string(op == "neg" ? "-" : op) +
               "` does not work on " + describe(a)};
}

Result<Value> element(const Value &aggregate, const Value &key) {
  if (auto *list = aggregate.asList()) {
    if (!key.asInt())
      return Error{"index of a list must be an int, not " + describe(key)};
    int64_t index = *key.asInt();
    if (index < 0 || uint64_t(index) >= list->size())
      return Error{"no element " + std::to_string(index) + " in a list of " +
                   std::to_string(list->size())};
    return (*list)[size_t(index)];
  }
  if (!aggregate.asMap() && !aggregate.asRecord())
    return Error{describe(aggregate) + " has no elements"};
  if (!textOf(key))
    return Error{"key of a map must be a text, not " + describe(key)};
  if (const Value *found = entry(aggregate, *textOf(key)))
    return *found;
  return Error{"no key " + toJson(key) + " in the map"};
}

Result<Value> withElement(const Value &aggregate, const Value &key,
                          Value value) {
  if (aggregate.asList()) {
    if (Result<Value> old = element(aggregate, key); !old)
      return old.error();
    ListData items = *aggregate.asList();
    items[size_t(*key.asInt())] = std::move(value);
    return Value::list(std::move(items));
  }
  if (!aggregate.asMap() || !textOf(key))
    return Error{"cannot set an element of " + describe(aggregate)};
  MapData items = *aggregate.asMap();
  for (auto &[name, item] : items)
    if (name == *textOf(key)) {
      item = std::move(value);
      return Value::map(std::move(items));
    }
  items.emplace_back(*textOf(key), std::move(value));
  return Value::map(std::move(items));
}

Result<Value> field(const Value &record, std::string_view name) {
  if (const Value *found = entry(record, name))
    return *found;
  if (!record.asMap() && !record.asRecord())
    return Error{describe(record) + " has no field `" + std::string(name) +
                 "`"};
  return Error{"no field `" + std::string(name) + "` in the value"};
}

Result<Value> withField(const Value &record, std::string_view name,
                        Value value) {
  const RecordData *data = record.asRecord();
  if (!data)
    return withElement(record, Value::text(std::string(name)),
                       std::move(value));
  std::vector<Value> fields = data->fields;
  for (size_t i = 0; i < fields.size(); ++i)
    if (data->decl->fields[i].name == name) {
      fields[i] = std::move(value);
      return Value::record(data->decl, std::move(fields));
    }
  return Error{data->decl->name + " has no field `" + std::string(name) + "`"};
}

} // namespace sgl
