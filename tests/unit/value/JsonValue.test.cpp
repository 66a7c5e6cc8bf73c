// Reading, printing and comparing values: tables of text and printed form.

#include "ir/value/Print.h"
#include "ir/value/Utf8.h"

#include <gtest/gtest.h>

using namespace sgl;

namespace {

TEST(PrintFloat, ShortestDigitsInTheFormsOfTheReference) {
  const std::pair<double, const char *> table[] = {
      {3, "3.0"},
      {0.1, "0.1"},
      {-2.5, "-2.5"},
      {0, "0.0"},
      {-0.0, "-0.0"},
      {1e15, "1000000000000000.0"},
      {9999999999999998.0, "9999999999999998.0"},
      {1e16, "1e16"},
      {1.5e16, "1.5e16"},
      {1e-4, "0.0001"},
      {9.9e-5, "9.9e-5"},
      {1e-5, "1e-5"},
      {1e100, "1e100"},
      {5e-324, "5e-324"},
      {1.7976931348623157e308, "1.7976931348623157e308"},
      {0.30000000000000004, "0.30000000000000004"}};
  for (auto [value, text] : table) {
    EXPECT_EQ(printFloat(value), text);
    EXPECT_EQ(std::strtod(text, nullptr), value);
  }
}

TEST(Json, ReadsAndWritesCanonically) {
  const std::pair<const char *, const char *> table[] = {
      {"null", "null"},
      {" true ", "true"},
      {"-0", "0"},
      {"-0.0", "-0.0"},
      {"9223372036854775807", "9223372036854775807"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"1.50", "1.5"},
      {"2E3", "2000.0"},
      {"1e-400", "0.0"},
      {"[]", "[]"},
      {"{}", "{}"},
      {"[1,2 , [3]]", "[1, 2, [3]]"},
      {R"({"b":1,"a":{"c":[]}})", R"({"b": 1, "a": {"c": []}})"},
      {R"("\u0041\n\/\\\"")", R"("A\n/\\\"")"},
      {R"("\ud83d\ude00")", "\"😀\""},
      {R"("\u0000\u001f\u007f")", "\"\\u0000\\u001f\x7f\""},
      {"\"ä€\"", "\"ä€\""}};
  for (auto [in, out] : table) {
    auto value = parseJson(in);
    ASSERT_TRUE(value) << in << ": " << value.error().message;
    EXPECT_EQ(toJson(*value), out);
  }
}

TEST(Json, RefusesWithThePlace) {
  const std::pair<const char *, const char *> table[] = {
      {"", "JSON text ends too early at line 1, column 1"},
      {"[1,]", "expected a JSON value at line 1, column 4"},
      {"[1 2]", "expected `,` or `]` at line 1, column 4"},
      {"{\"a\":1,\n \"a\":2}", "key \"a\" appears twice at line 2, column 2"},
      {"{a:1}", "expected a key in quotes at line 1, column 2"},
      {"{\"a\" 1}", "expected `:` at line 1, column 6"},
      {"01", "malformed number at line 1, column 1"},
      {"1.", "malformed number at line 1, column 1"},
      {"+1", "expected a JSON value at line 1, column 1"},
      {"NaN", "expected a JSON value at line 1, column 1"},
      {"nul", "expected a JSON value at line 1, column 1"},
      {"1 1", "unexpected text behind the JSON value at line 1, column 3"},
      {"\"a", "JSON text is not closed at line 1, column 3"},
      {"\"a\nb\"", "control character in a JSON text must be escaped at line "
                   "1, column 3"},
      {"\"\\x\"", "unknown escape in a JSON text at line 1, column 3"},
      {"\"\\ud800\"", "half of a surrogate pair in a JSON text at line 1, "
                      "column 8"},
      {"\"\xff\"", "JSON text is not valid UTF-8 at line 1, column 2"},
      {"9223372036854775808", "integer does not fit 64 bits at line 1, "
                              "column 1"},
      {"1e999", "number is too large at line 1, column 1"}};
  for (auto [in, message] : table) {
    auto value = parseJson(in);
    ASSERT_FALSE(value) << in;
    EXPECT_EQ(value.error().message, message);
  }
}

TEST(Json, HasBudgets) {
  std::string deep(256, '[');
  EXPECT_TRUE(parseJson(deep + std::string(256, ']')));
  auto tooDeep = parseJson("[" + deep);
  ASSERT_FALSE(tooDeep);
  EXPECT_EQ(tooDeep.error().message,
            "JSON nests deeper than 256 at line 1, column 257");
  EXPECT_FALSE(parseJson(std::string(1000000, '[')));
  EXPECT_FALSE(parseJson("[1]", {.bytes = 2}));
}

TEST(Print, BareTextsAndJsonElsewhere) {
  TypeContext types;
  EnumDecl *unit = types.declareEnum("Unit");
  unit->members = {{"Metre", "m", ""}, {"Foot", "Foot", ""}};
  RecordDecl *point = types.declareRecord("Point");
  point->fields.resize(2);
  point->fields[0].name = "x";
  point->fields[1].name = "label";
  RecordDecl *wiki = types.declareRecord("wiki");
  wiki->fields.resize(1);
  wiki->fields[0].name = "title";
  wiki->isTool = true;

  Value metre = Value::enumeration(unit, 0);
  EXPECT_EQ(print(metre), "m");
  EXPECT_EQ(toJson(metre), "\"m\"");
  EXPECT_EQ(print(Value::text("a\"b")), "a\"b");
  EXPECT_EQ(print(Value::list({metre, Value::text("x")})), "[\"m\", \"x\"]");
  EXPECT_EQ(print(Value::record(point, {Value::number(1), Value::null()})),
            "{\"x\": 1.0, \"label\": null}");
  EXPECT_EQ(print(Value::record(wiki, {Value::text("cat")})),
            "{\"tool\": \"wiki\", \"title\": \"cat\"}");
  EXPECT_EQ(toJson(Value::text("a\xff")), "\"a\xEF\xBF\xBD\"");
}

TEST(Equal, ByContent) {
  TypeContext types;
  RecordDecl *point = types.declareRecord("Point");
  point->fields.resize(1);
  point->fields[0].name = "x";
  Value record = Value::record(point, {Value::integer(1)});
  const std::tuple<const char *, const char *, bool> table[] = {
      {"1", "1.0", true},
      {"1", "1.5", false},
      {"9007199254740993", "9007199254740992.0", false},
      {"9223372036854775807", "9223372036854775808.0", false},
      {"null", "0", false},
      {"true", "1", false},
      {"\"a\"", "\"a\"", true},
      {"[1, 2]", "[1, 2]", true},
      {"[1, 2]", "[2, 1]", false},
      {"[1]", "[1, 2]", false},
      {R"({"a": 1, "b": 2})", R"({"b": 2, "a": 1})", true},
      {R"({"a": 1})", R"({"a": 1, "b": 2})", false},
      {R"({"a": 1, "b": null})", R"({"a": 1, "c": null})", false}};
  for (auto [a, b, same] : table) {
    EXPECT_EQ(equal(*parseJson(a), *parseJson(b)), same) << a << " " << b;
    EXPECT_EQ(equal(*parseJson(b), *parseJson(a)), same) << b << " " << a;
  }
  EXPECT_TRUE(equal(record, *parseJson(R"({"x": 1.0})")));
  EXPECT_FALSE(equal(*parseJson(R"({"y": 1})"), record));
}

TEST(Value, KnowsItsDepthAndFreesIt) {
  Value nested = Value::integer(1);
  for (uint32_t i = 0; i < 100; ++i)
    nested = Value::list({nested});
  EXPECT_EQ(nested.depth(), 100u);
  EXPECT_EQ(Value::map({{"a", nested}}).depth(), 101u);
  EXPECT_EQ(Value::text("x").depth(), 0u);
}

TEST(Utf8, CountsScalarValues) {
  const std::tuple<std::string, size_t, bool> table[] = {
      {"", 0, true},
      {"abc", 3, true},
      {"äöü", 3, true},
      {"e\u0301", 2, true},
      {"😀x", 2, true},
      {"\xC0\x80", 2, false},
      {"\xED\xA0\x80", 3, false},
      {"\xF4\x90\x80\x80", 4, false},
      {"a\xE2\x82", 3, false}};
  for (const auto &[text, count, valid] : table) {
    EXPECT_EQ(countCharacters(text), count) << text;
    EXPECT_EQ(firstInvalidUtf8(text) == std::string::npos, valid) << text;
  }
}

} // namespace
