// Calls in, requests to the engine out, and replies back.
#include "runtime/engine/LocalModel.h"

#include "ir/plan/Plan.h"
#include "runtime/engine/SelectPlan.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <unordered_map>

namespace sgl {

namespace {

/// A gen or select that has no reply yet.
struct OpenCall {
  std::function<void(GenReply)> genDone;
  std::function<void(SelectReply)> selectDone;
  std::shared_ptr<TextDecoder> decoder;     ///< of a gen
  std::optional<Engine::CallId> engineCall; ///< once submitted
};

/// A reply on its way from the engine's thread.
struct Arrived {
  Model::CallId call = 0;
  EngineReply reply;
};

} // namespace

struct LocalModel::Impl {
  std::shared_ptr<const Tokenizer> tokenizer;
  PromptTokens tokens;
  bool hasTemplate;
  std::string noTemplate; ///< why, when there is none
  std::shared_ptr<const TextMasks> textMasks;
  std::unique_ptr<MaskCache> constraints; ///< made when first needed

  CallId nextCall = 1;
  std::unordered_map<CallId, OpenCall> calls;
  std::vector<std::pair<CallId, EngineRequest>> pending;
  std::deque<Arrived> refused; ///< replies that the engine never saw

  std::mutex mutex;
  std::condition_variable arrival;
  std::deque<Arrived> arrived; ///< guarded by `mutex`

  /// Last, so that its thread ends before what its callbacks use.
  std::unique_ptr<Engine> engine;

  Impl(std::shared_ptr<const Tokenizer> tokenizer,
       Result<std::shared_ptr<const ChatTemplate>> chat,
       std::unique_ptr<Engine> engine)
      : tokenizer(tokenizer), tokens(*tokenizer, chat), hasTemplate(bool(chat)),
        noTemplate(chat ? "" : chat.error().message),
        textMasks(std::make_shared<TextMasks>(*tokenizer)),
        engine(std::move(engine)) {}

  Result<EngineRequest> prepare(const GenRequest &request,
                                std::shared_ptr<TextDecoder> &decoder);
  Result<TokenSampling> sampling(const Sampling &given) const;
  std::shared_ptr<const Automaton> language(const GenRequest &request) const;
  void submitPending();
  void deliver(Arrived arrived);
  Status admit(const plan::Plan &plan, const plan::Graph &graph) const;
};

LocalModel::LocalModel(std::shared_ptr<const Tokenizer> tokenizer,
                       Result<std::shared_ptr<const ChatTemplate>> chat,
                       std::unique_ptr<Engine> engine)
    : impl(std::make_unique<Impl>(std::move(tokenizer), std::move(chat),
                                  std::move(engine))) {}
LocalModel::~LocalModel() = default;

/// Texts of logit_bias as ids.
Result<TokenSampling> LocalModel::Impl::sampling(const Sampling &given) const {
  TokenSampling out;
  out.temperature = given.temperature;
  out.topP = given.topP;
  out.topK = given.topK;
  out.minP = given.minP;
  out.frequencyPenalty = given.frequencyPenalty;
  out.presencePenalty = given.presencePenalty;
  out.repetitionPenalty = given.repetitionPenalty;
  for (const auto &[text, bias] : given.logitBias) {
    std::vector<TokenId> ids = tokenizer->encode(text, true);
    if (ids.size() != 1)
      return Error{"logit_bias: \"" + text +
                   "\" is not one token of the "
                   "model but " +
                   std::to_string(ids.size())};
    out.bias.emplace_back(ids[0], static_cast<float>(bias));
  }
  return out;
}

/// The constraint of a gen; one that a single text meets is that text.
std::shared_ptr<const Automaton>
LocalModel::Impl::language(const GenRequest &request) const {
  if (request.constraint || !request.forced)
    return request.constraint;
  std::vector<Automaton::StateRow> rows(request.forced->size() + 1);
  for (size_t i = 0; i < request.forced->size(); ++i) {
    auto byte = static_cast<uint8_t>((*request.forced)[i]);
    rows[i].edges = {{byte, byte, static_cast<Automaton::State>(i + 1)}};
  }
  rows.back().accepting = true;
  return std::make_shared<Automaton>(rows);
}

Result<EngineRequest>
LocalModel::Impl::prepare(const GenRequest &request,
                          std::shared_ptr<TextDecoder> &decoder) {
  auto prompt = tokens.tokens(*request.prompt);
  if (!prompt)
    return prompt.error();
  auto sampled = sampling(request.sampling);
  if (!sampled)
    return sampled.error();
  std::optional<MaskedDecoder> constraint;
  if (auto automaton = language(request)) {
    if (!constraints)
      constraints =
          std::make_unique<MaskCache>(std::make_shared<TokenTrie>(*tokenizer));
    static_assert(int(Follow::Kind::Text) == int(EndRule::Follow::Text) &&
                  int(Follow::Kind::EndOfTurn) ==
                      int(EndRule::Follow::EndOfTurn));
    EndRule rule{static_cast<EndRule::Follow>(request.follow.kind),
                 request.follow.text, request.minTokens};
    std::vector<TokenId> run(prompt->ids.begin() +
                                 static_cast<std::ptrdiff_t>(prompt->runBegin),
                             prompt->ids.end());
    constraint.emplace(tokenizer, constraints->get(std::move(automaton)),
                       std::move(rule), std::move(run));
  }
  bool isOver = constraint && constraint->finished();
  decoder = std::make_shared<TextDecoder>(
      tokenizer, textMasks,
      TextDecoder::Rules{request.stops, request.keepStop, request.minTokens},
      std::move(constraint));
  EngineRequest out;
  out.prompt = std::move(prompt->ids);
  out.maxTokens = isOver ? 0 : request.maxTokens;
  out.sampling = std::move(*sampled);
  out.drawKey = request.drawKey;
  out.order = request.order;
  out.decoder = decoder;
  return out;
}

Model::CallId LocalModel::gen(GenRequest request,
                              std::function<void(GenReply)> done) {
  CallId call = impl->nextCall++;
  std::shared_ptr<TextDecoder> decoder;
  auto prepared = impl->prepare(request, decoder);
  OpenCall &open = impl->calls[call];
  open.genDone = std::move(done);
  open.decoder = std::move(decoder);
  if (prepared) {
    impl->pending.emplace_back(call, std::move(*prepared));
    return call;
  }
  EngineReply refused;
  refused.finish = EngineFinish::Failed;
  refused.error = prepared.error().message;
  refused.fatal = true;
  impl->refused.push_back({call, std::move(refused)});
  return call;
}

Model::CallId LocalModel::select(SelectRequest request,
                                 std::function<void(SelectReply)> done) {
  CallId call = impl->nextCall++;
  impl->calls[call].selectDone = std::move(done);
  auto plan = planSelect(impl->tokens, *request.prompt, request.choices);
  bool isKnown = request.method == SelectRequest::Method::Normalized;
  if (plan && isKnown) {
    EngineRequest out;
    out.prompt = std::move(plan->prompt);
    out.choices = std::move(plan->choices);
    out.drawKey = request.drawKey;
    out.order = request.order;
    impl->pending.emplace_back(call, std::move(out));
    return call;
  }
  EngineReply refused;
  refused.finish = EngineFinish::Failed;
  refused.error = isKnown ? plan.error().message
                          : "only the select method 'normalized' is "
                            "supported by this model";
  refused.fatal = true;
  impl->refused.push_back({call, std::move(refused)});
  return call;
}

void LocalModel::cancel(CallId call) {
  auto found = impl->calls.find(call);
  if (found == impl->calls.end())
    return;
  std::optional<Engine::CallId> engineCall = found->second.engineCall;
  impl->calls.erase(found);
  std::erase_if(impl->pending,
                [&](const auto &entry) { return entry.first == call; });
  if (engineCall)
    impl->engine->cancel(*engineCall);
}

/// Hands over all that was asked for since the last wait, in one piece.
void LocalModel::Impl::submitPending() {
  if (pending.empty())
    return;
  std::vector<CallId> ids;
  std::vector<EngineRequest> requests;
  for (auto &[call, request] : pending) {
    ids.push_back(call);
    requests.push_back(std::move(request));
  }
  pending.clear();
  auto engineCalls = engine->submit(
      std::move(requests), [this, ids](size_t index, EngineReply reply) {
        std::lock_guard lock(mutex);
        arrived.push_back({ids[index], std::move(reply)});
        arrival.notify_one();
      });
  for (size_t i = 0; i < ids.size(); ++i)
    if (auto found = calls.find(ids[i]); found != calls.end())
      found->second.engineCall = engineCalls[i];
}

static GenReply genReply(const OpenCall &call, EngineReply reply) {
  GenReply out;
  out.usage = reply.usage;
  if (reply.finish == EngineFinish::Failed) {
    out.failure = CallFailure{std::move(reply.error), reply.fatal};
    return out;
  }
  TextDecoder::Output output = call.decoder->result();
  out.text = std::move(output.text);
  out.tokens = std::move(output.tokens);
  out.tail = std::move(output.tail);
  out.finish = output.finish;
  for (float logprob : reply.logprobs)
    out.logprob += logprob;
  return out;
}

static SelectReply selectReply(EngineReply reply) {
  SelectReply out;
  out.usage = reply.usage;
  if (reply.finish == EngineFinish::Failed) {
    out.failure = CallFailure{std::move(reply.error), reply.fatal};
    return out;
  }
  out.scores = normalizedScores(reply.choiceLogprobs);
  out.choice = bestChoice(out.scores);
  return out;
}

void LocalModel::Impl::deliver(Arrived arrived) {
  auto found = calls.find(arrived.call);
  if (found == calls.end())
    return; // cancelled
  OpenCall call = std::move(found->second);
  calls.erase(found);
  if (call.genDone) {
    GenReply reply = genReply(call, std::move(arrived.reply));
    call.genDone(std::move(reply));
  } else {
    call.selectDone(selectReply(std::move(arrived.reply)));
  }
}

bool LocalModel::wait() {
  impl->submitPending();
  std::deque<Arrived> batch = std::exchange(impl->refused, {});
  while (!impl->calls.empty()) {
    if (batch.empty()) {
      std::unique_lock lock(impl->mutex);
      impl->arrival.wait(lock, [&] { return !impl->arrived.empty(); });
      batch = std::exchange(impl->arrived, {});
    }
    bool any = false;
    for (Arrived &one : batch) {
      any |= impl->calls.count(one.call) != 0;
      impl->deliver(std::move(one));
    }
    if (any)
      return true;
    batch.clear();
  }
  return false;
}

Result<uint64_t> LocalModel::countTokens(const PromptNode &prompt) {
  auto ids = impl->tokens.tokens(prompt);
  if (!ids)
    return ids.error();
  return ids->isEmpty ? 0 : static_cast<uint64_t>(ids->ids.size());
}

void LocalModel::addStats(RunStats &stats) const {
  impl->engine->addStats(stats);
}

/// What this model cannot do, before the first call.
Status LocalModel::Impl::admit(const plan::Plan &plan,
                               const plan::Graph &graph) const {
  for (const plan::Node &node : graph.nodes) {
    if (node.op == plan::Op::Open && !hasTemplate)
      return Error{noTemplate};
    if (node.op == plan::Op::Attach)
      return Error{"the plan shows images to the model, and this model reads "
                   "text only"};
    if (node.op == plan::Op::Special &&
        tokenizer->controlToken(plan.texts[node.text]) < 0)
      return Error{"the plan uses special(\"" + plan.texts[node.text] +
                   "\"), and the model has no such control token"};
    if (node.select)
      for (const plan::Option &option : node.select->options)
        if (option.name == "method" && option.value && option.value->asText() &&
            *option.value->asText() != "normalized")
          return Error{"the select method '" + *option.value->asText() +
                       "' is not supported by this model: use 'normalized'"};
    for (const plan::Graph &region : node.regions)
      if (Status status = admit(plan, region); !status)
        return status;
  }
  return Done{};
}

Status LocalModel::admit(const plan::Plan &plan) {
  for (const plan::Function &function : plan.functions)
    if (Status status = impl->admit(plan, function.graph); !status)
      return status;
  return Done{};
}

} // namespace sgl
