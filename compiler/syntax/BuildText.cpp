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

} // namespace

/// Appends what `\…` stands for.
void Builder::escape(const antlr4::Token *token, Span literal,
                     std::string &bytes) {
  Span span = spanOf(token);
  std::string_view word = wordAt(span);
  if (token->getType() == SglLexer::LINE_JOIN)
    return;
  if (token->getType() == SglLexer::ESCAPE && word[1] != 'u') {
    constexpr std::string_view letters = "ntrs\"\\$0";
    constexpr std::string_view values("\n\t\r \"\\$\0", 8);
    bytes += values[letters.find(word[1])];
    return;
  }
  uint32_t scalar = 0;
  if (token->getType() == SglLexer::ESCAPE) {
    for (char c : word.substr(3, word.size() - 4))
      scalar = std::min<uint32_t>(
          scalar * 16 + uint32_t(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10),
          0x110000);
    if (scalar <= 0x10FFFF && (scalar < 0xD800 || scalar > 0xDFFF))
      return appendUtf8(bytes, scalar);
    log.error("E0102", span,
              "`" + std::string(word) + "` is not a character of Unicode")
        .label("scalar values are 0 to D7FF and E000 to 10FFFF");
    return;
  }
  // One text, one message: it should be raw as a whole.
  if (log.isBroken(literal.begin) || literal.begin == lastBadEscape)
    return;
  lastBadEscape = literal.begin;
  bool atEnd = word.size() < 2 || word[1] == '\r';
  std::string shown = atEnd ? "\\" : std::string(word);
  log.error("E0102", span, "unknown escape `" + shown + "`")
      .label("known are `\\n \\t \\r \\s \\\" \\\\ \\$ \\0 \\u{…}`")
      .note("a raw text has no escapes: write `r\"…\"` or `r\"\"\"…\"\"\"`")
      .suggest(span, "\\" + shown,
               "write `\\" + shown + "` for the sign itself");
}

static void appendText(std::string &bytes, std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] != '\r' || i + 1 >= text.size() || text[i + 1] != '\n')
      bytes += text[i];
}

/// Gathers bytes and holes; adjacent bytes are one part.
struct PartList {
  std::vector<TextPart> parts;
  std::string *bytesAt(Span span) {
    if (parts.empty() || parts.back().hole) {
      parts.emplace_back();
      parts.back().span = span;
    }
    parts.back().span = Span::join(parts.back().span, span);
    return &parts.back().bytes;
  }
};

ExprPtr Builder::textLiteral(P::TextContext *context) {
  if (!context || context->children.empty())
    return make(ExprKind::Error, spanOf(context));
  Span span = spanOf(context);
  ExprPtr result = make(ExprKind::Text, span);
  const antlr4::Token *opening = context->getStart();
  size_t kind = opening->getType();
  bool isBlock = kind == SglLexer::OPEN_BLOCK || kind == SglLexer::RAW_BLOCK;
  bool isBroken = log.isBroken(span.begin) || context->UNCLOSED() ||
                  kind == SglLexer::UNCLOSED_RAW ||
                  kind == SglLexer::UNCLOSED_RAW_BLOCK;
  result->raw = kind == SglLexer::RAW_TEXT || kind == SglLexer::RAW_BLOCK ||
                kind == SglLexer::UNCLOSED_RAW ||
                kind == SglLexer::UNCLOSED_RAW_BLOCK;
  if (isBroken && result->raw)
    return result;
  size_t quotes = (isBlock ? 3u : 1u) + (result->raw ? 1u : 0u);
  size_t begin = span.begin + quotes;
  size_t end = span.end - (isBlock ? 3 : 1);
  if (isBroken || end < begin)
    end = std::max<size_t>(span.end, begin);

  BlockLayout layout(text, begin, end, log);
  bool laidOut =
      isBlock && !isBroken && layout.open(log.span(span.begin, begin));
  size_t skipTo = laidOut ? layout.enterLine(layout.first) : begin;
  size_t stop = laidOut ? layout.last : end;
  skipTo = std::min(skipTo, stop);

  PartList list;
  // Adds the bytes [from, to) of the file, line by line.
  auto addRaw = [&](size_t from, size_t to) {
    from = std::max(from, skipTo);
    to = std::min(to, stop);
    while (from < to) {
      size_t newline = laidOut ? text.find('\n', from) : std::string::npos;
      size_t lineEnd = newline >= to ? to : newline + 1;
      appendText(*list.bytesAt(log.span(from, lineEnd)),
                 text.substr(from, lineEnd - from));
      from = lineEnd;
      if (newline < to)
        from = skipTo = std::min(layout.enterLine(from), stop);
    }
  };
  if (result->raw)
    addRaw(begin, end);
  for (auto *part : context->textPart()) {
    if (auto *node = part->hole()) {
      TextPart hole;
      hole.span = spanOf(node);
      hole.hole = expression(node->expression());
      list.parts.push_back(std::move(hole));
      continue;
    }
    const antlr4::Token *token = part->getStart();
    Span at = spanOf(token);
    if (token->getType() == SglLexer::TEXT) {
      addRaw(at.begin, at.end);
    } else if (at.begin >= skipTo && at.begin < stop) {
      escape(token, span, *list.bytesAt(at));
      if (token->getType() == SglLexer::LINE_JOIN && laidOut)
        skipTo = std::min(layout.enterLine(at.end), stop);
    }
  }
  result->parts = std::move(list.parts);
  std::erase_if(result->parts, [](const TextPart &part) {
    return !part.hole && part.bytes.empty();
  });
  return result;
}

std::string Builder::constantText(P::TextContext *context) {
  ExprPtr literal = textLiteral(context);
  std::string value;
  for (const TextPart &part : literal->parts) {
    value += part.bytes;
    if (part.hole)
      log.error("E0100", part.span, "this text is fixed: it takes no `${}`")
          .label("not here");
  }
  return value;
}

} // namespace sgl::syntax
