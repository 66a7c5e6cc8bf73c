// The table of options; see Options.h.
#include "compiler/check/Options.h"

#include <array>

namespace sgl {

namespace {

constexpr double maxTokens = 1 << 24;
constexpr double maxSeed = 9.3e18;

using K = OptionKind;

const std::vector<OptionInfo> &table() {
  static const std::vector<OptionInfo> options = {
      {"max_tokens", K::Int, true, false, 1, maxTokens, false,
       "from 1 to 16,777,216"},
      {"min_tokens", K::Int, true, false, 0, maxTokens, false,
       "from 0 to 16,777,216"},
      {"stop", K::TextOrList},
      {"stop_regex", K::Text},
      {"regex", K::Text},
      {"json", K::Schema},
      {"grammar", K::Text},
      {"whitespace",
       K::Word,
       true,
       false,
       0,
       0,
       false,
       "",
       {"canonical", "any"}},
      {"lenient", K::Bool},
      {"decode", K::Word, true, false, 0, 0, false, "", {"sample", "exact"}},
      {"temperature", K::Float, true, false, 0, 2, false, "from 0 to 2"},
      {"top_p", K::Float, true, false, 0, 1, true, "above 0, up to 1"},
      {"top_k", K::Int, true, false, 0, maxTokens, false,
       "from 0 (off) to 16,777,216"},
      {"min_p", K::Float, true, false, 0, 1, false, "from 0 to 1"},
      {"frequency_penalty", K::Float, true, false, -2, 2, false,
       "from -2 to 2"},
      {"presence_penalty", K::Float, true, false, -2, 2, false, "from -2 to 2"},
      {"repetition_penalty", K::Float, true, false, 0, 10, true,
       "above 0, up to 10"},
      {"logit_bias", K::Weights},
      {"seed", K::Int, true, false, -maxSeed, maxSeed, false, "of 64 bits"},
      {"heal", K::Word, true, true, 0, 0, false, "", {"auto", "off"}},
      {"logprobs", K::Int, true, false, 0, 100, false, "from 0 to 100"},
      {"keep_stop", K::Bool},
      {"timeout", K::Float, true, true, 0, 1e9, true, "of seconds above 0"},
      {"stream", K::Bool},
      {"method",
       K::Word,
       false,
       true,
       0,
       0,
       false,
       "",
       {"normalized", "greedy", "unconditional", "exact"}},
      {"weights", K::Weights, false, true},
  };
  return options;
}

} // namespace

const OptionInfo *findOption(std::string_view name) {
  for (const OptionInfo &option : table())
    if (option.name == name)
      return &option;
  return nullptr;
}

std::vector<std::string> optionNames(bool ofSelect) {
  std::vector<std::string> names;
  for (const OptionInfo &option : table())
    if (ofSelect ? option.ofSelect : option.ofGen)
      names.emplace_back(option.name);
  return names;
}

} // namespace sgl
