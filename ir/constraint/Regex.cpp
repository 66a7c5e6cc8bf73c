// Parses regular expressions into pattern trees by recursive descent.
#include "ir/constraint/Regex.h"

#include "ir/constraint/RegexClass.h"
#include "ir/value/Utf8.h"

#include <algorithm>

namespace sgl {

namespace {

class Parser {
public:
  explicit Parser(std::string_view text) : in{text, 0, {}} {}

  Result<PatternRef> run() {
    PatternRef tree = parseChoice();
    if (tree && in.at < in.text.size())
      tree = in.fail(in.at, "')' closes no group");
    if (!tree)
      return Error{in.message};
    return tree;
  }

private:
  // Each parse function gives null after an error.
  PatternRef parseChoice();
  PatternRef parseSequence();
  PatternRef parseRepeat();
  PatternRef parseAtom();
  PatternRef parseGroup();
  bool parseGroupHead(size_t begin, bool &dotAll);
  PatternRef parseEscape();
  bool parseCount(uint32_t &least, uint32_t &most);
  bool parseQuantifier(uint32_t &least, uint32_t &most, bool &found);

  RegexInput in;
  uint32_t depth = 0;
  bool dotTakesAll = false;
};

PatternRef Parser::parseChoice() {
  if (++depth > maxRegexDepth)
    return in.fail(in.at,
                   "groups nest deeper than " + std::to_string(maxRegexDepth));
  std::vector<PatternRef> parts;
  do {
    PatternRef part = parseSequence();
    if (!part)
      return nullptr;
    parts.push_back(std::move(part));
  } while (in.take('|'));
  --depth;
  return pattern::choice(std::move(parts));
}

PatternRef Parser::parseSequence() {
  std::vector<PatternRef> parts;
  while (in.at < in.text.size() && in.peek() != '|' && in.peek() != ')') {
    PatternRef part = parseRepeat();
    if (!part)
      return nullptr;
    parts.push_back(std::move(part));
  }
  return pattern::sequence(std::move(parts));
}

/// Reads `{n}`, `{n,}` or `{n,m}`; anything else leaves `{` a literal.
bool Parser::parseCount(uint32_t &least, uint32_t &most) {
  size_t at = in.at + 1;
  auto number = [&](uint64_t &value) {
    size_t begin = at;
    auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    for (value = 0; at < in.text.size() && isDigit(in.text[at]); ++at)
      value = std::min<uint64_t>(value * 10 + uint64_t(in.text[at] - '0'),
                                 UINT32_MAX);
    return at > begin;
  };
  uint64_t low = 0, high = 0;
  if (!number(low))
    return false;
  high = low;
  bool open = false;
  if (at < in.text.size() && in.text[at] == ',') {
    ++at;
    open = !number(high);
  }
  if (at >= in.text.size() || in.text[at] != '}')
    return false;
  size_t begin = in.at;
  in.at = at + 1;
  if (std::max(low, open ? 0 : high) > maxRegexRepeat)
    in.fail(begin, "a repeat of more than " + std::to_string(maxRegexRepeat) +
                       " times");
  if (!open && high < low)
    in.fail(begin, "a repeat from more to less");
  least = static_cast<uint32_t>(low);
  most = open ? Pattern::unbounded : static_cast<uint32_t>(high);
  return true;
}

/// One of `* + ? {n,m}`. False after an error.
bool Parser::parseQuantifier(uint32_t &least, uint32_t &most, bool &found) {
  found = true;
  if (in.take('*'))
    least = 0, most = Pattern::unbounded;
  else if (in.take('+'))
    least = 1, most = Pattern::unbounded;
  else if (in.take('?'))
    least = 0, most = 1;
  else
    found = in.peek() == '{' && parseCount(least, most);
  return in.message.empty();
}

PatternRef Parser::parseRepeat() {
  size_t begin = in.at;
  uint32_t least = 0, most = 0;
  bool found = false;
  if (!parseQuantifier(least, most, found))
    return nullptr;
  if (found)
    return in.fail(begin, "nothing to repeat");
  PatternRef atom = parseAtom();
  if (!atom || !parseQuantifier(least, most, found))
    return nullptr;
  if (!found)
    return atom;
  // A lazy mark changes which text is found first, not which texts match.
  if (!in.take('?') && in.peek() == '+')
    return in.fail(in.at, "a possessive repeat is not supported");
  size_t second = in.at;
  uint32_t ignored = 0;
  if (!parseQuantifier(ignored, ignored, found))
    return nullptr;
  if (found)
    return in.fail(second, "a repeat of a repeat; put the first in a group");
  return pattern::repeat(std::move(atom), least, most);
}

PatternRef Parser::parseAtom() {
  size_t begin = in.at;
  switch (in.peek()) {
  case '(':
    return parseGroup();
  case '[': {
    auto set = parseClass(in);
    return set ? pattern::characters(std::move(*set)) : nullptr;
  }
  case '.':
    ++in.at;
    return pattern::characters(dotTakesAll ? CodePointSet::all()
                                           : lineTerminators().complement());
  case '^':
    ++in.at;
    return pattern::textBegin();
  case '$':
    ++in.at;
    return pattern::textEnd();
  case '\\':
    return parseEscape();
  default:
    in.takeCharacter();
    return pattern::text(std::string(in.text.substr(begin, in.at - begin)));
  }
}

/// What stands behind `(?`. False after an error.
bool Parser::parseGroupHead(size_t begin, bool &dotAll) {
  struct Refused {
    const char *mark, *what;
  };
  constexpr Refused refused[] = {
      {"=", "look-ahead '(?=' is not supported"},
      {"!", "look-ahead '(?!' is not supported"},
      {"<=", "look-behind '(?<=' is not supported"},
      {"<!", "look-behind '(?<!' is not supported"},
      {">", "an atomic group '(?>' is not supported"},
      {"#", "a comment '(?#' is not supported"},
      {"P=", "a back-reference '(?P=' is not supported"},
      {"(", "a condition '(?(' is not supported"},
  };
  for (const Refused &row : refused)
    if (in.startsWith(row.mark)) {
      in.fail(begin, row.what);
      return false;
    }
  if (in.take(':'))
    return true;
  if (in.startsWith("s:")) {
    in.at += 2;
    return dotAll = true;
  }
  if (in.startsWith("P<") || in.startsWith("<")) {
    size_t end = in.text.find('>', in.at);
    if (end == std::string_view::npos) {
      in.fail(begin, "the name of a group has no '>'");
      return false;
    }
    in.at = end + 1;
    return true;
  }
  in.fail(begin, "a group '(?' of an unknown kind; '(?:', '(?s:' and "
                 "'(?<name>' are known,");
  return false;
}

PatternRef Parser::parseGroup() {
  size_t begin = in.at++;
  bool dotAll = dotTakesAll;
  if (in.take('?') && !parseGroupHead(begin, dotAll))
    return nullptr;
  std::swap(dotAll, dotTakesAll);
  PatternRef inner = parseChoice();
  std::swap(dotAll, dotTakesAll);
  if (!inner)
    return nullptr;
  if (!in.take(')'))
    return in.fail(begin, "a group without ')'");
  return inner;
}

PatternRef Parser::parseEscape() {
  size_t begin = in.at;
  char letter = in.at + 1 < in.text.size() ? in.text[in.at + 1] : '\0';
  if (letter == 'b' || letter == 'B')
    return in.fail(begin, "a word boundary '\\b' is not supported");
  if ((letter >= '1' && letter <= '9') || letter == 'k')
    return in.fail(begin, "a back-reference is not regular and not supported");
  if (letter == 'A' || letter == 'z' || letter == 'Z' || letter == 'G')
    return in.fail(begin, "this anchor is not supported, '^' and '$' are");
  auto set = parseClassEscape(in);
  return set ? pattern::characters(std::move(*set)) : nullptr;
}

} // namespace

Result<PatternRef> parseRegex(std::string_view text) {
  if (text.size() > maxRegexBytes)
    return Error{"the pattern has " + std::to_string(text.size()) +
                 " bytes, at most " + std::to_string(maxRegexBytes) +
                 " are allowed"};
  if (size_t bad = firstInvalidUtf8(text); bad != std::string_view::npos)
    return Error{"not UTF-8 at byte " + std::to_string(bad) +
                 " of the pattern"};
  if (size_t zero = text.find('\0'); zero != std::string_view::npos)
    return Error{"a zero byte at byte " + std::to_string(zero) +
                 " of the pattern; write \\x00"};
  return Parser(text).run();
}

Result<Automaton> compileRegex(std::string_view text) {
  auto tree = parseRegex(text);
  if (!tree)
    return tree.error();
  auto automaton = compilePattern(*tree);
  if (automaton && automaton->isEmpty())
    return Error{"the pattern matches no text at all"};
  return automaton;
}

} // namespace sgl
