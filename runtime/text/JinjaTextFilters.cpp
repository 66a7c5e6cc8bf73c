// Filters over texts, and conversions.
#include "runtime/text/JinjaRun.h"

#include <utf8proc.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace sgl::jinja {

namespace {

/// Filters take any value as its printed text, as Jinja's soft_str does.
Value asText(Run &run, const Value &value) {
  return value.text() ? value : run.charge(run.print(value));
}

Value method(Run &run, const Value &self, std::string_view name,
             Arguments arguments = {}) {
  Value text = asText(run, self);
  if (run.failed())
    return {};
  return callBuiltin(run, *findMethod(text, name), text, std::move(arguments));
}

Value trim(Run &run, const Value &self, const Bound &a) {
  return method(run, self, "strip", a.raw);
}
Value upper(Run &run, const Value &self, const Bound &) {
  return method(run, self, "upper");
}
Value lower(Run &run, const Value &self, const Bound &) {
  return method(run, self, "lower");
}
Value capitalize(Run &run, const Value &self, const Bound &) {
  return method(run, self, "capitalize");
}
Value replace(Run &run, const Value &self, const Bound &a) {
  Arguments arguments;
  arguments.positional = {asText(run, a[0]), asText(run, a[1])};
  if (a.has(2) && !a[2].isNone())
    arguments.positional.push_back(a[2]);
  return method(run, self, "replace", std::move(arguments));
}
Value center(Run &run, const Value &self, const Bound &a) {
  Arguments arguments;
  arguments.positional = {a.has(0) ? a[0] : Value::integer(80)};
  return method(run, self, "center", std::move(arguments));
}

/// Words begin behind blanks, hyphens and opening brackets.
Value title(Run &run, const Value &self, const Bound &) {
  Value value = asText(run, self);
  if (run.failed() || !run.spend(value.text()->size()))
    return {};
  const Text &text = *value.text();
  std::string_view bytes = text.view();
  auto splits = [](uint32_t c) {
    return isSpace(c) || c == '-' || c == '(' || c == '{' || c == '[' ||
           c == '<';
  };
  Text all;
  for (size_t i = 0; i < bytes.size();) {
    size_t end = i;
    bool separator = splits(charAt(bytes, i));
    while (end < bytes.size() && splits(charAt(bytes, end)) == separator)
      end += charLength(bytes, end);
    all.append(mapCase(text.substr(i, end - i), CaseMode::Capitalize));
    i = end;
  }
  return run.charge(std::move(all));
}

Value string(Run &run, const Value &self, const Bound &) {
  return asText(run, self);
}

Value escape(Run &run, const Value &self, const Bound &) {
  Value value = asText(run, self);
  if (run.failed() || !run.spend(value.text()->size()))
    return {};
  const Text &text = *value.text();
  Text all;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text.view()[i];
    std::string_view entity = c == '&'    ? "&amp;"
                              : c == '<'  ? "&lt;"
                              : c == '>'  ? "&gt;"
                              : c == '\'' ? "&#39;"
                              : c == '"'  ? "&#34;"
                                          : std::string_view(&c, 1);
    all.append(entity, text.isData(i));
  }
  return run.charge(std::move(all));
}

Value indent(Run &run, const Value &self, const Bound &a) {
  Text margin;
  if (a.has(0) && a[0].text()) {
    margin = *a[0].text();
  } else {
    Int width = a.has(0) ? needInt(run, a[0], "indent") : 4;
    if (width > 1000)
      return run.fail(ErrorClass::Limit, "indent is wider than 1000");
    margin = Text(std::string(size_t(std::max<Int>(width, 0)), ' '), false);
  }
  Text whole = needText(run, self, "indent");
  if (run.failed())
    return {};
  whole.append("\n", false); // so that a last empty line counts
  Value lines = method(run, Value(std::move(whole)), "splitlines");
  Text all;
  if (a.flag(1, false))
    all.append(margin);
  bool isFirst = true;
  for (const Value &line : iterate(run, lines)) {
    if (!isFirst) {
      all.append("\n", false);
      if (!line.text()->empty() || a.flag(2, false))
        all.append(margin);
    }
    isFirst = false;
    all.append(*line.text());
    if (!run.spend(1 + margin.size() / 8))
      return {};
  }
  return run.charge(std::move(all));
}

Value truncate(Run &run, const Value &self, const Bound &a) {
  Int length = a.has(0) ? needInt(run, a[0], "truncate") : 255;
  Text end = a.has(2) ? needText(run, a[2], "truncate") : Text("...", false);
  Int leeway = a.has(3) && !a[3].isNone() ? needInt(run, a[3], "truncate") : 5;
  if (self.isUndefined())
    return self; // its length is 0
  const Text &text = needText(run, self, "truncate");
  Int endLength = Int(charCount(end.view()));
  if (!run.failed() && (length < endLength || leeway < 0))
    return run.fail(ErrorClass::Runtime,
                    "truncate: the length is shorter than the end");
  if (run.failed() || Int(lengthOf(run, self)) <= length + leeway)
    return self;
  size_t cut = charStarts(text.view())[size_t(length - endLength)];
  if (!a.flag(1, false)) {
    size_t blank = text.view().substr(0, cut).rfind(' ');
    cut = blank == std::string_view::npos ? cut : blank;
  }
  Text all = text.substr(0, cut);
  all.append(end);
  return run.charge(std::move(all));
}

Value wordCount(Run &run, const Value &self, const Bound &) {
  Value value = asText(run, self);
  if (run.failed() || !run.spend(value.text()->size()))
    return {};
  std::string_view bytes = value.text()->view();
  Int count = 0;
  bool inWord = false;
  for (size_t i = 0; i < bytes.size(); i += charLength(bytes, i)) {
    uint32_t c = charAt(bytes, i);
    auto k = utf8proc_category(utf8proc_int32_t(c));
    bool word = c == '_' ||
                (k >= UTF8PROC_CATEGORY_LU && k <= UTF8PROC_CATEGORY_LO) ||
                (k >= UTF8PROC_CATEGORY_ND && k <= UTF8PROC_CATEGORY_NO);
    count += word && !inWord;
    inWord = word;
  }
  return Value(count);
}

Value format(Run &run, const Value &self, const Bound &a) {
  if (!a.raw.positional.empty() && !a.raw.named.empty())
    return run.fail(ErrorClass::Runtime,
                    "format takes positional or named arguments, not both");
  Value value = asText(run, self);
  if (run.failed())
    return {};
  if (a.raw.named.empty())
    return formatPercent(run, *value.text(), makeList(a.raw.positional, true));
  Dict named;
  for (const auto &[key, item] : a.raw.named)
    named.set(makeText(key), item);
  return formatPercent(run, *value.text(), makeDict(std::move(named)));
}

Value stripTags(Run &run, const Value &self, const Bound &) {
  Value value = asText(run, self);
  if (run.failed() || !run.spend(value.text()->size()))
    return {};
  const Text &text = *value.text();
  std::string_view bytes = text.view();
  Text plain;
  for (size_t i = 0; i < bytes.size();) {
    bool comment = bytes.substr(i, 4) == "<!--";
    size_t end = bytes[i] != '<' ? std::string_view::npos
                 : comment       ? bytes.find("-->", i + 4)
                                 : bytes.find('>', i);
    if (end == std::string_view::npos) {
      size_t next = std::min(bytes.find('<', i + 1), bytes.size());
      plain.append(text.substr(i, next - i));
      i = next;
    } else {
      i = end + (comment ? 3 : 1);
    }
  }
  Text all;
  Value words = method(run, Value(std::move(plain)), "split");
  for (const Value &word : iterate(run, words)) {
    if (!all.empty())
      all.append(" ", false);
    all.append(*word.text());
  }
  static constexpr std::pair<std::string_view, std::string_view> entities[] = {
      {"&lt;", "<"},   {"&gt;", ">"},    {"&#39;", "'"},
      {"&#34;", "\""}, {"&quot;", "\""}, {"&amp;", "&"}};
  for (auto [entity, plainChar] : entities)
    all = replaceAll(all, entity, Text(plainChar, true));
  return run.charge(std::move(all));
}

Text quoteUrl(const Text &text, bool forQuery) {
  static const char hex[] = "0123456789ABCDEF";
  Text all;
  for (size_t i = 0; i < text.size(); ++i) {
    auto c = static_cast<unsigned char>(text.view()[i]);
    bool plain = (c < 0x80 && std::isalnum(c)) || c == '_' || c == '.' ||
                 c == '-' || c == '~' || (c == '/' && !forQuery);
    if (plain)
      all.append(text.substr(i, 1));
    else if (c == ' ' && forQuery)
      all.append("+", text.isData(i));
    else
      all.append(std::string{'%', hex[c >> 4], hex[c & 15]}, text.isData(i));
  }
  return all;
}

Value urlEncode(Run &run, const Value &self, const Bound &) {
  run.spend(self.weight() * 8);
  if (!self.dict() && !self.list())
    return run.charge(quoteUrl(run.print(self), false));
  Value pairs = self;
  if (self.dict())
    pairs = callBuiltin(run, *findMethod(self, "items"), self, {});
  Text all;
  for (const Value &pair : iterate(run, pairs)) {
    auto items = iterate(run, pair);
    if (run.failed() || items.size() != 2)
      return run.fail(ErrorClass::Runtime, "urlencode needs pairs");
    if (!all.empty())
      all.append("&", false);
    all.append(quoteUrl(run.print(items[0]), true));
    all.append("=", false);
    all.append(quoteUrl(run.print(items[1]), true));
  }
  return run.charge(std::move(all));
}

/// The text without blanks around and without underscores between digits.
std::string numberText(const Text &text) {
  std::string plain(strip(text, Side::Both).view());
  for (size_t i = 1; i + 1 < plain.size();)
    if (plain[i] == '_' &&
        std::isalnum(static_cast<unsigned char>(plain[i - 1])) &&
        std::isalnum(static_cast<unsigned char>(plain[i + 1])))
      plain.erase(i, 1);
    else
      ++i;
  return plain;
}

/// float("...") of Python.
bool parseFloat(const Text &text, double &out) {
  std::string plain = numberText(text);
  if (plain.empty() || plain.size() > 400)
    return false;
  for (char c : plain) // strtod also reads hexadecimal, Python does not
    if (c == 'x' || c == 'X' || c == '(')
      return false;
  if (std::isspace(static_cast<unsigned char>(plain[0])))
    return false;
  char *end = nullptr;
  out = std::strtod(plain.c_str(), &end);
  return end == plain.c_str() + plain.size();
}

/// int("...", base) of Python.
bool parseInt(const Text &text, int base, Int &out) {
  std::string plain = numberText(text);
  size_t i = 0;
  bool minus = !plain.empty() && plain[0] == '-';
  i += minus || (!plain.empty() && plain[0] == '+');
  if (i + 2 < plain.size() && plain[i] == '0') {
    char k = static_cast<char>(plain[i + 1] | 0x20);
    int named = k == 'x' ? 16 : k == 'o' ? 8 : k == 'b' ? 2 : 0;
    if (named && (base == named || base == 0)) {
      i += 2;
      base = named;
    }
  }
  base = base == 0 ? 10 : base;
  if (i >= plain.size())
    return false;
  out = 0;
  for (; i < plain.size(); ++i) {
    auto c = static_cast<unsigned char>(plain[i]);
    int digit = std::isdigit(c)   ? c - '0'
                : std::isalpha(c) ? (c | 0x20) - 'a' + 10
                                  : 99;
    if (digit >= base || __builtin_mul_overflow(out, Int(base), &out) ||
        __builtin_add_overflow(out, Int(digit), &out))
      return false;
  }
  out = minus ? -out : out;
  return true;
}

Value toInt(Run &run, const Value &self, const Bound &a) {
  Value otherwise = a.has(0) ? a[0] : Value::integer(0);
  Int base = a.has(1) ? needInt(run, a[1], "int") : 10;
  if (self.isUndefined())
    return run.failUndefined(self);
  Int number;
  double real;
  if (self.asInt(number))
    return Value(number);
  if (self.text() && base >= 0 && base <= 36 && base != 1 &&
      parseInt(*self.text(), int(base), number))
    return Value(number);
  bool isReal =
      self.text() ? parseFloat(*self.text(), real) : self.asDouble(real);
  if (!isReal || !std::isfinite(real) || std::fabs(real) > 1e38)
    return otherwise;
  return Value(Int(real));
}

Value toFloat(Run &run, const Value &self, const Bound &a) {
  if (self.isUndefined())
    return run.failUndefined(self);
  double real;
  if (self.asDouble(real) || (self.text() && parseFloat(*self.text(), real)))
    return Value(real);
  return a.has(0) ? a[0] : Value(0.0);
}

Value toJsonFilter(Run &run, const Value &self, const Bound &a) {
  JsonStyle style;
  style.ascii = a.flag(0, false);
  if (a.has(1) && !a[1].isNone()) {
    Int width = needInt(run, a[1], "tojson");
    style.indent = unsigned(std::clamp<Int>(width, 0, 100));
    style.itemSeparator = ",";
  }
  if (a.has(2) && !a[2].isNone()) {
    auto pair = iterate(run, a[2]);
    if (run.failed() || pair.size() != 2)
      return run.fail(ErrorClass::Type, "tojson: separators is a pair");
    style.itemSeparator = needText(run, pair[0], "tojson").view();
    style.keySeparator = needText(run, pair[1], "tojson").view();
  }
  style.sortKeys = a.flag(3, false);
  return toJson(run, self, style);
}

const Builtin textFilters[] = {
    {"capitalize", "", &capitalize},
    {"center", "width", &center},
    {"e", "", &escape},
    {"escape", "", &escape},
    {"float", "default", &toFloat},
    {"forceescape", "", &escape},
    {"format", "...", &format},
    {"indent", "width first blank", &indent},
    {"int", "default base", &toInt},
    {"lower", "", &lower},
    {"replace", "*old *new count", &replace},
    {"safe", "", &string},
    {"string", "", &string},
    {"striptags", "", &stripTags},
    {"title", "", &title},
    {"tojson", "ensure_ascii indent separators sort_keys", &toJsonFilter},
    {"trim", "chars", &trim},
    {"truncate", "length killwords end leeway", &truncate},
    {"upper", "", &upper},
    {"urlencode", "", &urlEncode},
    {"wordcount", "", &wordCount},
};

} // namespace

const Builtin *findTextFilter(std::string_view name) {
  for (const Builtin &filter : textFilters)
    if (filter.name == name)
      return &filter;
  return nullptr;
}

} // namespace sgl::jinja
