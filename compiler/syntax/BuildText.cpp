// The value of a text: margins, escapes, holes.
//
// A block is cut into lines as it stands in the file: first the margin goes,
// then escapes are read, then holes are filled in. So neither an escape nor a
// value can move a line.

#include "compiler/syntax/Builder.h"

#include "ir/value/Utf8.h"

#include <algorithm>

namespace sgl::syntax {

using namespace ast;

namespace {

bool isBlank(char c) { return c == ' ' || c == '\t'; }

/// What stands between the quotes of a block, and its margin.
class BlockLayout {
public:
  BlockLayout(std::string_view text, size_t begin, size_t end, SyntaxLog &log)
      : text(text), begin(begin), end(end), log(log) {}

  /// Finds first and last line; false: E0109 was reported.
  bool open(Span quotes);
  /// Takes the margin off the line that begins at `at`: where its text begins.
  size_t enterLine(size_t at);

  /// The lines between the quotes' lines, without the last newline.
  size_t first = 0, last = 0;

private:
  void report(size_t at, size_t blanksEnd);

  std::string_view text;
  size_t begin, end;
  SyntaxLog &log;
  std::string_view margin;
  bool reported = false;
};

bool BlockLayout::open(Span quotes) {
  first = begin;
  while (first < end && (isBlank(text[first]) || text[first] == '\r'))
    ++first;
  size_t lastLine = end;
  while (lastLine > begin && isBlank(text[lastLine - 1]))
    --lastLine;
  bool opens = first < end && text[first] == '\n';
  bool closes = lastLine > begin && text[lastLine - 1] == '\n';
  if (!opens || !closes) {
    size_t at = opens ? end : quotes.begin;
    log.error("E0109", log.span(at, at + 3), "text beside a `\"\"\"`")
        .label(opens ? "this `\"\"\"` belongs alone on the next line"
                     : "the text begins on the next line")
        .note("text of one line stands in `\"`");
    return false;
  }
  ++first;
  margin = text.substr(lastLine, end - lastLine);
  last = lastLine - 1;
  if (last > begin && text[last - 1] == '\r')
    --last;
  last = std::max(last, first);
  return true;
}

size_t BlockLayout::enterLine(size_t at) {
  if (text.substr(at, margin.size()) == margin && at + margin.size() <= end)
    return at + margin.size();
  size_t blanks = at;
  while (blanks < last && isBlank(text[blanks]))
    ++blanks;
  bool blankLine = blanks >= last || text[blanks] == '\n' ||
                   text.substr(blanks, 2) == "\r\n";
  if (!blankLine) {
    report(at, blanks);
    return blanks;
  }
  size_t shared = 0;
  while (at + shared < blanks && text[at + shared] == margin[shared])
    ++shared;
  return at + shared;
}

/// A line that does not begin with the margin; one message for each block.
void BlockLayout::report(size_t at, size_t blanksEnd) {
  if (reported)
    return;
  reported = true;
  std::string_view blanks = text.substr(at, blanksEnd - at);
  Span closing = log.span(end - margin.size(), end + 3);
  if (margin.substr(0, blanks.size()) == blanks)
    log.error("E0103", log.span(blanksEnd, blanksEnd + 1),
              "this line is indented less than the closing `\"\"\"`")
        .label(std::to_string(blanks.size()) + " instead of " +
               std::to_string(margin.size()) + " blanks")
        .also(closing, "the margin of the text")
        .note("move the closing `\"\"\"` left, or the line right");
  else
    log.error("E0104", log.span(at, std::max(blanksEnd, at + 1)),
              "tabs against spaces: this line and the closing `\"\"\"` are "
              "indented differently")
        .label("not the same blanks")
        .also(closing, "the margin of the text");
}

void appendText(std::string &bytes, std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] != '\r' || i + 1 >= text.size() || text[i + 1] != '\n')
      bytes += text[i];
}

} // namespace

/// Reads one text, from its first quote to its last.
class TextReader {
public:
  using P = SglParser;

  TextReader(Builder &builder, P::TextContext *context)
      : builder(builder), text(builder.text), log(builder.log),
        context(context), span(builder.spanOf(context)) {}

  ExprPtr read();

private:
  bool isBroken() const;
  void setLimits();
  void part(P::TextPartContext *part);
  void addRaw(size_t from, size_t to);
  void addEscape(const antlr4::Token *token);
  void addCharacter(Span at);
  void reportEscape(Span at);
  std::string &bytesAt(size_t begin, size_t end);

  Builder &builder;
  std::string_view text;
  SyntaxLog &log;
  P::TextContext *context;
  Span span;
  std::optional<BlockLayout> layout; ///< of a block
  size_t next = 0;                   ///< what lies before is a margin, or read
  size_t stop = 0;                   ///< where the last line ends
  std::vector<TextPart> parts;
  bool failed = false;
};

/// A text without an end: its error is reported already.
bool TextReader::isBroken() const {
  size_t kind = context->getStart()->getType();
  return log.isBroken(span.begin) || context->UNCLOSED() ||
         kind == SglLexer::UNCLOSED_RAW || kind == SglLexer::UNCLOSED_RAW_BLOCK;
}

ExprPtr TextReader::read() {
  if (isBroken())
    return builder.make(ExprKind::Error, span);
  setLimits();
  size_t kind = context->getStart()->getType();
  bool isRaw = kind == SglLexer::RAW_TEXT || kind == SglLexer::RAW_BLOCK;
  if (isRaw)
    addRaw(next, stop);
  for (auto *entry : context->textPart())
    part(entry);
  std::erase_if(parts, [](const TextPart &part) {
    return !part.hole && part.bytes.empty();
  });
  ExprPtr result =
      builder.make(failed ? ExprKind::Error : ExprKind::Text, span);
  result->raw = isRaw;
  result->parts = std::move(parts);
  return result;
}

/// What lies between the quotes; in a block, between their lines.
void TextReader::setLimits() {
  size_t kind = context->getStart()->getType();
  bool isBlock = kind == SglLexer::OPEN_BLOCK || kind == SglLexer::RAW_BLOCK;
  bool isRaw = kind == SglLexer::RAW_TEXT || kind == SglLexer::RAW_BLOCK;
  size_t quotes = isBlock ? 3 : 1;
  next = span.begin + quotes + (isRaw ? 1 : 0);
  stop = span.end - quotes;
  if (!isBlock)
    return;
  layout.emplace(text, next, stop, log);
  if (!layout->open(log.span(span.begin, next))) {
    layout.reset();
    failed = true;
    return;
  }
  stop = layout->last;
  next = std::min(layout->enterLine(layout->first), stop);
}

/// Bytes that stand side by side are one part.
std::string &TextReader::bytesAt(size_t begin, size_t end) {
  Span at = log.span(begin, end);
  if (parts.empty() || parts.back().hole) {
    parts.emplace_back();
    parts.back().span = at;
  }
  parts.back().span = Span::join(parts.back().span, at);
  return parts.back().bytes;
}

/// The bytes [from, to) of the file, line by line.
void TextReader::addRaw(size_t from, size_t to) {
  from = std::max(from, next);
  to = std::min(to, stop);
  while (from < to) {
    size_t newline = layout ? text.find('\n', from) : std::string::npos;
    size_t end = newline >= to ? to : newline + 1;
    appendText(bytesAt(from, end), text.substr(from, end - from));
    from = end;
    if (newline < to)
      from = next = std::min(layout->enterLine(from), stop);
  }
}

void TextReader::part(P::TextPartContext *part) {
  if (auto *node = part->hole()) {
    TextPart hole;
    hole.span = builder.spanOf(node);
    hole.hole = builder.expression(node->expression());
    parts.push_back(std::move(hole));
    return;
  }
  const antlr4::Token *token = part->getStart();
  Span at = builder.spanOf(token);
  if (token->getType() == SglLexer::TEXT)
    addRaw(at.begin, at.end);
  else if (at.begin >= next && at.begin < stop)
    addEscape(token);
}

void TextReader::addEscape(const antlr4::Token *token) {
  Span at = builder.spanOf(token);
  if (token->getType() == SglLexer::LINE_JOIN) {
    if (layout)
      next = std::min(layout->enterLine(at.end), stop);
    return;
  }
  if (token->getType() == SglLexer::BAD_ESCAPE)
    return reportEscape(at);
  char letter = text[at.begin + 1];
  if (letter == 'u')
    return addCharacter(at);
  constexpr std::string_view letters = "ntrs\"\\$0";
  constexpr std::string_view values("\n\t\r \"\\$\0", 8);
  bytesAt(at.begin, at.end) += values[letters.find(letter)];
}

/// \u{…}
void TextReader::addCharacter(Span at) {
  constexpr uint32_t tooLarge = 0x110000;
  uint32_t scalar = 0;
  for (char c : text.substr(at.begin + 3, at.size() - 4)) {
    int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    scalar = std::min(scalar * 16 + uint32_t(digit), tooLarge);
  }
  if (scalar < tooLarge && (scalar < 0xD800 || scalar > 0xDFFF))
    return appendUtf8(bytesAt(at.begin, at.end), scalar);
  failed = true;
  log.error("E0102", at,
            "`" + std::string(builder.wordAt(at)) +
                "` is not a character of Unicode")
      .label("scalar values are 0 to D7FF and E000 to 10FFFF");
}

/// One text, one message: it should be raw as a whole.
void TextReader::reportEscape(Span at) {
  if (failed)
    return;
  failed = true;
  std::string word(builder.wordAt(at));
  if (word.size() < 2 || word[1] == ' ' || word[1] == '\t' || word[1] == '\r') {
    log.error("E0102", at, "a `\\` joins two lines only at a line's very end")
        .label("blanks follow it")
        .note("write `\\\\` for the sign itself");
    return;
  }
  log.error("E0102", at, "unknown escape `" + word + "`")
      .label("known are `\\n \\t \\r \\s \\\" \\\\ \\$ \\0 \\u{…}`")
      .note("a raw text has no escapes: write `r\"…\"` or `r\"\"\"…\"\"\"`")
      .suggest(at, "\\" + word, "write `\\" + word + "` for the sign itself");
}

ExprPtr Builder::textLiteral(P::TextContext *context) {
  if (!context || context->children.empty())
    return make(ExprKind::Error, spanOf(context));
  return TextReader(*this, context).read();
}

std::optional<std::string> Builder::constantText(P::TextContext *context) {
  ExprPtr literal = textLiteral(context);
  if (literal->kind == ExprKind::Error)
    return std::nullopt;
  std::string value;
  for (const TextPart &part : literal->parts) {
    value += part.bytes;
    if (!part.hole)
      continue;
    log.error("E0100", part.span, "this text is fixed: it takes no `${}`")
        .label("not here");
    return std::nullopt;
  }
  return value;
}

} // namespace sgl::syntax
