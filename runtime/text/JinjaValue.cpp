// Truth, equality and lookup of the template language's values.
#include "runtime/text/JinjaValue.h"

#include <algorithm>
#include <cmath>

namespace sgl::jinja {

std::string_view className(ErrorClass kind) {
  switch (kind) {
  case ErrorClass::Syntax:
    return "syntax";
  case ErrorClass::Raise:
    return "raise";
  case ErrorClass::Undefined:
    return "undefined";
  case ErrorClass::Type:
    return "type";
  case ErrorClass::Security:
    return "security";
  case ErrorClass::Runtime:
    return "runtime";
  case ErrorClass::ZeroDivision:
    return "zero_division";
  case ErrorClass::Overflow:
    return "overflow";
  case ErrorClass::Unsupported:
    return "unsupported";
  case ErrorClass::Limit:
    return "limit";
  }
  return "";
}

const Value *Arguments::find(size_t index, std::string_view name) const {
  if (index < positional.size())
    return &positional[index];
  for (const auto &[key, value] : named)
    if (key == name)
      return &value;
  return nullptr;
}

bool Value::asInt(Int &out) const {
  if (const Int *i = integerOnly())
    out = *i;
  else if (const bool *b = boolean())
    out = *b;
  else
    return false;
  return true;
}

bool Value::asDouble(double &out) const {
  Int i;
  if (asInt(i))
    out = static_cast<double>(i);
  else if (const double *f = floating())
    out = *f;
  else
    return false;
  return true;
}

bool Value::truthy() const {
  if (isUndefined() || isNone())
    return false;
  if (double number; asDouble(number))
    return number != 0; // not-a-number is true, as in Python
  if (const Text *t = text())
    return !t->empty();
  if (const List *l = list())
    return !l->items.empty();
  if (const Dict *d = dict())
    return !d->items.empty();
  return true;
}

std::string_view Value::typeName() const {
  if (isUndefined())
    return "Undefined";
  if (isNone())
    return "NoneType";
  if (boolean())
    return "bool";
  if (integerOnly())
    return "int";
  if (floating())
    return "float";
  if (text())
    return "str";
  if (const List *l = list())
    return l->tuple ? "tuple" : "list";
  if (dict())
    return "dict";
  return object()->typeName();
}

unsigned Value::depth() const {
  if (const List *l = list())
    return l->depth;
  if (const Dict *d = dict())
    return d->depth;
  return 0;
}

size_t Value::weight() const {
  if (const Text *t = text())
    return 1 + t->size() / 8;
  if (const List *l = list())
    return l->weight;
  if (const Dict *d = dict())
    return d->weight;
  return 1;
}

/// One string for all keys that are equal: 1, 1.0 and true are one key.
static std::string keyOf(const Value &key) {
  if (const Text *t = key.text())
    return "t" + std::string(t->view());
  if (Int i; key.asInt(i))
    return "n" + intText(i);
  if (const double *f = key.floating()) {
    bool whole = std::nearbyint(*f) == *f && std::fabs(*f) < 1e38;
    return "n" + (whole ? intText(static_cast<Int>(*f)) : floatText(*f));
  }
  if (const List *l = key.list()) {
    std::string all = "(";
    for (const Value &item : l->items) {
      std::string one = keyOf(item);
      all += std::to_string(one.size()) + ":" + one;
    }
    return all;
  }
  if (const Object *o = key.object())
    return "o" + std::to_string(reinterpret_cast<uintptr_t>(o));
  return key.isNone() ? "N" : "U";
}

const Value *Dict::find(std::string_view key) const {
  auto found = index.find("t" + std::string(key));
  return found == index.end() ? nullptr : &items[found->second].second;
}

const Value *Dict::find(const Value &key) const {
  auto found = index.find(keyOf(key));
  return found == index.end() ? nullptr : &items[found->second].second;
}

void Dict::set(Value key, Value value) {
  depth = std::max({depth, 1 + value.depth(), 1 + key.depth()});
  weight += key.weight() + value.weight();
  auto [place, isNew] = index.emplace(keyOf(key), items.size());
  if (isNew)
    items.emplace_back(std::move(key), std::move(value));
  else
    items[place->second].second = std::move(value);
}

Value makeList(std::vector<Value> items, bool tuple) {
  auto list = std::make_shared<List>();
  for (const Value &item : items) {
    list->depth = std::max(list->depth, 1 + item.depth());
    list->weight += item.weight();
  }
  list->items = std::move(items);
  list->tuple = tuple;
  return Value(ListRef(std::move(list)));
}

Value makeDict(Dict dict) {
  return Value(DictRef(std::make_shared<const Dict>(std::move(dict))));
}

Value undefinedBecause(std::string message, ErrorClass kind) {
  return Value(
      std::make_shared<const Missing>(Missing{std::move(message), kind}));
}

static bool equalLists(const List &a, const List &b) {
  if (a.tuple != b.tuple || a.items.size() != b.items.size())
    return false;
  for (size_t i = 0; i < a.items.size(); ++i)
    if (!equal(a.items[i], b.items[i]))
      return false;
  return true;
}

static bool equalDicts(const Dict &a, const Dict &b) {
  if (a.items.size() != b.items.size())
    return false;
  for (const auto &[key, value] : a.items) {
    const Value *other = b.find(key);
    if (!other || !equal(value, *other))
      return false;
  }
  return true;
}

bool equal(const Value &a, const Value &b) {
  Int i, j;
  if (a.asInt(i) && b.asInt(j))
    return i == j;
  double x, y;
  if (a.asDouble(x) && b.asDouble(y))
    return x == y;
  if (a.text() && b.text())
    return a.text()->view() == b.text()->view();
  if (a.list() && b.list())
    return a.list() == b.list() || equalLists(*a.list(), *b.list());
  if (a.dict() && b.dict())
    return a.dict() == b.dict() || equalDicts(*a.dict(), *b.dict());
  if (a.object() && b.object())
    return a.object() == b.object();
  return (a.isUndefined() && b.isUndefined()) || (a.isNone() && b.isNone());
}

bool hashable(const Value &value) {
  if (value.dict())
    return false;
  const List *list = value.list();
  if (!list)
    return true;
  return list->tuple &&
         std::all_of(list->items.begin(), list->items.end(), hashable);
}

} // namespace sgl::jinja
