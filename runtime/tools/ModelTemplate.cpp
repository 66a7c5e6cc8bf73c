// The template command.
#include "runtime/tools/ModelTemplate.h"

#include "runtime/model/Gguf.h"
#include "runtime/text/ChatTemplate.h"

#include <fstream>
#include <functional>
#include <istream>
#include <ostream>
#include <sstream>

namespace sgl {

using Json = nlohmann::ordered_json;

/// Longest line read, in bytes.
static constexpr size_t maxLineBytes = 64u << 20;

static Json answer(const std::optional<jinja::Text> &text,
                   const jinja::Failure &failure) {
  if (text)
    return {{"text", std::string(text->view())}};
  return {{"error", std::string(jinja::className(failure.kind))},
          {"message", failure.kind == jinja::ErrorClass::Raise
                          ? failure.message
                          : describe(failure)}};
}

/// Reads objects line by line and writes what `render` makes of each.
static int eachLine(std::istream &in, std::ostream &out, std::ostream &err,
                    const std::function<Json(Json)> &render) {
  std::string line;
  for (size_t number = 1; std::getline(in, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos)
      continue;
    auto where = "error: line " + std::to_string(number);
    if (line.size() > maxLineBytes) {
      err << where << " is longer than 64 MiB\n";
      return 1;
    }
    Json object = Json::parse(line, nullptr, false);
    if (!object.is_object()) {
      err << where << " is no JSON object\n";
      return 1;
    }
    out << render(std::move(object))
               .dump(-1, ' ', true, Json::error_handler_t::replace)
        << "\n"
        << std::flush;
  }
  return 0;
}

static int runPlain(const std::string &path, std::istream &in,
                    std::ostream &out, std::ostream &err) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream source;
  if (!file || (file.peek() != EOF && !(source << file.rdbuf()))) {
    err << "error: cannot read the template " << path << "\n";
    return 1;
  }
  jinja::Failure syntax;
  auto compiled = jinja::Template::compile(source.str(), syntax);
  return eachLine(in, out, err, [&](Json object) {
    if (!compiled)
      return answer(std::nullopt, syntax);
    jinja::Context context;
    if (object.contains("context") && object["context"].is_object())
      context.data = std::move(object["context"]);
    jinja::Failure failure;
    auto text = compiled->render(context, failure);
    return answer(text, failure);
  });
}

int runTemplate(const TemplateOptions &options, std::istream &in,
                std::ostream &out, std::ostream &err) {
  if (options.isPlain)
    return runPlain(options.templateFile, in, out, err);
  auto model = Gguf::open(options.model);
  if (!model) {
    err << "error: " << model.error().message << "\n";
    return 1;
  }
  auto chat = ChatTemplate::load(**model, options.templateFile);
  if (!chat) {
    err << "error: " << chat.error().message << "\n";
    return 1;
  }
  return eachLine(in, out, err, [&](Json object) {
    jinja::Failure failure;
    auto text = (*chat)->renderWith(std::move(object), failure);
    return answer(text, failure);
  });
}

} // namespace sgl
