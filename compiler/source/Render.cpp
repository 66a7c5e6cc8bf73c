// Draws a diagnostic: header, then for each file its lines with carets, then
// notes and fix.
#include "compiler/source/Render.h"

#include "compiler/source/RenderLine.h"
#include "ir/value/Print.h"

#include <algorithm>
#include <map>

namespace sgl {
namespace {

const char *nameOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Note:
    return "note";
  }
  return "";
}

/// Escape sequences of a terminal, or nothing.
class Paint {
public:
  explicit Paint(bool color) : color(color) {}
  std::string operator()(const char *code, std::string_view text) const {
    if (!color || text.empty())
      return std::string(text);
    return std::string("\033[") + code + "m" + std::string(text) + "\033[0m";
  }
  const char *of(Severity severity) const {
    return severity == Severity::Error     ? "1;31"
           : severity == Severity::Warning ? "1;33"
                                           : "1;36";
  }
  static constexpr const char *gutter = "1;34";
  static constexpr const char *bold = "1";

private:
  bool color;
};

/// A label on one line, in display columns; begin < end.
struct Mark {
  size_t begin, end;
  std::string text;
  bool primary;
};

/// Draws one diagnostic.
class Drawing {
public:
  Drawing(const Diagnostic &diagnostic, const SourceManager &sources,
          bool color)
      : diagnostic(diagnostic), sources(sources), paint(color) {}

  std::string draw();

private:
  void header();
  void snippet(uint32_t file, bool isFirst);
  void marks(std::vector<Mark> list);
  void hang(std::vector<Mark> list);
  void remarks();
  void gutter(const std::string &number, std::string_view rest);
  std::string underline(const std::vector<Mark> &list) const;
  const char *colorOf(const Mark &mark) const {
    return mark.primary ? paint.of(diagnostic.severity) : Paint::gutter;
  }

  const Diagnostic &diagnostic;
  const SourceManager &sources;
  Paint paint;
  size_t width = 1; ///< of line numbers
  std::string out;
};

void Drawing::gutter(const std::string &number, std::string_view rest) {
  std::string left = number + std::string(width - number.size(), ' ') + " |";
  out += paint(Paint::gutter, left);
  if (!rest.empty())
    out += " ";
  out += rest;
  out += "\n";
}

void Drawing::header() {
  std::string level = nameOf(diagnostic.severity);
  if (!diagnostic.code.empty())
    level += "[" + diagnostic.code + "]";
  out += paint(paint.of(diagnostic.severity), level);
  out += paint(Paint::bold, ": " + diagnostic.message) + "\n";
}

/// Carets and dashes under one line.
std::string Drawing::underline(const std::vector<Mark> &list) const {
  std::string row;
  size_t column = 0;
  // Where two marks overlap, the primary one is seen.
  size_t end = 0;
  for (const Mark &mark : list)
    end = std::max(end, mark.end);
  auto markAt = [&](size_t at) {
    const Mark *found = nullptr;
    for (const Mark &mark : list)
      if (at >= mark.begin && at < mark.end && (!found || mark.primary))
        found = &mark;
    return found;
  };
  while (column < end) {
    const Mark *mark = markAt(column);
    size_t next = column + 1;
    while (next < end && markAt(next) == mark)
      ++next;
    std::string piece(next - column, !mark ? ' ' : mark->primary ? '^' : '-');
    row += mark ? paint(colorOf(*mark), piece) : piece;
    column = next;
  }
  return row;
}

/// Labels that found no room beside the underline hang below it.
void Drawing::hang(std::vector<Mark> list) {
  while (!list.empty()) {
    auto bars = [&](size_t count) {
      std::string row;
      size_t column = 0;
      for (size_t i = 0; i < count; ++i) {
        if (list[i].begin < column)
          continue;
        row += std::string(list[i].begin - column, ' ');
        row += paint(colorOf(list[i]), "|");
        column = list[i].begin + 1;
      }
      return std::pair(row, column);
    };
    gutter("", bars(list.size()).first);
    Mark last = list.back();
    auto [row, column] = bars(list.size() - 1);
    if (last.begin >= column)
      row += std::string(last.begin - column, ' ');
    gutter("", row + paint(colorOf(last), last.text));
    list.pop_back();
  }
}

void Drawing::marks(std::vector<Mark> list) {
  std::stable_sort(list.begin(), list.end(), [](const Mark &a, const Mark &b) {
    return a.begin < b.begin;
  });
  std::string row = underline(list);
  // The label of the last mark stands beside the underline.
  const Mark last = list.back();
  bool endsLast = std::all_of(list.begin(), list.end(), [&](const Mark &mark) {
    return mark.end <= last.end;
  });
  if (endsLast && !last.text.empty()) {
    row += " " + paint(colorOf(last), last.text);
    list.pop_back();
  }
  std::erase_if(list, [](const Mark &mark) { return mark.text.empty(); });
  gutter("", row);
  hang(std::move(list));
}

/// The lines of one file that carry labels.
void Drawing::snippet(uint32_t index, bool isFirst) {
  const SourceFile &file = sources.file(index);
  std::map<uint32_t, std::vector<std::pair<const Label *, bool>>> lines;
  auto add = [&](const Label &label, bool primary) {
    if (label.span.file == index)
      lines[file.at(label.span.begin).line].push_back({&label, primary});
  };
  add(diagnostic.primary, true);
  for (const Label &label : diagnostic.secondary)
    add(label, false);

  const Label *first =
      isFirst ? &diagnostic.primary : lines.begin()->second.front().first;
  LineColumn at = file.at(first->span.begin);
  out += std::string(width, ' ') +
         paint(Paint::gutter, isFirst ? "--> " : "::: ") + file.path() + ":" +
         std::to_string(at.line) + ":" + std::to_string(at.column) + "\n";
  gutter("", "");
  uint32_t before = 0;
  for (const auto &[number, labels] : lines) {
    if (before != 0 && number > before + 1)
      out += paint(Paint::gutter, "...") + "\n";
    before = number;
    std::string_view line = file.line(number);
    size_t begin = labels.front().first->span.begin -
                   (file.at(labels.front().first->span.begin).column - 1);
    ShownLine shown(line, labels.front().first->span.begin - begin);
    gutter(std::to_string(number), shown.text());
    std::vector<Mark> list;
    for (auto [label, primary] : labels) {
      size_t from = label->span.begin - begin;
      size_t to = std::min<size_t>(label->span.end - begin, line.size());
      size_t left = shown.columnOf(from);
      list.push_back(
          {left, std::max(left + 1, shown.columnOf(to)), label->text, primary});
    }
    marks(std::move(list));
  }
}

void Drawing::remarks() {
  auto line = [&](const char *kind, const std::string &text) {
    out += std::string(width, ' ') + paint(Paint::gutter, " = ") +
           paint(Paint::bold, kind) + ": " + text + "\n";
  };
  for (const std::string &note : diagnostic.notes)
    line("note", note);
  if (diagnostic.fix)
    line("help", diagnostic.fix->title);
}

std::string Drawing::draw() {
  std::vector<uint32_t> files = {diagnostic.primary.span.file};
  auto measure = [&](const Label &label) {
    uint32_t line = sources.file(label.span.file).at(label.span.begin).line;
    width = std::max(width, std::to_string(line).size());
    if (std::find(files.begin(), files.end(), label.span.file) == files.end())
      files.push_back(label.span.file);
  };
  measure(diagnostic.primary);
  for (const Label &label : diagnostic.secondary)
    measure(label);
  header();
  for (uint32_t file : files)
    snippet(file, file == files.front());
  remarks();
  return std::move(out);
}

void appendPlace(std::string &out, const SourceManager &sources, Span span) {
  const SourceFile &file = sources.file(span.file);
  LineColumn at = file.at(span.begin);
  out += "\"file\":";
  appendJsonText(out, file.path());
  out += ",\"line\":" + std::to_string(at.line) +
         ",\"column\":" + std::to_string(at.column) +
         ",\"begin\":" + std::to_string(span.begin) +
         ",\"end\":" + std::to_string(span.end);
}

void appendLabel(std::string &out, const SourceManager &sources,
                 const Label &label) {
  appendPlace(out, sources, label.span);
  out += ",\"label\":";
  appendJsonText(out, label.text);
}

std::string toJson(const Diagnostic &diagnostic, const SourceManager &sources) {
  std::string out = "{\"level\":\"";
  out += nameOf(diagnostic.severity);
  out += "\",\"code\":";
  appendJsonText(out, diagnostic.code);
  out += ",\"message\":";
  appendJsonText(out, diagnostic.message);
  out += ",";
  appendLabel(out, sources, diagnostic.primary);
  out += ",\"secondary\":[";
  for (const Label &label : diagnostic.secondary) {
    out += &label == &diagnostic.secondary[0] ? "{" : ",{";
    appendLabel(out, sources, label);
    out += "}";
  }
  out += "],\"notes\":[";
  for (const std::string &note : diagnostic.notes) {
    out += &note == &diagnostic.notes[0] ? "" : ",";
    appendJsonText(out, note);
  }
  out += "],\"fix\":";
  if (!diagnostic.fix)
    return out + "null}\n";
  out += "{";
  appendPlace(out, sources, diagnostic.fix->span);
  out += ",\"replacement\":";
  appendJsonText(out, diagnostic.fix->replacement);
  out += ",\"title\":";
  appendJsonText(out, diagnostic.fix->title);
  return out + "}}\n";
}

} // namespace

std::string render(const Diagnostic &diagnostic, const SourceManager &sources,
                   const RenderOptions &options) {
  switch (options.format) {
  case MessageFormat::Json:
    return toJson(diagnostic, sources);
  case MessageFormat::Human:
    return Drawing(diagnostic, sources, options.color).draw();
  case MessageFormat::Short:
    break;
  }
  const SourceFile &file = sources.file(diagnostic.primary.span.file);
  LineColumn at = file.at(diagnostic.primary.span.begin);
  return file.path() + ":" + std::to_string(at.line) + ":" +
         std::to_string(at.column) + ": " + nameOf(diagnostic.severity) + "[" +
         diagnostic.code + "]: " + diagnostic.message + "\n";
}

std::string render(const Diagnostics &diagnostics, const SourceManager &sources,
                   const RenderOptions &options) {
  std::string out;
  for (const Diagnostic &diagnostic : diagnostics.all()) {
    if (!out.empty() && options.format == MessageFormat::Human)
      out += "\n";
    out += render(diagnostic, sources, options);
  }
  return out;
}

std::string renderPlain(std::string_view message,
                        const RenderOptions &options) {
  if (options.format == MessageFormat::Json) {
    std::string out = "{\"level\":\"error\",\"code\":\"\",\"message\":";
    appendJsonText(out, message);
    return out + "}\n";
  }
  Paint paint(options.color && options.format == MessageFormat::Human);
  return paint(paint.of(Severity::Error), "error") + ": " +
         std::string(message) + "\n";
}

} // namespace sgl
