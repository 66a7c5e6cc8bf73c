// The stats line of sglrun. See RunReport.h.

#include "runtime/tools/RunReport.h"

#include "ir/value/Value.h"

#include <cstdio>

namespace sgl {

namespace {

double rate(uint64_t part, uint64_t whole) {
  return whole ? double(part) / double(whole) : 0.0;
}

/// Three digits behind the point say enough of a time.
double rounded(double seconds) { return double(int64_t(seconds * 1e6)) / 1e6; }

std::string jsonLine(const RunStats &s) {
  auto count = [](uint64_t n) { return Value::integer(int64_t(n)); };
  return toJson(Value::map(
      {{"calls", count(s.calls)},
       {"prompt_tokens", count(s.promptTokens)},
       {"cached_tokens", count(s.cachedTokens)},
       {"hit_rate", Value::number(rate(s.cachedTokens, s.promptTokens))},
       {"optimal_hit_rate",
        Value::number(rate(s.optimalCachedTokens, s.promptTokens))},
       {"generated_tokens", count(s.generatedTokens)},
       {"decode_steps", count(s.decodeSteps)},
       {"forced_tokens", count(s.forcedTokens)},
       {"drafted_tokens", count(s.draftedTokens)},
       {"accepted_tokens", count(s.acceptedTokens)},
       {"evicted_tokens", count(s.evictedTokens)},
       {"retractions", count(s.retractions)},
       {"peak_kv_tokens", count(s.peakKvTokens)},
       {"max_batch", count(s.maxBatch)},
       {"wall_s", Value::number(rounded(s.wallSeconds))},
       {"model_s", Value::number(rounded(s.modelSeconds))},
       {"device", Value::text(s.device)}}));
}

} // namespace

std::string statsLine(const RunStats &s, StatsForm form) {
  if (form == StatsForm::None)
    return "";
  if (form == StatsForm::Json)
    return jsonLine(s);
  char line[400];
  std::snprintf(line, sizeof line,
                "stats: %llu calls, %llu prompt tokens (%.1f%% cached), %llu "
                "generated (%llu forced), %llu steps, %.2f s (model %.2f s), "
                "%s",
                (unsigned long long)s.calls, (unsigned long long)s.promptTokens,
                100 * rate(s.cachedTokens, s.promptTokens),
                (unsigned long long)s.generatedTokens,
                (unsigned long long)s.forcedTokens,
                (unsigned long long)s.decodeSteps, s.wallSeconds,
                s.modelSeconds, s.device.c_str());
  return line;
}

} // namespace sgl
