// Templates in the subset of Jinja that chat templates use, in a renderer of
// our own whose strings know for each byte whether template or data wrote it.
//
// Entry points: Template::compile and render. A template is outside input:
// work, memory, depth and output are bounded, and a construct that this engine
// lacks is refused by name and line. Settings are those of the reference
// (trim_blocks, lstrip_blocks, loop controls, raise_exception, strftime_now,
// generation tags, `tojson` without ASCII or HTML escapes).
#pragma once

#include "runtime/text/JinjaLexer.h"

#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sgl::jinja {

/// The variables of one rendering.
struct Context {
  /// An object; every string in it counts as data.
  nlohmann::ordered_json data = nlohmann::ordered_json::object();
  /// Strings of the model's own, as bos_token: they count as template.
  std::vector<std::pair<std::string, std::string>> trusted;
};

class Template {
public:
  /// Null with `failure` filled when the source does not compile (class
  /// Syntax, Unsupported or Limit).
  static std::shared_ptr<const Template> compile(std::string_view source,
                                                 Failure &failure);
  ~Template();

  /// Nothing with `failure` filled when the template raises or fails.
  /// Any thread may call it.
  std::optional<Text> render(const Context &context, Failure &failure) const;

private:
  struct Impl;
  explicit Template(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace sgl::jinja
