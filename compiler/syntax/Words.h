// Text to words: runs the lexer and puts right what breaks a whole file.
//
// Entry point: readWords. Afterwards every text has an end and every bracket
// its partner: what was missing is added with zero width, what was too much is
// dropped, and each is reported once. So the parser sees a well-nested file
// and one slip does not spoil the rest. Words count in bytes of the file, not
// in ANTLR's code points.
#pragma once

#include "compiler/syntax/SyntaxLog.h"

#include "SglLexer.h"

#include <memory>
#include <string>
#include <vector>

namespace sgl::syntax {

using TokenPtr = std::unique_ptr<antlr4::Token>;

/// Documentation in front of a word.
struct Doc {
  size_t token; ///< index in Words::tokens
  std::string text;
};

struct Words {
  std::unique_ptr<antlr4::ANTLRInputStream> input;
  std::unique_ptr<SglLexer> lexer;
  std::vector<TokenPtr> tokens; ///< without comments; the last is EOF
  std::vector<Doc> docs;        ///< by token
  std::string moduleDoc;
  bool usable = true; ///< false: a budget was exceeded, nothing to parse
};

/// Budgets, beside the 16 MiB of a file.
constexpr size_t deepestNesting = 256;
constexpr size_t mostWords = 1'000'000;

/// Reads `file`, which must be UTF-8 without NUL. With `repair` off, words stay
/// as they stand in the file and brackets are not compared.
Words readWords(const SourceFile &file, SyntaxLog &log, bool repair = true);

/// The bytes of a word; empty for one that was added.
Span spanOf(const antlr4::Token *token, const SyntaxLog &log);

/// Adds a word without text behind byte `at`.
TokenPtr makeWord(const Words &words, size_t type, size_t at, size_t line);

/// Brackets.cpp: see above.
void matchBrackets(const SourceFile &file, Words &words, SyntaxLog &log);

} // namespace sgl::syntax
