// Reads `[...]`, `\d`, `\p{..}`, `\x41` and the like.
#include "ir/constraint/RegexClass.h"

#include "ir/value/Utf8.h"

#include <cctype>

namespace sgl {

uint32_t RegexInput::takeCharacter() {
  Utf8Char character = decodeUtf8(text, at);
  at += character.length;
  return character.codePoint;
}

std::nullptr_t RegexInput::fail(size_t place, const std::string &what) {
  if (message.empty())
    message = what + " at byte " + std::to_string(place) + " of the pattern";
  return nullptr;
}

CodePointSet lineTerminators() {
  return {{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}};
}

namespace {

using MaybeSet = std::optional<CodePointSet>;

MaybeSet failSet(RegexInput &in, size_t place, const std::string &what) {
  in.fail(place, what);
  return std::nullopt;
}

CodePointSet digits() { return {{'0', '9'}}; }
CodePointSet words() {
  return {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
}
/// ECMAScript's WhiteSpace and LineTerminator.
CodePointSet spaces() {
  return {{'\t', '\r'},     {' ', ' '},       {0xa0, 0xa0},
          {0x1680, 0x1680}, {0x2000, 0x200a}, {0x2028, 0x2029},
          {0x202f, 0x202f}, {0x205f, 0x205f}, {0x3000, 0x3000},
          {0xfeff, 0xfeff}};
}

CodePointSet single(uint32_t point) { return {{point, point}}; }

/// Behind `\p` or `\P`: `{Name}`, `{gc=Name}` or one letter.
MaybeSet parseProperty(RegexInput &in, size_t begin, bool negated) {
  std::string_view name;
  if (in.take('{')) {
    size_t end = in.text.find('}', in.at);
    if (end == std::string_view::npos)
      return failSet(in, begin, "a property without '}'");
    name = in.text.substr(in.at, end - in.at);
    in.at = end + 1;
  } else {
    name = in.text.substr(in.at, 1);
    in.at += name.size();
  }
  for (std::string_view prefix : {"gc=", "General_Category="})
    if (name.substr(0, prefix.size()) == prefix)
      name.remove_prefix(prefix.size());
  MaybeSet set = CodePointSet::category(name);
  if (!set)
    return failSet(in, begin,
                   "the property '" + std::string(name.substr(0, 40)) +
                       "' is not known, general categories are,");
  return negated ? set->complement() : *set;
}

/// Hexadecimal digits: exactly `count`, or in braces one to six.
MaybeSet parseHex(RegexInput &in, size_t begin, unsigned count) {
  bool braces = in.take('{');
  uint32_t point = 0;
  unsigned read = 0;
  for (; read < (braces ? 6 : count) &&
         std::isxdigit(static_cast<unsigned char>(in.peek()));
       ++read, ++in.at) {
    char c = in.peek();
    point = point * 16 +
            static_cast<uint32_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  if (braces ? read == 0 || !in.take('}') : read < count)
    return failSet(in, begin,
                   "a character number needs " + std::to_string(count) +
                       " hexadecimal digits, or one to six in braces,");
  if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff))
    return failSet(in, begin, "a number that is no character");
  return single(point);
}

} // namespace

std::optional<CodePointSet> parseClassEscape(RegexInput &in) {
  size_t begin = in.at++;
  if (in.at >= in.text.size())
    return failSet(in, begin, "nothing follows '\\'");
  char letter = in.peek();
  if (!std::isalnum(static_cast<unsigned char>(letter)))
    return single(in.takeCharacter());
  ++in.at;
  switch (letter) {
  case 'd':
    return digits();
  case 'D':
    return digits().complement();
  case 'w':
    return words();
  case 'W':
    return words().complement();
  case 's':
    return spaces();
  case 'S':
    return spaces().complement();
  case 'p':
  case 'P':
    return parseProperty(in, begin, letter == 'P');
  case 'x':
    return parseHex(in, begin, 2);
  case 'u':
    return parseHex(in, begin, 4);
  case 'n':
    return single('\n');
  case 'r':
    return single('\r');
  case 't':
    return single('\t');
  case 'f':
    return single('\f');
  case 'v':
    return single('\v');
  case '0':
    return single(0);
  default:
    return failSet(in, begin,
                   std::string("the escape '\\") + letter + "' is not known");
  }
}

namespace {

/// One member of a class, or one end of a range.
MaybeSet parseMember(RegexInput &in) {
  if (in.peek() == '\\') {
    // Inside a class \b is the backspace.
    if (in.startsWith("\\b")) {
      in.at += 2;
      return single('\b');
    }
    return parseClassEscape(in);
  }
  if (in.startsWith("[:"))
    return failSet(in, in.at, "a POSIX class '[:' is not supported");
  return single(in.takeCharacter());
}

bool isSingle(const CodePointSet &set) {
  return set.ranges().size() == 1 &&
         set.ranges()[0].low == set.ranges()[0].high;
}

} // namespace

std::optional<CodePointSet> parseClass(RegexInput &in) {
  size_t begin = in.at++;
  bool negated = in.take('^');
  if (in.peek() == ']')
    return failSet(in, begin, "an empty class; write '\\]' for a bracket,");
  CodePointSet set;
  while (!in.take(']')) {
    if (in.at >= in.text.size())
      return failSet(in, begin, "a class without ']'");
    size_t place = in.at;
    MaybeSet low = parseMember(in);
    if (!low)
      return std::nullopt;
    bool isRange = in.peek() == '-' && in.at + 1 < in.text.size() &&
                   in.text[in.at + 1] != ']';
    if (!isRange) {
      set.add(*low);
      continue;
    }
    ++in.at;
    MaybeSet high = parseMember(in);
    if (!high)
      return std::nullopt;
    if (!isSingle(*low) || !isSingle(*high))
      return failSet(in, place, "a range between classes");
    uint32_t from = low->ranges()[0].low, to = high->ranges()[0].low;
    if (from > to)
      return failSet(in, place, "a range from high to low");
    set.add(from, to);
  }
  return negated ? set.complement() : set;
}

} // namespace sgl
