// Finds the partner of every bracket, and makes one up where it is missing.
//
// A file whose brackets match is left alone, however it is laid out. Only in
// one that does not is the layout asked where the slip is likely: a `}` that
// stands further left than the line of its `{` belongs to an outer one; a
// statement's keyword cannot stand inside of parentheses; `fn` in the first
// column begins a new item.

#include "compiler/syntax/Words.h"

namespace sgl::syntax {
namespace {

using antlr4::Token;

bool isOpening(size_t type) {
  return type == SglLexer::LEFT_PAREN || type == SglLexer::LEFT_BRACKET ||
         type == SglLexer::LEFT_BRACE || type == SglLexer::OPEN_HOLE;
}

/// What ends a bracket of type `opening`.
size_t partnerOf(size_t opening) {
  switch (opening) {
  case SglLexer::LEFT_PAREN:
    return SglLexer::RIGHT_PAREN;
  case SglLexer::LEFT_BRACKET:
    return SglLexer::RIGHT_BRACKET;
  default:
    return SglLexer::RIGHT_BRACE;
  }
}

bool isClosing(size_t type) {
  return type == SglLexer::RIGHT_PAREN || type == SglLexer::RIGHT_BRACKET ||
         type == SglLexer::RIGHT_BRACE;
}

bool areBalanced(const std::vector<TokenPtr> &tokens) {
  std::vector<size_t> open;
  for (const TokenPtr &token : tokens) {
    size_t type = token->getType();
    if (isOpening(type)) {
      open.push_back(partnerOf(type));
    } else if (isClosing(type)) {
      if (open.empty() || open.back() != type)
        return false;
      open.pop_back();
    }
  }
  return open.empty();
}

class Matcher {
public:
  Matcher(const SourceFile &file, Words &words, SyntaxLog &log)
      : file(file), text(file.text()), words(words), log(log) {}
  void run();

private:
  struct Open {
    size_t type, begin, indent;
    bool isBrace() const {
      return type == SglLexer::LEFT_BRACE || type == SglLexer::OPEN_HOLE;
    }
  };

  size_t indentOf(size_t at);
  bool beginsLine(size_t at);
  bool beginsItem(size_t index) const;
  bool beginsStatement(size_t index) const;
  void closeParentheses();
  void closeBraces(size_t begin);
  bool close(size_t index);
  void closeOne(bool report);
  size_t startOfLine(size_t line) const;
  void closeBeforeLine(size_t line);
  void closeBefore(size_t index);

  const SourceFile &file;
  std::string_view text;
  Words &words;
  SyntaxLog &log;
  uint32_t indentLine = 0; ///< whose indent is known
  size_t indent = 0;
  std::vector<TokenPtr> result;
  std::vector<Open> open;
};

/// Blanks at the begin of the line that holds `at`.
size_t Matcher::indentOf(size_t at) {
  LineColumn place = file.at(uint32_t(at));
  if (place.line != indentLine) {
    size_t begin = at - (place.column - 1), end = begin;
    while (end < text.size() && (text[end] == ' ' || text[end] == '\t'))
      ++end;
    indentLine = place.line;
    indent = end - begin;
  }
  return indent;
}

bool Matcher::beginsLine(size_t at) {
  return file.at(uint32_t(at)).column - 1 == indentOf(at);
}

/// An item's keyword in the first column.
bool Matcher::beginsItem(size_t index) const {
  const Token &token = *words.tokens[index];
  switch (token.getType()) {
  case SglLexer::FN:
  case SglLexer::ENUM:
  case SglLexer::IMPORT:
  case SglLexer::LET:
    break;
  case SglLexer::RECORD:
  case SglLexer::TYPE:
  case SglLexer::TOOL:
  case SglLexer::TEST: {
    size_t next = words.tokens[index + 1]->getType();
    if (next != SglLexer::IDENTIFIER && next != SglLexer::OPEN_TEXT)
      return false;
    break;
  }
  default:
    return false;
  }
  return token.getStartIndex() == 0 || text[token.getStartIndex() - 1] == '\n';
}

/// A keyword that stands in no expression.
bool Matcher::beginsStatement(size_t index) const {
  switch (words.tokens[index]->getType()) {
  case SglLexer::LET:
  case SglLexer::VAR:
  case SglLexer::WHILE:
  case SglLexer::RETURN:
  case SglLexer::JOIN:
  case SglLexer::BREAK:
  case SglLexer::CONTINUE:
  case SglLexer::EXTEND:
  case SglLexer::ASSERT:
    break;
  default:
    return false;
  }
  return !result.empty() && result.back()->getType() != SglLexer::DOT &&
         words.tokens[index + 1]->getType() != SglLexer::COLON;
}

/// Ends the innermost bracket where the words read so far end.
void Matcher::closeOne(bool report) {
  Open last = open.back();
  open.pop_back();
  // What ends a text too late swallows brackets too.
  if (report && !log.isExplained(last.begin)) {
    std::string sign(
        text.substr(last.begin, last.type == SglLexer::OPEN_HOLE ? 2 : 1));
    log.error("E0105", log.span(last.begin, last.begin + sign.size()),
              "this `" + sign + "` is never closed")
        .label("opened here");
  }
  const Token &before = *result.back();
  result.push_back(makeWord(words, partnerOf(last.type),
                            before.getStopIndex() + 1, before.getLine()));
}

/// Ends the parentheses and brackets inside of the innermost brace.
void Matcher::closeParentheses() {
  for (bool first = true; !open.empty() && !open.back().isBrace();
       first = false)
    closeOne(first);
}

/// Where the words of `line` begin in the result; its size if there are none.
size_t Matcher::startOfLine(size_t line) const {
  size_t begin = result.size();
  while (begin > 0 && result[begin - 1]->getLine() == line)
    --begin;
  return begin;
}

/// `}` at `begin`: first ends inner braces that stand further right and that
/// no other `}` is left for.
void Matcher::closeBraces(size_t begin) {
  if (!beginsLine(begin))
    return;
  size_t wanted = indentOf(begin);
  while (open.size() >= 2 && open.back().type == SglLexer::LEFT_BRACE &&
         open.back().indent > wanted) {
    bool outerFits = false;
    for (size_t i = open.size() - 1; i-- > 0;)
      outerFits |=
          open[i].type == SglLexer::LEFT_BRACE && open[i].indent <= wanted;
    if (!outerFits)
      return;
    closeOne(true);
    closeParentheses();
  }
}

/// A closing bracket; false: it has no partner and is dropped.
bool Matcher::close(size_t index) {
  const Token &token = *words.tokens[index];
  size_t type = token.getType();
  size_t found = open.size();
  for (size_t i = open.size(); i-- > 0;) {
    if (partnerOf(open[i].type) == type) {
      found = i;
      break;
    }
    if (open[i].isBrace())
      break;
  }
  if (found == open.size()) {
    if (log.isExplained(token.getStartIndex()))
      return false;
    Span span = spanOf(&token, log);
    std::string sign(text.substr(span.begin, span.size()));
    log.error("E0105", span, "unmatched `" + sign + "`")
        .label("nothing is open here");
    return false;
  }
  for (bool first = true; open.size() > found + 1; first = false)
    closeOne(first);
  if (type == SglLexer::RIGHT_BRACE)
    closeBraces(token.getStartIndex());
  open.pop_back();
  return true;
}

/// `s += user("x"` and then `s += …`: the end belongs before this line.
void Matcher::closeBeforeLine(size_t line) {
  size_t begin = startOfLine(line);
  if (begin == 0 || open.back().begin > result[begin - 1]->getStopIndex())
    return;
  std::vector<TokenPtr> rest(std::make_move_iterator(result.begin() + begin),
                             std::make_move_iterator(result.end()));
  result.resize(begin);
  closeParentheses();
  for (TokenPtr &word : rest)
    result.push_back(std::move(word));
}

/// What the word at `index` says about brackets that should have been closed.
void Matcher::closeBefore(size_t index) {
  size_t type = words.tokens[index]->getType();
  if (type == Token::EOF || beginsItem(index)) {
    // A text without an end may have swallowed what is missing.
    bool report = type != Token::EOF || !words.endsInside;
    for (; !open.empty(); report = false)
      closeOne(report);
    return;
  }
  if (open.back().isBrace())
    return;
  if (beginsStatement(index))
    closeParentheses();
  else if (type == SglLexer::PLUS_EQUALS)
    closeBeforeLine(words.tokens[index]->getLine());
}

void Matcher::run() {
  std::vector<size_t> moved(words.tokens.size()); // old index -> new one
  for (size_t i = 0; i < words.tokens.size(); ++i) {
    const Token &token = *words.tokens[i];
    size_t type = token.getType();
    if (!open.empty())
      closeBefore(i);
    moved[i] = result.size();
    if (isClosing(type) && !close(i))
      continue;
    if (isOpening(type))
      open.push_back(
          {type, token.getStartIndex(), indentOf(token.getStartIndex())});
    moved[i] = result.size();
    result.push_back(std::move(words.tokens[i]));
  }
  words.tokens = std::move(result);
  for (Doc &doc : words.docs)
    doc.token = moved[doc.token];
}

} // namespace

void matchBrackets(const SourceFile &file, Words &words, SyntaxLog &log) {
  if (!areBalanced(words.tokens))
    Matcher(file, words, log).run();
}

} // namespace sgl::syntax
