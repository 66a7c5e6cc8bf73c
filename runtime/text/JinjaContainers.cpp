// Methods of lists, tuples and dicts. All are immutable: methods that would
// change one are known by name, so that using them is refused as such.
#include "runtime/text/JinjaRun.h"

#include <algorithm>

namespace sgl::jinja {

namespace {

Value dictGet(Run &run, const Value &self, const Bound &a) {
  const Value *found = hashable(a[0]) ? self.dict()->find(a[0]) : nullptr;
  if (found)
    return *found;
  return a.has(1) ? a[1] : Value(None{});
}

Value dictKeys(Run &run, const Value &self, const Bound &) {
  return run.charge(iterate(run, self));
}

Value dictValues(Run &run, const Value &self, const Bound &) {
  std::vector<Value> values;
  for (const auto &[key, value] : self.dict()->items)
    values.push_back(value);
  return run.charge(std::move(values));
}

Value dictItems(Run &run, const Value &self, const Bound &) {
  std::vector<Value> pairs;
  if (!run.spend(4 * self.dict()->items.size()))
    return {};
  for (const auto &[key, value] : self.dict()->items)
    pairs.push_back(makeList({key, value}, true));
  return run.charge(std::move(pairs));
}

Value same(Run &, const Value &self, const Bound &) { return self; }

Value listCount(Run &run, const Value &self, const Bound &a) {
  run.spend(self.weight());
  Int count = 0;
  for (const Value &item : self.list()->items)
    count += equal(item, a[0]);
  return Value(count);
}

Value listIndex(Run &run, const Value &self, const Bound &a) {
  run.spend(self.weight());
  const auto &items = self.list()->items;
  for (size_t i = 0; i < items.size(); ++i)
    if (equal(items[i], a[0]))
      return Value(Int(i));
  return run.fail(ErrorClass::Runtime, "index: the value is not in the list");
}

const Builtin dictMethods[] = {
    {"get", "*key default", &dictGet},
    {"keys", "", &dictKeys},
    {"values", "", &dictValues},
    {"items", "", &dictItems},
    {"copy", "", &same},
};
const Builtin listMethods[] = {
    {"count", "*value", &listCount},
    {"index", "*value", &listIndex},
    {"copy", "", &same},
};
constexpr std::string_view dictMutators[] = {"clear", "pop", "popitem",
                                             "setdefault", "update"};
constexpr std::string_view listMutators[] = {
    "append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort"};

template <typename Range>
bool names(const Range &range, std::string_view name) {
  return std::find(std::begin(range), std::end(range), name) != std::end(range);
}

} // namespace

const Builtin *findContainerMethod(const Value &self, std::string_view name) {
  auto search = [&](const auto &methods) -> const Builtin * {
    for (const Builtin &method : methods)
      if (method.name == name)
        return &method;
    return nullptr;
  };
  if (self.dict())
    return search(dictMethods);
  const List *list = self.list();
  if (!list || (list->tuple && name == "copy"))
    return nullptr;
  return search(listMethods);
}

bool isMutatingMethod(const Value &self, std::string_view name) {
  if (self.dict())
    return names(dictMutators, name);
  return self.list() && !self.list()->tuple && names(listMutators, name);
}

} // namespace sgl::jinja
