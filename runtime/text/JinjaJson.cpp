// JSON out (`tojson`) as Python's json.dumps writes it.
#include "runtime/text/JinjaRun.h"

#include <algorithm>
#include <cmath>

namespace sgl::jinja {

namespace {

class Writer {
public:
  Writer(Run &run, const JsonStyle &style) : run(run), style(style) {}
  void write(const Value &value, unsigned level);
  Text out;

private:
  void text(const Text &text);
  void list(const List &list, unsigned level);
  void dict(const Dict &dict, unsigned level);
  void plain(std::string_view bytes) { out.append(bytes, false); }
  void line(unsigned level) {
    if (style.indent)
      plain("\n" + std::string(size_t(*style.indent) * level, ' '));
  }
  void escape(uint32_t unit, bool data);

  Run &run;
  const JsonStyle &style;
};

void Writer::escape(uint32_t unit, bool data) {
  char buffer[sizeof "\\uffffffff"]; // what GCC can prove
  std::snprintf(buffer, sizeof buffer, "\\u%04x", unit);
  out.append(buffer, data);
}

void Writer::text(const Text &text) {
  std::string_view bytes = text.view();
  plain("\"");
  for (size_t i = 0, length; i < bytes.size(); i += length) {
    length = charLength(bytes, i);
    uint32_t c = charAt(bytes, i);
    bool data = text.isData(i);
    static constexpr std::string_view special = "\"\\\n\r\t\b\f";
    static constexpr std::string_view letters = "\"\\nrtbf";
    size_t k =
        c < 0x80 ? special.find(static_cast<char>(c)) : std::string_view::npos;
    if (k != std::string_view::npos) {
      out.append(std::string{'\\', letters[k]}, data);
    } else if (c < 0x20) {
      escape(c, data);
    } else if (style.ascii && c > 0x7E) {
      if (c > 0xFFFF) {
        escape(0xD800 + ((c - 0x10000) >> 10), data);
        escape(0xDC00 + ((c - 0x10000) & 0x3FF), data);
      } else {
        escape(c, data);
      }
    } else {
      out.append(text.substr(i, length));
    }
  }
  plain("\"");
}

void Writer::list(const List &list, unsigned level) {
  plain("[");
  for (size_t i = 0; i < list.items.size(); ++i) {
    if (i)
      plain(style.itemSeparator);
    line(level + 1);
    write(list.items[i], level + 1);
  }
  if (!list.items.empty())
    line(level);
  plain("]");
}

void Writer::dict(const Dict &dict, unsigned level) {
  auto items = dict.items;
  if (style.sortKeys)
    std::stable_sort(items.begin(), items.end(),
                     [&](const auto &a, const auto &b) {
                       return lessThan(run, a.first, b.first);
                     });
  plain("{");
  bool first = true;
  for (const auto &[key, value] : items) {
    if (!std::exchange(first, false))
      plain(style.itemSeparator);
    line(level + 1);
    if (key.text()) {
      text(*key.text());
    } else if (key.list() || key.object() || key.isUndefined()) {
      run.fail(ErrorClass::Type, "tojson: keys must be str, int, float, bool "
                                 "or None, not " +
                                     std::string(key.typeName()));
    } else {
      plain("\"");
      write(key, level);
      plain("\"");
    }
    plain(style.keySeparator);
    write(value, level + 1);
  }
  if (!items.empty())
    line(level);
  plain("}");
}

void Writer::write(const Value &value, unsigned level) {
  if (run.failed() || !run.spend(1 + (style.indent ? level : 0)))
    return;
  if (const Text *t = value.text())
    return text(*t);
  if (const List *l = value.list())
    return list(*l, level);
  if (const Dict *d = value.dict())
    return dict(*d, level);
  if (value.isNone())
    return plain("null");
  if (const bool *b = value.boolean())
    return plain(*b ? "true" : "false");
  if (const double *f = value.floating()) {
    if (std::isfinite(*f))
      return plain(floatText(*f));
    return plain(std::isnan(*f) ? "NaN" : *f < 0 ? "-Infinity" : "Infinity");
  }
  if (value.integerOnly())
    return plain(toText(value).view());
  run.fail(ErrorClass::Type, "object of type " + std::string(value.typeName()) +
                                 " is not JSON serializable");
}

} // namespace

Value toJson(Run &run, const Value &value, const JsonStyle &style) {
  if (!run.spend(value.weight()))
    return {};
  Writer writer(run, style);
  writer.write(value, 0);
  return run.charge(std::move(writer.out));
}

} // namespace sgl::jinja
