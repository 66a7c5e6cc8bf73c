// The engine: requests of token ids in, tokens and scores out.
//
// One thread owns the weights, the KV pages, the radix tree and the queue. It
// admits requests, builds batches (prefill chunks ride with decode rows), runs
// the transformer, samples, and answers by callback on its own thread. It knows
// ids only: text, stops and constraints live behind Decoder.
#pragma once

#include "runtime/exec/Model.h"
#include "runtime/model/Transformer.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sgl {

/// Steers one generation. Called on the engine's thread, at each output
/// position in this order: `forced` until it is empty, each of its ids then
/// passed to `accept`; else `mask`, a draw, and `accept` of the drawn id. The
/// order is the same with and without jump-forward.
class Decoder {
public:
  enum class Step : uint8_t {
    Continue,
    Stop,     ///< done; the token is part of the output
    StopDrop, ///< done; the token is not part of the output (an end token)
  };
  virtual ~Decoder() = default;
  /// Tokens that may come next, one bit each; empty: all. A mask without a bit
  /// ends the request with an error.
  virtual std::span<const uint32_t> mask() { return {}; }
  /// Ids that must come next; appended as one chunk without sampling, unless a
  /// limit or `accept` ends the output before. Their log-probability is 0.
  virtual std::vector<TokenId> forced() { return {}; }
  virtual Step accept(TokenId token) = 0;
  /// For the message when no token is legal.
  virtual std::string describe() const { return {}; }
};

/// Sampling with ids in place of texts.
struct TokenSampling {
  double temperature = 0, topP = 1, minP = 0;
  uint32_t topK = 0;
  double frequencyPenalty = 0, presencePenalty = 0, repetitionPenalty = 1;
  std::vector<std::pair<TokenId, float>> bias;
};

struct EngineRequest {
  std::vector<TokenId> prompt; ///< not empty
  /// Generation. 0 without `choices`: the prompt is computed and kept, nothing
  /// is drawn.
  uint32_t maxTokens = 0;
  TokenSampling sampling;
  uint64_t drawKey = 0;
  std::shared_ptr<Decoder> decoder;
  /// Scoring: log-probability of each id of each continuation after `prompt`.
  /// Continuations share one pass over the prompt.
  std::vector<std::vector<TokenId>> choices;
  uint64_t order = 0; ///< program order; lower is more urgent
  /// Part of another call (as unconditional scores): left out of `calls`,
  /// `prompt_tokens` and `cached_tokens`.
  bool auxiliary = false;
};

enum class EngineFinish : uint8_t {
  Stopped, ///< the decoder said so
  Length,  ///< maxTokens are there
  Context, ///< the context is full; maxTokens had been cut to its room
  Failed,
};

struct EngineReply {
  EngineFinish finish = EngineFinish::Stopped;
  std::string error;  ///< Failed: why
  bool fatal = false; ///< Failed: cannot be retried
  std::vector<TokenId> tokens;
  /// Of each token: the softmax over the legal tokens after bias, penalties and
  /// mask, before temperature and cuts; 0 for forced ones.
  std::vector<float> logprobs;
  /// Of each id of each choice: the softmax over the whole vocabulary.
  std::vector<std::vector<float>> choiceLogprobs;
  Usage usage;
};

struct EngineOptions {
  uint32_t kvPages = 0;        ///< pages of the transformer
  uint32_t contextLength = 0;  ///< longest sequence; 0: the model's own
  bool radix = true;           ///< false: calls share nothing
  bool batching = true;        ///< false: one sequence in a batch
  bool jumpForward = true;     ///< false: forced ids are fed one by one
  uint32_t maxRows = 512;      ///< rows in one batch
  uint32_t maxLogitRows = 256; ///< of them, rows with logits
  bool logTokens = false;      ///< keep what optimal_hit_rate needs
  /// For tests: verifies pages, tree and tables after each step; a broken
  /// invariant fails every call with its description.
  bool verify = false;
};

class Engine {
public:
  using CallId = uint64_t;
  Engine(std::unique_ptr<Transformer> model, const EngineOptions &options);
  ~Engine(); ///< cancels what runs and joins the thread

  /// Hands over several requests at once, so that they can share a batch and
  /// each other's prefixes. `done` is called once for each, with its index.
  std::vector<CallId> submit(std::vector<EngineRequest> requests,
                             std::function<void(size_t, EngineReply)> done);
  /// Takes effect within one step; `done` is not called after this returns. So
  /// `done` must not wait for a lock that a caller of `cancel` holds; it may
  /// itself call `submit` and `cancel`.
  void cancel(CallId call);
  /// Adds the counters of all calls so far and names the device. Left alone:
  /// wallSeconds.
  void addStats(RunStats &stats) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace sgl
