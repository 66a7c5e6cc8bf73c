// Filters over sequences, dicts and numbers, and the list of all filters.
#include "runtime/text/JinjaParser.h"
#include "runtime/text/JinjaRun.h"

#include <algorithm>
#include <cmath>

namespace sgl::jinja {

namespace {

/// `a.b.0` of an item, part by part; `otherwise` (may be null) stands in for
/// what is undefined.
Value getPath(Run &run, Value item, const Value &path, const Value *otherwise) {
  if (Int number; path.asInt(number)) {
    item = getItem(run, item, path);
    return item.isUndefined() && otherwise ? *otherwise : item;
  }
  std::string_view rest = needText(run, path, "attribute").view();
  while (!run.failed()) {
    size_t end = std::min(rest.find('.'), rest.size());
    std::string_view part = rest.substr(0, end);
    bool digits =
        !part.empty() && part.size() < 10 &&
        part.find_first_not_of("0123456789") == std::string_view::npos;
    item = getItem(run, item,
                   digits ? Value::integer(std::stoi(std::string(part)))
                          : makeText(part));
    if (item.isUndefined() && otherwise)
      item = *otherwise;
    if (end == rest.size())
      break;
    rest.remove_prefix(end + 1);
  }
  return item;
}

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

Value undefinedBecause(std::string why) {
  return Value(std::make_shared<const Missing>(Missing{std::move(why)}));
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

Value defaultValue(Run &, const Value &self, const Bound &a) {
  if (self.isUndefined() || (a.flag(1, false) && !self.truthy()))
    return a.has(0) ? a[0] : makeText("");
  return self;
}

Value join(Run &run, const Value &self, const Bound &a) {
  Text all, separator = a.has(0) ? run.print(a[0]) : Text();
  bool first = true;
  for (const Value &item : iterate(run, self)) {
    if (!std::exchange(first, false))
      all.append(separator);
    bool whole = !a.has(1) || a[1].isNone();
    all.append(run.print(whole ? item : getPath(run, item, a[1], nullptr)));
    if (!run.spend(1 + separator.size() / 8))
      return {};
  }
  return run.charge(std::move(all));
}

Value length(Run &run, const Value &self, const Bound &) {
  return Value(Int(lengthOf(run, self)));
}

Value first(Run &run, const Value &self, const Bound &) {
  auto items = iterate(run, self);
  return items.empty() ? undefinedBecause("the sequence is empty") : items[0];
}
Value last(Run &run, const Value &self, const Bound &) {
  auto items = iterate(run, self);
  return items.empty() ? undefinedBecause("the sequence is empty")
                       : items.back();
}

Value list(Run &run, const Value &self, const Bound &) {
  return run.charge(iterate(run, self));
}

Value items(Run &run, const Value &self, const Bound &) {
  if (self.isUndefined())
    return run.charge(std::vector<Value>());
  if (!self.dict())
    return run.fail(ErrorClass::Type, "items needs a mapping");
  return callBuiltin(run, *findMethod(self, "items"), self, {});
}

Value reverse(Run &run, const Value &self, const Bound &) {
  auto parts = iterate(run, self);
  std::reverse(parts.begin(), parts.end());
  if (!self.text())
    return run.charge(std::move(parts));
  Text text;
  for (const Value &part : parts)
    text.append(*part.text());
  return run.charge(std::move(text));
}

Value batch(Run &run, const Value &self, const Bound &a) {
  Int size = needInt(run, a[0], "batch");
  if (run.failed() || size < 1)
    return run.fail(ErrorClass::Runtime, "batch needs a positive size");
  std::vector<Value> rows, row;
  for (Value &item : iterate(run, self)) {
    row.push_back(std::move(item));
    if (Int(row.size()) == size)
      rows.push_back(run.charge(std::exchange(row, {})));
  }
  if (!row.empty()) {
    while (a.has(1) && !a[1].isNone() && Int(row.size()) < size && run.spend(1))
      row.push_back(a[1]);
    rows.push_back(run.charge(std::move(row)));
  }
  return run.charge(std::move(rows));
}

Value sliceInto(Run &run, const Value &self, const Bound &a) {
  Int count = needInt(run, a[0], "slice");
  if (run.failed() || count < 1 ||
      !run.spend(size_t(std::min<Int>(count, 1 << 30))))
    return run.fail(ErrorClass::Runtime, "slice needs a positive count");
  auto all = iterate(run, self);
  size_t slices = size_t(count), each = all.size() / slices,
         extra = all.size() % slices, at = 0;
  std::vector<Value> rows;
  for (size_t i = 0; i < slices && !run.failed(); ++i) {
    size_t size = each + (i < extra);
    std::vector<Value> row(all.begin() + std::ptrdiff_t(at),
                           all.begin() + std::ptrdiff_t(at + size));
    at += size;
    if (a.has(1) && !a[1].isNone() && i >= extra)
      row.push_back(a[1]);
    rows.push_back(run.charge(std::move(row)));
  }
  return run.charge(std::move(rows));
}

/// The arguments behind the first `count` positional ones.
Arguments behind(const Bound &a, size_t count) {
  Arguments rest = a.raw;
  rest.positional.erase(
      rest.positional.begin(),
      rest.positional.begin() +
          std::ptrdiff_t(std::min(count, rest.positional.size())));
  return rest;
}

Value map(Run &run, const Value &self, const Bound &a) {
  const Value *attribute = nullptr, *otherwise = nullptr;
  for (const auto &[key, value] : a.raw.named) {
    attribute = key == "attribute" ? &value : attribute;
    otherwise = key == "default" ? &value : otherwise;
  }
  bool byFilter = !a.raw.positional.empty();
  if (!byFilter && !attribute)
    return run.fail(ErrorClass::Runtime,
                    "map needs the name of a filter or attribute=");
  std::string name;
  if (byFilter)
    name = needText(run, a.raw.positional[0], "map").view();
  std::vector<Value> mapped;
  for (const Value &item : iterate(run, self)) {
    if (run.failed())
      break;
    mapped.push_back(byFilter ? run.applyFilter(name, item, behind(a, 1))
                              : getPath(run, item, *attribute, otherwise));
  }
  return run.charge(std::move(mapped));
}

Value choose(Run &run, const Value &self, const Bound &a, bool byAttribute,
             bool keep) {
  const auto &given = a.raw.positional;
  if (byAttribute && given.empty())
    return run.fail(ErrorClass::Runtime, "the name of an attribute is missing");
  bool hasTest = given.size() > byAttribute;
  std::string test;
  if (hasTest)
    test = needText(run, given[byAttribute], "select").view();
  std::vector<Value> kept;
  for (const Value &item : iterate(run, self)) {
    if (run.failed())
      break;
    Value subject = byAttribute ? getPath(run, item, given[0], nullptr) : item;
    bool fits = hasTest
                    ? run.applyTest(test, subject, behind(a, byAttribute + 1u))
                    : subject.truthy();
    if (fits == keep)
      kept.push_back(item);
  }
  return run.charge(std::move(kept));
}
template <bool byAttribute, bool keep>
Value chooseBy(Run &run, const Value &self, const Bound &a) {
  return choose(run, self, a, byAttribute, keep);
}

Value attr(Run &run, const Value &self, const Bound &a) {
  needText(run, a[0], "attr");
  if (run.failed() || self.dict())
    return {};
  return getAttribute(run, self, a[0].text()->view());
}

Value absolute(Run &run, const Value &self, const Bound &) {
  if (Int i; self.asInt(i))
    return i < 0 ? negative(run, self) : Value(i);
  if (const double *f = self.floating())
    return Value(std::fabs(*f));
  if (self.isUndefined())
    return run.failUndefined(self);
  return run.fail(ErrorClass::Type, "abs needs a number");
}

Value roundNumber(Run &run, const Value &self, const Bound &a) {
  Int precision = a.has(0) ? needInt(run, a[0], "round") : 0;
  std::string_view method =
      a.has(1) ? needText(run, a[1], "round").view() : "common";
  double value;
  if (!self.asDouble(value))
    return self.isUndefined()
               ? run.failUndefined(self)
               : run.fail(ErrorClass::Type, "round needs a number");
  if (method != "common" && method != "ceil" && method != "floor")
    return run.fail(ErrorClass::Runtime,
                    "round rounds 'common', 'ceil' or 'floor'");
  if (precision > 300 || precision < -300)
    return run.fail(ErrorClass::Overflow, "round: precision out of range");
  double scale = std::pow(10.0, double(precision));
  if (method != "common")
    return Value((method == "ceil" ? std::ceil(value * scale)
                                   : std::floor(value * scale)) /
                 scale);
  if (self.integerOnly() && precision >= 0)
    return self;
  if (precision < 0) {
    double rounded = std::nearbyint(value * scale) / scale;
    return self.integerOnly() ? Value(Int(rounded)) : Value(rounded);
  }
  char buffer[1024]; // printf rounds the exact binary value, half to even
  std::snprintf(buffer, sizeof buffer, "%.*f", int(precision), value);
  return Value(std::strtod(buffer, nullptr));
}

const Builtin filters[] = {
    {"abs", "", &absolute},
    {"attr", "*name", &attr},
    {"batch", "*linecount fill_with", &batch},
    {"count", "", &length},
    {"d", "default_value boolean", &defaultValue},
    {"default", "default_value boolean", &defaultValue},
    {"dictsort", "case_sensitive by reverse", &dictSort},
    {"first", "", &first},
    {"groupby", "*attribute default case_sensitive", &groupBy},
    {"items", "", &items},
    {"join", "d attribute", &join},
    {"last", "", &last},
    {"length", "", &length},
    {"list", "", &list},
    {"map", "...", &map},
    {"max", "case_sensitive attribute", &maxOf},
    {"min", "case_sensitive attribute", &minOf},
    {"reject", "...", &chooseBy<false, false>},
    {"rejectattr", "...", &chooseBy<true, false>},
    {"reverse", "", &reverse},
    {"round", "precision method", &roundNumber},
    {"select", "...", &chooseBy<false, true>},
    {"selectattr", "...", &chooseBy<true, true>},
    {"slice", "*slices fill_with", &sliceInto},
    {"sort", "reverse case_sensitive attribute", &sort},
    {"sum", "attribute start", &sum},
    {"unique", "case_sensitive attribute", &unique},
};

constexpr std::string_view refused[] = {
    "filesizeformat", "pprint", "random", "urlize", "wordwrap", "xmlattr"};

} // namespace

const Builtin *findFilter(std::string_view name) {
  for (const Builtin &filter : filters)
    if (filter.name == name)
      return &filter;
  return findTextFilter(name);
}

bool isFilter(std::string_view name) { return findFilter(name) != nullptr; }

bool isRefusedFilter(std::string_view name) {
  return std::find(std::begin(refused), std::end(refused), name) !=
         std::end(refused);
}

} // namespace sgl::jinja
