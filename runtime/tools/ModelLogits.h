// `sglmodel logits` and `sglmodel score`: what the model thinks of given ids.
//
// Entry points: runLogits, runScore. Both read one JSON object a line and write
// one a line, in order; the formats are those of the tool's reference manual.
// Return values are exit statuses: 0 done, 1 the model was refused, 3 a line
// could not be served (its number is in the message).
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

namespace sgl {

struct LogitsOptions {
  std::string model;      ///< path of the GGUF file
  uint32_t threads = 0;   ///< 0: all cores
  bool reference = false; ///< the scalar float32 twin
};

/// In: {"name", "prompt_ids", "force": [ids]}. Out: {"name", "continuation":
/// the model's own greedy ids, as many as "force" has, "top": for each forced
/// step the twenty best [id, logprob]}.
int runLogits(const LogitsOptions &options, std::istream &in, std::ostream &out,
              std::ostream &err);

/// In: {"name", "prompt_ids", "choices": [{"ids"}], "unconditional_start"}.
/// Out: {"name", "choices": [{"logprobs", "unconditional_logprobs"}]}; the
/// latter only where a start token is given.
int runScore(const LogitsOptions &options, std::istream &in, std::ostream &out,
             std::ostream &err);

} // namespace sgl
