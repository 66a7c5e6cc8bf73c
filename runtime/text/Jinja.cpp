// Compiling and rendering: source to tree, JSON to values, tree to text.
#include "runtime/text/Jinja.h"

#include "runtime/text/JinjaParser.h"
#include "runtime/text/JinjaRun.h"

namespace sgl::jinja {

static constexpr size_t maxSourceBytes = 1u << 20;
static constexpr unsigned maxContextDepth = 100;

struct Template::Impl {
  std::vector<Stmt> statements;
};

Template::Template(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Template::~Template() = default;

std::shared_ptr<const Template> Template::compile(std::string_view source,
                                                  Failure &failure) {
  if (source.size() > maxSourceBytes) {
    failure = {ErrorClass::Limit, "the template is longer than 1 MiB", 0};
    return nullptr;
  }
  std::vector<Token> tokens;
  auto impl = std::make_unique<Impl>();
  if (!tokenize(source, tokens, failure) ||
      !Parser(std::move(tokens), failure).parse(impl->statements))
    return nullptr;
  return std::shared_ptr<const Template>(new Template(std::move(impl)));
}

/// A JSON value with all its strings marked as data.
static Value fromJson(const nlohmann::ordered_json &json, unsigned depth,
                      Run &run) {
  if (depth > maxContextDepth)
    return run.fail(ErrorClass::Limit, "a variable is nested too deep");
  if (json.is_null())
    return Value(None{});
  if (json.is_boolean())
    return Value(json.get<bool>());
  if (json.is_number_unsigned())
    return Value(static_cast<Int>(json.get<uint64_t>()));
  if (json.is_number_integer())
    return Value(static_cast<Int>(json.get<int64_t>()));
  if (json.is_number_float())
    return Value(json.get<double>());
  if (json.is_string())
    return makeText(json.get_ref<const std::string &>(), true);
  if (json.is_object()) {
    Dict dict;
    for (const auto &[key, value] : json.items())
      dict.set(makeText(key, true), fromJson(value, depth + 1, run));
    return makeDict(std::move(dict));
  }
  std::vector<Value> items;
  for (const auto &item : json)
    items.push_back(fromJson(item, depth + 1, run));
  return makeList(std::move(items));
}

std::optional<Text> Template::render(const Context &context,
                                     Failure &failure) const {
  Run run;
  for (const auto &[name, text] : context.trusted)
    run.globals.emplace(name, makeText(text, false));
  for (const auto &[name, value] : context.data.items())
    run.globals.emplace(name, fromJson(value, 0, run));
  std::optional<Text> text;
  if (!run.failed())
    text = run.render(impl->statements);
  failure = run.failure;
  return text;
}

} // namespace sgl::jinja
