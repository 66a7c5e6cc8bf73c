// The words of a file, with an end for every text.
//
// Reader runs the lexer word by word and follows texts and holes beside it.
// Where a text has no end it goes back and reads on as code: a hole or a text
// in `"` ends with its line, a block where its file looks like code again.
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

constexpr size_t none = size_t(-1);

/// A text that is being read, and its hole.
struct OpenText {
  bool isBlock;
  size_t begin, line;   ///< of the opening quotes
  size_t modes;         ///< of the lexer, outside of the text
  size_t depth;         ///< of brackets, likewise
  size_t hole = none;   ///< where the open `${` stands
  size_t holeToken = 0; ///< its index in Words::tokens
};

class Reader {
public:
  Reader(const SourceFile &file, SyntaxLog &log, bool repair)
      : text(file.text()), log(log), repair(repair) {
    words.input = std::make_unique<ByteStream>(text);
    if (text.substr(0, 3) == "\xEF\xBB\xBF") // a byte order mark
      words.input->seek(3);
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
  bool track(antlr4::CommonToken &token);
  void openText(antlr4::CommonToken &token);
  bool closeText(antlr4::CommonToken &token);
  bool endTexts();
  void leave(const OpenText &open);
  Diagnostic &reportBlock(const OpenText &open);
  void reportLine(const OpenText &open);
  void jump(size_t at, size_t line, size_t column);
  bool resume();
  void reportHole(const OpenText &open, std::string why);
  bool joinsCharacter(const antlr4::CommonToken &token);
  bool withinBudget(const antlr4::CommonToken &token);
  bool firstOnLine(size_t at) const;
  bool looksLikeOpening(size_t at) const;

  std::string_view text;
  SyntaxLog &log;
  bool repair;
  Lexer *lexer;
  Words words;
  std::vector<OpenText> texts;
  std::string pendingDoc;
  size_t depth = 0, read = 0;
  size_t commentBegin = none;
};

std::unique_ptr<antlr4::CommonToken> Reader::next() {
  return std::unique_ptr<antlr4::CommonToken>(
      static_cast<antlr4::CommonToken *>(lexer->nextToken().release()));
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

/// Does a line begin so only where no text is?
bool beginsItem(std::string_view line) {
  constexpr std::string_view words[] = {
      "}",     "fn ",   "record ", "enum ",   "let ",
      "tool ", "type ", "test ",   "import ", "defaults("};
  return std::any_of(std::begin(words), std::end(words), [&](auto word) {
    return line.substr(0, word.size()) == word;
  });
}

/// Goes back to code outside of `open`; a hole without an end is left out.
void Reader::leave(const OpenText &open) {
  if (open.hole != none) {
    words.tokens.resize(open.holeToken);
    while (!words.docs.empty() && words.docs.back().token >= open.holeToken)
      words.docs.pop_back();
  }
  size_t end = words.tokens.back()->getStopIndex() + 1;
  add(makeWord(words, SglLexer::UNCLOSED, end, open.line));
  lexer->modeStack.resize(open.modes);
  lexer->mode = antlr4::Lexer::DEFAULT_MODE;
  log.markBroken(open.begin);
}

void Reader::reportHole(const OpenText &open, std::string why) {
  log.error("E0105", log.span(open.hole, open.hole + 2),
            "this `${` is never closed")
      .label("its `}` is missing")
      .also(log.span(open.begin, open.begin + (open.isBlock ? 3 : 1)),
            std::move(why));
}

Diagnostic &Reader::reportBlock(const OpenText &open) {
  return log
      .error("E0101", log.span(open.begin, open.begin + 3),
             "this text is never closed")
      .label("close it by `\"\"\"` alone on a line");
}

void Reader::reportLine(const OpenText &open) {
  log.error("E0101", log.span(open.begin, open.begin + 1),
            "this text is never closed")
      .label("a text in `\"` ends on its line")
      .note("text of several lines is written between two `\"\"\"`");
}

/// Goes on reading at `at`, outside of all texts.
void Reader::jump(size_t at, size_t line, size_t column) {
  auto *simulator = lexer->getInterpreter<antlr4::atn::LexerATNSimulator>();
  words.input->seek(at);
  simulator->setLine(line);
  simulator->setCharPositionInLine(column);
  lexer->hitEOF = false;
}

/// Ends the outermost text, which has no end, where its file looks like code
/// again: before a line that begins with `}` or an item's keyword in the first
/// column. False if there is none.
bool Reader::resume() {
  OpenText open = texts.front();
  size_t at = text.find('\n', open.begin), line = open.line;
  for (; at != std::string_view::npos; at = text.find('\n', at)) {
    ++at;
    ++line;
    if (beginsItem(text.substr(at)))
      break;
  }
  if (at == std::string_view::npos)
    return false;
  while (words.tokens.back()->getStartIndex() > open.begin)
    words.tokens.pop_back();
  while (!words.docs.empty() && words.docs.back().token >= words.tokens.size())
    words.docs.pop_back();
  texts.resize(1);
  texts.back().hole = none;
  leave(texts.back());
  texts.clear();
  depth = open.depth;
  commentBegin = none;
  jump(at, line, 0);
  return true;
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
  leave(open);
  return true;
}

void Reader::openText(antlr4::CommonToken &token) {
  size_t begin = token.getStartIndex();
  bool isBlock = token.getType() == SglLexer::OPEN_BLOCK;
  if (repair && isBlock && !texts.empty() && texts.back().isBlock &&
      texts.back().hole != none && firstOnLine(begin)) {
    // Closing quotes, read as opening ones because a hole is still open.
    reportHole(texts.back(), "in this text");
    leave(texts.back());
    texts.pop_back();
    // They stand in place of the word that `leave` made up.
    words.tokens.pop_back();
    token.setType(SglLexer::CLOSE_TEXT);
    return;
  }
  texts.push_back(
      {isBlock, begin, token.getLine(), lexer->modeStack.size() - 1, depth});
}

bool Reader::closeText(antlr4::CommonToken &token) {
  OpenText open = texts.back();
  bool closed = token.getType() == SglLexer::CLOSE_TEXT;
  size_t begin = token.getStartIndex();
  if (repair && closed && open.isBlock && !firstOnLine(begin) &&
      looksLikeOpening(begin)) {
    // The next block's opening quotes. One forgotten end should not turn the
    // rest of the file inside out: go back to where an item begins or ends, or
    // else read on to that block's end.
    if (!log.isBroken(open.begin))
      reportBlock(open).also(log.span(begin, begin + 3),
                             "another text begins here");
    log.markBroken(open.begin);
    if (resume())
      return false;
    token.setType(SglLexer::TEXT);
    lexer->pushMode(SglLexer::Block);
    return true;
  }
  texts.pop_back();
  if (closed)
    return true;
  log.markBroken(open.begin);
  token.setStopIndex(begin - 1); // the newline is no part of it
  reportLine(open);
  return true;
}

/// Follows texts and holes, which the lexer's modes know only as a stack.
/// False: the word is void, reading goes on elsewhere.
bool Reader::track(antlr4::CommonToken &token) {
  switch (token.getType()) {
  case SglLexer::OPEN_TEXT:
  case SglLexer::OPEN_BLOCK:
    openText(token);
    return true;
  case SglLexer::OPEN_HOLE:
    if (!texts.empty()) {
      texts.back().hole = token.getStartIndex();
      texts.back().holeToken = words.tokens.size();
    }
    return true;
  case SglLexer::RIGHT_BRACE:
    if (!texts.empty() && lexer->mode != antlr4::Lexer::DEFAULT_MODE)
      texts.back().hole = none;
    return true;
  case SglLexer::CLOSE_TEXT:
  case SglLexer::UNCLOSED:
    return texts.empty() || closeText(token);
  case SglLexer::UNCLOSED_RAW:
  case SglLexer::UNCLOSED_RAW_BLOCK:
    log.error("E0101",
              log.span(token.getStartIndex(), token.getStartIndex() + 2),
              "this text is never closed")
        .label("a raw text ends where it began: `\"` or `\"\"\"`");
    return true;
  default:
    return true;
  }
}

/// At the end of the file: what is still open, and the words that end it.
bool Reader::endTexts() {
  if (commentBegin != none)
    log.error("E0101", log.span(commentBegin, commentBegin + 2),
              "this comment is never closed")
        .label("comments nest: each `/*` needs its `*/`");
  words.endsInside = commentBegin != none;
  if (texts.empty())
    return true;
  const OpenText &outer = texts.front();
  log.forget(outer.begin);
  if (outer.hole != none)
    reportHole(outer, "in this text");
  else if (outer.isBlock)
    reportBlock(outer);
  else
    reportLine(outer);
  if (!repair)
    return true;
  if (outer.isBlock && outer.hole == none && resume())
    return false;
  words.endsInside = true;
  while (!texts.empty()) {
    leave(texts.back());
    texts.pop_back();
  }
  return true;
}

/// Outside of texts a character beyond ASCII is one unknown word, not one for
/// each byte.
bool Reader::joinsCharacter(const antlr4::CommonToken &token) {
  size_t begin = token.getStartIndex();
  if (token.getType() != SglLexer::UNKNOWN || (text[begin] & 0xC0) != 0x80 ||
      words.tokens.empty())
    return false;
  static_cast<antlr4::CommonToken &>(*words.tokens.back()).setStopIndex(begin);
  return true;
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
      log.only("E0111", at, "this nests more than 256 brackets deep")
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
  log.only("E0111", at, "this file has more than 1,000,000 words")
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
    if (joinsCharacter(*token))
      continue;
    bool again = false;
    while (leaveBrokenLine(*token))
      again = true;
    if (again) {
      jump(lexer->tokenStartCharIndex, token->getLine(),
           token->getCharPositionInLine());
      continue;
    }
    if (token->getChannel() != Token::DEFAULT_CHANNEL) {
      document(*token);
      continue;
    }
    bool isEnd = token->getType() == Token::EOF;
    if (!(isEnd ? endTexts() : track(*token)))
      continue;
    add(std::move(token));
    if (isEnd)
      return std::move(words);
  }
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
