// Languages of types by table, ranges by brute force, and random texts of each
// language read back as values.
#include "ir/constraint/TypeConstraint.h"

#include "ir/constraint/NumberPattern.h"
#include "ir/constraint/Regex.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>

using namespace sgl;

namespace {

Refinement ints(std::optional<int64_t> least, std::optional<int64_t> most) {
  Refinement r;
  r.minInt = least;
  r.maxInt = most;
  return r;
}
Refinement floats(std::optional<double> least, std::optional<double> most) {
  Refinement r;
  r.minFloat = least;
  r.maxFloat = most;
  return r;
}
Refinement lengths(std::optional<uint64_t> least,
                   std::optional<uint64_t> most) {
  Refinement r;
  r.minLength = least;
  r.maxLength = most;
  return r;
}
Refinement matching(const char *pattern, Refinement r = {}) {
  r.pattern = pattern;
  return r;
}

/// The types of the tests, by what they are called there.
struct Types {
  TypeContext context;
  const Type *grade, *unit, *report, *sparse, *nested, *tool, *loop;

  Types() {
    EnumDecl *gradeDecl = context.declareEnum("Grade");
    gradeDecl->members = {{"A", "A", ""}, {"B", "B", ""}};
    grade = context.enumeration(gradeDecl);
    EnumDecl *unitDecl = context.declareEnum("Unit");
    unitDecl->members = {{"Inch", "\"", ""}, {"Metre", "m", ""}};
    unit = context.enumeration(unitDecl);
    RecordDecl *decl = context.declareRecord("Report");
    decl->fields = {
        {"summary", context.refined(TypeKind::Str, lengths(1, 8)), "", {}},
        {"grade", grade, "", {}},
        {"score", context.refined(TypeKind::Int, ints(0, 10)), "", "5"}};
    report = context.record(decl);
    decl = context.declareRecord("Sparse");
    decl->fields = {{"a", context.optional(context.intType()), "", {}},
                    {"b", context.boolType(), "", {}},
                    {"c", context.optional(context.boolType()), "", {}},
                    {"d", context.optional(context.intType()), "", "7"}};
    sparse = context.record(decl);
    decl = context.declareRecord("Nested");
    decl->fields = {{"items", context.list(report, lengths({}, 2)), "", {}},
                    {"mood",
                     context.unionOf({context.text("ok"), context.intType()}),
                     "",
                     {}}};
    nested = context.record(decl);
    decl = context.declareRecord("wiki");
    decl->isTool = true;
    decl->fields = {{"title", context.strType(), "", {}}};
    tool = context.record(decl);
    decl = context.declareRecord("Loop");
    loop = context.record(decl);
    decl->fields = {{"next", context.optional(loop), "", {}}};
  }
};

const std::string nines(18, '9');

struct Case {
  std::function<const Type *(Types &)> type;
  std::vector<std::string> in, out;
};

const Case cases[] = {
    {[](Types &t) { return t.context.map(t.context.boolType()); },
     {"{}", "{\"a\": true}", "{\"a\": true, \"b\": false}"},
     {"{\"a\":true}", "{\"a\": 1}", "{a: true}", "{\"a\": true,}", "[]"}},
    {[](Types &t) { return t.context.jsonType(); },
     {"null", "-1.5", "\"a\"", "[]", "{}", "[1, {\"a\": [true]}]",
      "[[[[[[]]]]]]"},
     {"", "[1,2]", "{\"a\":1}", "nul", "[[[[[[[]]]]]]]"}},
    {[](Types &t) { return t.loop; },
     {"{}", "{\"next\": null}", "{\"next\": {\"next\": {}}}"},
     {"{\"next\": 1}", "{\"next\": {\"next\": {}}", "null"}},
    {[](Types &t) { return t.context.intType(); },
     {"0", "-1", "42", nines, "-" + nines},
     {"", "-0", "01", "+1", "1.0", "1" + nines, " 1"}},
    {[](Types &t) { return t.context.floatType(); },
     {"0", "-1.5", "3.25", "0.0", "0." + nines.substr(1)},
     {".5", "1.", "01.5", "1e5", "+1", "0." + nines, "NaN"}},
    {[](Types &t) { return t.context.boolType(); },
     {"true", "false"},
     {"True", "tru", "1"}},
    {[](Types &t) { return t.grade; }, {"A", "B"}, {"C", "\"A\"", ""}},
    {[](Types &t) { return t.unit; }, {"\"", "m"}, {"Inch"}},
    {[](Types &t) {
       return t.context.unionOf({t.context.text("yes"), t.context.text("no")});
     },
     {"yes", "no"},
     {"\"yes\"", "maybe"}},
    {[](Types &t) {
       return t.context.optional(
           t.context.unionOf({t.context.text("yes"), t.context.text("no")}));
     },
     {"\"yes\"", "null"},
     {"yes", ""}},
    {[](Types &t) {
       return t.context.unionOf({t.context.text("a"), t.context.boolType()});
     },
     {"\"a\"", "true"},
     {"a"}},
    {[](Types &t) { return t.context.refined(TypeKind::Str, lengths(2, 3)); },
     {"ab", "\u00e9\U0001F642", "a\nb"},
     {"a", "abcd", "\xc3\x28"}},
    {[](Types &t) {
       return t.context.refined(TypeKind::Str, matching("[a-z]+"));
     },
     {"ab"},
     {"", "aB", "\"ab\""}},
    {[](Types &t) {
       return t.context.refined(TypeKind::Str,
                                matching("[a-z]+", lengths(2, 3)));
     },
     {"ab", "abc"},
     {"a", "abcd"}},
    {[](Types &t) {
       return t.context.list(t.context.refined(TypeKind::Str, lengths({}, 1)));
     },
     {"[]", "[\"\"]", "[\"a\", \"\\n\"]", "[\"\\ud83d\\ude42\"]",
      "[\"\U0001F642\"]", "[\"\\u0041\"]", "[\"\\/\"]"},
     {"[\"ab\"]", "[\"\n\"]", "[\"\\ud800\"]", "[\"\\ude00\\ud83d\"]",
      "[\"a\",\"b\"]", "[\"a\", ]", "[\"\\x\"]"}},
    {[](Types &t) {
       return t.context.list(
           t.context.refined(TypeKind::Str, matching("a[\\n\"\\\\]?/")));
     },
     {"[\"a/\"]", "[\"a\\n/\"]", "[\"a\\u000a\\/\"]", "[\"a\\\"/\"]",
      "[\"a\\\\/\"]", "[\"a\\u000A/\"]"},
     {"[\"a\n/\"]", "[\"a\"/\"]", "[\"b/\"]", "[\"a\\t/\"]"}},
    {[](Types &t) {
       return t.context.list(t.context.boolType(), lengths(2, 3));
     },
     {"[true, true]", "[true, false, true]"},
     {"[true]", "[]", "[true, true, true, true]"}},
    {[](Types &t) { return t.report; },
     {"{\"summary\": \"fine\", \"grade\": \"A\", \"score\": 10}"},
     {"{\"summary\": \"\", \"grade\": \"A\", \"score\": 10}",
      "{\"summary\": \"fine\", \"grade\": \"A\"}",
      "{\"grade\": \"A\", \"summary\": \"fine\", \"score\": 1}",
      "{\"summary\":\"fine\",\"grade\":\"A\",\"score\":1}"}},
    {[](Types &t) { return t.sparse; },
     {"{\"b\": true, \"d\": 1}", "{\"a\": null, \"b\": true, \"d\": null}",
      "{\"a\": 1, \"b\": true, \"c\": false, \"d\": 2}",
      "{\"b\": true, \"c\": null, \"d\": 2}"},
     {"{\"b\": true}", "{, \"b\": true, \"d\": 1}", "{\"d\": 1}",
      "{\"b\": true, \"d\": 1, }"}},
    {[](Types &t) { return t.nested; },
     {"{\"items\": [], \"mood\": \"ok\"}",
      "{\"items\": [{\"summary\": \"x\", \"grade\": \"B\", \"score\": 0}], "
      "\"mood\": -3}"},
     {"{\"items\": [], \"mood\": ok}"}},
    {[](Types &t) { return t.tool; },
     {"{\"tool\": \"wiki\", \"title\": \"x\"}"},
     {"{\"title\": \"x\"}"}},
};

TEST(TypeConstraint, Languages) {
  Types types;
  useRegexForTypes();
  for (const Case &c : cases) {
    const Type *type = c.type(types);
    auto automaton = compileType(type);
    ASSERT_TRUE(automaton) << automaton.error().message;
    for (const std::string &text : c.in) {
      EXPECT_TRUE(automaton->matches(text)) << toString(type) << ": " << text;
      auto value = readTyped(type, text);
      EXPECT_TRUE(value) << text << ": " << value.error().message;
    }
    for (const std::string &text : c.out)
      EXPECT_FALSE(automaton->matches(text)) << toString(type) << ": " << text;
  }
}

struct Refusal {
  std::function<const Type *(Types &)> type;
  const char *message;
};

const Refusal refusals[] = {
    {[](Types &t) { return t.context.refined(TypeKind::Int, ints(3, 2)); },
     "no text fits the type int in 3..=2"},
    {[](Types &t) { return t.context.refined(TypeKind::Str, lengths(3, 2)); },
     "no text fits the type str in 3..=2"},
    {[](Types &t) {
       return t.context.refined(TypeKind::Str,
                                matching("[a-z]", lengths(2, {})));
     },
     "no text fits the type"},
    {[](Types &t) {
       return t.context.refined(TypeKind::Str, matching("(?=a)b"));
     },
     "look-ahead '(?=' is not supported at byte 0 of the pattern"},
    {[](Types &t) {
       return t.context.unionOf({t.context.intType(), t.context.floatType()});
     },
     "`0` could be int or float"},
    {[](Types &t) { return t.context.stateType(); },
     "a generated value cannot hold a state"},
    {[](Types &t) {
       return t.context.refined(TypeKind::Str, lengths(1, 1'000'000));
     },
     "has a length beyond 50000"},
};

TEST(TypeConstraint, RefusesByName) {
  Types types;
  for (const Refusal &refusal : refusals) {
    auto automaton = compileType(refusal.type(types));
    ASSERT_FALSE(automaton) << refusal.message;
    EXPECT_NE(automaton.error().message.find(refusal.message),
              std::string::npos)
        << automaton.error().message;
  }
}

TEST(TypeConstraint, PlainTextIsFree) {
  TypeContext context;
  EXPECT_FALSE(isConstraining(context.strType()));
  EXPECT_TRUE(isConstraining(context.refined(TypeKind::Str, lengths(1, 2))));
  EXPECT_TRUE(isConstraining(context.intType()));
}

TEST(IntPattern, EveryRangeIsExact) {
  for (int64_t least = -112; least <= 112; least += 7)
    for (int64_t most = least; most <= 112; most += 5) {
      auto automaton = compilePattern(intPattern(least, most));
      ASSERT_TRUE(automaton);
      for (int64_t value = -130; value <= 130; ++value)
        ASSERT_EQ(automaton->matches(std::to_string(value)),
                  least <= value && value <= most)
            << value << " in " << least << ".." << most;
      for (const char *text : {"-0", "007", "", "-", "1 "})
        EXPECT_FALSE(automaton->matches(text)) << text;
    }
  auto widest = compilePattern(intPattern(INT64_MIN, INT64_MAX));
  ASSERT_TRUE(widest);
  EXPECT_TRUE(widest->matches("-9223372036854775808"));
  EXPECT_FALSE(widest->matches("-9223372036854775809"));
  EXPECT_TRUE(widest->matches("9223372036854775807"));
  EXPECT_FALSE(widest->matches("9223372036854775808"));
}

/// Random decimals near the bounds, compared as the numbers they read as.
TEST(FloatPattern, RangesAreExact) {
  const double bounds[] = {-120.5, -1,   -0.125, 0,     1e-5, 0.1,
                           0.99,   1,    9.75,   10,    99.5, 100,
                           0.3,    1e15, 12.345, 1e-17, 2.5};
  std::mt19937 random(9);
  size_t inside = 0, outside = 0;
  for (double least : bounds)
    for (double most : bounds) {
      auto automaton = compilePattern(floatPattern(least, most));
      ASSERT_TRUE(automaton);
      if (least > most) {
        EXPECT_TRUE(automaton->isEmpty());
        continue;
      }
      for (int i = 0; i < 200; ++i) {
        char text[64];
        double near = random() % 2 ? least : most;
        double step =
            (int(random() % 5) - 2) * std::pow(10.0, -double(random() % 6));
        std::snprintf(text, sizeof text, "%.*f", int(random() % 17),
                      near + step);
        double value = std::strtod(text, nullptr);
        bool isNegativeZero = value == 0 && text[0] == '-';
        if (isNegativeZero)
          continue;
        bool expected = least <= value && value <= most;
        // A text that rounds onto a bound from outside may be left out.
        bool isOnBound = value == least || value == most;
        bool matches = automaton->matches(text);
        if (!isOnBound || !expected)
          ASSERT_EQ(matches, expected)
              << text << " in " << least << ".." << most;
        (matches ? inside : outside) += 1;
      }
      for (const char *text : {"1.", ".5", "01", "1e3", ""})
        EXPECT_FALSE(automaton->matches(text)) << text;
    }
  EXPECT_GT(inside, 1000u);
  EXPECT_GT(outside, 1000u);
}

/// A random text of the language: random edges, ending where it may.
std::string randomText(const Automaton &automaton, std::mt19937 &random) {
  std::string text;
  auto state = automaton.start();
  while (true) {
    auto edges = automaton.edges(state);
    if (automaton.accepts(state) && (edges.empty() || random() % 4 == 0))
      return text;
    // Early edges first now and then, so that loops are left.
    auto edge = edges[random() % edges.size()];
    auto byte = uint8_t(edge.low + random() % (edge.high - edge.low + 1u));
    text += char(byte);
    state = automaton.next(state, byte);
    if (text.size() > 2000)
      return "";
  }
}

TEST(TypeConstraint, RandomTextsAreValues) {
  Types types;
  useRegexForTypes();
  std::mt19937 random(4);
  size_t read = 0;
  for (const Case &c : cases) {
    const Type *type = c.type(types);
    auto automaton = compileType(type);
    ASSERT_TRUE(automaton);
    for (int i = 0; i < 200; ++i) {
      std::string text = randomText(*automaton, random);
      if (text.empty() && !automaton->matches(""))
        continue;
      ASSERT_TRUE(automaton->matches(text));
      auto value = readTyped(type, text);
      ASSERT_TRUE(value) << toString(type) << ": " << text << ": "
                         << value.error().message;
      ++read;
      if (!standsBare(type))
        EXPECT_FALSE(nlohmann::json::parse(text, nullptr, false).is_discarded())
            << text;
    }
  }
  EXPECT_GT(read, 2000u);
}

TEST(TypeConstraint, ValuesAreWhatWasWritten) {
  Types types;
  auto report =
      readTyped(types.report, "{\"summary\": \"\\u0041\\n\", \"grade\": \"B\", "
                              "\"score\": 7}");
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_TRUE(report->asRecord());
  EXPECT_EQ(*report->asRecord()->fields[0].asText(), "A\n");
  EXPECT_EQ(report->asRecord()->fields[1].asEnum()->member, 1u);
  EXPECT_EQ(*report->asRecord()->fields[2].asInt(), 7);
  auto number = readTyped(types.context.floatType(), "2");
  ASSERT_TRUE(number);
  EXPECT_EQ(*number->asFloat(), 2.0);
  auto sparse = readTyped(types.sparse, "{\"b\": true, \"d\": 1}");
  ASSERT_TRUE(sparse) << sparse.error().message;
  EXPECT_TRUE(sparse->asRecord()->fields[0].isNull());
  EXPECT_FALSE(readTyped(types.grade, "C"));
  EXPECT_FALSE(readTyped(types.report, "{\"summary\": \"cut"));
}

} // namespace
