// Budgets, failures and scopes of one rendering.
#include "runtime/text/JinjaRun.h"
#include "runtime/text/JinjaParser.h"

#include <algorithm>

namespace sgl::jinja {

/// Longest text that a template may build, in bytes.
static constexpr size_t maxTextBytes = 16u << 20;
/// Deepest nesting of evaluation, and of lists in lists.
static constexpr unsigned maxRunDepth = 600;
static constexpr unsigned maxValueDepth = 150;
/// Most that one value may hold, shared parts counted each time.
static constexpr size_t maxWeight = 4'000'000;

const Value *Scope::find(std::string_view name) const {
  for (const auto &[key, value] : names)
    if (key == name)
      return &value;
  return nullptr;
}

void Scope::set(std::string_view name, Value value) {
  for (auto &[key, old] : names)
    if (key == name) {
      old = std::move(value);
      return;
    }
  names.emplace_back(name, std::move(value));
}

Value Run::fail(ErrorClass kind, std::string message) {
  if (!hasFailed)
    failure = {kind, std::move(message), line};
  hasFailed = true;
  return {};
}

Value Run::failUndefined(const Value &value) {
  if (const Missing *why = value.missing())
    return fail(*why);
  return fail(ErrorClass::Undefined, "the value is undefined");
}

bool Run::spend(size_t units) {
  if (units <= budget) {
    budget -= units;
    return !hasFailed;
  }
  budget = 0;
  fail(ErrorClass::Limit, "the template does too much work");
  return false;
}

Value Run::charge(Text text) {
  if (text.size() > maxTextBytes)
    return fail(ErrorClass::Limit, "a text is longer than 16 MiB");
  if (!spend(1 + text.size() / 8))
    return {};
  return Value(std::move(text));
}

Value Run::charge(std::vector<Value> items, bool tuple) {
  if (!spend(1 + items.size()))
    return {};
  Value list = makeList(std::move(items), tuple);
  if (list.depth() > maxValueDepth || list.weight() > maxWeight)
    return fail(ErrorClass::Limit, "a list is too large or nested too deep");
  return list;
}

Value Run::charge(Dict dict) {
  if (!spend(1 + dict.items.size()))
    return {};
  if (dict.depth > maxValueDepth || dict.weight > maxWeight)
    return fail(ErrorClass::Limit, "a dict is too large or nested too deep");
  return makeDict(std::move(dict));
}

Text Run::print(const Value &value) {
  return spend(value.weight()) ? toText(value) : Text();
}

Run::Deeper::Deeper(Run &run) : run(run) {
  if (++run.depth > maxRunDepth)
    run.fail(ErrorClass::Limit, "calls are nested too deep");
}

std::optional<Text> Run::render(const std::vector<Stmt> &statements) {
  Text text;
  out = &text;
  execute(statements);
  if (hasFailed)
    return std::nullopt;
  return text;
}

Value Run::call(const Value &callee, Arguments arguments) {
  Deeper deeper(*this);
  if (failed())
    return {};
  if (callee.isUndefined())
    return failUndefined(callee);
  if (Object *object = callee.object(); object && object->callable())
    return object->call(*this, std::move(arguments));
  return fail(ErrorClass::Type, "'" + std::string(callee.typeName()) +
                                    "' object is not callable");
}

Value Object::call(Run &run, Arguments arguments) {
  return run.fail(ErrorClass::Type,
                  "'" + std::string(typeName()) + "' object is not callable");
}

Value Run::applyFilter(std::string_view name, const Value &value,
                       Arguments arguments) {
  if (failed())
    return {};
  if (const Builtin *filter = findFilter(name))
    return callBuiltin(*this, *filter, value, std::move(arguments));
  return fail(isRefusedFilter(name) ? ErrorClass::Unsupported
                                    : ErrorClass::Runtime,
              "no filter named '" + std::string(name) + "'");
}

bool Run::applyTest(std::string_view name, const Value &value,
                    Arguments arguments) {
  if (failed())
    return false;
  if (const Builtin *test = findTest(name))
    return callBuiltin(*this, *test, value, std::move(arguments)).truthy();
  fail(ErrorClass::Runtime, "no test named '" + std::string(name) + "'");
  return false;
}

} // namespace sgl::jinja
