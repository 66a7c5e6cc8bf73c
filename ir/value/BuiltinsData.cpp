// Built-ins on lists, maps and json: json parse_json keys values get or_else
// append concat reverse sort sort_by unique zip range sum min max mean count
// majority. Sorting is stable and ascending; ties go to the first.

#include "ir/value/BuiltinSupport.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace sgl {

namespace {

Result<Value> toJsonText(Args args) {
  if (args[0].asState() || args[0].asMedia())
    return expected("something printable", args[0]);
  return Value::text(toJson(args[0]));
}

Result<Value> parse(Args args) {
  auto text = textArg(args[0]);
  if (!text)
    return text.error();
  return parseJson(*text);
}

MapData entriesOf(const Value &value) {
  if (auto *map = value.asMap())
    return *map;
  MapData out;
  if (auto *record = value.asRecord())
    for (size_t i = 0; i < record->fields.size(); ++i)
      out.emplace_back(record->decl->fields[i].name, record->fields[i]);
  return out;
}

Result<Value> keys(Args args) {
  if (!args[0].asMap() && !args[0].asRecord())
    return expected("a map", args[0]);
  ListData out;
  for (auto &[key, value] : entriesOf(args[0]))
    out.push_back(Value::text(key));
  return Value::list(std::move(out));
}

Result<Value> values(Args args) {
  if (!args[0].asMap() && !args[0].asRecord())
    return expected("a map", args[0]);
  ListData out;
  for (auto &[key, value] : entriesOf(args[0]))
    out.push_back(value);
  return Value::list(std::move(out));
}

/// Null where the key or index is missing.
Result<Value> get(Args args) {
  const Value &whole = args[0], &key = args[1];
  if (auto *list = whole.asList()) {
    auto index = intArg(key);
    if (!index)
      return index.error();
    return *index >= 0 && uint64_t(*index) < list->size()
               ? (*list)[size_t(*index)]
               : Value::null();
  }
  if (!whole.asMap() && !whole.asRecord())
    return expected("a map or a list", whole);
  auto name = textArg(key);
  if (!name)
    return name.error();
  const Value *found = entry(whole, *name);
  return found ? *found : Value::null();
}

Result<Value> orElse(Args args) { return args[0].isNull() ? args[1] : args[0]; }

Result<Value> append(Args args) {
  auto list = listArg(args[0]);
  if (!list)
    return list.error();
  if ((*list)->size() >= maxElements)
    return Error{"list is longer than " + std::to_string(maxElements)};
  ListData out;
  out.reserve((*list)->size() + 1);
  out = **list;
  out.push_back(args[1]);
  return Value::list(std::move(out));
}

/// concat(a, b) of two lists, concat(xs) of a list of lists.
Result<Value> concat(Args args) {
  std::vector<const Value *> parts;
  if (args.size() == 1) {
    auto lists = listArg(args[0]);
    if (!lists)
      return lists.error();
    for (const Value &part : **lists)
      parts.push_back(&part);
  } else {
    for (const Value &part : args)
      parts.push_back(&part);
  }
  ListData out;
  for (const Value *part : parts) {
    auto list = listArg(*part);
    if (!list)
      return list.error();
    if (out.size() + (*list)->size() > maxElements)
      return Error{"list is longer than " + std::to_string(maxElements)};
    out.insert(out.end(), (*list)->begin(), (*list)->end());
  }
  return Value::list(std::move(out));
}

Result<Value> reverse(Args args) {
  auto list = listArg(args[0]);
  if (!list)
    return list.error();
  return Value::list(ListData((*list)->rbegin(), (*list)->rend()));
}

/// Sorts `items` by `keys`, which are all numbers or all texts.
Result<Value> sortBy(const ListData &items, const std::vector<Value> &keys) {
  bool numbers = true, texts = true;
  for (const Value &key : keys) {
    numbers &= isNumber(key);
    texts &= textOf(key) != nullptr;
  }
  if (!numbers && !texts)
    return Error{"only numbers or texts can be sorted"};
  std::vector<size_t> order(items.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return numbers ? compareNumbers(keys[a], keys[b]) < 0
                   : *textOf(keys[a]) < *textOf(keys[b]);
  });
  ListData out;
  out.reserve(items.size());
  for (size_t i : order)
    out.push_back(items[i]);
  return Value::list(std::move(out));
}

Result<Value> sortList(Args args) {
  auto list = listArg(args[0]);
  if (!list)
    return list.error();
  return sortBy(**list, **list);
}

Result<Value> sortByField(Args args) {
  auto list = listArg(args[0]);
  auto name = textArg(args[1]);
  if (!list || !name)
    return list ? name.error() : list.error();
  std::vector<Value> keys;
  for (const Value &item : **list) {
    auto key = field(item, *name);
    if (!key)
      return key.error();
    keys.push_back(*key);
  }
  return sortBy(**list, keys);
}

/// Equal values have equal identities: numbers by value, maps in any order.
std::string identity(const Value &v) {
  if (auto *f = v.asFloat())
    if (*f == std::trunc(*f) && *f >= -0x1p63 && *f < 0x1p63)
      return std::to_string(int64_t(*f));
  if (auto *list = v.asList()) {
    std::string out = "[";
    for (const Value &item : *list)
      out += identity(item) + ",";
    return out + "]";
  }
  if (!v.asMap() && !v.asRecord())
    return toJson(v);
  std::map<std::string, std::string> sorted;
  for (auto &[key, value] : entriesOf(v))
    sorted.emplace(key, identity(value));
  std::string out = "{";
  for (auto &[key, value] : sorted)
    out += toJson(Value::text(key)) + ":" + value + ",";
  return out + "}";
}

Result<Value> unique(Args args) {
  auto list = listArg(args[0]);
  if (!list)
    return list.error();
  std::unordered_set<std::string> seen;
  ListData out;
  for (const Value &item : **list)
    if (seen.insert(identity(item)).second)
      out.push_back(item);
  return Value::list(std::move(out));
}

Result<Value> zip(Args args) {
  auto a = listArg(args[0]), b = listArg(args[1]);
  if (!a || !b)
    return a ? b.error() : a.error();
  if ((*a)->size() != (*b)->size())
    return Error{"zip needs lists of one length, not " +
                 std::to_string((*a)->size()) + " and " +
                 std::to_string((*b)->size())};
  ListData out;
  for (size_t i = 0; i < (*a)->size(); ++i)
    out.push_back(Value::map({{"first", (**a)[i]}, {"second", (**b)[i]}}));
  return Value::list(std::move(out));
}

Result<Value> range(Args args) {
  auto from = intArg(args[0]), to = intArg(args[1]);
  if (!from || !to)
    return from ? to.error() : from.error();
  if (*from >= *to)
    return Value::list({});
  uint64_t count = uint64_t(*to) - uint64_t(*from);
  if (count > maxElements)
    return Error{"range of " + std::to_string(count) +
                 " numbers is longer than " + std::to_string(maxElements)};
  ListData out;
  out.reserve(count);
  for (uint64_t i = 0; i < count; ++i)
    out.push_back(Value::integer(*from + int64_t(i)));
  return Value::list(std::move(out));
}

Result<Value> sum(Args args) {
  auto list = listArg(args[0]);
  if (!list)
    return list.error();
  Value total = Value::integer(0);
  for (const Value &item : **list) {
    if (!isNumber(item))
      return expected("a number", item);
    auto next = applyBinary("add", total, item);
    if (!next)
      return next.error();
    total = *next;
  }
  return total;
}

Result<Value> extreme(const Value &value, std::string_view name,
                      std::string_view better) {
  auto list = listArg(value);
  if (!list)
    return list.error();
  if ((*list)->empty())
    return Error{std::string(name) + " of an empty list"};
  Value best = (**list)[0];
  for (const Value &item : **list) {
    auto wins = applyBinary(better, item, best);
    if (!wins)
      return wins.error();
    if (*wins->asBool())
      best = item;
  }
  return best;
}
Result<Value> minimum(Args args) { return extreme(args[0], "min", "lt"); }
Result<Value> maximum(Args args) { return extreme(args[0], "max", "gt"); }

Result<Value> mean(Args args) {
  auto list = listArg(args[0]);
  if (!list)
    return list.error();
  if ((*list)->empty())
    return Error{"mean of an empty list"};
  double total = 0;
  for (const Value &item : **list) {
    if (!isNumber(item))
      return expected("a number", item);
    total += asDouble(item);
  }
  return finite(total / double((*list)->size()));
}

Result<Value> count(Args args) {
  auto list = listArg(args[0]);
  if (!list)
    return list.error();
  int64_t found = 0;
  for (const Value &item : **list)
    found += equal(item, args[1]);
  return Value::integer(found);
}

Result<Value> majority(Args args) {
  auto list = listArg(args[0]);
  if (!list)
    return list.error();
  if ((*list)->empty())
    return Error{"majority of an empty list"};
  std::unordered_map<std::string, size_t> votes;
  std::vector<size_t> first, tally;
  for (size_t i = 0; i < (*list)->size(); ++i) {
    auto [it, fresh] = votes.emplace(identity((**list)[i]), first.size());
    if (fresh) {
      first.push_back(i);
      tally.push_back(0);
    }
    ++tally[it->second];
  }
  size_t best =
      size_t(std::max_element(tally.begin(), tally.end()) - tally.begin());
  return (**list)[first[best]];
}

constexpr Builtin table[] = {
    {"json", 1, 1, toJsonText},
    {"parse_json", 1, 1, parse},
    {"keys", 1, 1, keys},
    {"values", 1, 1, values},
    {"get", 2, 2, get},
    {"or_else", 2, 2, orElse},
    {"append", 2, 2, append},
    {"concat", 1, 2, concat},
    {"reverse", 1, 1, reverse},
    {"sort", 1, 1, sortList},
    {"sort_by", 2, 2, sortByField},
    {"unique", 1, 1, unique},
    {"zip", 2, 2, zip},
    {"range", 2, 2, range},
    {"sum", 1, 1, sum},
    {"min", 1, 1, minimum},
    {"max", 1, 1, maximum},
    {"mean", 1, 1, mean},
    {"count", 2, 2, count},
    {"majority", 1, 1, majority},
};

} // namespace

std::span<const Builtin> dataBuiltins() { return table; }

} // namespace sgl
