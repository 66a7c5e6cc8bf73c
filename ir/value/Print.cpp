// How values become text: `${}`, canonical JSON, floats. See Value.h.

#include "ir/value/Print.h"
#include "ir/value/Utf8.h"

#include <charconv>
#include <cmath>

namespace sgl {

namespace {

/// "1e+16" -> "1e16", "1.5e-05" -> "1.5e-5".
std::string scientific(double value) {
  char buffer[64];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, value,
                           std::chars_format::scientific)
                 .ptr;
  std::string_view text(buffer, size_t(end - buffer));
  size_t e = text.find('e');
  std::string out(text.substr(0, e + 1));
  if (text[e + 1] == '-')
    out += '-';
  size_t digits = text.find_first_not_of('0', e + 2);
  return out.append(text.substr(digits));
}

void appendEntry(std::string &out, std::string_view key, const Value &value,
                 bool &first) {
  if (!first)
    out += ", ";
  first = false;
  appendJsonText(out, key);
  out += ": ";
  appendJson(out, value);
}

void appendRecord(std::string &out, const RecordData &record) {
  out += '{';
  bool first = true;
  if (record.decl->isTool)
    appendEntry(out, "tool", Value::text(record.decl->name), first);
  for (size_t i = 0; i < record.fields.size(); ++i)
    appendEntry(out, record.decl->fields[i].name, record.fields[i], first);
  out += '}';
}

} // namespace

std::string printFloat(double value) {
  double magnitude = std::fabs(value);
  if (magnitude != 0 && (magnitude >= 1e16 || magnitude < 1e-4))
    return scientific(value);
  char buffer[64];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, value,
                           std::chars_format::fixed)
                 .ptr;
  std::string text(buffer, end);
  if (text.find('.') == std::string::npos)
    text += ".0";
  return text;
}

void appendJsonText(std::string &out, std::string_view text) {
  static const char *hex = "0123456789abcdef";
  out += '"';
  for (size_t at = 0; at < text.size();) {
    Utf8Char c = decodeUtf8(text, at);
    switch (c.codePoint) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    case '\b':
      out += "\\b";
      break;
    case '\f':
      out += "\\f";
      break;
    default:
      if (c.codePoint < 0x20) {
        out += "\\u00";
        out += hex[c.codePoint >> 4];
        out += hex[c.codePoint & 15];
      } else {
        appendUtf8(out, c.codePoint); // U+FFFD for a byte that is not UTF-8
      }
    }
    at += c.length;
  }
  out += '"';
}

void appendJson(std::string &out, const Value &value) {
  if (value.isNull()) {
    out += "null";
  } else if (auto *b = value.asBool()) {
    out += *b ? "true" : "false";
  } else if (auto *i = value.asInt()) {
    out += std::to_string(*i);
  } else if (auto *f = value.asFloat()) {
    out += printFloat(*f);
  } else if (auto *text = textOf(value)) {
    appendJsonText(out, *text);
  } else if (auto *list = value.asList()) {
    out += '[';
    for (size_t i = 0; i < list->size(); ++i) {
      if (i)
        out += ", ";
      appendJson(out, (*list)[i]);
    }
    out += ']';
  } else if (auto *map = value.asMap()) {
    out += '{';
    bool first = true;
    for (const auto &[key, item] : *map)
      appendEntry(out, key, item, first);
    out += '}';
  } else if (auto *record = value.asRecord()) {
    appendRecord(out, *record);
  } else {
    out += value.asState() ? "\"<state>\"" : "\"<media>\"";
  }
}

std::string toJson(const Value &value) {
  std::string out;
  appendJson(out, value);
  return out;
}

std::string print(const Value &value) {
  if (auto *text = textOf(value))
    return *text;
  return toJson(value);
}

} // namespace sgl
