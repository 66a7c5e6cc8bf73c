// Values of an entry's parameters. See RunArguments.h.

#include "runtime/tools/RunArguments.h"

#include "ir/value/Builtins.h"
#include "ir/value/Utf8.h"
#include "runtime/exec/PromptState.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace sgl {

namespace {

constexpr uint64_t maxArgsBytes = uint64_t(64) << 20;

/// Can a command line or a JSON file carry a value of this type?
bool isCarried(const Type *type, int depth = 0) {
  if (type->is(TypeKind::State) || type->is(TypeKind::Image) ||
      type->is(TypeKind::Video))
    return false;
  if (type->element && !isCarried(type->element, depth))
    return false;
  for (const Type *member : type->members)
    if (!isCarried(member, depth))
      return false;
  // Records may contain themselves; a few levels show every member.
  if (type->record && depth < 4)
    for (const RecordField &field : type->record->fields)
      if (!isCarried(field.type, depth + 1))
        return false;
  return true;
}

/// Enums, texts and unions of text literals are given without quotes.
bool isBareText(const Type *type) {
  switch (type->kind) {
  case TypeKind::Str:
  case TypeKind::Enum:
    return true;
  case TypeKind::Literal:
    return type->literal.kind == LiteralValue::Kind::Text;
  case TypeKind::Optional:
    return isBareText(type->element);
  case TypeKind::Union:
    return std::all_of(type->members.begin(), type->members.end(), isBareText);
  default:
    return false;
  }
}

Result<Value> fromFlag(const Type *type, const std::string &text) {
  if (firstInvalidUtf8(text) != std::string::npos)
    return Error{"not valid UTF-8"};
  if (isBareText(type))
    return convert(Value::text(text), type);
  const Type *plain = type->is(TypeKind::Optional) ? type->element : type;
  if (plain->is(TypeKind::Int) || plain->is(TypeKind::Float)) {
    const char *name = plain->is(TypeKind::Int) ? "int" : "float";
    Value argument = Value::text(text);
    Result<Value> number = findBuiltin(name)->function({&argument, 1});
    return number ? convert(*number, type) : number;
  }
  if (plain->is(TypeKind::Bool)) {
    if (text != "true" && text != "false")
      return Error{"expected true or false, found `" + text + "`"};
    return Value::boolean(text == "true");
  }
  Result<Value> json = parseJson(text);
  if (!json)
    return Error{"expected " + toString(type) +
                 " as JSON: " + json.error().message};
  return convert(*json, type);
}

std::string flagList(const plan::Plan &plan, const plan::Function &function) {
  std::string list;
  for (const plan::Param &param : function.params)
    if (!plan.types[param.type]->is(TypeKind::State))
      list += (list.empty() ? "--" : ", --") + param.name;
  return list.empty() ? "no parameters" : list;
}

/// Where a parameter's value comes from.
class Arguments {
public:
  Arguments(const plan::Plan &plan, const plan::Function &function,
            const RunFlags &flags)
      : plan(plan), function(function), flags(flags) {}

  std::optional<ArgumentFault> read(std::vector<Value> &out) {
    if (auto fault = checkNames())
      return fault;
    if (auto fault = readFile())
      return fault;
    for (const plan::Param &param : function.params) {
      out.emplace_back();
      if (auto fault = readOne(param, out.back()))
        return fault;
    }
    return std::nullopt;
  }

private:
  /// `--max-steps` is `max_steps` too.
  const plan::Param *find(std::string name) const {
    for (int i = 0; i < 2; ++i) {
      for (const plan::Param &param : function.params)
        if (param.name == name && !plan.types[param.type]->is(TypeKind::State))
          return &param;
      std::replace(name.begin(), name.end(), '-', '_');
    }
    return nullptr;
  }

  std::optional<ArgumentFault> checkNames() {
    for (const auto &[name, value] : flags.parameters) {
      const plan::Param *param = find(name);
      if (!param)
        return ArgumentFault{2, "unknown flag `--" + name + "`; `" +
                                    function.name + "` takes " +
                                    flagList(plan, function)};
      if (given(*param) != &value)
        return ArgumentFault{2, "`--" + name + "` is given twice"};
    }
    return std::nullopt;
  }

  const std::string *given(const plan::Param &param) const {
    for (const auto &[name, value] : flags.parameters)
      if (find(name) == &param)
        return &value;
    return nullptr;
  }

  std::optional<ArgumentFault> readFile() {
    if (flags.argsFile.empty())
      return std::nullopt;
    auto refused = [&](const std::string &why) {
      return ArgumentFault{1, "--args " + flags.argsFile + ": " + why};
    };
    Result<std::string> text = readWholeFile(flags.argsFile, maxArgsBytes);
    if (!text)
      return ArgumentFault{1, "--args: " + text.error().message};
    Result<Value> json = parseJson(*text);
    if (!json)
      return refused(json.error().message);
    if (!json->asMap())
      return refused("expected a JSON object {parameter: value}");
    file = *json;
    for (const auto &[key, value] : *file.asMap()) {
      const plan::Param *param = find(key);
      if (!param || param->name != key)
        return refused("`" + function.name + "` has no parameter `" + key +
                       "`; it takes " + flagList(plan, function));
    }
    return std::nullopt;
  }

  std::optional<ArgumentFault> readOne(const plan::Param &param, Value &out) {
    const Type *type = plan.types[param.type];
    if (type->is(TypeKind::State)) {
      out = Value::state(rootPrompt());
      return std::nullopt;
    }
    if (!isCarried(type))
      return ArgumentFault{2, "parameter `" + param.name + "` is " +
                                  toString(type) +
                                  ", which a command line cannot carry yet"};
    Result<Value> value = Error{};
    int status = 2;
    std::string where = "--" + param.name;
    if (const std::string *text = given(param)) {
      value = fromFlag(type, *text);
    } else if (const Value *json =
                   file.asMap() ? entry(file, param.name) : nullptr) {
      value = convert(*json, type);
      status = 1;
      where = "--args " + flags.argsFile + ": " + param.name;
    } else if (param.defaultValue) {
      value = *param.defaultValue;
    } else if (type->is(TypeKind::Optional)) {
      value = Value::null();
    } else {
      return ArgumentFault{2, "parameter `--" + param.name + "` (" +
                                  toString(type) + ") is missing"};
    }
    if (!value)
      return ArgumentFault{status, where + ": " + value.error().message};
    out = *value;
    return std::nullopt;
  }

  const plan::Plan &plan;
  const plan::Function &function;
  const RunFlags &flags;
  Value file;
};

} // namespace

std::optional<ArgumentFault> readArguments(const plan::Plan &plan,
                                           const plan::Function &function,
                                           const RunFlags &flags,
                                           std::vector<Value> &out) {
  return Arguments(plan, function, flags).read(out);
}

std::string describeParameters(const plan::Plan &plan,
                               const plan::Function &function) {
  std::string text = "Parameters of " + function.name;
  text += function.doc.empty() ? ":\n" : " (" + function.doc + "):\n";
  size_t width = 0;
  for (const plan::Param &param : function.params)
    width = std::max(width, param.name.size());
  bool any = false;
  for (const plan::Param &param : function.params) {
    const Type *type = plan.types[param.type];
    if (type->is(TypeKind::State))
      continue;
    any = true;
    text += "  --" + param.name + std::string(width - param.name.size(), ' ') +
            "  " + toString(type);
    if (param.defaultValue)
      text += " = " + toJson(*param.defaultValue);
    if (!param.doc.empty())
      text += "  " + param.doc;
    text += '\n';
  }
  return any ? text : text + "  none\n";
}

Result<std::string> readWholeFile(const std::string &path, uint64_t limit) {
  std::error_code status;
  if (std::filesystem::is_directory(path, status))
    return Error{"cannot read `" + path + "`: it is a directory"};
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return Error{"cannot read `" + path + "`: " + std::strerror(errno)};
  std::string text;
  std::vector<char> buffer(1 << 16);
  while (file.read(buffer.data(), std::streamsize(buffer.size())),
         file.gcount() > 0) {
    text.append(buffer.data(), size_t(file.gcount()));
    if (text.size() > limit)
      return Error{"`" + path + "` is longer than " +
                   std::to_string(limit >> 20) + " MiB"};
  }
  return text;
}

} // namespace sgl
