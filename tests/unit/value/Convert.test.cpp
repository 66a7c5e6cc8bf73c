// From json to typed values: types, refinements, defaults and error paths.

#include "ir/value/Convert.h"

#include <gtest/gtest.h>

using namespace sgl;

namespace {

class Conversion : public testing::Test {
protected:
  void SetUp() override {
    grade = types.declareEnum("Grade");
    grade->members = {{"A", "A", ""}, {"Pass", "passed", ""}};
    report = types.declareRecord("Report");
    Refinement score;
    score.minInt = 0;
    score.maxInt = 10;
    report->fields = {{"grade", types.enumeration(grade), "", {}},
                      {"score", types.refined(TypeKind::Int, score), "", {}},
                      {"weight", types.floatType(), "", "2"},
                      {"note", types.optional(types.strType()), "", {}},
                      {"parts", types.list(types.record(report)), "", "[]"}};
    wiki = types.declareRecord("wiki");
    wiki->fields = {{"title", types.strType(), "", {}}};
    wiki->isTool = true;
  }

  std::string run(const char *json, const Type *type) {
    auto value = convert(*parseJson(json), type);
    return value ? toJson(*value) : value.error().message;
  }

  TypeContext types;
  EnumDecl *grade = nullptr;
  RecordDecl *report = nullptr, *wiki = nullptr;
};

TEST_F(Conversion, Records) {
  const Type *type = types.record(report);
  const std::pair<const char *, const char *> table[] = {
      {R"({"score": 3, "grade": "passed"})",
       R"({"grade": "passed", "score": 3, "weight": 2.0, "note": null, "parts": []})"},
      {R"({"score": 11, "grade": "A"})", "score: 11 is not in 0..=10"},
      {R"({"score": 1.0, "grade": "A"})",
       "score: expected int in 0..=10, found float 1.0"},
      {R"({"grade": "A"})", "field `score` is missing"},
      {R"({"score": 1, "grade": "B"})",
       R"(grade: expected Grade, found text "B")"},
      {R"({"score": 1, "grade": "A", "x": 1})", "Report has no field `x`"},
      {R"({"score": 1, "grade": "A", "note": 5})",
       "note: expected str, found int 5"},
      {R"({"score": 1, "grade": "A", "parts": [{"grade": "A", "score": 99}]})",
       "parts[0].score: 99 is not in 0..=10"},
      {"[]", "expected Report, found list []"},
      {"null", "expected Report, found null"}};
  for (auto [json, result] : table)
    EXPECT_EQ(run(json, type), result) << json;
}

TEST_F(Conversion, Refinements) {
  Refinement length;
  length.minLength = 2;
  length.maxLength = 3;
  Refinement probability;
  probability.minFloat = 0.0;
  probability.maxFloat = 1.0;
  const Type *name = types.refined(TypeKind::Str, length);
  const Type *chance = types.refined(TypeKind::Float, probability);
  const Type *pair = types.list(types.intType(), length);
  EXPECT_EQ(run("\"äö\"", name), "\"äö\"");
  EXPECT_EQ(run("\"a\"", name), "has 1 character, not 2..=3");
  EXPECT_EQ(run("\"abcd\"", name), "has 4 characters, not 2..=3");
  EXPECT_EQ(run("1", chance), "1.0");
  EXPECT_EQ(run("1.5", chance), "1.5 is not in 0.0..=1.0");
  EXPECT_EQ(run("[1]", pair), "has 1 element, not 2..=3");
  EXPECT_EQ(run("[1, 2]", pair), "[1, 2]");
}

TEST_F(Conversion, UnionsLiteralsMapsOptionals) {
  const Type *yesNo = types.unionOf({types.text("yes"), types.text("no")});
  const Type *mixed = types.unionOf({types.intType(), types.strType()});
  const Type *map = types.map(types.floatType());
  EXPECT_EQ(run("\"yes\"", yesNo), "\"yes\"");
  EXPECT_EQ(run("\"maybe\"", yesNo),
            R"(expected "yes" | "no", found text "maybe")");
  EXPECT_EQ(run("3", mixed), "3");
  EXPECT_EQ(run("\"3\"", mixed), "\"3\"");
  EXPECT_EQ(run(R"({"b": 1, "a": 2.5})", map), R"({"b": 1.0, "a": 2.5})");
  EXPECT_EQ(run(R"({"b": "x"})", map), R"(b: expected float, found text "x")");
  EXPECT_EQ(run("null", types.optional(types.intType())), "null");
  EXPECT_EQ(run("[1, {}]", types.jsonType()), "[1, {}]");
}

TEST_F(Conversion, ToolsAreToldApartByName) {
  RecordDecl *calc = types.declareRecord("calc");
  calc->fields = {{"title", types.strType(), "", {}}};
  calc->isTool = true;
  const Type *either = types.unionOf({types.record(wiki), types.record(calc)});
  auto value =
      convert(*parseJson(R"({"tool": "calc", "title": "1+1"})"), either);
  ASSERT_TRUE(value);
  EXPECT_EQ(value->asRecord()->decl, calc);
  EXPECT_EQ(run(R"({"tool": "x", "title": "y"})", types.record(wiki)),
            R"(expected the tool "wiki", found "x")");
}

TEST_F(Conversion, IsOfTypeConvertsNothing) {
  Value member = Value::enumeration(grade, 0);
  EXPECT_TRUE(isOfType(member, types.enumeration(grade)));
  EXPECT_FALSE(isOfType(Value::text("A"), types.enumeration(grade)));
  EXPECT_FALSE(isOfType(member, types.strType()));
  EXPECT_FALSE(isOfType(Value::integer(1), types.floatType()));
  EXPECT_TRUE(isOfType(Value::number(1), types.floatType()));
  EXPECT_FALSE(isOfType(*parseJson(R"({"title": "x"})"), types.record(wiki)));
  EXPECT_TRUE(isOfType(Value::null(), types.optional(types.intType())));
  EXPECT_TRUE(isOfType(Value::text("yes"), types.text("yes")));
  EXPECT_FALSE(isOfType(*parseJson("[1, \"a\"]"), types.list(types.intType())));
}

TEST_F(Conversion, LongValuesAreCutInMessages) {
  std::string longText = "\"" + std::string(500, 'x') + "\"";
  std::string message = run(longText.c_str(), types.intType());
  EXPECT_LT(message.size(), 120u);
}

} // namespace
