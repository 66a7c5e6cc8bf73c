// What the compiler tells the user: codes, spans, notes, fixes.
//
// Diagnostics only collects; Render.h draws. One cause, one diagnostic.
#pragma once

#include "compiler/source/SourceFile.h"

#include <optional>
#include <string>
#include <vector>

namespace sgl {

enum class Severity { Error, Warning, Note };

struct Label {
  Span span;
  std::string text; ///< may be empty
};

/// Replaces `span` by `replacement`; `title` says what that does.
struct Fix {
  Span span;
  std::string replacement, title;
};

/// "E0201": a letter (E error, W warning) and four digits; see design of codes
/// in compiler/check/README.md. Language rules stand in the reference.
struct Diagnostic {
  Severity severity = Severity::Error;
  std::string code;
  std::string message; ///< one sentence, lower case, no full stop
  Label primary;
  std::vector<Label> secondary;
  std::vector<std::string> notes;
  std::optional<Fix> fix;

  Diagnostic &label(std::string text) {
    primary.text = std::move(text);
    return *this;
  }
  Diagnostic &also(Span span, std::string text) {
    secondary.push_back({span, std::move(text)});
    return *this;
  }
  Diagnostic &note(std::string text) {
    notes.push_back(std::move(text));
    return *this;
  }
  Diagnostic &suggest(Span span, std::string replacement, std::string title) {
    fix = Fix{span, std::move(replacement), std::move(title)};
    return *this;
  }
};

class Diagnostics {
public:
  /// The reference stays valid until the next call: chain label/also/note.
  Diagnostic &error(std::string code, Span span, std::string message);
  Diagnostic &warning(std::string code, Span span, std::string message);
  bool hasErrors() const { return errors > 0; }
  const std::vector<Diagnostic> &all() const { return list; }
  /// By file and place, so that a file reads from top to bottom.
  void sort();

private:
  std::vector<Diagnostic> list;
  uint32_t errors = 0;
};

} // namespace sgl
