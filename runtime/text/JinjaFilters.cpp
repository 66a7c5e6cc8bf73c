// Filters over sequences, dicts and numbers, and the list of all filters.
#include "runtime/text/JinjaParser.h"
#include "runtime/text/JinjaRun.h"

#include <algorithm>
#include <cmath>

namespace sgl::jinja {

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

namespace {

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
  if (!self.isUndefined() && !self.text() && !self.list() && !self.dict())
    return run.fail(ErrorClass::Runtime, "reverse needs a sequence");
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
  Int whole;
  bool isInt = self.asInt(whole);
  if (isInt && precision >= 0)
    return Value(whole);
  if (precision < 0) {
    double rounded = std::nearbyint(value * scale) / scale;
    return isInt ? Value(Int(rounded)) : Value(rounded);
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
    {"first", "", &first},
    {"items", "", &items},
    {"join", "d attribute", &join},
    {"last", "", &last},
    {"length", "", &length},
    {"list", "", &list},
    {"map", "...", &map},
    {"reject", "...", &chooseBy<false, false>},
    {"rejectattr", "...", &chooseBy<true, false>},
    {"reverse", "", &reverse},
    {"round", "precision method", &roundNumber},
    {"select", "...", &chooseBy<false, true>},
    {"selectattr", "...", &chooseBy<true, true>},
    {"slice", "*slices fill_with", &sliceInto},
};

constexpr std::string_view refused[] = {
    "filesizeformat", "pprint", "random", "urlize", "wordwrap", "xmlattr"};

} // namespace

const Builtin *findFilter(std::string_view name) {
  for (const Builtin &filter : filters)
    if (filter.name == name)
      return &filter;
  if (const Builtin *filter = findSortFilter(name))
    return filter;
  return findTextFilter(name);
}

bool isFilter(std::string_view name) { return findFilter(name) != nullptr; }

bool isRefusedFilter(std::string_view name) {
  return std::find(std::begin(refused), std::end(refused), name) !=
         std::end(refused);
}

} // namespace sgl::jinja
