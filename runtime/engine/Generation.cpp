// Implements decoding and scoring; see Generation.h.
#include "runtime/engine/Generation.h"

using namespace sgl;

bool Generation::fail(Call &call, std::string why) {
  call.reply.finish = EngineFinish::Failed;
  call.reply.error = std::move(why);
  return true;
}

bool Generation::append(Call &call, TokenId token, float logprob) {
  EngineReply &reply = call.reply;
  Decoder *decoder = call.request.decoder.get();
  auto verdict = decoder ? decoder->accept(token) : Decoder::Step::Continue;
  ++outputs;
  if (verdict == Decoder::Step::StopDrop) {
    reply.finish = EngineFinish::Stopped;
    return true;
  }
  call.main.tokens.push_back(token);
  reply.tokens.push_back(token);
  reply.logprobs.push_back(logprob);
  ++reply.usage.generatedTokens;
  if (Sampler::usesHistory(call.request.sampling))
    call.history.addOutput(token);
  bool stopped = verdict == Decoder::Step::Stop;
  reply.finish = stopped ? EngineFinish::Stopped : call.limitFinish;
  return stopped || call.outputCount() >= call.limit;
}

bool Generation::appendForced(Call &call, TokenId token) {
  if (token < 0 || static_cast<uint32_t>(token) >= vocabSize)
    return fail(call, "a forced token is not in the vocabulary");
  if (options.jumpForward)
    ++call.reply.usage.forcedTokens;
  return append(call, token, 0);
}

/// Asks for forced ids: with jump-forward all are appended at once, else they
/// are kept for the next steps.
bool Generation::takeForced(Call &call) {
  if (!call.request.decoder)
    return false;
  for (;;) {
    std::vector<TokenId> ids = call.request.decoder->forced();
    if (ids.empty())
      return false;
    if (!options.jumpForward) {
      call.forced.assign(ids.begin(), ids.end());
      return false;
    }
    for (TokenId id : ids)
      if (appendForced(call, id))
        return true;
  }
}

bool Generation::start(Call &call) {
  if (Sampler::usesHistory(call.request.sampling))
    for (TokenId token : call.request.prompt)
      call.history.addPrompt(token);
  if (!options.jumpForward || call.scoring() || call.limit == 0)
    return false;
  return takeForced(call);
}

bool Generation::step(Call &call, std::span<const float> logits) {
  if (call.limit == 0) {
    call.reply.finish = call.limitFinish;
    return true;
  }
  if (!options.jumpForward && call.forced.empty())
    takeForced(call);
  if (!call.forced.empty()) {
    TokenId token = call.forced.front();
    call.forced.pop_front();
    return appendForced(call, token);
  }
  Decoder *decoder = call.request.decoder.get();
  DrawRequest request{&call.request.sampling,
                      decoder ? decoder->mask() : std::span<const uint32_t>(),
                      &call.history, call.request.drawKey, call.outputCount()};
  Result<Draw> draw = sampler.draw(logits, request);
  if (!draw) {
    std::string where = decoder ? decoder->describe() : "";
    return fail(call, draw.error().message +
                          (where.empty() ? "" : " (" + where + ")"));
  }
  if (append(call, draw->token, draw->logprob))
    return true;
  return options.jumpForward && takeForced(call);
}

bool Generation::scorePrompt(Call &call, std::span<const float> logits) {
  if (!call.branches.empty())
    return false; // retracted after this: the branches go on
  double logSum = logSumExp(logits, scratch);
  const auto &choices = call.request.choices;
  call.reply.choiceLogprobs.resize(choices.size());
  for (uint32_t i = 0; i < choices.size(); ++i) {
    const std::vector<TokenId> &choice = choices[i];
    if (choice.empty())
      continue;
    auto &scores = call.reply.choiceLogprobs[i];
    scores.assign(choice.size(), 0);
    size_t first = static_cast<size_t>(choice.front());
    scores[0] = static_cast<float>(logits[first] - logSum);
    if (choice.size() == 1)
      continue;
    Branch &branch = call.branches.emplace_back();
    branch.choice = i;
    branch.sequence.tokens = call.request.prompt;
    branch.sequence.tokens.insert(branch.sequence.tokens.end(), choice.begin(),
                                  choice.end() - 1);
  }
  return call.branches.empty();
}

void Generation::scoreBranch(Call &call, const Branch &branch, uint32_t from,
                             std::span<const float> logits) {
  const std::vector<TokenId> &choice = call.request.choices[branch.choice];
  auto &scores = call.reply.choiceLogprobs[branch.choice];
  size_t at = from - call.promptLength + 1; // row i predicts the id behind it
  for (; !logits.empty(); logits = logits.subspan(vocabSize), ++at) {
    auto row = logits.first(vocabSize);
    scores[at] = static_cast<float>(row[static_cast<size_t>(choice[at])] -
                                    logSumExp(row, scratch));
  }
}
