// Built-ins on texts: len lower upper trim split join_text replace contains
// starts_with ends_with find slice lines bullets indent fixed.
//
// Lengths and positions count characters (Unicode scalar values). `len` and
// `slice` take lists too, `len` also maps.

#include "ir/value/BuiltinSupport.h"
#include "ir/value/Decimal.h"
#include "ir/value/Utf8.h"

#include <utf8proc.h>

namespace sgl {

namespace {

Result<Value> length(Args args) {
  const Value &v = args[0];
  if (textOf(v))
    return Value::integer(int64_t(countCharacters(*textOf(v))));
  if (v.asList())
    return Value::integer(int64_t(v.asList()->size()));
  if (v.asMap())
    return Value::integer(int64_t(v.asMap()->size()));
  if (v.asRecord())
    return Value::integer(int64_t(v.asRecord()->fields.size()));
  return expected("a text, list or map", v);
}

/// Maps each character by Unicode's simple case mapping: no locale.
Result<Value> mapCase(const Value &value, int32_t (*mapping)(int32_t)) {
  auto text = textArg(value);
  if (!text)
    return text.error();
  std::string out;
  out.reserve(text->size());
  for (size_t at = 0; at < text->size();) {
    Utf8Char c = decodeUtf8(*text, at);
    if (c.valid)
      appendUtf8(out, uint32_t(mapping(int32_t(c.codePoint))));
    else
      out += (*text)[at];
    at += c.length;
  }
  return Value::text(std::move(out));
}
Result<Value> lower(Args args) { return mapCase(args[0], utf8proc_tolower); }
/// Unicode has no simple capital for ß; utf8proc makes one up.
int32_t simpleUpper(int32_t c) { return c == 0xDF ? c : utf8proc_toupper(c); }
Result<Value> upper(Args args) { return mapCase(args[0], simpleUpper); }

/// Unicode's White_Space.
bool isBlank(uint32_t c) {
  return (c >= 9 && c <= 13) || c == ' ' || c == 0x85 || c == 0xA0 ||
         c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
         c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

Result<Value> trim(Args args) {
  auto text = textArg(args[0]);
  if (!text)
    return text.error();
  size_t begin = text->size(), end = 0;
  for (size_t at = 0; at < text->size();) {
    Utf8Char c = decodeUtf8(*text, at);
    if (!c.valid || !isBlank(c.codePoint)) {
      begin = std::min(begin, at);
      end = at + c.length;
    }
    at += c.length;
  }
  return Value::text(end ? std::string(text->substr(begin, end - begin))
                         : std::string());
}

Result<Value> split(Args args) {
  auto text = textArg(args[0]), separator = textArg(args[1]);
  if (!text || !separator)
    return text ? separator.error() : text.error();
  if (separator->empty())
    return Error{"split needs a separator that is not empty"};
  ListData parts;
  size_t from = 0, at;
  while ((at = text->find(*separator, from)) != std::string_view::npos) {
    parts.push_back(Value::text(std::string(text->substr(from, at - from))));
    from = at + separator->size();
  }
  parts.push_back(Value::text(std::string(text->substr(from))));
  return Value::list(std::move(parts));
}

/// Each element as `${}` prints it, `before` in front and `between` between.
Result<Value> joined(const Value &list, std::string_view before,
                     std::string_view between) {
  auto items = listArg(list);
  if (!items)
    return items.error();
  std::string out;
  for (size_t i = 0; i < (*items)->size(); ++i) {
    if (i)
      out += between;
    out += before;
    out += print((**items)[i]);
    if (out.size() > maxTextBytes)
      return Error{"text is longer than 1 GiB"};
  }
  return Value::text(std::move(out));
}

Result<Value> joinText(Args args) {
  auto separator = textArg(args[1]);
  if (!separator)
    return separator.error();
  return joined(args[0], "", *separator);
}
Result<Value> lines(Args args) { return joined(args[0], "", "\n"); }
Result<Value> bullets(Args args) { return joined(args[0], "- ", "\n"); }

Result<Value> replace(Args args) {
  auto text = textArg(args[0]), old = textArg(args[1]), with = textArg(args[2]);
  if (!text || !old || !with)
    return !text ? text.error() : !old ? old.error() : with.error();
  if (old->empty())
    return Error{"replace needs a text to look for that is not empty"};
  std::string out;
  size_t from = 0, at;
  while ((at = text->find(*old, from)) != std::string_view::npos) {
    out.append(text->substr(from, at - from)).append(*with);
    from = at + old->size();
    if (out.size() > maxTextBytes)
      return Error{"text is longer than 1 GiB"};
  }
  return Value::text(out.append(text->substr(from)));
}

Result<Value> testText(Args args,
                       bool (*test)(std::string_view, std::string_view)) {
  auto text = textArg(args[0]), part = textArg(args[1]);
  if (!text || !part)
    return text ? part.error() : text.error();
  return Value::boolean(test(*text, *part));
}
Result<Value> contains(Args args) {
  return testText(args, [](std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
  });
}
Result<Value> startsWith(Args args) {
  return testText(args, [](std::string_view text, std::string_view part) {
    return text.starts_with(part);
  });
}
Result<Value> endsWith(Args args) {
  return testText(args, [](std::string_view text, std::string_view part) {
    return text.ends_with(part);
  });
}

Result<Value> find(Args args) {
  auto text = textArg(args[0]), part = textArg(args[1]);
  if (!text || !part)
    return text ? part.error() : text.error();
  size_t at = text->find(*part);
  if (at == std::string_view::npos)
    return Value::null();
  return Value::integer(int64_t(countCharacters(text->substr(0, at))));
}

/// Negative positions count from the end; both are clamped to the size.
std::pair<size_t, size_t> clampRange(int64_t from, int64_t to, size_t size) {
  auto clamp = [&](int64_t i) {
    if (i < 0)
      return uint64_t(-(i + 1)) >= size ? size_t(0)
                                        : size - size_t(-(i + 1)) - 1;
    return size_t(std::min<uint64_t>(uint64_t(i), size));
  };
  size_t begin = clamp(from), end = clamp(to);
  return {begin, std::max(begin, end)};
}

Result<Value> slice(Args args) {
  auto from = intArg(args[1]), to = intArg(args[2]);
  if (!from || !to)
    return from ? to.error() : from.error();
  if (auto *list = args[0].asList()) {
    auto [begin, end] = clampRange(*from, *to, list->size());
    return Value::list(ListData(list->begin() + ptrdiff_t(begin),
                                list->begin() + ptrdiff_t(end)));
  }
  if (!textOf(args[0]))
    return expected("a text or a list", args[0]);
  std::string_view text = *textOf(args[0]);
  auto [begin, end] = clampRange(*from, *to, countCharacters(text));
  size_t first = offsetOfCharacter(text, begin);
  size_t count = offsetOfCharacter(text.substr(first), end - begin);
  return Value::text(std::string(text.substr(first, count)));
}

/// Blanks in front of each line that is not empty.
Result<Value> indent(Args args) {
  auto text = textArg(args[0]);
  auto width = intArg(args[1]);
  if (!text || !width)
    return text ? width.error() : text.error();
  if (*width < 0 || *width > 1000)
    return Error{"indent takes 0 to 1000 blanks, not " +
                 std::to_string(*width)};
  std::string out;
  bool lineStart = true;
  for (char c : *text) {
    if (lineStart && c != '\n')
      out.append(size_t(*width), ' ');
    lineStart = c == '\n';
    out += c;
    if (out.size() > maxTextBytes)
      return Error{"text is longer than 1 GiB"};
  }
  return Value::text(std::move(out));
}

Result<Value> fixed(Args args) {
  auto digits = intArg(args[1]);
  if (!digits)
    return digits.error();
  if (!isNumber(args[0]))
    return expected("a number", args[0]);
  if (*digits < 0 || *digits > 17)
    return Error{"fixed takes 0 to 17 digits, not " + std::to_string(*digits)};
  std::string plain = args[0].asInt() ? std::to_string(*args[0].asInt())
                                      : plainDecimal(*args[0].asFloat());
  return Value::text(roundDecimal(plain, int(*digits)));
}

constexpr Builtin table[] = {
    {"len", 1, 1, length},
    {"lower", 1, 1, lower},
    {"upper", 1, 1, upper},
    {"trim", 1, 1, trim},
    {"split", 2, 2, split},
    {"join_text", 2, 2, joinText},
    {"replace", 3, 3, replace},
    {"contains", 2, 2, contains},
    {"starts_with", 2, 2, startsWith},
    {"ends_with", 2, 2, endsWith},
    {"find", 2, 2, find},
    {"slice", 3, 3, slice},
    {"lines", 1, 1, lines},
    {"bullets", 1, 1, bullets},
    {"indent", 2, 2, indent},
    {"fixed", 2, 2, fixed},
};

} // namespace

std::span<const Builtin> textBuiltins() { return table; }

} // namespace sgl
