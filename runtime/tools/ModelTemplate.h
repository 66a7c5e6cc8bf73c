// `sglmodel template`: renders chat templates, one JSON object a line.
//
// In: {"messages", "add_generation_prompt", ...} for the model's own template,
// {"context"} for any Jinja file. Out: {"text"} or {"error", "message"}, where
// "error" is the class of the failure.
#pragma once

#include <iosfwd>
#include <string>

namespace sgl {

struct TemplateOptions {
  std::string model;        ///< path of a GGUF file; may be empty with a file
  std::string templateFile; ///< --template or --chat-template; may be empty
  bool isPlain = false; ///< the file is any Jinja text: lines hold "context"
};

/// Exit status: 0, or 1 when the model or template cannot be used or a line is
/// no JSON object (the message names it).
int runTemplate(const TemplateOptions &options, std::istream &in,
                std::ostream &out, std::ostream &err);

} // namespace sgl
