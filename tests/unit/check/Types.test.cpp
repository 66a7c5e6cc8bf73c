// Types print as they are written, and relate as the reference says.
#include "compiler/check/Names.h"
#include "tests/unit/check/Harness.h"

#include <gtest/gtest.h>

namespace sgl {
namespace {

const Type *parsed(Checked &checked, const std::string &name) {
  for (const auto &alias : checked.program.program.modules[0]->aliases)
    if (alias->name.text == name)
      return alias->type->type;
  return nullptr;
}

TEST(TypePrinting, IsTheWrittenForm) {
  const char *const types[] = {
      "str",
      "int in 0..=9",
      "int in 5..",
      "float in 0.0..=1.5",
      "str in 1..=80",
      "str matching r\"a|b\"",
      "[str; 1..=5]?",
      "[int; 3]",
      "[int; 2..]",
      "{str: [float]}",
      "\"yes\" | \"no\"",
      "int? in 0..=130",
      "[\"a\" | \"b\"]",
      "json",
  };
  for (const char *type : types) {
    auto checked = checkText("type T = " + std::string(type));
    ASSERT_EQ(codes(*checked), "") << type << messages(*checked);
    EXPECT_EQ(toString(parsed(*checked, "T")), type);
  }
}

struct Relation {
  const char *from, *to;
  bool fits;
};

TEST(Assignable, FollowsTheReference) {
  const Relation relations[] = {
      {"int", "float", true},
      {"float", "int", false},
      {"[int]", "[float]", false},
      {"int in 0..=9", "int", true},
      {"int", "int in 0..=9", false},
      {"int in 2..=3", "int in 0..=9", true},
      {"int in 0..=9", "float", true},
      {"\"a\"", "\"a\" | \"b\"", true},
      {"\"a\" | \"b\"", "\"a\"", false},
      {"\"a\" | \"b\"", "str", true},
      {"\"b\" | \"a\"", "\"a\" | \"b\" | \"c\"", true},
      {"str", "str?", true},
      {"str?", "str", false},
      {"\"a\"?", "str?", true},
      {"[\"a\"]", "[str]", true},
      {"[str; 2]", "[str; 1..=3]", true},
      {"[str]", "[str; 1..=3]", false},
      {"{str: int}", "json", true},
      {"[str?]", "json", true},
      {"state", "json", false},
      {"[state]", "json", false},
      {"int", "int | str", true},
      {"int | str", "int | str | bool", true},
      {"int | bool", "int | str", false},
      {"int", "float?", true},
  };
  for (const Relation &relation : relations) {
    auto checked = checkText("type A = " + std::string(relation.from) +
                             "\ntype B = " + relation.to);
    ASSERT_EQ(codes(*checked), "") << messages(*checked);
    EXPECT_EQ(assignable(parsed(*checked, "A"), parsed(*checked, "B")),
              relation.fits)
        << relation.from << " -> " << relation.to;
  }
}

TEST(Interning, OneTypeIsOnePointer) {
  auto checked = checkText("type A = [str? ; 1..=2]\ntype B = [str?; 1..3]\n"
                           "type C = \"a\" | \"b\"\ntype D = \"a\" | C");
  ASSERT_EQ(codes(*checked), "") << messages(*checked);
  EXPECT_EQ(parsed(*checked, "A"), parsed(*checked, "B"));
  EXPECT_EQ(parsed(*checked, "C"), parsed(*checked, "D"));
}

TEST(NearestName, TakesFewEdits) {
  const std::vector<std::string> names = {"question", "max_tokens", "dim",
                                          "DIMENSIONS"};
  EXPECT_EQ(nearestName("qestion", names), "question");
  EXPECT_EQ(nearestName("max_token", names), "max_tokens");
  EXPECT_EQ(nearestName("dmi", names), "dim");
  EXPECT_EQ(nearestName("dimensions", names), "DIMENSIONS");
  EXPECT_EQ(nearestName("zzz", names), "");
  EXPECT_EQ(nearestName("", names), "");
}

} // namespace
} // namespace sgl
