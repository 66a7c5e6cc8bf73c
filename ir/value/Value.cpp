// Construction, access and equality of values. See Value.h.

#include "ir/value/Value.h"

#include <algorithm>
#include <cmath>

namespace sgl {

namespace {

template <typename Range>
uint32_t depthAround(const Range &items) {
  uint32_t deepest = 0;
  for (const Value &item : items)
    deepest = std::max(deepest, item.depth());
  return deepest + 1;
}

} // namespace

Value Value::boolean(bool b) {
  Value v;
  v.data = b;
  return v;
}

Value Value::integer(int64_t i) {
  Value v;
  v.data = i;
  return v;
}

Value Value::number(double d) {
  assert(std::isfinite(d) && "a float of the language is finite");
  Value v;
  v.data = d;
  return v;
}

Value Value::text(std::string s) {
  Value v;
  v.data = std::make_shared<const std::string>(std::move(s));
  return v;
}

Value Value::list(ListData items) {
  Value v;
  uint32_t depth = depthAround(items);
  v.data = std::make_shared<const Box<ListData>>(
      Box<ListData>{std::move(items), depth});
  return v;
}

Value Value::map(MapData items) {
  uint32_t depth = 0;
  for (const auto &[key, value] : items)
    depth = std::max(depth, value.depth());
  Value v;
  v.data = std::make_shared<const Box<MapData>>(
      Box<MapData>{std::move(items), depth + 1});
  return v;
}

Value Value::record(const RecordDecl *decl, std::vector<Value> fields) {
  assert(decl && decl->fields.size() == fields.size() &&
         "a record has one value for each field");
  uint32_t depth = depthAround(fields);
  Value v;
  v.data = std::make_shared<const Box<RecordData>>(
      Box<RecordData>{{decl, std::move(fields)}, depth});
  return v;
}

Value Value::enumeration(const EnumDecl *decl, uint32_t member) {
  assert(decl && member < decl->members.size() && "member of the enum");
  Value v;
  v.data = EnumValue{decl, member};
  return v;
}

Value Value::state(std::shared_ptr<const Opaque> state) {
  Value v;
  v.data = StateBox{std::move(state)};
  return v;
}

Value Value::media(std::shared_ptr<const Opaque> media) {
  Value v;
  v.data = MediaBox{std::move(media)};
  return v;
}

const std::string *Value::asText() const {
  auto *p = std::get_if<std::shared_ptr<const std::string>>(&data);
  return p ? p->get() : nullptr;
}

const ListData *Value::asList() const {
  auto *p = std::get_if<std::shared_ptr<const Box<ListData>>>(&data);
  return p ? &(*p)->items : nullptr;
}

const MapData *Value::asMap() const {
  auto *p = std::get_if<std::shared_ptr<const Box<MapData>>>(&data);
  return p ? &(*p)->items : nullptr;
}

const RecordData *Value::asRecord() const {
  auto *p = std::get_if<std::shared_ptr<const Box<RecordData>>>(&data);
  return p ? &(*p)->items : nullptr;
}

std::shared_ptr<const Opaque> Value::asState() const {
  auto *box = std::get_if<StateBox>(&data);
  return box ? box->ptr : nullptr;
}

std::shared_ptr<const Opaque> Value::asMedia() const {
  auto *box = std::get_if<MediaBox>(&data);
  return box ? box->ptr : nullptr;
}

uint32_t Value::depth() const {
  if (auto *p = std::get_if<std::shared_ptr<const Box<ListData>>>(&data))
    return (*p)->depth;
  if (auto *p = std::get_if<std::shared_ptr<const Box<MapData>>>(&data))
    return (*p)->depth;
  if (auto *p = std::get_if<std::shared_ptr<const Box<RecordData>>>(&data))
    return (*p)->depth;
  return 0;
}

const std::string *textOf(const Value &value) {
  if (auto *e = value.asEnum())
    return &e->decl->members[e->member].text;
  return value.asText();
}

const Value *entry(const Value &aggregate, std::string_view key) {
  if (auto *map = aggregate.asMap()) {
    for (const auto &[name, value] : *map)
      if (name == key)
        return &value;
    return nullptr;
  }
  if (auto *record = aggregate.asRecord())
    for (size_t i = 0; i < record->fields.size(); ++i)
      if (record->decl->fields[i].name == key)
        return &record->fields[i];
  return nullptr;
}

int compareNumbers(const Value &a, const Value &b) {
  if (a.asInt() && b.asInt())
    return *a.asInt() < *b.asInt() ? -1 : *a.asInt() > *b.asInt();
  if (a.asFloat() && b.asFloat())
    return *a.asFloat() < *b.asFloat() ? -1 : *a.asFloat() > *b.asFloat();
  if (a.asFloat())
    return -compareNumbers(b, a);
  // An int and a float, without rounding the int: compare whole parts first.
  int64_t i = *a.asInt();
  double f = *b.asFloat();
  if (f >= 0x1p63)
    return -1;
  if (f < -0x1p63)
    return 1;
  double whole = std::trunc(f);
  int64_t part = int64_t(whole);
  if (i != part)
    return i < part ? -1 : 1;
  return f > whole ? -1 : f < whole;
}

namespace {

bool isNumber(const Value &v) { return v.asInt() || v.asFloat(); }

size_t entryCount(const Value &v) {
  if (auto *map = v.asMap())
    return map->size();
  return v.asRecord() ? v.asRecord()->fields.size() : 0;
}

/// Maps in any order; a record that stands as a json equals the map with its
/// fields.
bool equalEntries(const Value &a, const Value &b) {
  if (entryCount(a) != entryCount(b))
    return false;
  auto same = [&](std::string_view key, const Value &value) {
    const Value *other = entry(b, key);
    return other && equal(value, *other);
  };
  if (auto *record = a.asRecord()) {
    for (size_t i = 0; i < record->fields.size(); ++i)
      if (!same(record->decl->fields[i].name, record->fields[i]))
        return false;
    return true;
  }
  // Long maps: look up by order first, which is the common case.
  auto *map = a.asMap(), *other = b.asMap();
  for (size_t i = 0; i < map->size(); ++i) {
    const auto &[key, value] = (*map)[i];
    if (other && (*other)[i].first == key) {
      if (!equal(value, (*other)[i].second))
        return false;
    } else if (!same(key, value)) {
      return false;
    }
  }
  return true;
}

} // namespace

bool equal(const Value &a, const Value &b) {
  if (a.isNull() || b.isNull())
    return a.isNull() && b.isNull();
  if (a.asBool() || b.asBool())
    return a.asBool() && b.asBool() && *a.asBool() == *b.asBool();
  if (isNumber(a) || isNumber(b))
    return isNumber(a) && isNumber(b) && compareNumbers(a, b) == 0;
  if (const std::string *text = textOf(a))
    return textOf(b) && *text == *textOf(b);
  if (auto *list = a.asList())
    return b.asList() &&
           std::equal(list->begin(), list->end(), b.asList()->begin(),
                      b.asList()->end(), equal);
  if ((a.asMap() || a.asRecord()) && (b.asMap() || b.asRecord()))
    return equalEntries(a, b);
  return false;
}

} // namespace sgl
