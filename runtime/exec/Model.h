// What an executor calls: prompts in, text and scores out.
//
// Implementations: ScriptedModel (mock:), LocalModel (a GGUF file), servers.
// One executor owns a Model and uses it from one thread. Calls are
// asynchronous: `gen` and `select` return at once, `wait` delivers replies on
// the caller's thread. A reply must not depend on the order of calls or on what
// else runs.
#pragma once

#include "ir/constraint/Automaton.h"
#include "ir/plan/Plan.h"
#include "runtime/exec/PromptState.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sgl {

/// Options of 2.6 that shape the distribution. Temperature 0 is greedy, ties to
/// the lowest id.
struct Sampling {
  double temperature = 0;
  double topP = 1;   ///< 1: off
  uint32_t topK = 0; ///< 0: off
  double minP = 0;   ///< 0: off
  double frequencyPenalty = 0, presencePenalty = 0, repetitionPenalty = 1;
  std::map<std::string, double> logitBias; ///< text of one token -> bias
};

struct Follow {
  enum class Kind : uint8_t { Unknown, Text, EndOfTurn } kind = Kind::Unknown;
  std::string text;
};

/// Shared by gens and selects.
struct CallRequest {
  PromptRef prompt;
  std::string name;     ///< of the capture; may be empty
  uint64_t drawKey = 0; ///< hash(seed, place): Philox key (4.10)
  uint64_t order = 0;   ///< of submission; lower is more urgent
  /// Place in the run's program order: compared element by element, the call
  /// that runs first when one statement runs after the other is the lowest.
  std::vector<uint32_t> path;
};

struct GenRequest : CallRequest {
  const Type *type = nullptr;
  std::shared_ptr<const Automaton> constraint; ///< null: free text
  std::optional<std::string> forced; ///< the only text the constraint allows
  Follow follow;
  uint32_t maxTokens = 1024, minTokens = 0;
  std::vector<std::string> stops;
  bool keepStop = false;
  bool heal = true;
  uint32_t logprobs = 0;
  Sampling sampling;
};

struct SelectRequest : CallRequest {
  std::vector<std::string> choices; ///< not empty, no doubles
  enum class Method : uint8_t {
    Normalized,
    Greedy,
    Unconditional,
    Exact
  } method = Method::Normalized;
};

struct Usage {
  uint32_t promptTokens = 0, cachedTokens = 0, generatedTokens = 0,
           forcedTokens = 0;
};

enum class Finish : uint8_t { Stop, Length, EndOfTurn, Constraint };

/// A failed call. `fatal` failures cannot be retried (over-long prompt,
/// engine).
struct CallFailure {
  std::string message;
  bool fatal = false;
};

struct GenReply {
  std::optional<CallFailure> failure;
  std::string text;            ///< the value, without the stop
  std::vector<int32_t> tokens; ///< as PromptNode::tokens
  std::string tail;            ///< as PromptNode::tail
  Finish finish = Finish::Stop;
  double logprob = 0; ///< sum over generated tokens
  Usage usage;
};

struct SelectReply {
  std::optional<CallFailure> failure;
  uint32_t choice = 0;
  std::vector<double> scores; ///< one for each choice
  Usage usage;
};

/// Counters for --stats; fields as in the documentation of `sglrun --stats`.
struct RunStats {
  uint64_t calls = 0, promptTokens = 0, cachedTokens = 0, generatedTokens = 0;
  uint64_t decodeSteps = 0, forcedTokens = 0, draftedTokens = 0,
           acceptedTokens = 0;
  uint64_t evictedTokens = 0, retractions = 0, peakKvTokens = 0, maxBatch = 0;
  uint64_t optimalCachedTokens = 0; ///< for optimal_hit_rate
  double wallSeconds = 0, modelSeconds = 0;
  std::string device;
};

class Model {
public:
  using CallId = uint64_t;
  virtual ~Model() = default;

  /// Holds a plan against the model before the first call (roles without a
  /// template, media, methods it lacks): one clear message.
  virtual Status admit(const plan::Plan &plan) = 0;

  virtual CallId gen(GenRequest request,
                     std::function<void(GenReply)> done) = 0;
  virtual CallId select(SelectRequest request,
                        std::function<void(SelectReply)> done) = 0;
  /// The reply of a cancelled call is never delivered.
  virtual void cancel(CallId call) = 0;
  /// Blocks until at least one reply was delivered; false when none is in
  /// flight. Everything submitted since the last wait starts together.
  virtual bool wait() = 0;
  /// Number of tokens of a prompt (`s.tokens`).
  virtual Result<uint64_t> countTokens(const PromptNode &prompt) = 0;
  virtual void addStats(RunStats &stats) const = 0;
};

} // namespace sgl
