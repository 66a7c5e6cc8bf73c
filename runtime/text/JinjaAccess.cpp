// Attributes, items, slices and iteration.
#include "runtime/text/JinjaRun.h"

#include <algorithm>

namespace sgl::jinja {

/// How messages call the owner of a missing attribute.
static std::string ownerOf(const Value &base) {
  return base.isNone() ? "None" : std::string(base.typeName()) + " object";
}

static Value noAttribute(const Value &base, std::string_view name) {
  return undefinedBecause("'" + ownerOf(base) + "' has no attribute '" +
                          std::string(name) + "'");
}

/// A method or attribute that Python's object has; undefined when none.
static Value ownAttribute(Run &run, const Value &base, std::string_view name) {
  if (Object *object = base.object()) {
    const Value *found = object->attribute(name);
    return found ? *found : noAttribute(base, name);
  }
  if (const List *list = base.list(); list && list->group)
    if (name == "grouper" || name == "list")
      return list->items[name == "list"];
  if (isMutatingMethod(base, name))
    return undefinedBecause("'" + ownerOf(base) + "' must not be changed by '" +
                                std::string(name) + "'",
                            ErrorClass::Security);
  if (const Builtin *method = findMethod(base, name))
    return bindMethod(run, base, *method);
  return noAttribute(base, name);
}

Value getAttribute(Run &run, const Value &base, std::string_view name) {
  if (run.failed())
    return {};
  if (base.isUndefined())
    return run.failUndefined(base);
  Value own = ownAttribute(run, base, name);
  if (!own.isUndefined() ||
      (own.missing() && own.missing()->kind == ErrorClass::Security))
    return own;
  if (const Dict *dict = base.dict())
    if (const Value *found = dict->find(name))
      return *found;
  if (name.starts_with("__"))
    return undefinedBecause("access to attribute '" + std::string(name) +
                                "' of '" + ownerOf(base) + "' is unsafe",
                            ErrorClass::Security);
  return own;
}

Value getItem(Run &run, const Value &base, const Value &key) {
  if (run.failed())
    return {};
  if (base.isUndefined())
    return run.failUndefined(base);
  run.spend(1 + key.weight() / 8);
  if (const Dict *dict = base.dict(); dict && hashable(key))
    if (const Value *found = dict->find(key))
      return *found;
  Int index;
  if ((base.list() || base.text()) && key.asInt(index)) {
    const Text *text = base.text();
    run.spend(text ? text->size() / 8 : 0);
    auto starts = text ? charStarts(text->view()) : std::vector<size_t>();
    Int count = text ? Int(starts.size()) - 1 : Int(base.list()->items.size());
    if (index < 0)
      index += count;
    if (index >= 0 && index < count) {
      auto i = static_cast<size_t>(index);
      if (!text)
        return base.list()->items[i];
      return run.charge(text->substr(starts[i], starts[i + 1] - starts[i]));
    }
  }
  if (const Text *name = key.text())
    return base.dict() || base.object() || base.text() || base.list()
               ? ownAttribute(run, base, name->view())
               : noAttribute(base, name->view());
  return undefinedBecause("'" + ownerOf(base) + "' has no element " +
                          std::string(toRepr(key).view().substr(0, 100)));
}

std::vector<Value> iterate(Run &run, const Value &value) {
  if (run.failed() || value.isUndefined())
    return {};
  if (const List *list = value.list()) {
    run.spend(list->items.size());
    return list->items;
  }
  std::vector<Value> items;
  if (const Dict *dict = value.dict()) {
    run.spend(dict->items.size());
    for (const auto &[key, item] : dict->items)
      items.push_back(key);
    return items;
  }
  if (const Text *text = value.text()) {
    if (!run.spend(2 * text->size()))
      return {};
    auto starts = charStarts(text->view());
    for (size_t i = 0; i + 1 < starts.size(); ++i)
      items.push_back(
          Value(text->substr(starts[i], starts[i + 1] - starts[i])));
    return items;
  }
  run.fail(ErrorClass::Type,
           "'" + std::string(value.typeName()) + "' object is not iterable");
  return {};
}

size_t lengthOf(Run &run, const Value &value) {
  if (value.isUndefined())
    return 0;
  if (const List *list = value.list())
    return list->items.size();
  if (const Dict *dict = value.dict())
    return dict->items.size();
  if (const Text *text = value.text()) {
    run.spend(text->size() / 8);
    return charCount(text->view());
  }
  run.fail(ErrorClass::Type, "object of type '" +
                                 std::string(value.typeName()) +
                                 "' has no length");
  return 0;
}

/// Python's rules for slice bounds: where to start, how many, which step.
static std::vector<size_t> sliceIndexes(Run &run, Int count, const Value *from,
                                        const Value *to, const Value *step) {
  Int by = 1, start = 0, stop = 0;
  auto read = [&](const Value *bound, Int &out) {
    if (!bound->asInt(out))
      run.fail(ErrorClass::Type, "a slice needs integers");
  };
  if (step)
    read(step, by);
  if (by == 0)
    run.fail(ErrorClass::Runtime, "the step of a slice cannot be zero");
  Int low = by < 0 ? -1 : 0, high = by < 0 ? count - 1 : count;
  auto bound = [&](const Value *given, Int otherwise) {
    if (!given)
      return otherwise;
    Int index = 0;
    read(given, index);
    if (index < 0)
      index = std::max(index, -count - 1) + count;
    return std::clamp(index, low, std::max(low, high));
  };
  start = bound(from, by < 0 ? high : low);
  stop = bound(to, by < 0 ? low : high);
  std::vector<size_t> indexes;
  if (run.failed())
    return indexes;
  by = std::clamp(by, -count - 1, count + 1);
  for (Int i = start; by < 0 ? i > stop : i < stop; i += by)
    indexes.push_back(static_cast<size_t>(i));
  return indexes;
}

Value slice(Run &run, const Value &base, const Value *from, const Value *to,
            const Value *step) {
  if (base.isUndefined())
    return run.failUndefined(base);
  if (const List *list = base.list()) {
    std::vector<Value> items;
    run.spend(list->items.size());
    for (size_t i : sliceIndexes(run, Int(list->items.size()), from, to, step))
      items.push_back(list->items[i]);
    return run.charge(std::move(items), list->tuple);
  }
  if (const Text *text = base.text()) {
    run.spend(text->size());
    auto starts = charStarts(text->view());
    Text part;
    for (size_t i : sliceIndexes(run, Int(starts.size()) - 1, from, to, step))
      part.append(text->substr(starts[i], starts[i + 1] - starts[i]));
    return run.charge(std::move(part));
  }
  return run.fail(ErrorClass::Type, "'" + std::string(base.typeName()) +
                                        "' object cannot be sliced");
}

} // namespace sgl::jinja
