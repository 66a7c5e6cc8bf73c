// One cause, one message: which of the errors found are told.
#include "compiler/syntax/SyntaxLog.h"

#include <algorithm>
#include <set>

namespace sgl::syntax {

constexpr size_t mostErrors = 1000, mostEntries = 4000;

Diagnostic &SyntaxLog::add(std::string code, Span span, std::string message,
                           bool isGuess) {
  if (entries.size() >= mostEntries)
    return overflow = Diagnostic();
  Diagnostic diagnostic;
  diagnostic.code = std::move(code);
  diagnostic.message = std::move(message);
  diagnostic.primary.span = span;
  entries.push_back({std::move(diagnostic), file.at(span.begin).line, isGuess});
  return entries.back().diagnostic;
}

Diagnostic &SyntaxLog::error(std::string code, Span span, std::string message) {
  return add(std::move(code), span, std::move(message), false);
}

Diagnostic &SyntaxLog::guess(Span span, std::string message) {
  return add("E0100", span, std::move(message), true);
}

void SyntaxLog::forget(size_t begin) {
  while (!entries.empty() &&
         entries.back().diagnostic.primary.span.begin >= begin)
    entries.pop_back();
}

bool SyntaxLog::hasErrorIn(Span span) const {
  return std::any_of(entries.begin(), entries.end(), [&](const Entry &entry) {
    uint32_t at = entry.diagnostic.primary.span.begin;
    return at >= span.begin && at <= span.end;
  });
}

bool SyntaxLog::isExplained(size_t at) const {
  uint32_t line = file.at(uint32_t(at)).line;
  return std::any_of(entries.begin(), entries.end(), [&](const Entry &entry) {
    return entry.line == line && !entry.isGuess;
  });
}

void SyntaxLog::report(Diagnostics &diagnostics) {
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry &a, const Entry &b) {
                     return a.diagnostic.primary.span.begin <
                            b.diagnostic.primary.span.begin;
                   });
  std::set<uint32_t> explained, guessed, unknown;
  for (const Entry &entry : entries)
    if (!entry.isGuess)
      explained.insert(entry.line);
  size_t count = 0;
  for (Entry &entry : entries) {
    if (entry.isGuess &&
        (explained.count(entry.line) || !guessed.insert(entry.line).second))
      continue;
    // Behind an unknown statement's word, more such words follow.
    if (entry.diagnostic.code == "E0106" && !unknown.insert(entry.line).second)
      continue;
    if (++count > mostErrors)
      return;
    Diagnostic &from = entry.diagnostic;
    diagnostics.error(from.code, from.primary.span, from.message) =
        std::move(from);
  }
}

} // namespace sgl::syntax
