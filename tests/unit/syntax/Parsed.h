// A text, parsed, with what the tests ask of it.
#pragma once

#include "compiler/source/Render.h"
#include "compiler/syntax/Parse.h"

#include <memory>
#include <string>

struct Parsed {
  explicit Parsed(std::string text) {
    uint32_t file = sources.add("a.sgl", std::move(text));
    module = sgl::parse(sources, file, diagnostics);
  }
  std::string tree() const { return sgl::dumpAst(*module, false); }
  /// "2:5 E0105" for each error, one a line.
  std::string places() const {
    std::string out;
    for (const sgl::Diagnostic &error : diagnostics.all()) {
      sgl::LineColumn at = sources.file(0).at(error.primary.span.begin);
      out += std::to_string(at.line) + ":" + std::to_string(at.column) + " " +
             error.code + "\n";
    }
    return out;
  }
  std::string messages() const {
    return sgl::render(diagnostics, sources, {sgl::MessageFormat::Short});
  }

  sgl::SourceManager sources;
  sgl::Diagnostics diagnostics;
  std::unique_ptr<sgl::ast::Module> module;
};
