// The template engine against the reference engine's results, its budgets, and
// the marks that say which bytes are data.
#include "runtime/text/Jinja.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

namespace sgl::jinja {
namespace {

using Json = nlohmann::ordered_json;

struct Outcome {
  std::string text, error, message;
  std::string marks; ///< 'd' for a data byte, 't' for the template's
  unsigned line = 0;
};

Outcome render(std::string_view source, Json data,
               std::vector<std::pair<std::string, std::string>> trusted = {}) {
  Outcome outcome;
  Failure failure;
  std::optional<Text> text;
  if (auto compiled = Template::compile(source, failure))
    text = compiled->render({std::move(data), std::move(trusted)}, failure);
  if (!text) {
    outcome.error = className(failure.kind);
    outcome.message = failure.message;
    outcome.line = failure.line;
    return outcome;
  }
  outcome.text = text->view();
  for (size_t i = 0; i < text->size(); ++i)
    outcome.marks += text->isData(i) ? 'd' : 't';
  return outcome;
}

TEST(Jinja, agreesWithTheReferenceCases) {
  std::ifstream file(SGL_SOURCE_DIR "/../shared/golden/tokenizer/jinja.jsonl");
  if (!file)
    GTEST_SKIP() << "181 cases skipped: the reference data is not here";
  size_t count = 0;
  for (std::string line; std::getline(file, line); ++count) {
    Json row = Json::parse(line);
    auto source = row["template"].get<std::string>();
    Outcome outcome = render(source, row["context"]);
    EXPECT_EQ(outcome.error, row.value("error", "")) << source << "\n"
                                                     << outcome.message;
    EXPECT_EQ(outcome.text, row.value("out", "")) << source;
    if (outcome.error == "raise") {
      EXPECT_EQ(outcome.message, row["message"]) << source;
    }
  }
  EXPECT_EQ(count, 181u);
}

struct Case {
  const char *source;
  Json data;
  const char *expected; ///< output, or "error: class"
};

/// Expected values from jinja2 3.1.6 with the same settings.
TEST(Jinja, followsTheReferenceInCorners) {
  const Case cases[] = {
      {"{{ [1,2,3]|map('string')|join('-') }}", {}, "1-2-3"},
      {"{% set x = 1 %}{% for i in [1,2] %}{{ x }}{% set x = 5 %}{{ x }}"
       "{% endfor %}{{ x }}",
       {},
       "15151"},
      {"{% for i in [1,2] %}{% macro m() %}{{ i }}{% endmacro %}{{ m() }}"
       "{% endfor %}",
       {},
       "12"},
      {"{{ (1,2,3)[1:] }}{{ 'abc'[-2:] }}", {}, "(2, 3)bc"},
      {"{{ 'a' 'b' ~ 1 + 'c' }}", {}, "ab1c"},
      {"{{ {'a': 1, 1: 2, 1.0: 3, true: 4} }}", {}, "{'a': 1, 1: 4}"},
      {"{{ 7 // -2 }} {{ -7 % 3.5 }} {{ 7.5 // 2 }} {{ 2 ** -1 }}",
       {},
       "-4 0.0 3.0 0.5"},
      {"{{ 1e22 }} {{ 1.5e-7 }} {{ 123456789012345680.0 }}",
       {},
       "1e+22 1.5e-07 1.2345678901234568e+17"},
      {"{{ '%5.2f|%-4s|%04d|%r' % (3.14159, 'a', 7, 'x') }}",
       {},
       " 3.14|a   |0007|'x'"},
      {"{{ xs|groupby('k')|length }}{% for g in xs|groupby('k') %}"
       "{{ g.grouper }}{{ g.list|length }}{% endfor %}",
       {{"xs", {{{"k", "b"}}, {{"k", "a"}}, {{"k", "b"}}}}},
       "2a1b2"},
      {"{% if false %}{{ 1|nope }}{% endif %}ok", {}, "ok"},
      {"{% if true %}{{ 1|nope }}{% endif %}ok", {}, "error: runtime"},
      {"{{ x|random }}", {}, "error: unsupported"},
      {"{% block a %}{% endblock %}", {}, "error: unsupported"},
      {"{{ 2 ** 200 }}", {}, "error: overflow"},
      {"{{ 'é'|upper }}{{ 'ÀB'|lower }}{{ 'x'.center(4) }}|", {}, "Éàb x  |"},
  };
  for (const Case &test : cases) {
    Outcome outcome =
        render(test.source, test.data.is_null() ? Json::object() : test.data);
    std::string got =
        outcome.error.empty() ? outcome.text : "error: " + outcome.error;
    EXPECT_EQ(got, test.expected) << test.source << "\n" << outcome.message;
  }
}

TEST(Jinja, namesTheLineOfAFailure) {
  EXPECT_EQ(render("a\nb\n{{ 1 + }}", {}).line, 3u);
  EXPECT_EQ(render("a\n{% nope %}", {}).line, 2u);
  EXPECT_EQ(render("a\n\n{{ x.y }}", Json::object()).line, 3u);
  Outcome outcome = render("a\n{{ 'x'|urlize }}", {});
  EXPECT_EQ(outcome.message, "the filter 'urlize' is not supported");
  EXPECT_EQ(outcome.line, 2u);
}

TEST(Jinja, remembersWhichBytesAreData) {
  const struct {
    const char *source;
    const char *text, *marks;
  } cases[] = {
      {"<{{ m }}>", "<aB >", "tdddt"},
      {"{{ '[' + m + ']' }}", "[aB ]", "tdddt"},
      {"{{ m|trim }}{{ m|upper }}", "aBAB ", "ddddd"},
      {"{{ m * 2 }}{{ m[1] }}{{ m[::-1] }}", "aB aB B Ba", "dddddddddd"},
      {"{{ m|replace('B', '<x>') }}", "a<x> ", "dtttd"},
      {"{{ '<x>'|replace('x', m) }}", "<aB >", "tdddt"},
      {"{{ [m, 'z']|join('-') }}", "aB -z", "dddtt"},
      {"{{ '%s!' % m }}{{ '{}?'.format(m) }}", "aB !aB ?", "dddtdddt"},
      {"{{ m|tojson }}", "\"aB \"", "tdddt"},
      {"{{ [m] }}", "['aB ']", "ttdddtt"},
      {"{{ m.split('B')[0] }}{{ m ~ bos }}", "aaB <s>", "ddddttt"},
      {"{% set x %}({{ m }}){% endset %}{{ x }}", "(aB )", "tdddt"},
      {"{% macro f(a) %}<{{ a }}{% endmacro %}{{ f(m)|trim }}", "<aB", "tdd"},
      {"{% for c in m %}{{ c }}.{% endfor %}", "a.B. .", "dtdtdt"},
      {"{{ m|e }}{{ m|indent(1, true) }}", "aB  aB ", "dddtddd"},
      {"{{ {'k': m} }}{{ m|length }}", "{'k': 'aB '}3", "tttttttdddttt"},
  };
  for (const auto &test : cases) {
    Outcome outcome = render(test.source, {{"m", "aB "}}, {{"bos", "<s>"}});
    EXPECT_EQ(outcome.text, test.text) << test.source << outcome.message;
    EXPECT_EQ(outcome.marks, test.marks) << test.source;
  }
}

/// Hostile templates end quickly with one message.
TEST(Jinja, keepsItsBudgets) {
  std::string deep = std::string(5000, '(') + "1" + std::string(5000, ')');
  std::string lists = std::string(5000, '[') + std::string(5000, ']');
  std::string chain, nots, ifs;
  for (int i = 0; i < 5000; ++i) {
    chain += "1+";
    nots += "not ";
    ifs += "{% if 1 %}";
  }
  const std::string sources[] = {
      "{{ " + deep + " }}",
      "{{ " + chain + "1 }}",
      "{{ " + nots + "1 }}",
      ifs,
      "{{ " + lists + " }}",
      "{% for i in range(99999) %}{% for j in range(99999) %}x{% endfor %}"
      "{% endfor %}",
      "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
      "{{ 'x' * 9999999999 }}",
      "{{ [0] * 9999999999 }}",
      "{% set ns = namespace(s='ab') %}{% for i in range(100) %}"
      "{% set ns.s = ns.s ~ ns.s %}{% endfor %}",
      "{% set ns = namespace(l=[1]) %}{% for i in range(1000) %}"
      "{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l }}",
      "{% set ns = namespace(l=[1]) %}{% for i in range(9999) %}"
      "{% set ns.l = [ns.l] %}{% endfor %}{{ ns.l }}",
      "{{ '%99999999d' % 1 }}{{ 'x'.ljust(999999999) }}",
      "{{ 'x'|indent(999999999) }}",
      "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}",
  };
  for (const std::string &source : sources) {
    auto before = std::chrono::steady_clock::now();
    Outcome outcome = render(source, Json::object());
    std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - before;
    EXPECT_EQ(outcome.error, "limit") << source.substr(0, 80) << outcome.text;
    EXPECT_LT(took.count(), 20) << source.substr(0, 80);
  }
}

TEST(Jinja, survivesDamagedTemplates) {
  std::string source =
      "{%- macro f(a, b=2) -%}{{ a ~ b }}{%- endmacro -%}\n{% for m in ms if m "
      "is mapping %}{% set x = m['r']|trim ~ '<|e|>' %}{{ loop.index0 }}{% if "
      "x == 'u' and not y %}{{ f(x, b=[1, {'k': -2.5}]) }}{% elif x %}{{ x[1:] "
      "}}{% else %}{# c #}{% endif %}{% endfor %}{% raw %}{{{% endraw %}";
  for (size_t i = 0; i < source.size(); ++i) {
    render(source.substr(0, i), {{"ms", {{{"r", " u"}}}}});
    render(source.substr(0, i) + source.substr(i + 1),
           {{"ms", {{{"r", " u"}}}}});
    std::string swapped = source;
    swapped[i] = "{}%()[]|'\"-,.:#\n"[i % 16];
    render(swapped, {{"ms", {{{"r", " u"}}}}});
  }
}

} // namespace
} // namespace sgl::jinja
