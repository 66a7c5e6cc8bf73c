// Collecting and sorting; Render.cpp draws.
#include "compiler/source/Diagnostic.h"

#include <algorithm>
#include <tuple>

namespace sgl {

static Diagnostic &append(std::vector<Diagnostic> &list, Severity severity,
                          std::string code, Span span, std::string message) {
  Diagnostic &added = list.emplace_back();
  added.severity = severity;
  added.code = std::move(code);
  added.message = std::move(message);
  added.primary.span = span;
  return added;
}

Diagnostic &Diagnostics::error(std::string code, Span span,
                               std::string message) {
  ++errors;
  return append(list, Severity::Error, std::move(code), span,
                std::move(message));
}

Diagnostic &Diagnostics::warning(std::string code, Span span,
                                 std::string message) {
  return append(list, Severity::Warning, std::move(code), span,
                std::move(message));
}

void Diagnostics::sort() {
  auto key = [](const Diagnostic &d) {
    return std::tuple(d.primary.span.file, d.primary.span.begin,
                      d.primary.span.end);
  };
  std::stable_sort(list.begin(), list.end(),
                   [&](const Diagnostic &a, const Diagnostic &b) {
                     return key(a) < key(b);
                   });
}

} // namespace sgl
