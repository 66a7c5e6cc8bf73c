// The engine's thread: takes calls in, steps, hands replies out.
#include "runtime/engine/Engine.h"

#include "runtime/engine/BatchBuilder.h"
#include "runtime/engine/CallLog.h"
#include "runtime/engine/Generation.h"

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace sgl;

static EngineOptions complete(EngineOptions options, const ModelShape &shape) {
  if (options.contextLength == 0)
    options.contextLength = shape.contextLength;
  options.maxRows = std::max(options.maxRows, 1u);
  options.maxLogitRows = std::max(options.maxLogitRows, 1u);
  return options;
}

struct Engine::Impl {
  Impl(std::unique_ptr<Transformer> transformer, const EngineOptions &given)
      : model(std::move(transformer)), options(complete(given, model->shape())),
        scheduler(*model, options),
        generation(options, model->shape().vocabSize) {}

  // On the engine's thread.
  void run();
  bool drain();
  void arrive(CallRef call);
  std::string invalid(const Call &call) const;
  void step();
  bool advance(const Slice &slice, std::span<const float> logits);
  void finish(Call &call);
  void failAll(const std::string &why);
  void deliver();
  void publish(size_t sequences, double seconds, bool drew);

  const std::unique_ptr<Transformer> model;
  const EngineOptions options;
  Scheduler scheduler;
  Generation generation;
  BatchBuilder builder;
  std::vector<float> logits;
  std::vector<CallRef> finished; ///< of this step, to be delivered

  std::mutex inboxMutex;
  std::condition_variable inboxChanged;
  std::vector<CallRef> arrived;  ///< guarded by inboxMutex
  std::vector<CallId> cancelled; ///< guarded by inboxMutex
  CallId lastId = 0;             ///< guarded by inboxMutex
  bool stopping = false;         ///< guarded by inboxMutex

  /// Held while `done` runs, so that `cancel` can promise that it will not.
  /// Recursive: `done` may cancel.
  std::recursive_mutex liveMutex;
  std::unordered_map<CallId, CallRef> live; ///< guarded by liveMutex

  mutable std::mutex statsMutex;
  RunStats stats; ///< guarded by statsMutex
  CallLog log;    ///< guarded by statsMutex

  std::thread thread; ///< last: it uses all of the above
};

void Engine::Impl::run() {
  while (drain()) {
    if (!scheduler.idle()) {
      scheduler.admit();
      step();
    }
    deliver();
  }
}

/// Takes in what has arrived, waiting when there is nothing to do; false when
/// the engine is to stop.
bool Engine::Impl::drain() {
  std::vector<CallRef> calls;
  std::vector<CallId> cancels;
  {
    std::unique_lock lock(inboxMutex);
    inboxChanged.wait(lock, [&] {
      return stopping || !arrived.empty() || !cancelled.empty() ||
             !scheduler.idle();
    });
    if (stopping)
      return false;
    calls.swap(arrived);
    cancels.swap(cancelled);
  }
  for (CallRef &call : calls)
    arrive(std::move(call));
  for (CallId id : cancels)
    if (CallRef call = scheduler.find(id))
      scheduler.remove(*call, true);
  return true;
}

/// What makes a request unusable whatever the sizes; "" if nothing.
std::string Engine::Impl::invalid(const Call &call) const {
  const EngineRequest &request = call.request;
  uint32_t vocab = model->shape().vocabSize;
  auto outside = [&](TokenId id) {
    return id < 0 || static_cast<uint32_t>(id) >= vocab;
  };
  if (request.prompt.empty())
    return "the prompt is empty";
  for (TokenId id : request.prompt)
    if (outside(id))
      return "token " + std::to_string(id) + " is not in the vocabulary";
  for (const auto &choice : request.choices)
    for (TokenId id : choice)
      if (outside(id))
        return "token " + std::to_string(id) + " is not in the vocabulary";
  const TokenSampling &sampling = request.sampling;
  for (auto [id, bias] : sampling.bias)
    if (outside(id) || std::isnan(bias) || bias == INFINITY)
      return "the bias of token " + std::to_string(id) + " is not usable";
  for (double value : {sampling.temperature, sampling.topP, sampling.minP})
    if (!(value >= 0 && std::isfinite(value)))
      return "a sampling option is negative or not a number";
  if (!(sampling.repetitionPenalty > 0) ||
      !std::isfinite(sampling.repetitionPenalty) ||
      !std::isfinite(sampling.frequencyPenalty) ||
      !std::isfinite(sampling.presencePenalty))
    return "a penalty is not a usable number";
  return "";
}

void Engine::Impl::arrive(CallRef call) {
  EngineRequest &request = call->request;
  call->promptLength = static_cast<uint32_t>(request.prompt.size());
  uint32_t room = options.contextLength -
                  std::min(options.contextLength, call->promptLength);
  bool cut = request.maxTokens > room;
  call->limit = cut ? room : request.maxTokens;
  call->limitFinish = cut ? EngineFinish::Context : EngineFinish::Length;
  call->main.tokens = request.prompt;
  std::string why = invalid(*call);
  if (why.empty())
    why = scheduler.refusal(*call);
  {
    std::lock_guard lock(statsMutex);
    stats.calls += !request.auxiliary;
  }
  if (!why.empty()) {
    call->reply.finish = EngineFinish::Failed;
    call->reply.error = std::move(why);
    call->reply.fatal = true;
    finished.push_back(std::move(call));
    return;
  }
  call->reply.usage.promptTokens = call->promptLength;
  if (generation.start(*call))
    finish(*call);
  else
    scheduler.enqueue(std::move(call));
}

void Engine::Impl::step() {
  std::span<const Slice> slices = scheduler.plan();
  if (slices.empty())
    return failAll("the engine found no row to compute");
  const Batch &batch = builder.build(slices);
  size_t vocab = model->shape().vocabSize;
  logits.resize(builder.logitRows() * vocab);
  uint64_t before = generation.appended();
  auto begin = std::chrono::steady_clock::now();
  model->forward(batch, logits);
  std::chrono::duration<double> spent =
      std::chrono::steady_clock::now() - begin;
  std::span<const float> rest = logits;
  std::vector<Call *> ended;
  for (const Slice &slice : slices) {
    if (advance(slice, rest.first(slice.logits * vocab)))
      ended.push_back(slice.call);
    rest = rest.subspan(slice.logits * vocab);
  }
  size_t sequences = slices.size();
  for (Call *call : ended)
    finish(*call);
  publish(sequences, spent.count(), generation.appended() > before);
  if (!options.verify)
    return;
  if (std::string broken = scheduler.verify(); !broken.empty())
    failAll(broken);
}

/// Uses what a step computed for one slice; true when its call is finished.
bool Engine::Impl::advance(const Slice &slice, std::span<const float> rows) {
  Call &call = *slice.call;
  Sequence &sequence = slice.sequence();
  uint32_t from = sequence.computed;
  scheduler.computed(slice);
  if (Branch *branch = slice.branch) {
    generation.scoreBranch(call, *branch, from, rows);
    if (sequence.pending() > 0)
      return false;
    scheduler.finishBranch(*branch);
    for (const Branch &other : call.branches)
      if (!other.done)
        return false;
    return true;
  }
  if (sequence.pending() > 0)
    return false;
  return call.scoring() ? generation.scorePrompt(call, rows)
                        : generation.step(call, rows);
}

/// Takes a finished call out of the scheduler and notes what it did.
void Engine::Impl::finish(Call &call) {
  CallRef self = call.shared_from_this(); // a cancelled call has no other owner
  bool failed = call.reply.finish == EngineFinish::Failed;
  scheduler.remove(call, !failed);
  finished.push_back(self);
  const EngineRequest &request = call.request;
  const Usage &usage = call.reply.usage;
  std::lock_guard lock(statsMutex);
  if (!request.auxiliary) {
    stats.promptTokens += usage.promptTokens;
    stats.cachedTokens += usage.cachedTokens;
  }
  stats.generatedTokens += usage.generatedTokens;
  stats.forcedTokens += usage.forcedTokens;
  if (options.logTokens) {
    if (!request.auxiliary)
      log.addPrompt(request.prompt);
    log.addOutput(request.prompt, call.reply.tokens);
    for (const auto &choice : request.choices)
      log.addOutput(request.prompt, choice);
  }
}

/// Last resort: every call gets an answer, even when an invariant is broken.
void Engine::Impl::failAll(const std::string &why) {
  for (const CallRef &call : scheduler.calls()) {
    call->reply.finish = EngineFinish::Failed;
    call->reply.error = why;
    call->reply.fatal = true;
    finish(*call);
  }
}

void Engine::Impl::deliver() {
  std::vector<CallRef> calls;
  calls.swap(finished);
  for (const CallRef &call : calls) {
    std::lock_guard lock(liveMutex);
    if (live.erase(call->id))
      (*call->done)(call->index, std::move(call->reply));
  }
}

void Engine::Impl::publish(size_t sequences, double seconds, bool drew) {
  std::lock_guard lock(statsMutex);
  stats.decodeSteps += drew;
  stats.modelSeconds += seconds;
  stats.maxBatch = std::max<uint64_t>(stats.maxBatch, sequences);
  stats.evictedTokens = scheduler.pages().evictedTokens();
  stats.retractions = scheduler.retractions();
  stats.peakKvTokens = uint64_t{scheduler.pages().peakPages()} * pageSize;
  if (options.logTokens)
    stats.optimalCachedTokens = log.optimalCachedTokens();
}

Engine::Engine(std::unique_ptr<Transformer> model, const EngineOptions &options)
    : impl(std::make_unique<Impl>(std::move(model), options)) {
  impl->thread = std::thread([this] { impl->run(); });
}

Engine::~Engine() {
  {
    std::lock_guard lock(impl->inboxMutex);
    impl->stopping = true;
  }
  impl->inboxChanged.notify_one();
  impl->thread.join();
}

std::vector<Engine::CallId>
Engine::submit(std::vector<EngineRequest> requests,
               std::function<void(size_t, EngineReply)> done) {
  auto shared =
      std::make_shared<const std::function<void(size_t, EngineReply)>>(
          std::move(done));
  std::vector<CallRef> calls;
  std::vector<CallId> ids;
  for (size_t i = 0; i < requests.size(); ++i) {
    auto &call = calls.emplace_back(std::make_shared<Call>());
    call->index = i;
    call->done = shared;
    call->request = std::move(requests[i]);
  }
  {
    std::scoped_lock lock(impl->liveMutex, impl->inboxMutex);
    for (CallRef &call : calls) {
      call->id = ++impl->lastId;
      ids.push_back(call->id);
      impl->live.emplace(call->id, call);
      impl->arrived.push_back(std::move(call));
    }
  }
  impl->inboxChanged.notify_one();
  return ids;
}

void Engine::cancel(CallId id) {
  std::scoped_lock lock(impl->liveMutex, impl->inboxMutex);
  if (!impl->live.erase(id))
    return;
  impl->cancelled.push_back(id);
  impl->inboxChanged.notify_one();
}

void Engine::addStats(RunStats &stats) const {
  std::lock_guard lock(impl->statsMutex);
  const RunStats &own = impl->stats;
  stats.calls += own.calls;
  stats.promptTokens += own.promptTokens;
  stats.cachedTokens += own.cachedTokens;
  stats.generatedTokens += own.generatedTokens;
  stats.decodeSteps += own.decodeSteps;
  stats.forcedTokens += own.forcedTokens;
  stats.evictedTokens += own.evictedTokens;
  stats.retractions += own.retractions;
  stats.peakKvTokens = std::max(stats.peakKvTokens, own.peakKvTokens);
  stats.maxBatch = std::max(stats.maxBatch, own.maxBatch);
  stats.optimalCachedTokens += own.optimalCachedTokens;
  stats.modelSeconds += own.modelSeconds;
  if (stats.device.empty())
    stats.device = "cpu " + impl->model->instructionSet();
}
