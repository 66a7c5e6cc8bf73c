// Which ids a `select` scores, and what their log-probabilities mean.
//
// The ids scored are those behind the longest prefix that the prompt and every
// prompt with a choice behind it share: a choice may change how the end of the
// prompt is cut into tokens, and then those tokens are the choice's own.
#pragma once

#include "runtime/text/PromptTokens.h"

#include <span>
#include <string>
#include <vector>

namespace sgl {

struct SelectPlan {
  std::vector<TokenId> prompt;               ///< shared by all; not empty
  std::vector<std::vector<TokenId>> choices; ///< what each has behind it
};

/// Fails when the prompt does, or when a choice has no token of its own.
Result<SelectPlan> planSelect(const PromptTokens &tokens,
                              const PromptNode &prompt,
                              std::span<const std::string> choices);

/// Mean log-probability of each choice's tokens.
std::vector<double>
normalizedScores(std::span<const std::vector<float>> logprobs);

/// Index of the highest score; of equal ones the first.
uint32_t bestChoice(std::span<const double> scores);

} // namespace sgl
