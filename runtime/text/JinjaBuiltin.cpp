// Calling built-ins with Python's rules for arguments, and the global
// functions.
#include "runtime/text/JinjaRun.h"

#include <algorithm>
#include <ctime>

namespace sgl::jinja {

/// The names of a parameter list; needed ones keep their "*".
static std::vector<std::string_view> parameterNames(std::string_view list) {
  std::vector<std::string_view> names;
  while (!list.empty()) {
    size_t end = std::min(list.find(' '), list.size());
    names.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return names;
}

Value callBuiltin(Run &run, const Builtin &builtin, const Value &self,
                  Arguments arguments) {
  if (run.failed() || !run.spend(2))
    return {};
  Bound bound;
  bound.raw = std::move(arguments);
  if (builtin.parameters == "...")
    return builtin.run(run, self, bound);
  std::string who = "'" + std::string(builtin.name) + "'";
  auto names = parameterNames(builtin.parameters);
  auto &given = bound.raw;
  if (given.positional.size() > names.size())
    return run.fail(ErrorClass::Type, who + " takes at most " +
                                          std::to_string(names.size()) +
                                          " argument(s)");
  bound.slots.resize(names.size());
  for (size_t i = 0; i < given.positional.size(); ++i)
    bound.slots[i] = &given.positional[i];
  for (const auto &[key, value] : given.named) {
    auto found =
        std::find_if(names.begin(), names.end(), [&key = key](auto name) {
          return name.substr(name[0] == '*') == key;
        });
    if (found == names.end() || bound.slots[found - names.begin()])
      return run.fail(ErrorClass::Type,
                      who + " has no argument '" + key + "' left to set");
    bound.slots[found - names.begin()] = &value;
  }
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i][0] == '*' && !bound.slots[i])
      return run.fail(ErrorClass::Type, who + " needs the argument '" +
                                            std::string(names[i].substr(1)) +
                                            "'");
  return builtin.run(run, self, bound);
}

const Text &needText(Run &run, const Value &value, std::string_view who) {
  static const Text empty;
  if (const Text *text = value.text())
    return *text;
  if (value.isUndefined())
    run.failUndefined(value);
  else
    run.fail(ErrorClass::Type, "'" + std::string(who) +
                                   "' needs a string, not '" +
                                   std::string(value.typeName()) + "'");
  return empty;
}

Int needInt(Run &run, const Value &value, std::string_view who) {
  Int number = 0;
  if (!value.asInt(number))
    run.fail(ErrorClass::Type, "'" + std::string(who) +
                                   "' needs an integer, not '" +
                                   std::string(value.typeName()) + "'");
  return number;
}

namespace {

/// A built-in as a value, with the object it belongs to.
class Function : public Object {
public:
  Function(const Builtin &builtin, Value self)
      : builtin(builtin), self(std::move(self)) {}
  std::string_view typeName() const override {
    return "builtin_function_or_method";
  }
  bool callable() const override { return true; }
  Value call(Run &run, Arguments arguments) override {
    return callBuiltin(run, builtin, self, std::move(arguments));
  }

private:
  const Builtin &builtin;
  Value self;
};

Value makeRange(Run &run, const Value &, const Bound &arguments) {
  Int bounds[3] = {0, 0, 1};
  size_t count = arguments.raw.positional.size();
  if (count < 1 || count > 3)
    return run.fail(ErrorClass::Type, "range takes one to three integers");
  for (size_t i = 0; i < count; ++i)
    bounds[count == 1 ? 1 : i] =
        needInt(run, arguments.raw.positional[i], "range");
  auto [from, to, step] = bounds;
  if (step == 0)
    return run.fail(ErrorClass::Runtime, "the step of a range cannot be zero");
  Int limit = Int(1) << 62;
  if (from > limit || from < -limit || to > limit || to < -limit ||
      step > limit || step < -limit)
    return run.fail(ErrorClass::Overflow, "a range is too big");
  Int distance = step > 0 ? to - from : from - to;
  Int size = step > 0 ? step : -step;
  if (distance > 0 && (distance + size - 1) / size > 100000)
    return run.fail(ErrorClass::Overflow,
                    "a range is too big: the limit is 100000 items");
  std::vector<Value> items;
  for (Int i = from; !run.failed() && (step > 0 ? i < to : i > to); i += step)
    items.push_back(Value(i));
  return run.charge(std::move(items));
}

Dict dictOf(Run &run, const Bound &arguments) {
  Dict dict;
  for (const Value &first : arguments.raw.positional) {
    if (first.dict()) {
      dict = *first.dict();
      continue;
    }
    for (const Value &pair : iterate(run, first)) {
      auto items = iterate(run, pair);
      if (run.failed())
        return dict;
      if (items.size() != 2 || !hashable(items[0])) {
        run.fail(ErrorClass::Type, "a dict is made of pairs");
        return dict;
      }
      dict.set(items[0], items[1]);
    }
  }
  for (const auto &[key, value] : arguments.raw.named)
    dict.set(makeText(key), value);
  return dict;
}

Value makeDictValue(Run &run, const Value &, const Bound &arguments) {
  if (arguments.raw.positional.size() > 1)
    return run.fail(ErrorClass::Type, "dict takes at most one argument");
  return run.charge(dictOf(run, arguments));
}

Value makeNamespace(Run &run, const Value &, const Bound &arguments) {
  auto *space = run.own<Namespace>();
  space->values = dictOf(run, arguments);
  return Value(space);
}

Value raiseException(Run &run, const Value &, const Bound &arguments) {
  return run.fail(ErrorClass::Raise,
                  std::string(run.print(arguments[0]).view()));
}

Value strftimeNow(Run &run, const Value &, const Bound &arguments) {
  std::string format(needText(run, arguments[0], "strftime_now").view());
  if (run.failed() || format.empty())
    return makeText("");
  if (format.size() > 1000)
    return run.fail(ErrorClass::Limit, "the format of strftime_now is longer "
                                       "than 1000 bytes");
  std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::string buffer(format.size() * 64 + 64, '\0');
  buffer.resize(
      std::strftime(buffer.data(), buffer.size(), format.c_str(), &local));
  return makeText(buffer);
}

Value lipsum(Run &run, const Value &, const Bound &) {
  return run.fail(ErrorClass::Unsupported,
                  "lipsum is not supported: its text is random");
}

/// cycler(...): hands out its items in turn.
class Cycler : public Object {
public:
  std::string_view typeName() const override { return "Cycler"; }
  const Value *attribute(std::string_view name) override {
    if (name == "current")
      return &items[at];
    return name == "next" ? &next : name == "reset" ? &reset : nullptr;
  }
  std::vector<Value> items;
  size_t at = 0;
  Value next, reset;
};

Value cyclerNext(Run &, const Value &self, const Bound &) {
  auto *cycler = static_cast<Cycler *>(self.object());
  Value item = cycler->items[cycler->at];
  cycler->at = (cycler->at + 1) % cycler->items.size();
  return item;
}
Value cyclerReset(Run &, const Value &self, const Bound &) {
  static_cast<Cycler *>(self.object())->at = 0;
  return Value(None{});
}
const Builtin cyclerNextMethod = {"next", "", &cyclerNext};
const Builtin cyclerResetMethod = {"reset", "", &cyclerReset};

Value makeCycler(Run &run, const Value &, const Bound &arguments) {
  if (arguments.raw.positional.empty())
    return run.fail(ErrorClass::Runtime, "a cycler needs at least one item");
  auto *cycler = run.own<Cycler>();
  cycler->items = arguments.raw.positional;
  cycler->next = bindMethod(run, Value(cycler), cyclerNextMethod);
  cycler->reset = bindMethod(run, Value(cycler), cyclerResetMethod);
  return Value(cycler);
}

/// joiner(sep): nothing at first, then the separator.
class Joiner : public Object {
public:
  std::string_view typeName() const override { return "Joiner"; }
  bool callable() const override { return true; }
  Value call(Run &, Arguments) override {
    return std::exchange(used, true) ? separator : makeText("");
  }
  Value separator;
  bool used = false;
};

Value makeJoiner(Run &run, const Value &, const Bound &arguments) {
  auto *joiner = run.own<Joiner>();
  joiner->separator = arguments.has(0) ? arguments[0] : makeText(", ");
  return Value(joiner);
}

const Builtin globalFunctions[] = {
    {"range", "...", &makeRange},
    {"dict", "...", &makeDictValue},
    {"namespace", "...", &makeNamespace},
    {"raise_exception", "*message", &raiseException},
    {"strftime_now", "*format", &strftimeNow},
    {"lipsum", "...", &lipsum},
    {"cycler", "...", &makeCycler},
    {"joiner", "sep", &makeJoiner},
};

} // namespace

Value bindMethod(Run &run, const Value &self, const Builtin &method) {
  return Value(run.own<Function>(method, self));
}

Value findGlobal(Run &run, std::string_view name) {
  for (const Builtin &function : globalFunctions)
    if (function.name == name)
      return bindMethod(run, Value(), function);
  return {};
}

} // namespace sgl::jinja
