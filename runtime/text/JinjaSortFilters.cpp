// Filters that order, group or pick by a key.
#include "runtime/text/JinjaRun.h"

#include <algorithm>

namespace sgl::jinja {

namespace {

Value foldCase(Run &run, const Value &value) {
  if (!value.text())
    return value;
  run.spend(value.weight());
  return run.charge(mapCase(*value.text(), CaseMode::Lower));
}

/// The sort key of an item: attributes behind commas make a tuple.
Value sortKey(Run &run, const Value &item, const Value *attribute,
              bool caseSensitive) {
  if (!attribute || attribute->isNone())
    return caseSensitive ? item : foldCase(run, item);
  std::string_view list =
      attribute->text() ? attribute->text()->view() : std::string_view();
  std::vector<Value> keys;
  do {
    size_t end = std::min(list.find(','), list.size());
    Value path = attribute->text() ? makeText(list.substr(0, end)) : *attribute;
    Value key = getPath(run, item, path, nullptr);
    keys.push_back(caseSensitive ? key : foldCase(run, key));
    list.remove_prefix(std::min(end + 1, list.size()));
  } while (!list.empty() && !run.failed());
  return keys.size() == 1 ? keys[0] : makeList(std::move(keys), true);
}

using Keyed = std::vector<std::pair<Value, Value>>;

Keyed withKeys(Run &run, const std::vector<Value> &items,
               const Value *attribute, bool caseSensitive) {
  Keyed keyed;
  for (const Value &item : items) {
    if (run.failed() || !run.spend(4))
      break;
    keyed.emplace_back(sortKey(run, item, attribute, caseSensitive), item);
  }
  return keyed;
}

/// Stable. The comparison is a pure function of its operands until it fails
/// and false ever after, which std::stable_sort survives.
void sortKeyed(Run &run, Keyed &keyed, bool reverse) {
  std::stable_sort(keyed.begin(), keyed.end(),
                   [&](const auto &a, const auto &b) {
                     return reverse ? lessThan(run, b.first, a.first)
                                    : lessThan(run, a.first, b.first);
                   });
}

Value valuesOf(Run &run, Keyed keyed) {
  std::vector<Value> items;
  for (auto &[key, value] : keyed)
    items.push_back(std::move(value));
  return run.charge(std::move(items));
}

Value sort(Run &run, const Value &self, const Bound &a) {
  Keyed keyed = withKeys(run, iterate(run, self), a.has(2) ? &a[2] : nullptr,
                         a.flag(1, false));
  // A list compares by == first, so equal keys need no order.
  for (auto &[key, item] : keyed)
    key = makeList({key}, true);
  sortKeyed(run, keyed, a.flag(0, false));
  return run.failed() ? Value() : valuesOf(run, std::move(keyed));
}

Value dictSort(Run &run, const Value &self, const Bound &a) {
  if (!self.dict())
    return run.fail(ErrorClass::Type, "dictsort needs a mapping");
  std::string_view by =
      a.has(1) ? needText(run, a[1], "dictsort").view() : "key";
  if (by != "key" && by != "value")
    return run.fail(ErrorClass::Runtime,
                    "dictsort sorts by 'key' or by 'value'");
  Keyed keyed;
  for (const auto &[key, value] : self.dict()->items) {
    const Value &item = by == "key" ? key : value;
    if (!run.spend(4))
      break;
    keyed.emplace_back(a.flag(0, false) ? item : foldCase(run, item),
                       makeList({key, value}, true));
  }
  sortKeyed(run, keyed, a.flag(2, false));
  return run.failed() ? Value() : valuesOf(run, std::move(keyed));
}

Value unique(Run &run, const Value &self, const Bound &a) {
  Dict seen;
  for (auto &[key, item] :
       withKeys(run, iterate(run, self), a.has(1) ? &a[1] : nullptr,
                a.flag(0, false))) {
    if (!hashable(key))
      return run.fail(ErrorClass::Type,
                      "unhashable type: '" + std::string(key.typeName()) + "'");
    if (!seen.find(key))
      seen.set(key, item);
  }
  std::vector<Value> items;
  for (auto &[key, item] : seen.items)
    items.push_back(item);
  return run.charge(std::move(items));
}

Value extreme(Run &run, const Value &self, const Bound &a, bool largest) {
  Keyed keyed = withKeys(run, iterate(run, self), a.has(1) ? &a[1] : nullptr,
                         a.flag(0, false));
  if (keyed.empty())
    return undefinedBecause("the sequence is empty");
  size_t best = 0;
  for (size_t i = 1; i < keyed.size() && !run.failed(); ++i)
    if (largest ? lessThan(run, keyed[best].first, keyed[i].first)
                : lessThan(run, keyed[i].first, keyed[best].first))
      best = i;
  return keyed[best].second;
}
Value maxOf(Run &run, const Value &self, const Bound &a) {
  return extreme(run, self, a, true);
}
Value minOf(Run &run, const Value &self, const Bound &a) {
  return extreme(run, self, a, false);
}

Value sum(Run &run, const Value &self, const Bound &a) {
  Value total = a.has(1) ? a[1] : Value::integer(0);
  for (const Value &item : iterate(run, self)) {
    if (run.failed())
      break;
    bool whole = !a.has(0) || a[0].isNone();
    total = binaryOperator(run, "+", total,
                           whole ? item : getPath(run, item, a[0], nullptr));
  }
  return total;
}

Value groupBy(Run &run, const Value &self, const Bound &a) {
  const Value *otherwise = a.has(1) && !a[1].isNone() ? &a[1] : nullptr;
  Keyed keyed;
  for (const Value &item : iterate(run, self)) {
    if (!run.spend(8))
      break;
    Value key = getPath(run, item, a[0], otherwise);
    keyed.emplace_back(a.flag(2, false) ? key : foldCase(run, key), item);
  }
  sortKeyed(run, keyed, false);
  std::vector<Value> groups;
  for (size_t i = 0; i < keyed.size() && !run.failed();) {
    std::vector<Value> members;
    size_t first = i;
    for (; i < keyed.size() && equal(keyed[i].first, keyed[first].first); ++i)
      members.push_back(keyed[i].second);
    auto group = std::make_shared<List>(
        *makeList(
             {getPath(run, members[0], a[0], otherwise), makeList(members)},
             true)
             .list());
    group->group = true;
    groups.push_back(Value(ListRef(std::move(group))));
  }
  return run.charge(std::move(groups));
}

const Builtin sortFilters[] = {
    {"dictsort", "case_sensitive by reverse", &dictSort},
    {"groupby", "*attribute default case_sensitive", &groupBy},
    {"max", "case_sensitive attribute", &maxOf},
    {"min", "case_sensitive attribute", &minOf},
    {"sort", "reverse case_sensitive attribute", &sort},
    {"sum", "attribute start", &sum},
    {"unique", "case_sensitive attribute", &unique},
};

} // namespace

const Builtin *findSortFilter(std::string_view name) {
  for (const Builtin &filter : sortFilters)
    if (filter.name == name)
      return &filter;
  return nullptr;
}

} // namespace sgl::jinja
