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

/// The bytes of a file as ANTLR reads them. What is not ASCII can only stand
/// in texts and comments, where one sign is as good as another: it is shown as
/// U+0001, since ANTLR's lexer has a cache for ASCII alone (and is 17 times
/// slower without).
class ByteStream final : public antlr4::CharStream {
public:
  explicit ByteStream(std::string_view text) : text(text) {}
  void consume() override { ++position; }
  size_t LA(ssize_t offset) override {
    size_t at = position + size_t(offset) - (offset > 0 ? 1 : 0);
    if (at >= text.size())
      return EOF;
    auto byte = static_cast<unsigned char>(text[at]);
    return byte < 0x80 ? byte : 1;
  }
  ssize_t mark() override { return -1; }
  void release(ssize_t) override {}
  size_t index() override { return position; }
  void seek(size_t index) override { position = index; }
  size_t size() override { return text.size(); }
  std::string getSourceName() const override { return "source"; }
  std::string getText(const antlr4::misc::Interval &range) override {
    return std::string(text.substr(size_t(range.a), range.length()));
  }
  std::string toString() const override { return std::string(text); }

private:
  std::string_view text;
  size_t position = 0;
};

struct Words {
  std::unique_ptr<ByteStream> input;
  std::unique_ptr<SglLexer> lexer;
  std::vector<TokenPtr> tokens; ///< without comments; the last is EOF
  std::vector<Doc> docs;        ///< by token
  std::string moduleDoc;
  bool endsInside = false; ///< of a text or comment that has no end
  bool usable = true;      ///< false: a budget was exceeded, nothing to parse
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

/// Elif.cpp: turns `elif` into two words, and says so.
void splitElif(std::string_view text, Words &words, SyntaxLog &log);

/// Brackets.cpp: see above.
void matchBrackets(const SourceFile &file, Words &words, SyntaxLog &log);

} // namespace sgl::syntax
