// How a diagnostic looks: carets under wide, combining, tabbed and long lines,
// several labels, other files, colour, and the forms for programs.

#include "compiler/source/Render.h"

#include <gtest/gtest.h>

using namespace sgl;

namespace {

/// The span of `part` in `text`.
Span find(std::string_view text, std::string_view part, uint32_t file = 0) {
  size_t at = text.find(part);
  EXPECT_NE(at, std::string_view::npos) << part;
  return {file, uint32_t(at), uint32_t(at + part.size())};
}

std::string draw(const std::string &text, std::string_view part,
                 RenderOptions options = {}) {
  SourceManager sources;
  sources.add("a.sgl", text);
  Diagnostics diagnostics;
  diagnostics.error("E0201", find(text, part), "cannot find it").label("here");
  return render(diagnostics, sources, options);
}

TEST(Render, PutsCaretsByDisplayWidth) {
  struct Row {
    const char *name, *line, *part, *caret;
  };
  const Row rows[] = {
      {"ascii", "let x = abc", "abc", "  |         ^^^ here"},
      {"wide", "let 世界 = abc", "abc", "  |            ^^^ here"},
      {"wide part", "\"世界\"", "世界", "  |  ^^^^ here"},
      {"combining", "e\u0301e\u0301 abc", "abc", "  |    ^^^ here"},
      {"emoji", "😀 abc", "abc", "  |    ^^^ here"},
      {"tab", "\tabc", "abc", "  |     ^^^ here"},
      {"two bytes, one column", "é abc", "abc", "  |   ^^^ here"},
  };
  for (const Row &row : rows) {
    std::string out = draw(row.line, row.part);
    EXPECT_NE(out.find(std::string("\n") + row.caret + "\n"), std::string::npos)
        << row.name << "\n"
        << out;
  }
}

TEST(Render, HidesWhatATerminalWouldObey) {
  std::string out = draw("a\x1b[31m\u202E\xFF abc", "abc");
  EXPECT_NE(out.find("1 | a\uFFFD[31m\uFFFD\uFFFD abc\n"), std::string::npos)
      << out;
}

TEST(Render, MarksAnEmptySpan) {
  SourceManager sources;
  sources.add("a.sgl", "f(");
  Diagnostics diagnostics;
  diagnostics.error("E0100", {0, 2, 2}, "expected `)` here").label("missing");
  EXPECT_EQ(render(diagnostics, sources, {}),
            "error[E0100]: expected `)` here\n"
            " --> a.sgl:1:3\n"
            "  |\n"
            "1 | f(\n"
            "  |   ^ missing\n");
}

TEST(Render, ShowsAWindowOfALongLine) {
  std::string line =
      std::string(100000, 'x') + " abc " + std::string(100000, 'y');
  std::string out = draw(line, "abc");
  EXPECT_LT(out.size(), 1000u);
  size_t row = out.find("1 | …"), caret = out.find("^^^ here");
  ASSERT_NE(row, std::string::npos) << out;
  ASSERT_NE(caret, std::string::npos) << out;
  // The ellipsis has three bytes and one column.
  size_t textColumn = out.find("abc") - (row + 4) - 2;
  size_t caretColumn = caret - (out.rfind('\n', caret) + 1) - 4;
  EXPECT_EQ(textColumn, caretColumn) << out;
}

TEST(Render, DrawsSeveralLabelsOnOneLine) {
  std::string text = "s += \"def ${x\"\n";
  SourceManager sources;
  sources.add("a.sgl", text);
  Diagnostics diagnostics;
  diagnostics.error("E0105", find(text, "${"), "never closed")
      .label("its end is missing")
      .also(find(text, "\""), "this text")
      .also(find(text, "s"), "this state");
  EXPECT_EQ(render(diagnostics, sources, {}),
            "error[E0105]: never closed\n"
            " --> a.sgl:1:11\n"
            "  |\n"
            "1 | s += \"def ${x\"\n"
            "  | -    -    ^^ its end is missing\n"
            "  | |    |\n"
            "  | |    this text\n"
            "  | |\n"
            "  | this state\n");
}

TEST(Render, DrawsOtherLinesAndFiles) {
  std::string text = "fn f() {\n\n\n  g()\n}\n", other = "fn g() {}\n";
  SourceManager sources;
  sources.add("a.sgl", text);
  sources.add("b.sgl", other);
  Diagnostics diagnostics;
  diagnostics.warning("W0601", find(text, "g()"), "never reached")
      .label("this")
      .also(find(text, "fn f"), "in here")
      .also(find(other, "g", 1), "declared here")
      .note("a note")
      .suggest(find(text, "g()"), "h()", "call `h`");
  EXPECT_EQ(render(diagnostics, sources, {}), "warning[W0601]: never reached\n"
                                              " --> a.sgl:4:3\n"
                                              "  |\n"
                                              "1 | fn f() {\n"
                                              "  | ---- in here\n"
                                              "...\n"
                                              "4 |   g()\n"
                                              "  |   ^^^ this\n"
                                              " ::: b.sgl:1:4\n"
                                              "  |\n"
                                              "1 | fn g() {}\n"
                                              "  |    - declared here\n"
                                              "  = note: a note\n"
                                              "  = help: call `h`\n");
}

TEST(Render, WidensTheGutter) {
  std::string text = std::string(99, '\n') + "abc\n";
  EXPECT_EQ(draw(text, "abc"), "error[E0201]: cannot find it\n"
                               "   --> a.sgl:100:1\n"
                               "    |\n"
                               "100 | abc\n"
                               "    | ^^^ here\n");
}

TEST(Render, WritesForPrograms) {
  EXPECT_EQ(draw("let é = abc", "abc", {MessageFormat::Short, false}),
            "a.sgl:1:10: error[E0201]: cannot find it\n");
  EXPECT_EQ(draw("let é = abc", "abc", {MessageFormat::Json, false}),
            "{\"level\":\"error\",\"code\":\"E0201\",\"message\":\"cannot find "
            "it\",\"file\":\"a.sgl\",\"line\":1,\"column\":10,\"begin\":9,"
            "\"end\":12,\"label\":\"here\",\"secondary\":[],\"notes\":[],"
            "\"fix\":null}\n");
  EXPECT_EQ(renderPlain("cannot read x", {}), "error: cannot read x\n");
  EXPECT_EQ(
      renderPlain("a \"b\"", {MessageFormat::Json, false}),
      "{\"level\":\"error\",\"code\":\"\",\"message\":\"a \\\"b\\\"\"}\n");
}

TEST(Render, ColoursOnlyWhenAsked) {
  EXPECT_EQ(draw("abc", "abc").find('\033'), std::string::npos);
  std::string out = draw("abc", "abc", {MessageFormat::Human, true});
  EXPECT_NE(out.find("\033[1;31merror[E0201]\033[0m"), std::string::npos);
  EXPECT_NE(out.find("\033[1;31m^^^\033[0m"), std::string::npos);
}

TEST(Diagnostics, SortsByFileAndPlace) {
  Diagnostics diagnostics;
  diagnostics.error("E3", {1, 0, 1}, "c");
  diagnostics.warning("W2", {0, 5, 6}, "b");
  diagnostics.error("E1", {0, 2, 9}, "a");
  diagnostics.sort();
  ASSERT_EQ(diagnostics.all().size(), 3u);
  EXPECT_EQ(diagnostics.all()[0].code, "E1");
  EXPECT_EQ(diagnostics.all()[1].code, "W2");
  EXPECT_EQ(diagnostics.all()[2].code, "E3");
  EXPECT_TRUE(diagnostics.hasErrors());
}

} // namespace
