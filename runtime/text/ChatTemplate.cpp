// Loading and applying chat templates.
#include "runtime/text/ChatTemplate.h"

#include "runtime/model/Gguf.h"

#include <fstream>
#include <sstream>

namespace sgl {

std::string describe(const jinja::Failure &failure) {
  std::string text = failure.message;
  if (failure.line)
    text += " (line " + std::to_string(failure.line) + ")";
  return text;
}

std::vector<std::pair<std::string, std::string>>
templateVariables(const Gguf &model) {
  std::vector<std::pair<std::string, std::string>> variables;
  const GgufArray *tokens = model.array("tokenizer.ggml.tokens");
  for (auto [key, name] :
       {std::pair{"tokenizer.ggml.bos_token_id", "bos_token"},
        {"tokenizer.ggml.eos_token_id", "eos_token"}}) {
    auto id = model.integer(key);
    if (id && tokens && *id < tokens->strings.size())
      variables.emplace_back(name, tokens->strings[*id]);
  }
  return variables;
}

Result<std::shared_ptr<const ChatTemplate>>
ChatTemplate::fromSource(std::string_view source, std::string name) {
  jinja::Failure failure;
  auto compiled = jinja::Template::compile(source, failure);
  if (!compiled)
    return Error{name + ": " + describe(failure)};
  auto result = std::make_shared<ChatTemplate>();
  result->name = std::move(name);
  result->compiled = std::move(compiled);
  return std::shared_ptr<const ChatTemplate>(std::move(result));
}

Result<std::shared_ptr<const ChatTemplate>>
ChatTemplate::load(const Gguf &model, const std::string &file) {
  std::string source, name;
  if (!file.empty()) {
    std::ifstream in(file, std::ios::binary);
    std::stringstream bytes;
    if (!in || !(bytes << in.rdbuf()))
      return Error{"cannot read the chat template " + file};
    source = bytes.str();
    name = "chat template " + file;
  } else {
    auto text = model.string("tokenizer.chat_template");
    if (!text)
      return Error{model.path() + " has no chat template, so it has no roles: "
                                  "give one with --chat-template FILE, or "
                                  "write the prompt without roles"};
    source = *text;
    name = "chat template of " + model.path();
  }
  auto result = fromSource(source, std::move(name));
  if (!result)
    return result;
  auto withTokens = std::make_shared<ChatTemplate>(**result);
  withTokens->trusted = templateVariables(model);
  return std::shared_ptr<const ChatTemplate>(std::move(withTokens));
}

std::optional<jinja::Text>
ChatTemplate::renderWith(nlohmann::ordered_json variables,
                         jinja::Failure &failure) const {
  jinja::Context context;
  context.data = std::move(variables);
  context.trusted = trusted;
  if (!context.data.contains("add_generation_prompt"))
    context.data["add_generation_prompt"] = false;
  for (const char *absent : {"tools", "documents"})
    if (!context.data.contains(absent))
      context.data[absent] = nullptr;
  return compiled->render(context, failure);
}

Result<jinja::Text> ChatTemplate::render(const std::vector<Message> &messages,
                                         bool addGenerationPrompt) const {
  nlohmann::ordered_json variables;
  variables["messages"] = nlohmann::ordered_json::array();
  for (const Message &message : messages)
    variables["messages"].push_back(
        {{"role", message.role}, {"content", message.content}});
  variables["add_generation_prompt"] = addGenerationPrompt;
  jinja::Failure failure;
  auto text = renderWith(std::move(variables), failure);
  if (!text)
    return Error{name + ": " + describe(failure)};
  return std::move(*text);
}

} // namespace sgl
