// The chat template of a model: messages in, prompt text out, with the origin
// of every byte.
//
// Entry point: ChatTemplate::load. The template is the one in the model file
// or a file that the user names; either is outside input.
#pragma once

#include "ir/value/Result.h"
#include "runtime/exec/PromptState.h"
#include "runtime/text/Jinja.h"

#include <memory>
#include <string>
#include <vector>

namespace sgl {

class Gguf;

class ChatTemplate {
public:
  /// From the model, or from `file` when that is not empty. A model without a
  /// template is an error that says so.
  static Result<std::shared_ptr<const ChatTemplate>>
  load(const Gguf &model, const std::string &file = "");
  /// From source text; `name` is how messages call it.
  static Result<std::shared_ptr<const ChatTemplate>>
  fromSource(std::string_view source, std::string name);

  /// The prompt for `messages`. Bytes of roles and contents are marked as
  /// data, everything else is the template's.
  Result<jinja::Text> render(const std::vector<Message> &messages,
                             bool addGenerationPrompt) const;
  /// The same with any variables: an object that holds at least `messages`.
  std::optional<jinja::Text> renderWith(nlohmann::ordered_json variables,
                                        jinja::Failure &failure) const;

private:
  std::string name;
  std::shared_ptr<const jinja::Template> compiled;
  std::vector<std::pair<std::string, std::string>> trusted;
};

/// The model's own texts for the variables bos_token and eos_token.
std::vector<std::pair<std::string, std::string>>
templateVariables(const Gguf &model);

/// One sentence: the message, with the line where there is one.
std::string describe(const jinja::Failure &failure);

} // namespace sgl
