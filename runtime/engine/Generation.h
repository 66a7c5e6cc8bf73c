// What a call makes of its logits: draws, forced ids, scores.
//
// Knows calls, decoders and the sampler; nothing of pages or batches.
#pragma once

#include "runtime/engine/Call.h"

namespace sgl {

class Generation {
public:
  Generation(const EngineOptions &options, uint32_t vocabSize)
      : options(options), vocabSize(vocabSize) {}

  // Each of these returns true when the call is finished.

  /// Before the prompt is computed: ids that are forced from the beginning ride
  /// along with it.
  bool start(Call &call);
  /// The prompt and all output so far are computed; `logits` (one row) say what
  /// may come next. Not needed by calls that draw nothing.
  bool step(Call &call, std::span<const float> logits);
  /// The prompt of a scoring call is computed: scores the first ids and
  /// prepares a branch for each longer choice.
  bool scorePrompt(Call &call, std::span<const float> logits);
  /// Positions `from`.. of a branch are computed, one row of logits each.
  void scoreBranch(Call &call, const Branch &branch, uint32_t from,
                   std::span<const float> logits);

  /// Tokens put out so far.
  uint64_t appended() const { return outputs; }

private:
  bool append(Call &call, TokenId token, float logprob);
  bool appendForced(Call &call, TokenId token);
  bool takeForced(Call &call);
  bool fail(Call &call, std::string why);

  const EngineOptions options;
  const uint32_t vocabSize;
  Sampler sampler;
  ExpWeights scratch;
  uint64_t outputs = 0;
};

} // namespace sgl
