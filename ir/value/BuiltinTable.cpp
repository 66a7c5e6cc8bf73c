// The table of all built-ins and what they share. See Builtins.h.

#include "ir/value/BuiltinSupport.h"

#include <algorithm>
#include <map>

namespace sgl {

std::string describe(const Value &v) {
  if (v.isNull())
    return "null";
  if (v.asBool())
    return *v.asBool() ? "true" : "false";
  if (isNumber(v))
    return toJson(v);
  if (v.asList())
    return "a list";
  if (v.asMap())
    return "a map";
  if (v.asRecord())
    return "a " + v.asRecord()->decl->name;
  if (!textOf(v))
    return v.asState() ? "a state" : "media";
  std::string text = toJson(v);
  return text.size() <= 60 ? "the text " + text : "a text";
}

Result<const ListData *> listArg(const Value &value) {
  if (!value.asList())
    return expected("a list", value);
  return value.asList();
}

Result<std::string_view> textArg(const Value &value) {
  if (!textOf(value))
    return expected("a text", value);
  return std::string_view(*textOf(value));
}

Result<int64_t> intArg(const Value &value) {
  if (!value.asInt())
    return expected("an int", value);
  return *value.asInt();
}

std::span<const Builtin> allBuiltins() {
  static const std::vector<Builtin> all = [] {
    std::vector<Builtin> list;
    for (auto part : {textBuiltins(), dataBuiltins(), numberBuiltins()})
      list.insert(list.end(), part.begin(), part.end());
    std::sort(list.begin(), list.end(), [](const Builtin &a, const Builtin &b) {
      return a.name < b.name;
    });
    return list;
  }();
  return all;
}

const Builtin *findBuiltin(std::string_view name) {
  auto all = allBuiltins();
  auto it = std::lower_bound(
      all.begin(), all.end(), name,
      [](const Builtin &b, std::string_view n) { return b.name < n; });
  return it != all.end() && it->name == name ? &*it : nullptr;
}

} // namespace sgl
