// Syntax errors of one file, gathered before they are reported: one cause, one
// message.
//
// Three stages find errors. What the words and the tree builder report names a
// cause; what the parser reports is a guess, and is dropped on a line where a
// cause is known.
#pragma once

#include "compiler/source/Diagnostic.h"

#include <string>
#include <unordered_set>
#include <vector>

namespace sgl::syntax {

class SyntaxLog {
public:
  SyntaxLog(const SourceFile &file, uint32_t index)
      : file(file), index(index) {}

  Span span(size_t begin, size_t end) const {
    return {index, uint32_t(begin), uint32_t(end)};
  }
  /// An error whose cause is known. Valid until the next call.
  Diagnostic &error(std::string code, Span span, std::string message);
  /// An error that may follow from another one on the same line.
  Diagnostic &guess(Span span, std::string message);
  /// The one error that matters: a budget was exceeded.
  Diagnostic &only(std::string code, Span span, std::string message) {
    entries.clear();
    return error(std::move(code), span, std::move(message));
  }
  /// Forgets the last errors from byte `begin` on: a larger one explains them.
  void forget(size_t begin);
  /// A text whose end is made up: its layout is not worth a message.
  void markBroken(size_t begin) { broken.insert(begin); }
  bool isBroken(size_t begin) const { return broken.count(begin) > 0; }
  /// Is there an error in [begin, end)?
  bool hasErrorIn(Span span) const;
  /// Is the cause of an error known that lies on the line of byte `at`?
  bool isExplained(size_t at) const;
  /// Reports at most 1,000 errors, by place.
  void report(Diagnostics &diagnostics);

private:
  struct Entry {
    Diagnostic diagnostic;
    uint32_t line;
    bool isGuess;
  };
  Diagnostic &add(std::string code, Span span, std::string message,
                  bool isGuess);

  const SourceFile &file;
  uint32_t index;
  std::vector<Entry> entries;
  Diagnostic overflow; ///< of those that are too many
  std::unordered_set<size_t> broken;
};

} // namespace sgl::syntax
