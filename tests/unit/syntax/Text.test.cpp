// Values of texts: margins, escapes, holes.

#include "Parsed.h"

#include <gtest/gtest.h>

namespace {

/// The value of a text; holes as «name». Errors as places.
std::string valueOf(const std::string &literal) {
  Parsed parsed("let x = " + literal + "\n");
  if (!parsed.places().empty())
    return parsed.places();
  std::string value;
  for (const sgl::ast::TextPart &part :
       parsed.module->constants.at(0)->value->parts)
    value += part.hole ? "«" + part.hole->text + "»" : part.bytes;
  return value;
}

struct Row {
  const char *name, *literal, *value;
};

TEST(Text, HasOneLine) {
  const Row rows[] = {
      {"empty", R"("")", ""},
      {"plain", R"("a b")", "a b"},
      {"braces are themselves", R"("{a} {{b}} [c] $ $x $1")",
       "{a} {{b}} [c] $ $x $1"},
      {"hole", R"("a${b}c")", "a«b»c"},
      {"adjacent holes", R"("${a}${b}")", "«a»«b»"},
      {"dollar before hole", R"("$${a}")", "$«a»"},
      {"escapes", R"("\n\t\r\s\"\\\$\0x")", ""},
      {"escaped hole", R"("\${a}")", "${a}"},
      {"unicode", R"("\u{41}\u{e9}\u{1F600}")", "Aé😀"},
      {"raw", R"(r"\d+ ${x} \")", R"(\d+ ${x} \)"},
      {"raw empty", R"(r"")", ""},
      {"unicode text", R"("世界")", "世界"},
      {"nested", R"("a${f("b")}c")", "a«»c"},
      {"comment signs", R"("a // b /* c")", "a // b /* c"},
  };
  for (const Row &row : rows) {
    std::string expected = row.name == std::string("escapes")
                               ? std::string("\n\t\r \"\\$\0x", 9)
                               : row.value;
    EXPECT_EQ(valueOf(row.literal), expected) << row.name;
  }
}

TEST(Text, TakesTheMarginOffABlock) {
  const Row rows[] = {
      {"empty", "\"\"\"\n\"\"\"", ""},
      {"one empty line", "\"\"\"\n\n\"\"\"", ""},
      {"two empty lines", "\"\"\"\n\n\n\"\"\"", "\n"},
      {"no margin", "\"\"\"\na\nb\n\"\"\"", "a\nb"},
      {"margin", "\"\"\"\n  a\n    b\n  \"\"\"", "a\n  b"},
      {"margin of nothing", "\"\"\"\n  a\n\"\"\"", "  a"},
      {"tabs", "\"\"\"\n\ta\n\t\tb\n\t\"\"\"", "a\n\tb"},
      {"blank line may be shorter", "\"\"\"\n    a\n  \n\n    b\n    \"\"\"",
       "a\n\n\nb"},
      {"blank line keeps its rest", "\"\"\"\n  a\n     \n  \"\"\"", "a\n   "},
      {"trailing blanks stay", "\"\"\"\n  a  \n  \"\"\"", "a  "},
      {"CRLF is LF", "\"\"\"\r\n  a\r\n  b\r\n  \"\"\"", "a\nb"},
      {"blank behind the opening", "\"\"\"  \n  a\n  \"\"\"", "a"},
      {"escape is read after the margin", "\"\"\"\n  a\\n  b\n  \"\"\"",
       "a\n  b"},
      {"escaped newline at the end stays", "\"\"\"\n  a\\n\n  \"\"\"", "a\n"},
      {"join", "\"\"\"\n  a \\\n  b\n  \"\"\"", "a b"},
      {"join over CRLF", "\"\"\"\r\n  a \\\r\n  b\r\n  \"\"\"", "a b"},
      {"quotes", "\"\"\"\n  \"a\" \"\" b\n  \"\"\"", "\"a\" \"\" b"},
      {"escaped quotes", "\"\"\"\n  \\\"\"\" b\n  \"\"\"", "\"\"\" b"},
      {"hole begins a line", "\"\"\"\n  ${a}\n  b${c}\n  \"\"\"", "«a»\nb«c»"},
      {"hole over lines", "\"\"\"\n  a${\nb\n}c\n  \"\"\"", "a«b»c"},
      {"raw", "r\"\"\"\n  \\d ${x}\n   y\n  \"\"\"", "\\d ${x}\n y"},
      {"unicode", "\"\"\"\n  世\n  é${a}界\n  \"\"\"", "世\né«a»界"},
  };
  for (const Row &row : rows)
    EXPECT_EQ(valueOf(row.literal), row.value) << row.name;
}

TEST(Text, IsRefusedAtItsPlace) {
  const Row rows[] = {
      {"unclosed", "\"abc", "1:9 E0101\n"},
      {"unclosed raw", "r\"abc", "1:9 E0101\n"},
      {"unclosed block", "\"\"\"\n abc", "1:9 E0101\n"},
      {"unclosed raw block", "r\"\"\"\n abc\n", "1:9 E0101\n"},
      {"unknown escape", R"("a\d")", "1:11 E0102\n"},
      {"one message for a text", R"("a\d\w\q")", "1:11 E0102\n"},
      {"not a character", R"("\u{D800}")", "1:10 E0102\n"},
      {"beyond Unicode", R"("\u{110000}")", "1:10 E0102\n"},
      {"beyond numbers", R"("\u{FFFFFFFFFFFFFFFFF1}")", "1:10 E0102\n"},
      {"cut off", R"("\u{12")", "1:10 E0102\n"},
      {"less indented", "\"\"\"\n  a\n b\n  \"\"\"", "3:2 E0103\n"},
      {"hole less indented", "\"\"\"\n  a\n ${b}\n  \"\"\"", "3:2 E0103\n"},
      {"only the first line", "\"\"\"\n a\n b\n  \"\"\"", "2:2 E0103\n"},
      {"tabs against spaces", "\"\"\"\n\ta\n    \"\"\"", "2:1 E0104\n"},
      {"spaces against tabs", "\"\"\"\n    a\n\t\"\"\"", "2:1 E0104\n"},
      {"text beside the opening", "\"\"\"a\n  \"\"\"", "1:9 E0109\n"},
      {"text beside the closing", "\"\"\"\n  a\"\"\"", "2:4 E0109\n"},
      {"both on one line", "\"\"\"abc\"\"\"", "1:9 E0109\n"},
      {"raw on one line", "r\"\"\"abc\"\"\"", "1:9 E0109\n"},
      {"after a join", "\"\"\"\n  a \\\n b\n  \"\"\"", "3:2 E0103\n"},
  };
  for (const Row &row : rows)
    EXPECT_EQ(valueOf(row.literal), row.value) << row.name;
}

} // namespace
