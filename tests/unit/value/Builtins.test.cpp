// Every built-in and operator: call, arguments as JSON, result or error.

#include "ir/value/Builtins.h"

#include <gtest/gtest.h>

#include <set>

using namespace sgl;

namespace {

struct Case {
  const char *name;
  const char *arguments; ///< a JSON list
  const char *result;    ///< JSON, or "error: …"
};

std::string show(const Result<Value> &result) {
  return result ? toJson(*result) : "error: " + result.error().message;
}

std::string callBuiltin(std::string_view name, const char *arguments) {
  const Builtin *builtin = findBuiltin(name);
  if (!builtin)
    return "no such built-in";
  auto args = parseJson(arguments);
  if (!args)
    return args.error().message;
  const ListData &list = *args->asList();
  if (list.size() < builtin->minArgs || list.size() > builtin->maxArgs)
    return "wrong number of arguments";
  return show(builtin->function(list));
}

const Case textCases[] = {
    {"len", R"(["häß😀"])", "4"},
    {"len", R"([[1, 2]])", "2"},
    {"len", R"([{"a": 1}])", "1"},
    {"len", R"([5])", "error: expected a text, list or map, found 5"},
    {"lower", R"(["ÀBC ß"])", R"("àbc ß")"},
    {"upper", R"(["àbc ß"])", R"("ÀBC ß")"},
    {"trim", R"(["\u00a0 \n a b\t\u3000"])", R"("a b")"},
    {"trim", R"([" \n"])", R"("")"},
    {"split", R"(["a,b,,c", ","])", R"(["a", "b", "", "c"])"},
    {"split", R"(["", ","])", R"([""])"},
    {"split", R"(["ab", ""])",
     "error: split needs a separator that is not empty"},
    {"join_text", R"([["a", 1, 2.0, null], "-"])", R"("a-1-2.0-null")"},
    {"replace", R"(["aaa", "aa", "b"])", R"("ba")"},
    {"replace", R"(["abc", "x", "y"])", R"("abc")"},
    {"replace", R"(["abc", "", "y"])",
     "error: replace needs a text to look for that is not empty"},
    {"contains", R"(["abc", "bc"])", "true"},
    {"contains", R"(["abc", ""])", "true"},
    {"starts_with", R"(["abc", "ab"])", "true"},
    {"ends_with", R"(["abc", "ab"])", "false"},
    {"find", R"(["äöü", "ü"])", "2"},
    {"find", R"(["abc", "z"])", "null"},
    {"slice", R"(["äöüß", 1, 3])", R"("öü")"},
    {"slice", R"(["abcd", -3, -1])", R"("bc")"},
    {"slice", R"(["abcd", 2, 100])", R"("cd")"},
    {"slice", R"(["abcd", 3, 1])", R"("")"},
    {"slice", R"(["abcd", -100, -9223372036854775808])", R"("")"},
    {"slice", R"([[1, 2, 3], 1, -1])", "[2]"},
    {"slice", R"([[], 0, 1])", "[]"},
    {"lines", R"([["a", "b"]])", R"("a\nb")"},
    {"lines", R"([[]])", R"("")"},
    {"bullets", R"([["a", "b"]])", R"("- a\n- b")"},
    {"indent", R"(["a\n\nb", 2])", R"("  a\n\n  b")"},
    {"indent", R"(["a", -1])", "error: indent takes 0 to 1000 blanks, not -1"},
    {"fixed", R"([2.5, 0])", R"("3")"},
    {"fixed", R"([-2.5, 0])", R"("-3")"},
    {"fixed", R"([2.675, 2])", R"("2.68")"},
    {"fixed", R"([1, 2])", R"("1.00")"},
    {"fixed", R"([9.999, 2])", R"("10.00")"},
    {"fixed", R"([-0.001, 2])", R"("0.00")"},
    {"fixed", R"([0.05, 1])", R"("0.1")"},
    {"fixed", R"([1e20, 1])", R"("100000000000000000000.0")"},
    {"fixed", R"([1.5, 18])", "error: fixed takes 0 to 17 digits, not 18"},
};

const Case dataCases[] = {
    {"json", R"([{"a": [1, null]}])", R"("{\"a\": [1, null]}")"},
    {"json", R"(["a"])", R"("\"a\"")"},
    {"parse_json", R"(["{\"a\": 1}"])", R"({"a": 1})"},
    {"parse_json", R"(["{"])",
     "error: expected a key in quotes at line 1, column 2"},
    {"keys", R"([{"b": 1, "a": 2}])", R"(["b", "a"])"},
    {"values", R"([{"b": 1, "a": 2}])", "[1, 2]"},
    {"keys", R"([[1]])", "error: expected a map, found a list"},
    {"get", R"([{"b": 1}, "b"])", "1"},
    {"get", R"([{"b": 1}, "c"])", "null"},
    {"get", R"([[7, 8], 1])", "8"},
    {"get", R"([[7, 8], 2])", "null"},
    {"get", R"([[7, 8], -1])", "null"},
    {"or_else", R"([null, 2])", "2"},
    {"or_else", R"([false, 2])", "false"},
    {"append", R"([[1], [2]])", "[1, [2]]"},
    {"concat", R"([[1], [2, 3]])", "[1, 2, 3]"},
    {"concat", R"([[[1], [], [2]]])", "[1, 2]"},
    {"reverse", R"([[1, 2, 3]])", "[3, 2, 1]"},
    {"sort", R"([[3, 1.5, 2]])", "[1.5, 2, 3]"},
    {"sort", R"([["b", "a", "Ä", "Z"]])", R"(["Z", "a", "b", "Ä"])"},
    {"sort", R"([[1, "a"]])", "error: only numbers or texts can be sorted"},
    {"sort", R"([[]])", "[]"},
    {"sort_by",
     R"([[{"k": 2, "n": 1}, {"k": 1, "n": 2}, {"k": 2, "n": 3}], "k"])",
     R"([{"k": 1, "n": 2}, {"k": 2, "n": 1}, {"k": 2, "n": 3}])"},
    {"sort_by", R"([[{"k": 2}], "z"])", "error: no field `z` in the value"},
    {"unique",
     R"([[1, 1.0, 2, "1", [1], [1.0], {"a": 1, "b": 2}, {"b": 2, "a": 1}]])",
     R"([1, 2, "1", [1], {"a": 1, "b": 2}])"},
    {"zip", R"([[1, 2], ["a", "b"]])",
     R"([{"first": 1, "second": "a"}, {"first": 2, "second": "b"}])"},
    {"zip", R"([[1], []])",
     "error: zip needs lists of one length, not 1 and 0"},
    {"range", "[-1, 2]", "[-1, 0, 1]"},
    {"range", "[2, 2]", "[]"},
    {"range", "[0, 1000000000000]",
     "error: range of 1000000000000 numbers is longer than 16777216"},
    {"range", "[-9223372036854775808, 9223372036854775807]",
     "error: range of 18446744073709551615 numbers is longer than 16777216"},
    {"sum", "[[]]", "0"},
    {"sum", "[[1, 2]]", "3"},
    {"sum", "[[1, 0.5]]", "1.5"},
    {"sum", "[[9223372036854775807, 1]]", "error: integer overflow"},
    {"min", "[[2, 1, 3]]", "1"},
    {"max", R"([["a", "c", "b"]])", R"("c")"},
    {"max", "[[]]", "error: max of an empty list"},
    {"mean", "[[1, 2]]", "1.5"},
    {"mean", "[[]]", "error: mean of an empty list"},
    {"count", R"([["a", "b", "a"], "a"])", "2"},
    {"majority", R"([["b", "a", "a", "b", "c"]])", R"("b")"},
    {"majority", "[[1, 2, 2.0]]", "2"},
    {"majority", "[[]]", "error: majority of an empty list"},
};

const Case numberCases[] = {
    {"abs", "[-3]", "3"},
    {"abs", "[-3.5]", "3.5"},
    {"abs", "[-9223372036854775808]", "error: integer overflow"},
    {"round", "[2.5]", "3"},
    {"round", "[-2.5]", "-3"},
    {"round", "[0.49999999999999994]", "0"},
    {"round", "[1e300]", "error: 1e300 does not fit an int"},
    {"round", "[2.675, 2]", "2.68"},
    {"round", "[1234, -2]", "1200.0"},
    {"round", "[50, -2]", "100.0"},
    {"round", "[49, -2]", "0.0"},
    {"floor", "[-1.5]", "-2"},
    {"ceil", "[-1.5]", "-1"},
    {"ceil", "[7]", "7"},
    {"div", "[-7, 2]", "-4"},
    {"div", "[7, -2]", "-4"},
    {"div", "[6, 2]", "3"},
    {"div", "[7.5, 2]", "3.0"},
    {"div", "[1, 0]", "error: division by zero"},
    {"div", "[-9223372036854775808, -1]", "error: integer overflow"},
    {"text", "[2.0]", R"("2.0")"},
    {"int", R"([" +12\n"])", "12"},
    {"int", R"(["-12"])", "-12"},
    {"int", R"(["+-12"])", R"(error: the text "+-12" is not an int)"},
    {"int", R"(["1.0"])", R"(error: the text "1.0" is not an int)"},
    {"int", R"([""])", R"(error: the text "" is not an int)"},
    {"int", R"(["99999999999999999999"])",
     R"(error: the text "99999999999999999999" does not fit an int)"},
    {"int", "[2.0]", "2"},
    {"int", "[2.5]", "error: 2.5 is not a whole number"},
    {"int", "[null]", "error: null is not an int"},
    {"float", R"([" 1e3 "])", "1000.0"},
    {"float", "[3]", "3.0"},
    {"float", R"(["inf"])", R"(error: the text "inf" is not a float)"},
    {"float", R"(["1e999"])",
     R"(error: the text "1e999" does not fit a float)"},
    {"bool", "[true]", "true"},
    {"bool", "[1]", "error: 1 is not a bool"},
    {"list", "[[1]]", "[1]"},
    {"list", "[{}]", "error: a map is not a list"},
};

TEST(Builtins, Table) {
  std::set<std::string_view> covered;
  for (auto cases :
       {std::span<const Case>(textCases), std::span<const Case>(dataCases),
        std::span<const Case>(numberCases)})
    for (const Case &c : cases) {
      covered.insert(c.name);
      EXPECT_EQ(callBuiltin(c.name, c.arguments), c.result)
          << c.name << c.arguments;
    }
  for (const Builtin &builtin : allBuiltins())
    EXPECT_TRUE(covered.count(builtin.name)) << "no case for " << builtin.name;
  EXPECT_EQ(findBuiltin("lenn"), nullptr);
  EXPECT_EQ(findBuiltin(""), nullptr);
}

TEST(Builtins, NeverFailWorseThanWithAnError) {
  const char *odd[] = {"null",
                       "true",
                       "-1",
                       "0.5",
                       "\"\"",
                       "\"a\"",
                       "[]",
                       "[1]",
                       "{}",
                       "[[null]]",
                       "9223372036854775807"};
  for (const Builtin &builtin : allBuiltins())
    for (const char *a : odd)
      for (const char *b : odd)
        for (const char *c : odd) {
          ListData args = {*parseJson(a), *parseJson(b), *parseJson(c)};
          args.resize(builtin.maxArgs);
          auto result = builtin.function(args);
          EXPECT_TRUE(result || !result.error().message.empty());
        }
}

TEST(Operators, Table) {
  const Case table[] = {
      {"add", "[1, 2]", "3"},
      {"add", "[1, 0.5]", "1.5"},
      {"add", R"(["a", "b"])", R"("ab")"},
      {"add", "[[1], [2]]", "[1, 2]"},
      {"add", R"([1, "a"])",
       R"(error: `+` does not work on 1 and the text "a")"},
      {"add", "[9223372036854775807, 1]", "error: integer overflow"},
      {"sub", "[-9223372036854775808, 1]", "error: integer overflow"},
      {"mul", "[4611686018427387904, 2]", "error: integer overflow"},
      {"mul", "[1e308, 10]", "error: result is not a finite number"},
      {"div", "[7, 2]", "3.5"},
      {"div", "[1, 0]", "error: division by zero"},
      {"div", "[1.0, 0]", "error: division by zero"},
      {"mod", "[-7, 3]", "2"},
      {"mod", "[7, -3]", "-2"},
      {"mod", "[-6, 3]", "0"},
      {"mod", "[-9223372036854775808, -1]", "0"},
      {"mod", "[-7.5, 2]", "0.5"},
      {"mod", "[1, 0]", "error: division by zero"},
      {"eq", "[1, 1.0]", "true"},
      {"ne", "[1, 1.0]", "false"},
      {"lt", "[1, 1.5]", "true"},
      {"ge", R"(["b", "a"])", "true"},
      {"lt", R"(["Z", "ä"])", "true"},
      {"gt", "[9007199254740993, 9007199254740992.0]", "true"},
      {"le", R"([1, "a"])",
       R"(error: `<=` does not work on 1 and the text "a")"},
      {"in", "[2, [1, 2.0]]", "true"},
      {"in", R"(["b", "abc"])", "true"},
      {"in", R"(["b", {"b": null}])", "true"},
      {"in", R"(["c", {"b": null}])", "false"},
      {"in", "[1, 2]", "error: `in` does not work on 1 and 2"},
      {"and", "[true, false]", "false"},
      {"or", "[true, false]", "true"},
      {"pow", "[1, 2]", "error: unknown operator `pow`"}};
  for (const Case &c : table) {
    auto args = parseJson(c.arguments);
    const ListData &list = *args->asList();
    EXPECT_EQ(show(applyBinary(c.name, list[0], list[1])), c.result)
        << c.name << c.arguments;
  }
  EXPECT_EQ(show(applyUnary("neg", Value::integer(INT64_MIN))),
            "error: integer overflow");
  EXPECT_EQ(show(applyUnary("not", Value::boolean(true))), "false");
  EXPECT_EQ(show(applyUnary("neg", Value::null())),
            "error: `-` does not work on null");
}

TEST(Access, ReadsAndCopiesParts) {
  Value list = *parseJson("[1, 2]"), map = *parseJson(R"({"a": 1})");
  auto text = [](const char *t) { return Value::text(t); };
  EXPECT_EQ(show(element(list, Value::integer(1))), "2");
  EXPECT_EQ(show(element(list, Value::integer(-1))),
            "error: no element -1 in a list of 2");
  EXPECT_EQ(show(element(map, text("a"))), "1");
  EXPECT_EQ(show(element(map, text("b"))), "error: no key \"b\" in the map");
  EXPECT_EQ(show(element(map, Value::integer(0))),
            "error: key of a map must be a text, not 0");
  EXPECT_EQ(show(withElement(list, Value::integer(0), text("x"))),
            "[\"x\", 2]");
  EXPECT_EQ(show(withElement(list, Value::integer(2), text("x"))),
            "error: no element 2 in a list of 2");
  EXPECT_EQ(show(withElement(map, text("b"), text("x"))),
            R"({"a": 1, "b": "x"})");
  EXPECT_EQ(show(withElement(map, text("a"), text("x"))), R"({"a": "x"})");
  EXPECT_EQ(toJson(list), "[1, 2]");

  TypeContext types;
  RecordDecl *point = types.declareRecord("Point");
  point->fields.resize(1);
  point->fields[0].name = "x";
  Value record = Value::record(point, {Value::integer(1)});
  EXPECT_EQ(show(field(record, "x")), "1");
  EXPECT_EQ(show(field(Value::integer(1), "x")), "error: 1 has no field `x`");
  EXPECT_EQ(show(withField(record, "x", text("n"))), R"({"x": "n"})");
  EXPECT_EQ(show(withField(record, "y", text("n"))),
            "error: Point has no field `y`");
}

} // namespace
