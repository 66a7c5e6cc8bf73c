// Checked access to a JSON tree. See Reader.h.

#include "ir/plan/Reader.h"

#include <algorithm>

namespace sgl::plan {

std::string Cursor::path() const {
  if (!parent)
    return "";
  std::string before = parent->path();
  if (key.empty())
    return before + "[" + std::to_string(index) + "]";
  return before.empty() ? std::string(key) : before + "." + std::string(key);
}

bool Reader::fail(const Cursor &at, std::string message) {
  if (failure.message.empty()) {
    std::string path = at.path();
    failure.message = path.empty() ? std::move(message) : path + ": " + message;
  }
  return false;
}

bool Reader::number(const Cursor &at, uint64_t limit, uint64_t &out) {
  const int64_t *value = at.value ? at.value->asInt() : nullptr;
  if (!value || *value < 0)
    return fail(at, "expected a whole number from 0");
  if (uint64_t(*value) > limit)
    return fail(at, std::to_string(*value) + " is more than " +
                        std::to_string(limit));
  out = uint64_t(*value);
  return true;
}

bool Reader::number(const Cursor &at, uint32_t &out) {
  uint64_t wide = 0;
  if (!number(at, UINT32_MAX - 1, wide))
    return false;
  out = uint32_t(wide);
  return true;
}

bool Reader::integer(const Cursor &at, int64_t &out) {
  const int64_t *value = at.value ? at.value->asInt() : nullptr;
  if (!value)
    return fail(at, "expected a whole number");
  out = *value;
  return true;
}

bool Reader::text(const Cursor &at, std::string &out) {
  const std::string *value = at.value ? at.value->asText() : nullptr;
  if (!value)
    return fail(at, "expected a text");
  out = *value;
  return true;
}

bool Reader::boolean(const Cursor &at, bool &out) {
  const bool *value = at.value ? at.value->asBool() : nullptr;
  if (!value)
    return fail(at, "expected true or false");
  out = *value;
  return true;
}

bool Reader::numbers(const Cursor &at, std::vector<uint32_t> &out) {
  return list(at, [&](const Cursor &item) {
    out.emplace_back();
    return number(item, out.back());
  });
}

bool Reader::texts(const Cursor &at, std::vector<std::string> &out) {
  return list(at, [&](const Cursor &item) {
    out.emplace_back();
    return text(item, out.back());
  });
}

bool Reader::list(const Cursor &at,
                  const std::function<bool(const Cursor &)> &each) {
  const ListData *items = at.value ? at.value->asList() : nullptr;
  if (!items)
    return fail(at, "expected a list");
  for (size_t i = 0; i < items->size(); ++i)
    if (!each({&(*items)[i], &at, {}, i}))
      return false;
  return true;
}

bool Reader::object(const Cursor &at,
                    const std::function<bool(const Cursor &)> &each) {
  const MapData *items = at.value ? at.value->asMap() : nullptr;
  if (!items)
    return fail(at, "expected an object");
  for (const auto &[key, value] : *items)
    if (!each({&value, &at, key, 0}))
      return false;
  return true;
}

bool Reader::shape(const Cursor &at,
                   std::initializer_list<std::string_view> required,
                   std::initializer_list<std::string_view> optional) {
  auto known = [&](std::string_view key) {
    return std::count(required.begin(), required.end(), key) ||
           std::count(optional.begin(), optional.end(), key);
  };
  if (!object(at, [&](const Cursor &item) {
        return known(item.key) ||
               fail(at, "unknown key \"" + std::string(item.key.substr(0, 60)) +
                            "\"");
      }))
    return false;
  for (std::string_view key : required)
    if (!child(at, key).value)
      return fail(at, "key \"" + std::string(key) + "\" is missing");
  return true;
}

Cursor Reader::child(const Cursor &at, std::string_view key) {
  return {at.value ? entry(*at.value, key) : nullptr, &at, key, 0};
}

} // namespace sgl::plan
