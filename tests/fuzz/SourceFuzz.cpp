// Fuzzes the front end: any bytes give a tree or errors whose places lie in the
// file, and each form of it can be printed. What parses is checked too.

#include "compiler/check/Check.h"
#include "compiler/source/Render.h"
#include "compiler/syntax/Parse.h"

#include <cstdint>
#include <cstdlib>
#include <string>

using namespace sgl;

/// An import would read files of the machine.
static bool hasImports(const ast::Module &module) {
  return !module.imports.empty();
}

static void requirePlaces(const SourceManager &sources,
                          const Diagnostics &diagnostics) {
  for (const Diagnostic &diagnostic : diagnostics.all()) {
    Span span = diagnostic.primary.span;
    if (span.begin > span.end ||
        span.end > sources.file(span.file).text().size())
      std::abort();
  }
}

/// Debian's ANTLR is not instrumented, so its vectors look overflown.
extern "C" const char *__asan_default_options() {
  return "detect_container_overflow=0";
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  SourceManager sources;
  uint32_t file = sources.add(
      "fuzz.sgl", std::string(reinterpret_cast<const char *>(data), size));
  Diagnostics diagnostics;
  auto module = parse(sources, file, diagnostics);
  requirePlaces(sources, diagnostics);
  dumpAst(*module, false);
  Diagnostics unused;
  dumpTokens(sources, file, unused);
  render(diagnostics, sources, {});
  if (hasImports(*module))
    return 0;
  Diagnostics checked;
  check(sources, file, {}, checked);
  requirePlaces(sources, checked);
  render(checked, sources, {});
  return 0;
}
