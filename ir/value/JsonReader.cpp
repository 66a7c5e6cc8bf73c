// A strict JSON reader (RFC 8259) into values, with budgets. See Value.h.
//
// Entry point: parseJson. One pass, recursion bounded by the depth limit, no
// exceptions. Numbers without point and exponent are ints, others floats.

#include "ir/value/JsonReader.h"
#include "ir/value/Utf8.h"
#include "ir/value/Value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_set>

namespace sgl {

namespace {

class Reader {
public:
  Reader(std::string_view text, JsonLimits limits, bool mayRepeatKeys)
      : text(text), limits(limits), mayRepeatKeys(mayRepeatKeys) {}

  Result<Value> read() {
    if (text.size() > limits.bytes)
      return Error{"JSON text is longer than " +
                   std::to_string(limits.bytes >> 20) + " MiB"};
    if (size_t bad = firstInvalidUtf8(text); bad != std::string_view::npos) {
      at = bad;
      return fail("JSON text is not valid UTF-8");
    }
    Value value;
    if (!readValue(value, 0))
      return failure;
    skipBlanks();
    if (at != text.size())
      return fail("unexpected text behind the JSON value");
    return value;
  }

private:
  Error fail(std::string message) {
    size_t line = 1, column = 1;
    for (size_t i = 0; i < at && i < text.size(); ++i) {
      bool newline = text[i] == '\n';
      line += newline;
      column = newline ? 1 : column + ((text[i] & 0xC0) != 0x80);
    }
    failure = Error{std::move(message) + " at line " + std::to_string(line) +
                    ", column " + std::to_string(column)};
    return failure;
  }
  bool refuse(std::string message) {
    fail(std::move(message));
    return false;
  }

  void skipBlanks() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n' ||
                                text[at] == '\t' || text[at] == '\r'))
      ++at;
  }
  bool take(char c) {
    skipBlanks();
    if (at == text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }
  bool takeWord(std::string_view word) {
    if (text.substr(at, word.size()) != word)
      return refuse("expected a JSON value");
    at += word.size();
    return true;
  }

  bool readValue(Value &out, uint32_t depth) {
    if (++values > limits.values)
      return refuse("JSON text has more than " + std::to_string(limits.values) +
                    " values");
    skipBlanks();
    if (at == text.size())
      return refuse("JSON text ends too early");
    switch (text[at]) {
    case '{':
      return readObject(out, depth);
    case '[':
      return readArray(out, depth);
    case '"': {
      std::string s;
      if (!readText(s))
        return false;
      out = Value::text(std::move(s));
      return true;
    }
    case 't':
      out = Value::boolean(true);
      return takeWord("true");
    case 'f':
      out = Value::boolean(false);
      return takeWord("false");
    case 'n':
      out = Value::null();
      return takeWord("null");
    default:
      return readNumber(out);
    }
  }

  bool enter(uint32_t depth) {
    if (depth >= limits.depth)
      return refuse("JSON nests deeper than " + std::to_string(limits.depth));
    ++at;
    return true;
  }

  bool readArray(Value &out, uint32_t depth) {
    if (!enter(depth))
      return false;
    ListData items;
    if (!take(']')) {
      do {
        items.emplace_back();
        if (!readValue(items.back(), depth + 1))
          return false;
      } while (take(','));
      if (!take(']'))
        return refuse("expected `,` or `]`");
    }
    out = Value::list(std::move(items));
    return true;
  }

  bool readObject(Value &out, uint32_t depth) {
    if (!enter(depth))
      return false;
    MapData items;
    std::unordered_set<std::string> seen;
    if (!take('}')) {
      do {
        skipBlanks();
        if (at == text.size() || text[at] != '"')
          return refuse("expected a key in quotes");
        size_t keyAt = at;
        std::string key;
        if (!readText(key))
          return false;
        bool again = !isNew(key, items, seen);
        if (again && !mayRepeatKeys) {
          at = keyAt;
          return refuse("key \"" + key.substr(0, 80) + "\" appears twice");
        }
        if (!take(':'))
          return refuse("expected `:`");
        if (!again)
          items.emplace_back(key, Value());
        auto place =
            again ? std::ranges::find(items, key, &MapData::value_type::first)
                  : items.end() - 1;
        if (!readValue(place->second, depth + 1))
          return false;
      } while (take(','));
      if (!take('}'))
        return refuse("expected `,` or `}`");
    }
    out = Value::map(std::move(items));
    return true;
  }

  /// Short objects, which are most, need no set.
  static bool isNew(const std::string &key, const MapData &items,
                    std::unordered_set<std::string> &seen) {
    constexpr size_t few = 16;
    if (items.size() < few) {
      for (const auto &[name, value] : items)
        if (name == key)
          return false;
      return true;
    }
    if (seen.empty())
      for (const auto &[name, value] : items)
        seen.insert(name);
    return seen.insert(key).second;
  }

  bool readText(std::string &out) {
    ++at; // the opening quote
    while (at < text.size()) {
      char c = text[at];
      if (c == '"') {
        ++at;
        return true;
      }
      if (uint8_t(c) < 0x20)
        return refuse("control character in a JSON text must be escaped");
      ++at;
      if (c != '\\')
        out += c;
      else if (!readEscape(out))
        return false;
    }
    return refuse("JSON text is not closed");
  }

  bool readEscape(std::string &out) {
    if (at == text.size())
      return refuse("JSON text is not closed");
    switch (char c = text[at++]) {
    case '"':
    case '\\':
    case '/':
      out += c;
      return true;
    case 'b':
      out += '\b';
      return true;
    case 'f':
      out += '\f';
      return true;
    case 'n':
      out += '\n';
      return true;
    case 'r':
      out += '\r';
      return true;
    case 't':
      out += '\t';
      return true;
    case 'u':
      return readUnicode(out);
    default:
      --at;
      return refuse("unknown escape in a JSON text");
    }
  }

  bool readHex(uint32_t &unit) {
    if (text.size() - at < 4)
      return false;
    auto end = text.data() + at + 4;
    if (std::from_chars(text.data() + at, end, unit, 16).ptr != end)
      return false;
    at += 4;
    return true;
  }

  bool readUnicode(std::string &out) {
    uint32_t high = 0, low = 0;
    if (!readHex(high))
      return refuse("expected four hex digits");
    if (high < 0xD800 || high > 0xDFFF) {
      appendUtf8(out, high);
      return true;
    }
    if (high <= 0xDBFF && text.substr(at, 2) == "\\u") {
      at += 2;
      if (readHex(low) && low >= 0xDC00 && low <= 0xDFFF) {
        appendUtf8(out, 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00));
        return true;
      }
    }
    return refuse("half of a surrogate pair in a JSON text");
  }

  bool isDigit(size_t i) const {
    return i < text.size() && text[i] >= '0' && text[i] <= '9';
  }

  bool readNumber(Value &out) {
    size_t start = at, i = at;
    i += text[i] == '-';
    if (!isDigit(i))
      return refuse("expected a JSON value");
    bool leadingZero = text[i] == '0' && isDigit(i + 1);
    while (isDigit(i))
      ++i;
    bool whole = true, broken = leadingZero;
    if (i < text.size() && text[i] == '.') {
      whole = false;
      broken |= !isDigit(++i);
      while (isDigit(i))
        ++i;
    }
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
      whole = false;
      ++i;
      i += i < text.size() && (text[i] == '+' || text[i] == '-');
      broken |= !isDigit(i);
      while (isDigit(i))
        ++i;
    }
    if (broken)
      return refuse("malformed number");
    return makeNumber(out, text.substr(start, i - start), whole);
  }

  bool makeNumber(Value &out, std::string_view digits, bool whole) {
    auto end = digits.data() + digits.size();
    if (whole) {
      int64_t number = 0;
      if (std::from_chars(digits.data(), end, number).ec != std::errc())
        return refuse("integer does not fit 64 bits");
      out = Value::integer(number);
    } else {
      double number = 0;
      auto status = std::from_chars(digits.data(), end, number).ec;
      // Too small to represent is zero; too large is no float of ours.
      if (status == std::errc::result_out_of_range && !tiny(digits))
        return refuse("number is too large");
      out = Value::number(status == std::errc() ? number : 0.0);
    }
    at += digits.size();
    return true;
  }

  /// Of a number out of range: is it too small rather than too large?
  static bool tiny(std::string_view digits) {
    size_t e = digits.find_first_of("eE");
    return e != std::string_view::npos
               ? digits[e + 1] == '-'
               : digits.find_first_of("123456789") > digits.find('.');
  }

  std::string_view text;
  JsonLimits limits;
  const bool mayRepeatKeys;
  size_t at = 0, values = 0;
  Error failure;
};

} // namespace

Result<Value> parseJson(std::string_view text, JsonLimits limits) {
  return Reader(text, limits, false).read();
}

Result<Value> parseGeneratedJson(std::string_view text) {
  return Reader(text, {}, true).read();
}

} // namespace sgl
