#include "tests/unit/check/Harness.h"

namespace sgl {

std::unique_ptr<Checked> checkText(std::string source,
                                   const ImportOptions &options) {
  auto checked = std::make_unique<Checked>();
  uint32_t file = checked->sources.add("main.sgl", std::move(source));
  checked->program =
      check(checked->sources, file, options, checked->diagnostics);
  return checked;
}

namespace {

std::string placeOf(const Checked &checked, const Diagnostic &diagnostic) {
  Span span = diagnostic.primary.span;
  LineColumn at = checked.sources.file(span.file).at(span.begin);
  return diagnostic.code + "@" + std::to_string(at.line) + ":" +
         std::to_string(at.column);
}

} // namespace

std::string codes(const Checked &checked) {
  std::string out;
  for (const Diagnostic &diagnostic : checked.diagnostics.all())
    out += (out.empty() ? "" : " ") + placeOf(checked, diagnostic);
  return out;
}

std::string messages(const Checked &checked) {
  std::string out;
  for (const Diagnostic &diagnostic : checked.diagnostics.all())
    out += placeOf(checked, diagnostic) + ": " + diagnostic.message + "\n";
  return out;
}

} // namespace sgl
