// Python's printed forms: str, repr, and the digits of numbers.
#include "runtime/text/JinjaValue.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace sgl::jinja {

std::string intText(Int value) {
  bool negative = value < 0;
  auto rest = negative ? -static_cast<unsigned __int128>(value)
                       : static_cast<unsigned __int128>(value);
  std::string digits;
  do {
    digits += static_cast<char>('0' + static_cast<int>(rest % 10));
    rest /= 10;
  } while (rest);
  if (negative)
    digits += '-';
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::string floatText(double value) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  char buffer[64];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, value,
                           std::chars_format::scientific);
  std::string all(buffer, end.ptr);
  std::string sign = all[0] == '-' ? "-" : "";
  size_t e = all.find('e');
  int exponent = std::stoi(all.substr(e + 1));
  std::string digits;
  for (char c : all.substr(0, e))
    if (c >= '0' && c <= '9')
      digits += c;
  int count = static_cast<int>(digits.size());
  if (exponent < -4 || exponent >= 16) {
    std::string out = sign + digits[0];
    if (count > 1)
      out += "." + digits.substr(1);
    std::string power = std::to_string(std::abs(exponent));
    if (power.size() < 2)
      power = "0" + power;
    return out + "e" + (exponent < 0 ? "-" : "+") + power;
  }
  if (exponent < 0)
    return sign + "0." + std::string(-exponent - 1, '0') + digits;
  if (count <= exponent + 1)
    return sign + digits + std::string(exponent + 1 - count, '0') + ".0";
  return sign + digits.substr(0, exponent + 1) + "." +
         digits.substr(exponent + 1);
}

static std::string escapeChar(uint32_t c) {
  static const char hex[] = "0123456789abcdef";
  int width = c < 0x100 ? 2 : c < 0x10000 ? 4 : 8;
  std::string out = width == 2 ? "\\x" : width == 4 ? "\\u" : "\\U";
  for (int i = width - 1; i >= 0; --i)
    out += hex[(c >> (4 * i)) & 15];
  return out;
}

/// A text in quotes with Python's escapes. Quotes are the template's, what
/// stands for a byte of data stays data.
static void reprText(const Text &text, Text &out) {
  std::string_view bytes = text.view();
  bool hasSingle = bytes.find('\'') != std::string_view::npos;
  bool hasDouble = bytes.find('"') != std::string_view::npos;
  char quote = hasSingle && !hasDouble ? '"' : '\'';
  out.append(std::string_view(&quote, 1), false);
  for (size_t i = 0, length; i < bytes.size(); i += length) {
    length = charLength(bytes, i);
    uint32_t c = charAt(bytes, i);
    bool data = text.isData(i);
    if (c == '\\' || c == static_cast<unsigned char>(quote))
      out.append(std::string("\\") + static_cast<char>(c), data);
    else if (c == '\n' || c == '\r' || c == '\t')
      out.append(c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t", data);
    else if (!isPrintable(c))
      out.append(escapeChar(c), data);
    else
      out.append(text.substr(i, length));
  }
  out.append(std::string_view(&quote, 1), false);
}

static void repr(const Value &value, Text &out) {
  if (const Text *t = value.text())
    return reprText(*t, out);
  if (const List *l = value.list()) {
    out.append(l->tuple ? "(" : "[", false);
    for (size_t i = 0; i < l->items.size(); ++i) {
      if (i)
        out.append(", ", false);
      repr(l->items[i], out);
    }
    if (l->tuple)
      out.append(l->items.size() == 1 ? ",)" : ")", false);
    else
      out.append("]", false);
    return;
  }
  if (const Dict *d = value.dict()) {
    out.append("{", false);
    bool first = true;
    for (const auto &[key, item] : d->items) {
      if (!first)
        out.append(", ", false);
      first = false;
      repr(key, out);
      out.append(": ", false);
      repr(item, out);
    }
    return out.append("}", false);
  }
  if (value.isUndefined())
    return out.append("Undefined", false);
  out.append(toText(value));
}

Text toRepr(const Value &value) {
  Text out;
  repr(value, out);
  return out;
}

Text toText(const Value &value) {
  if (const Text *t = value.text())
    return *t;
  if (value.isUndefined())
    return {};
  if (value.isNone())
    return Text("None", false);
  if (const bool *b = value.boolean())
    return Text(*b ? "True" : "False", false);
  if (const Int *i = value.integerOnly())
    return Text(intText(*i), false);
  if (const double *f = value.floating())
    return Text(floatText(*f), false);
  if (const Object *o = value.object())
    return Text("<" + std::string(o->typeName()) + ">", false);
  return toRepr(value);
}

} // namespace sgl::jinja
