// `elif` is read as `else if`, so that one slip costs one message.

#include "compiler/syntax/Words.h"

#include <algorithm>

namespace sgl::syntax {

using antlr4::Token;

/// Is the word at `index` an `elif` where only `else if` can be meant?
static bool isElif(std::string_view text, const Words &words, size_t index) {
  const Token &word = *words.tokens[index];
  if (word.getType() != SglLexer::IDENTIFIER || index == 0 ||
      words.tokens[index - 1]->getType() != SglLexer::RIGHT_BRACE)
    return false;
  size_t next = words.tokens[index + 1]->getType();
  if (next == SglLexer::EQUALS || next == SglLexer::PLUS_EQUALS ||
      next == SglLexer::DOT)
    return false;
  std::string_view name = text.substr(
      word.getStartIndex(), word.getStopIndex() + 1 - word.getStartIndex());
  return name == "elif" || name == "elsif" || name == "elseif";
}

void splitElif(std::string_view text, Words &words, SyntaxLog &log) {
  std::vector<size_t> found;
  for (size_t i = 0; i + 1 < words.tokens.size(); ++i)
    if (isElif(text, words, i))
      found.push_back(i);
  if (found.empty())
    return;
  std::vector<TokenPtr> result;
  for (size_t i = 0, k = 0; i < words.tokens.size(); ++i) {
    auto *word = static_cast<antlr4::CommonToken *>(words.tokens[i].get());
    result.push_back(std::move(words.tokens[i]));
    if (k == found.size() || found[k] != i)
      continue;
    ++k;
    Span span = spanOf(word, log);
    log.error("E0106", span,
              "unknown statement `" +
                  std::string(text.substr(span.begin, span.size())) + "`")
        .label("no statement begins with this word")
        .suggest(span, "else if", "write `else if`");
    word->setType(SglLexer::ELSE);
    result.push_back(makeWord(words, SglLexer::IF, span.end, word->getLine()));
  }
  for (Doc &doc : words.docs)
    doc.token +=
        size_t(std::lower_bound(found.begin(), found.end(), doc.token) -
               found.begin());
  words.tokens = std::move(result);
}

} // namespace sgl::syntax
