// Hostile input: one clear message, quickly, and no more memory than needed.

#include "Parsed.h"

#include <gtest/gtest.h>

namespace {

std::string repeat(const std::string &piece, size_t count) {
  std::string text;
  text.reserve(piece.size() * count);
  for (size_t i = 0; i < count; ++i)
    text += piece;
  return text;
}

struct Row {
  const char *name;
  std::string source;
  const char *places;
};

TEST(Limits, AreToldOnce) {
  const Row rows[] = {
      {"parentheses",
       "let x = " + repeat("(", 20000) + "1" + repeat(")", 20000),
       "1:265 E0111\n"},
      {"brackets", "let x = " + repeat("[", 20000), "1:265 E0111\n"},
      {"braces", "fn f() " + repeat("{", 20000), "1:264 E0111\n"},
      {"holes", "let x = " + repeat("\"${", 20000), "1:778 E0111\n"},
      {"ifs without brackets", "fn f() { if " + repeat("if ", 20000) + "}",
       nullptr},
      {"forks without brackets",
       "let x = " + repeat("fork s as f for x in ", 20000), nullptr},
      {"signs", "let x = " + repeat("-", 20000) + "1", "1:9 E0111\n"},
      {"sum", "let x = 1" + repeat(" + 1", 20000), "1:9 E0111\n"},
      {"fields", "let x = a" + repeat(".b", 20000), "1:9 E0111\n"},
      {"else if", "fn f() { " + repeat("if a { } else ", 20000) + "{ } }",
       nullptr},
      {"words", repeat("a ", 1000001), "1:2000001 E0111\n"},
  };
  for (const Row &row : rows) {
    Parsed parsed(row.source);
    ASSERT_EQ(parsed.diagnostics.all().size(), 1u)
        << row.name << "\n"
        << parsed.messages().substr(0, 1000);
    EXPECT_EQ(parsed.diagnostics.all()[0].code, "E0111") << row.name;
    if (row.places)
      EXPECT_EQ(parsed.places(), row.places) << row.name;
  }
}

TEST(Limits, LeaveRoomForRealPrograms) {
  EXPECT_EQ(
      Parsed("let x = " + repeat("(", 250) + "1" + repeat(")", 250)).messages(),
      "");
  EXPECT_EQ(Parsed("let x = 1" + repeat(" + 1", 900)).messages(), "");
  EXPECT_EQ(Parsed("let x = [" + repeat("1, ", 20000) + "]").messages(), "");
  EXPECT_EQ(
      Parsed("fn f() { " + repeat("if a { } else ", 300) + "{ } }").messages(),
      "");
}

TEST(Limits, RefuseBytesThatAreNoText) {
  const Row rows[] = {
      {"lone byte", "let x = \"\xFF\"", "1:10 E0110\n"},
      {"overlong", "let x = \"\xC0\xAF\"", "1:10 E0110\n"},
      {"surrogate", "let x = \"\xED\xA0\x80\"", "1:10 E0110\n"},
      {"beyond Unicode", "let x = \"\xF4\x90\x80\x80\"", "1:10 E0110\n"},
      {"cut off", "let x = \"\xE4\xB8", "1:10 E0110\n"},
      {"in a comment", "// \xFF\n", "1:4 E0110\n"},
      {"NUL", std::string("let x\0 = 1", 10), "1:6 E0110\n"},
  };
  for (const Row &row : rows)
    EXPECT_EQ(Parsed(row.source).places(), row.places) << row.name;
}

TEST(Limits, AcceptMarksAndLineEnds) {
  EXPECT_EQ(Parsed("\xEF\xBB\xBF"
                   "let x = 1\r\nlet y = 2\r\n")
                .messages(),
            "");
  EXPECT_EQ(Parsed("").messages(), "");
  EXPECT_EQ(Parsed("\xEF\xBB\xBF").messages(), "");
  EXPECT_EQ(Parsed("\n\n// only a comment").messages(), "");
  Parsed marked("\xEF\xBB\xBFlet x = \n");
  EXPECT_EQ(marked.diagnostics.all().size(), 1u);
}

TEST(Limits, KeepMessagesOfHugeWordsShort) {
  Parsed parsed(repeat("x", 1000000));
  ASSERT_EQ(parsed.diagnostics.all().size(), 1u);
  EXPECT_LT(parsed.messages().size(), 500u);
}

TEST(Limits, CountErrors) {
  Parsed parsed(repeat("let = 1\n", 5000));
  EXPECT_EQ(parsed.diagnostics.all().size(), 1000u);
}

} // namespace
