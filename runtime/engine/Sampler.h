// Draws one token from a row of logits.
//
// Order: logit bias, penalties, mask, then for temperature > 0: temperature,
// top-k, top-p, min-p, and the inverse of the cumulative distribution over
// ascending ids at Philox(key, output position), summed in double precision.
// Greedy takes the largest value, the lowest id on ties. A draw depends on its
// row and request alone.
//
// The log-probability of a token is its share of the softmax over the legal
// tokens after bias, penalties and mask, but before temperature and cuts: so
// greedy tokens have one too.
#pragma once

#include "runtime/engine/Engine.h"
#include "runtime/engine/Softmax.h"

#include <unordered_map>

namespace sgl {

/// How often tokens occurred, for penalties. The repetition penalty counts
/// prompt and output, the other two the output alone.
class TokenHistory {
public:
  void addPrompt(TokenId token) { counts[token]; }
  void addOutput(TokenId token) { ++counts[token]; }
  /// Output count of each token seen.
  const std::unordered_map<TokenId, uint32_t> &seen() const { return counts; }

private:
  std::unordered_map<TokenId, uint32_t> counts;
};

struct DrawRequest {
  const TokenSampling *sampling;
  std::span<const uint32_t> mask;        ///< empty: all tokens are legal
  const TokenHistory *history = nullptr; ///< needed when `usesHistory`
  uint64_t key = 0, position = 0;        ///< of the draw
};

struct Draw {
  TokenId token;
  float logprob;
};

class Sampler {
public:
  /// An error when no token is legal, or the logits are not numbers.
  Result<Draw> draw(std::span<const float> logits, const DrawRequest &request);

  static bool usesHistory(const TokenSampling &sampling);

private:
  std::span<const float> adjust(std::span<const float> logits,
                                const DrawRequest &request);
  bool gather(std::span<const float> logits, std::span<const uint32_t> mask);
  size_t sample(std::span<const float> values, float top,
                const DrawRequest &request);
  void cut(std::span<const float> values, const TokenSampling &sampling);
  void keepFrom(std::span<const float> measure, float floor);
  void cutTopK(std::span<const float> values, uint32_t most);
  void cutTopP(std::span<const float> values, double target);
  size_t invert(double u) const;

  std::vector<float> adjusted;   ///< logits after bias and penalties
  std::vector<float> legal;      ///< those that the mask allows
  std::vector<TokenId> legalIds; ///< their ids, ascending
  std::vector<uint32_t> kept;    ///< candidates while cutting
  std::vector<float> groupTops;  ///< for a first guess at top-k
  ExpWeights softmax;
};

} // namespace sgl
