#include "compiler/syntax/Words.h"

#include <algorithm>

namespace sgl::syntax {
namespace {

using antlr4::Token;

/// A stray `}` pops an empty stack of modes, which would throw.
class Lexer final : public SglLexer {
public:
  using SglLexer::SglLexer;
  size_t popMode() override {
    return modeStack.empty() ? mode : SglLexer::popMode();
  }
};

/// ANTLR counts code points; the rest of the compiler counts bytes.
class ByteOffsets {
public:
  ByteOffsets(std::string_view text, size_t begin) : begin(begin) {
    bool ascii = std::all_of(text.begin() + begin, text.end(),
                             [](char c) { return (c & 0x80) == 0; });
    if (ascii)
      return;
    for (size_t at = begin; at < text.size(); ++at)
      if ((text[at] & 0xC0) != 0x80)
        table.push_back(uint32_t(at));
    table.push_back(uint32_t(text.size()));
  }
  size_t at(size_t codePoint) const {
    return table.empty() ? codePoint + begin : table[codePoint];
  }

private:
  size_t begin;
  std::vector<uint32_t> table;
};

constexpr size_t none = size_t(-1);

/// A text that is being read, and its hole.
struct OpenText {
  bool isBlock;
  size_t begin, line; ///< of the opening quotes
  size_t modes;       ///< of the lexer, outside of the text
  size_t hole = none; ///< where the open `${` stands
};

class Reader {
public:
  Reader(const SourceFile &file, SyntaxLog &log, bool repair)
      : text(file.text()), log(log), repair(repair),
        offsets(text, text.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0) {
    // ANTLR drops a byte order mark by itself.
    words.input = std::make_unique<antlr4::ANTLRInputStream>(std::string(text));
    lexer = new Lexer(words.input.get());
    words.lexer.reset(lexer);
    lexer->removeErrorListeners();
  }

  Words run();

private:
  std::unique_ptr<antlr4::CommonToken> next();
  void add(TokenPtr token);
  void document(const antlr4::CommonToken &token);
  bool leaveBrokenLine(const antlr4::CommonToken &token);
  void track(antlr4::CommonToken &token);
  void openText(antlr4::CommonToken &token);
  void closeText(antlr4::CommonToken &token);
  void endTexts(size_t end);
  void leave(const OpenText &open, bool hole);
  void reportHole(const OpenText &open, std::string why);
  bool withinBudget(const antlr4::CommonToken &token);
  bool firstOnLine(size_t at) const;
  bool looksLikeOpening(size_t at) const;

  std::string_view text;
  SyntaxLog &log;
  bool repair;
  ByteOffsets offsets;
  Lexer *lexer;
  Words words;
  std::vector<OpenText> texts;
  std::string pendingDoc;
  size_t depth = 0, read = 0;
  size_t commentBegin = none;
};

/// The next word, its place in bytes.
std::unique_ptr<antlr4::CommonToken> Reader::next() {
  TokenPtr token = lexer->nextToken();
  std::unique_ptr<antlr4::CommonToken> word(
      static_cast<antlr4::CommonToken *>(token.release()));
  size_t begin = offsets.at(word->getStartIndex());
  size_t end = word->getType() == Token::EOF
                   ? begin
                   : offsets.at(word->getStopIndex() + 1);
  word->setStartIndex(begin);
  word->setStopIndex(end - 1);
  return word;
}

void Reader::add(TokenPtr token) {
  if (!pendingDoc.empty())
    words.docs.push_back({words.tokens.size(), std::move(pendingDoc)});
  pendingDoc.clear();
  words.tokens.push_back(std::move(token));
}

/// Keeps `/// text`; a file's `//!` counts in front of all else.
void Reader::document(const antlr4::CommonToken &token) {
  size_t type = token.getType();
  if (type == SglLexer::OPEN_COMMENT && commentBegin == none)
    commentBegin = token.getStartIndex();
  if (lexer->mode != SglLexer::Comment)
    commentBegin = none;
  bool isModule = type == SglLexer::MODULE_DOC;
  if (type != SglLexer::DOC && !(isModule && words.tokens.empty()))
    return;
  size_t begin = token.getStartIndex() + 3, end = token.getStopIndex() + 1;
  if (begin < end && text[begin] == ' ')
    ++begin;
  while (end > begin && (text[end - 1] == ' ' || text[end - 1] == '\t'))
    --end;
  std::string &doc = isModule ? words.moduleDoc : pendingDoc;
  if (!doc.empty())
    doc += '\n';
  doc += text.substr(begin, end - begin);
}

bool Reader::firstOnLine(size_t at) const {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t'))
    --at;
  return at == 0 || text[at - 1] == '\n';
}

/// Do the quotes at `at` rather open a block than close one: at a line's end,
/// behind a sign that a text follows?
bool Reader::looksLikeOpening(size_t at) const {
  size_t end = at + 3;
  while (end < text.size() &&
         (text[end] == ' ' || text[end] == '\t' || text[end] == '\r'))
    ++end;
  if (end < text.size() && text[end] != '\n')
    return false;
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t'))
    --at;
  return at > 0 && std::string_view("([{,=:+").find(text[at - 1]) !=
                       std::string_view::npos;
}

/// Goes back to code outside of `open`, with the words that end it.
void Reader::leave(const OpenText &open, bool hole) {
  size_t end = words.tokens.back()->getStopIndex() + 1;
  if (hole)
    add(makeWord(words, SglLexer::RIGHT_BRACE, end, open.line));
  add(makeWord(words, SglLexer::UNCLOSED, end, open.line));
  lexer->modeStack.resize(open.modes);
  lexer->mode = antlr4::Lexer::DEFAULT_MODE;
  log.markBroken(open.begin);
}

void Reader::reportHole(const OpenText &open, std::string why) {
  log.error("E0105", log.span(open.hole, open.hole + 2),
            "this `${` is never closed")
      .label("the text goes on behind a `}`")
      .also(log.span(open.begin, open.begin + (open.isBlock ? 3 : 1)),
            std::move(why));
}

/// A hole of a one-line text ends with its line. Gives true if `token` lies
/// behind such a line: it must be read again, outside of the text.
bool Reader::leaveBrokenLine(const antlr4::CommonToken &token) {
  if (!repair || texts.empty() || texts.back().isBlock ||
      texts.back().hole == none || token.getLine() == texts.back().line)
    return false;
  OpenText open = texts.back();
  texts.pop_back();
  log.forget(open.hole);
  reportHole(open, "this text ends with its line");
  leave(open, true);
  return true;
}

void Reader::openText(antlr4::CommonToken &token) {
  size_t begin = token.getStartIndex();
  bool isBlock = token.getType() == SglLexer::OPEN_BLOCK;
  if (repair && isBlock && !texts.empty() && texts.back().isBlock &&
      texts.back().hole != none && firstOnLine(begin)) {
    // Closing quotes, read as opening ones because a hole is still open.
    reportHole(texts.back(), "in this text");
    size_t end = words.tokens.back()->getStopIndex() + 1;
    add(makeWord(words, SglLexer::RIGHT_BRACE, end, token.getLine()));
    lexer->modeStack.resize(texts.back().modes);
    lexer->mode = antlr4::Lexer::DEFAULT_MODE;
    token.setType(SglLexer::CLOSE_TEXT);
    texts.pop_back();
    return;
  }
  texts.push_back(
      {isBlock, begin, token.getLine(), lexer->modeStack.size() - 1});
}

void Reader::closeText(antlr4::CommonToken &token) {
  OpenText open = texts.back();
  bool closed = token.getType() == SglLexer::CLOSE_TEXT;
  size_t begin = token.getStartIndex();
  if (repair && closed && open.isBlock && !firstOnLine(begin) &&
      looksLikeOpening(begin)) {
    // The next block's opening quotes: read on to its end, so that one
    // forgotten end does not turn the rest of the file inside out.
    token.setType(SglLexer::TEXT);
    lexer->pushMode(SglLexer::Block);
    if (!log.isBroken(open.begin))
      log.error("E0101", log.span(open.begin, open.begin + 3),
                "this text is never closed")
          .label("close it by `\"\"\"` alone on a line")
          .also(log.span(begin, begin + 3), "another text begins here");
    log.markBroken(open.begin);
    return;
  }
  texts.pop_back();
  if (closed)
    return;
  log.markBroken(open.begin);
  log.error("E0101", log.span(open.begin, open.begin + 1),
            "this text is never closed")
      .label("a text in `\"` ends on its line")
      .note("text of several lines is written between two `\"\"\"`");
}

/// Follows texts and holes, which the lexer's modes know only as a stack.
void Reader::track(antlr4::CommonToken &token) {
  switch (token.getType()) {
  case SglLexer::OPEN_TEXT:
  case SglLexer::OPEN_BLOCK:
    return openText(token);
  case SglLexer::OPEN_HOLE:
    if (!texts.empty())
      texts.back().hole = token.getStartIndex();
    return;
  case SglLexer::RIGHT_BRACE:
    if (!texts.empty() && lexer->mode != antlr4::Lexer::DEFAULT_MODE)
      texts.back().hole = none;
    return;
  case SglLexer::CLOSE_TEXT:
  case SglLexer::UNCLOSED:
    if (!texts.empty())
      closeText(token);
    return;
  case SglLexer::UNCLOSED_RAW:
  case SglLexer::UNCLOSED_RAW_BLOCK:
    log.error("E0101",
              log.span(token.getStartIndex(), token.getStartIndex() + 2),
              "this text is never closed")
        .label("a raw text ends where it began: `\"` or `\"\"\"`");
    return;
  default:
    return;
  }
}

/// At the end of the file: what is still open, and the words that end it.
void Reader::endTexts(size_t end) {
  if (commentBegin != none)
    log.error("E0101", log.span(commentBegin, commentBegin + 2),
              "this comment is never closed")
        .label("comments nest: each `/*` needs its `*/`");
  if (texts.empty())
    return;
  const OpenText &outer = texts.front();
  log.forget(outer.begin);
  if (outer.hole != none)
    reportHole(outer, "in this text");
  else
    log.error("E0101",
              log.span(outer.begin, outer.begin + (outer.isBlock ? 3 : 1)),
              "this text is never closed")
        .label(outer.isBlock ? "close it by `\"\"\"` alone on a line"
                             : "a text in `\"` ends on its line");
  if (!repair)
    return;
  while (!texts.empty()) {
    leave(texts.back(), texts.back().hole != none);
    texts.pop_back();
  }
}

/// Counts words and open brackets; says so and gives false beyond a limit.
bool Reader::withinBudget(const antlr4::CommonToken &token) {
  Span at = log.span(token.getStartIndex(), token.getStopIndex() + 1);
  switch (token.getType()) {
  case SglLexer::LEFT_PAREN:
  case SglLexer::LEFT_BRACKET:
  case SglLexer::LEFT_BRACE:
  case SglLexer::OPEN_HOLE:
    if (++depth > deepestNesting) {
      log.error("E0111", at, "this nests more than 256 brackets deep")
          .label("too deep");
      return false;
    }
    break;
  case SglLexer::RIGHT_PAREN:
  case SglLexer::RIGHT_BRACKET:
  case SglLexer::RIGHT_BRACE:
    depth -= depth > 0;
    break;
  default:
    break;
  }
  if (++read <= mostWords)
    return true;
  log.error("E0111", at, "this file has more than 1,000,000 words")
      .label("too many");
  return false;
}

Words Reader::run() {
  while (true) {
    std::unique_ptr<antlr4::CommonToken> token = next();
    if (!withinBudget(*token)) {
      words.usable = false;
      return std::move(words);
    }
    size_t begin = token->getStartIndex();
    bool again = false;
    while (leaveBrokenLine(*token))
      again = true;
    if (again) {
      // Back to the word's first code point.
      auto *simulator = lexer->getInterpreter<antlr4::atn::LexerATNSimulator>();
      words.input->seek(lexer->tokenStartCharIndex);
      simulator->setLine(token->getLine());
      simulator->setCharPositionInLine(token->getCharPositionInLine());
      lexer->hitEOF = false;
      continue;
    }
    if (token->getChannel() != Token::DEFAULT_CHANNEL) {
      document(*token);
      continue;
    }
    if (token->getType() == Token::EOF) {
      endTexts(begin);
      add(std::move(token));
      return std::move(words);
    }
    track(*token);
    add(std::move(token));
  }
}

/// Is the word at `index` an `elif` where only `else if` can be meant?
bool isElif(std::string_view text, const Words &words, size_t index) {
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

/// Reads `elif` as `else if`, and says so.
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

} // namespace

Span spanOf(const antlr4::Token *token, const SyntaxLog &log) {
  return log.span(token->getStartIndex(), token->getStopIndex() + 1);
}

TokenPtr makeWord(const Words &words, size_t type, size_t at, size_t line) {
  auto word = std::make_unique<antlr4::CommonToken>(
      std::pair<antlr4::TokenSource *, antlr4::CharStream *>(words.lexer.get(),
                                                             words.input.get()),
      type, Token::DEFAULT_CHANNEL, at, at - 1);
  word->setLine(line);
  return word;
}

Words readWords(const SourceFile &file, SyntaxLog &log, bool repair) {
  Words words = Reader(file, log, repair).run();
  if (!words.usable || !repair)
    return words;
  splitElif(file.text(), words, log);
  matchBrackets(file, words, log);
  return words;
}

} // namespace sgl::syntax
