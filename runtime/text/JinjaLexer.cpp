// The lexer of the template language; follows jinja2/lexer.py.
#include "runtime/text/JinjaLexer.h"
#include "runtime/text/JinjaLiterals.h"

#include <cstdlib>

namespace sgl::jinja {

namespace {

/// ASCII blanks; a byte above is part of a longer character.
bool isBlank(char c) {
  auto byte = static_cast<unsigned char>(c);
  return byte < 0x80 && isSpace(byte);
}
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Line ends as "\n", and the last one dropped.
std::string normalize(std::string_view source) {
  std::string out;
  out.reserve(source.size());
  for (size_t i = 0; i < source.size(); ++i) {
    if (source[i] != '\r') {
      out += source[i];
      continue;
    }
    out += '\n';
    if (i + 1 < source.size() && source[i + 1] == '\n')
      ++i;
  }
  if (!out.empty() && out.back() == '\n')
    out.pop_back();
  return out;
}

class Lexer {
public:
  Lexer(std::string_view text, std::vector<Token> &tokens, Failure &failure)
      : source(normalize(text)), tokens(tokens), failure(failure) {}

  bool run() {
    while (at < source.size())
      if (!part())
        return false;
    push(TokenKind::End, "");
    return true;
  }

private:
  bool part();
  bool comment();
  bool raw(size_t afterTag);
  bool rawTag(size_t &after) const;
  bool tag(bool block);
  bool tagEnd(bool block, bool &ended);
  bool expressionToken();
  bool stringToken();
  bool numberToken();
  bool operatorToken();
  std::string data(size_t from, size_t to, char sign, bool isVariable);
  void pushData(std::string text);
  void advance(size_t to);
  void closed(size_t end);

  bool fail(std::string message) {
    failure = {ErrorClass::Syntax, std::move(message), line};
    return false;
  }
  void push(TokenKind kind, std::string text) {
    tokens.push_back({kind, std::move(text), 0, 0, line});
  }
  bool starts(size_t pos, std::string_view what) const {
    return source.compare(pos, what.size(), what) == 0;
  }
  char signAt(size_t pos) const {
    char c = pos < source.size() ? source[pos] : '\0';
    return c == '-' || c == '+' ? c : '\0';
  }

  std::string source;
  std::vector<Token> &tokens;
  Failure &failure;
  size_t at = 0;
  unsigned line = 1;
  bool lineStarting = true; ///< the text before `at` ended with a newline
  std::string brackets;     ///< closers that are still expected
};

/// Moves to `to` and counts the lines on the way.
void Lexer::advance(size_t to) {
  for (; at < to; ++at)
    line += source[at] == '\n';
}

/// A tag was read up to `end`: remember whether it took a newline with it.
void Lexer::closed(size_t end) {
  advance(end);
  lineStarting = end > 0 && source[end - 1] == '\n';
}

/// Data before a tag, with the white space that the tag takes away.
std::string Lexer::data(size_t from, size_t to, char sign, bool isVariable) {
  std::string text = source.substr(from, to - from);
  if (sign == '-') {
    return std::string(strip(Text(text, false), Side::Right).view());
  }
  if (sign == '+' || isVariable)
    return text;
  size_t lineStart = text.rfind('\n') + 1; // npos + 1 is 0
  if (lineStart == 0 && !lineStarting)
    return text;
  std::string_view blanks = std::string_view(text).substr(lineStart);
  if (strip(Text(blanks, false), Side::Both).empty())
    text.resize(lineStart);
  return text;
}

void Lexer::pushData(std::string text) {
  if (!text.empty())
    push(TokenKind::Data, std::move(text));
}

/// Is the tag at `at` the start of a raw block? Then `after` is behind it.
bool Lexer::rawTag(size_t &after) const {
  size_t p = at + 2;
  p += signAt(p) != 0;
  auto blanks = [&] {
    while (p < source.size() && isBlank(source[p]))
      ++p;
  };
  blanks();
  if (!starts(p, "raw"))
    return false;
  p += 3;
  blanks();
  if (starts(p, "-%}")) {
    p += 3;
    blanks();
  } else if (starts(p, "%}")) {
    p += 2;
  } else {
    return false;
  }
  after = p;
  return true;
}

/// One stretch of data and the tag behind it.
bool Lexer::part() {
  size_t found = at;
  for (;; ++found) {
    found = source.find('{', found);
    if (found == std::string::npos || found + 1 >= source.size()) {
      pushData(source.substr(at));
      advance(source.size());
      return true;
    }
    char c = source[found + 1];
    if (c == '{' || c == '%' || c == '#')
      break;
  }
  char kind = source[found + 1];
  char sign = signAt(found + 2);
  std::string text = data(at, found, sign, kind == '{');
  pushData(std::move(text));
  advance(found);
  if (kind == '#')
    return comment();
  size_t after = 0;
  if (kind == '%' && rawTag(after))
    return raw(after);
  return tag(kind == '%');
}

bool Lexer::comment() {
  size_t end = source.find("#}", at + 2);
  if (end == std::string::npos)
    return fail("missing end of comment tag");
  char sign = end > at + 2 ? signAt(end - 1) : '\0';
  end += 2;
  if (sign == '-')
    while (end < source.size() && isBlank(source[end]))
      ++end;
  else if (sign != '+' && end < source.size() && source[end] == '\n')
    ++end;
  closed(end);
  return true;
}

bool Lexer::raw(size_t afterTag) {
  closed(afterTag);
  for (size_t p = source.find("{%", at); p != std::string::npos;
       p = source.find("{%", p + 1)) {
    char sign = signAt(p + 2);
    size_t q = p + 2 + (sign != 0);
    while (q < source.size() && isBlank(source[q]))
      ++q;
    if (!starts(q, "endraw"))
      continue;
    q += 6;
    while (q < source.size() && isBlank(source[q]))
      ++q;
    char endSign = signAt(q);
    q += endSign != 0;
    if (!starts(q, "%}"))
      continue;
    q += 2;
    pushData(data(at, p, sign, false));
    if (endSign == '-')
      while (q < source.size() && isBlank(source[q]))
        ++q;
    else if (endSign != '+' && q < source.size() && source[q] == '\n')
      ++q;
    closed(q);
    return true;
  }
  return fail("missing end of raw block");
}

/// Everything from "{{" or "{%" to the end of the tag.
bool Lexer::tag(bool block) {
  push(block ? TokenKind::BlockBegin : TokenKind::VariableBegin, "");
  size_t start = at + 2;
  advance(start + (signAt(start) != 0));
  brackets.clear();
  for (;;) {
    while (at < source.size() && isBlank(source[at]))
      advance(at + 1);
    if (at >= source.size()) {
      lineStarting = false;
      return true; // the parser reports the unfinished tag
    }
    bool ended = false;
    if (brackets.empty() && !tagEnd(block, ended))
      return false;
    if (ended)
      return true;
    if (!expressionToken())
      return false;
  }
}

bool Lexer::tagEnd(bool block, bool &ended) {
  std::string_view close = block ? "%}" : "}}";
  char sign = signAt(at);
  size_t p = at + (sign != 0);
  // "+}}" is no end of a variable: the plus would be an operator.
  if (!starts(p, close) || (!block && sign == '+'))
    return true;
  push(block ? TokenKind::BlockEnd : TokenKind::VariableEnd, "");
  p += 2;
  if (sign == '-')
    while (p < source.size() && isBlank(source[p]))
      ++p;
  else if (block && sign != '+' && p < source.size() && source[p] == '\n')
    ++p;
  closed(p);
  ended = true;
  return true;
}

bool Lexer::expressionToken() {
  char c = source[at];
  if (isDigit(c))
    return numberToken();
  if (c == '"' || c == '\'')
    return stringToken();
  if (!isNameStart(c))
    return operatorToken();
  size_t end = at;
  while (end < source.size() &&
         (isNameStart(source[end]) || isDigit(source[end])))
    ++end;
  push(TokenKind::Name, source.substr(at, end - at));
  advance(end);
  return true;
}

bool Lexer::operatorToken() {
  static constexpr std::string_view operators[] = {
      "//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[",
      "]",  "(",  ")",  "{",  "}",  ">",  "<", "=", ".", ":", "|", ",", ";"};
  for (std::string_view op : operators) {
    if (!starts(at, op))
      continue;
    if (op == "(" || op == "[" || op == "{")
      brackets += op == "(" ? ')' : op == "[" ? ']' : '}';
    if (op == ")" || op == "]" || op == "}") {
      if (brackets.empty())
        return fail("unexpected '" + std::string(op) + "'");
      if (brackets.back() != op[0])
        return fail("unexpected '" + std::string(op) + "', expected '" +
                    brackets.back() + "'");
      brackets.pop_back();
    }
    push(TokenKind::Operator, std::string(op));
    advance(at + op.size());
    return true;
  }
  return fail("unexpected char '" + source.substr(at, 1) + "'");
}

bool Lexer::numberToken() {
  size_t p = at;
  int base = 10;
  if (source[p] == '0' && p + 1 < source.size()) {
    char k = source[p + 1] | 0x20;
    base = k == 'x' ? 16 : k == 'o' ? 8 : k == 'b' ? 2 : 10;
    p += base == 10 ? 0 : 2;
  }
  std::string digits;
  auto run = [&](int b) {
    while (p < source.size() &&
           (digitValue(source[p], b) >= 0 ||
            (source[p] == '_' && p + 1 < source.size() &&
             digitValue(source[p + 1], b) >= 0 && !digits.empty()))) {
      if (source[p] != '_')
        digits += source[p];
      ++p;
    }
  };
  run(base);
  bool isFloat = false;
  if (base == 10) {
    if (p + 1 < source.size() && source[p] == '.' && isDigit(source[p + 1])) {
      isFloat = true;
      digits += source[p++];
      run(10);
    }
    size_t e = p;
    if (e < source.size() && (source[e] | 0x20) == 'e') {
      size_t d = e + 1 + (signAt(e + 1) != 0);
      if (d < source.size() && isDigit(source[d])) {
        isFloat = true;
        digits += source.substr(e, d - e);
        p = d;
        run(10);
      }
    }
  }
  if (digits.empty() || digits.size() > 400)
    return fail("number out of range");
  push(isFloat ? TokenKind::Float : TokenKind::Integer, digits);
  if (isFloat) {
    tokens.back().number = std::strtod(digits.c_str(), nullptr);
  } else {
    Int value = 0;
    for (char c : digits) {
      if (__builtin_mul_overflow(value, static_cast<Int>(base), &value) ||
          __builtin_add_overflow(value, static_cast<Int>(digitValue(c, base)),
                                 &value))
        return fail("number out of range: integers have at most 128 bits");
    }
    tokens.back().integer = value;
  }
  advance(p);
  return true;
}

bool Lexer::stringToken() {
  char quote = source[at];
  std::string out;
  size_t p = at + 1;
  while (p < source.size() && source[p] != quote) {
    if (source[p] != '\\') {
      out += source[p++];
      continue;
    }
    if (p + 1 >= source.size())
      break;
    size_t used = readEscape(source, p + 1, out);
    if (used == 0)
      return fail("this escape in a string is no character");
    p += 1 + used;
  }
  if (p >= source.size())
    return fail(std::string("unexpected char '") + quote +
                "': the string is "
                "not closed");
  push(TokenKind::String, std::move(out));
  advance(p + 1);
  return true;
}

} // namespace

bool tokenize(std::string_view source, std::vector<Token> &tokens,
              Failure &failure) {
  return Lexer(source, tokens, failure).run();
}

} // namespace sgl::jinja
