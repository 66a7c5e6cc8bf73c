// Shared prefixes and scores of choices.
#include "runtime/engine/SelectPlan.h"

#include <algorithm>

namespace sgl {

Result<SelectPlan> planSelect(const PromptTokens &tokens,
                              const PromptNode &prompt,
                              std::span<const std::string> choices) {
  auto alone = tokens.tokens(prompt);
  if (!alone)
    return alone.error();
  SelectPlan plan;
  plan.prompt = std::move(alone->ids);
  size_t shared = plan.prompt.size();
  for (const std::string &choice : choices) {
    auto with = tokens.tokens(prompt, choice);
    if (!with)
      return with.error();
    auto differs =
        std::mismatch(plan.prompt.begin(),
                      plan.prompt.begin() + static_cast<std::ptrdiff_t>(shared),
                      with->ids.begin(), with->ids.end());
    shared = static_cast<size_t>(differs.first - plan.prompt.begin());
    plan.choices.push_back(std::move(with->ids));
  }
  // The engine needs a token to start from. Only a prompt of a single run in
  // completion mode can share nothing; its choices then begin a text.
  if (shared == 0)
    plan.prompt = tokens.textStart();
  else
    plan.prompt.resize(shared);
  for (size_t i = 0; i < plan.choices.size(); ++i) {
    auto &ids = plan.choices[i];
    ids.erase(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(shared));
    if (ids.empty())
      return Error{"the choice \"" + choices[i] +
                   "\" has no token of its own to score"};
  }
  return plan;
}

std::vector<double>
normalizedScores(std::span<const std::vector<float>> logprobs) {
  std::vector<double> scores;
  for (const std::vector<float> &own : logprobs) {
    double sum = 0;
    for (float logprob : own)
      sum += logprob;
    scores.push_back(sum / static_cast<double>(own.size()));
  }
  return scores;
}

uint32_t bestChoice(std::span<const double> scores) {
  return static_cast<uint32_t>(std::max_element(scores.begin(), scores.end()) -
                               scores.begin());
}

} // namespace sgl
