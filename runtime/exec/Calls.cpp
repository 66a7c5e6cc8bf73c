// Gens and selects: from a node to a request, from a reply to its values.
//
// See Machine.h. A reply for a call that was cancelled meanwhile is dropped.

#include "ir/constraint/TypeConstraint.h"
#include "runtime/exec/CallOptions.h"
#include "runtime/exec/DrawKey.h"
#include "runtime/exec/Machine.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace sgl::exec {

using plan::Node;

namespace {

/// Temperature of a greedy gen in a second try (2.9).
constexpr double heatedTemperature = 0.7;

std::string callName(std::string_view kind, const std::string &name) {
  return name.empty() ? std::string(kind)
                      : std::string(kind) + " `" + name + "`";
}

Follow followOf(const plan::Plan &plan, const plan::Follow &follow) {
  switch (follow.kind) {
  case plan::Follow::Kind::Unknown:
    return {};
  case plan::Follow::Kind::Text:
    return {Follow::Kind::Text, plan.texts[follow.text]};
  case plan::Follow::Kind::EndOfTurn:
    return {Follow::Kind::EndOfTurn, ""};
  }
  return {};
}

std::string_view finishName(Finish finish) {
  switch (finish) {
  case Finish::Stop:
    return "stop";
  case Finish::Length:
    return "length";
  case Finish::EndOfTurn:
    return "end_of_turn";
  case Finish::Constraint:
    return "constraint";
  }
  return "";
}

MapData usageInfo(const Usage &usage) {
  return {{"prompt_tokens", Value::integer(usage.promptTokens)},
          {"cached_tokens", Value::integer(usage.cachedTokens)},
          {"tokens", Value::integer(usage.generatedTokens)}};
}

/// `scores` and `prob` of a select (2.7): the scores, and the distribution that
/// they give over the choices (softmax; the largest is subtracted first).
void addScores(MapData &info, const std::vector<std::string> &choices,
               const std::vector<double> &scores) {
  if (scores.empty())
    return;
  double top = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (double score : scores)
    sum += std::exp(score - top);
  MapData table, distribution;
  for (size_t i = 0; i < scores.size(); ++i) {
    table.emplace_back(choices[i], Value::number(scores[i]));
    distribution.emplace_back(choices[i],
                              Value::number(std::exp(scores[i] - top) / sum));
  }
  info.emplace_back("scores", Value::map(std::move(table)));
  info.emplace_back("prob", Value::map(std::move(distribution)));
}

Value genInfo(const GenReply &reply) {
  MapData info = usageInfo(reply.usage);
  info.insert(info.begin(),
              {"finish", Value::text(std::string(finishName(reply.finish)))});
  info.emplace_back("logprob", Value::number(reply.logprob));
  return Value::map(std::move(info));
}

/// What the generated text stands for.
Result<Value> readGen(const GenRequest &request, const std::string &text) {
  const Type *type = request.type;
  if (isConstraining(type))
    return readTyped(type, text);
  return Value::text(text);
}

/// Was a constrained text cut before it was whole?
bool cutShort(const GenRequest &request, const GenReply &reply) {
  return reply.finish == Finish::Length && request.constraint &&
         !request.constraint->matches(reply.text);
}

Value extended(const CallRequest &request, PromptNode::Kind kind,
               std::string text, const Value &value, GenReply *reply) {
  auto node = extendPrompt(request.prompt, kind, std::move(text));
  node->capture = request.name;
  node->captured = value;
  if (reply) {
    node->tokens = std::move(reply->tokens);
    node->tail = std::move(reply->tail);
  }
  return Value::state(PromptRef(std::move(node)));
}

Result<std::vector<std::string>> choicesOf(const Value &list) {
  if (!list.asList() || list.asList()->empty())
    return Error{"select needs a list of choices that is not empty"};
  std::vector<std::string> choices;
  std::set<std::string_view> seen;
  for (const Value &item : *list.asList()) {
    if (!textOf(item))
      return Error{"choices must be texts"};
    if (!seen.insert(*textOf(item)).second)
      return Error{"choice " + toJson(item) + " appears twice"};
    choices.push_back(*textOf(item));
  }
  return choices;
}

} // namespace

void Machine::keepCall(CallKey key, const FrameRef &frame, uint32_t node,
                       Path path, Model::CallId id) {
  calls.emplace(key, Call{frame, node, std::move(path), id});
}

std::optional<Machine::Call> Machine::takeCall(CallKey key) {
  auto it = calls.find(key);
  if (it == calls.end())
    return std::nullopt;
  Call call = std::move(it->second);
  calls.erase(it);
  return call;
}

void Machine::submitGen(const FrameRef &frame, uint32_t index) {
  const Node &node = frame->nodeAt(index);
  const plan::GenSpec &spec = *node.gen;
  GenRequest request;
  request.prompt = promptOf(frame->operand(node, 0)->value);
  request.name = spec.name;
  request.type = plan.types[spec.type];
  if (spec.constraint)
    request.constraint = plan.constraints[*spec.constraint].automaton;
  if (spec.forced)
    request.forced = plan.texts[*spec.forced];
  request.follow = followOf(plan, spec.follow);
  auto options = applyGenOptions(
      spec, this->options,
      [&](uint32_t i) -> const Value & {
        return frame->operand(node, i)->value;
      },
      request);
  if (!request.prompt)
    options = Error{"gen needs a state"};
  if (!options)
    return fail(*frame, index,
                callName("gen", spec.name) + ": " + options.error().message);
  uint64_t seed = options->seed.value_or(this->options.seed);
  request.drawKey = drawKey(seed, foldPlace(frame->place, node.place));
  if (frame->heat && request.sampling.temperature == 0 && !options->seed) {
    request.sampling.temperature = heatedTemperature;
    request.drawKey =
        drawKey(seed, foldPlace(frame->heat, hashRequest(request)));
  }
  CallKey key = nextCall++;
  request.order = key;
  request.path = pathOf(*frame, index);
  Path path = request.path;
  auto shared = std::make_shared<const GenRequest>(request);
  Model::CallId id =
      model.gen(std::move(request), [this, key, shared](GenReply reply) {
        finishGen(key, *shared, std::move(reply));
      });
  keepCall(key, frame, index, std::move(path), id);
}

void Machine::warnCut(const Node &node, uint32_t tokens) {
  if (!options.warn || !warned.emplace(node.at.file, node.at.byte).second)
    return;
  std::string place = placeText(plan, node.at);
  options.warn((place.empty() ? "" : place + ": ") +
               callName("gen", node.gen->name) + " was cut after " +
               std::to_string(tokens) + " tokens (max_tokens)");
}

void Machine::finishGen(CallKey key, const GenRequest &request,
                        GenReply reply) {
  std::optional<Call> call = takeCall(key);
  if (!call)
    return;
  const FrameRef &frame = call->frame;
  const Node &node = frame->nodeAt(call->node);
  std::string name = callName("gen", request.name);
  if (reply.failure)
    return fail(*frame, call->node, name + ": " + reply.failure->message,
                reply.failure->fatal);
  if (cutShort(request, reply))
    return fail(*frame, call->node,
                name + " was cut after " +
                    std::to_string(reply.usage.generatedTokens) +
                    " tokens (max_tokens) before its value was whole");
  Result<Value> value = readGen(request, reply.text);
  if (!value)
    return fail(*frame, call->node, name + ": " + value.error().message);
  if (reply.finish == Finish::Length && !request.constraint)
    warnCut(node, reply.usage.generatedTokens);
  Value info = genInfo(reply);
  std::string text = reply.text;
  Value state = extended(request, PromptNode::Kind::Sampled, std::move(text),
                         *value, &reply);
  set(frame->result(call->node, 0), std::move(state));
  set(frame->result(call->node, 1), std::move(*value));
  set(frame->result(call->node, 2), std::move(info));
  finish(*frame);
}

void Machine::submitSelect(const FrameRef &frame, uint32_t index) {
  const Node &node = frame->nodeAt(index);
  const plan::SelectSpec &spec = *node.select;
  SelectRequest request;
  request.prompt = promptOf(frame->operand(node, 0)->value);
  request.name = spec.name;
  Status status = applySelectOptions(
      spec,
      [&](uint32_t i) -> const Value & {
        return frame->operand(node, i)->value;
      },
      request);
  for (plan::TextId choice : spec.choices)
    request.choices.push_back(plan.texts[choice]);
  if (spec.choices.empty()) {
    auto choices = choicesOf(frame->operand(node, 1)->value);
    if (choices)
      request.choices = std::move(*choices);
    else
      status = choices.error();
  }
  if (!request.prompt)
    status = Error{"select needs a state"};
  if (!status)
    return fail(*frame, index,
                callName("select", spec.name) + ": " + status.error().message);
  request.drawKey = drawKey(options.seed, foldPlace(frame->place, node.place));
  CallKey key = nextCall++;
  request.order = key;
  request.path = pathOf(*frame, index);
  Path path = request.path;
  auto shared = std::make_shared<const SelectRequest>(request);
  Model::CallId id =
      model.select(std::move(request), [this, key, shared](SelectReply reply) {
        finishSelect(key, *shared, std::move(reply));
      });
  keepCall(key, frame, index, std::move(path), id);
}

void Machine::finishSelect(CallKey key, const SelectRequest &request,
                           SelectReply reply) {
  std::optional<Call> call = takeCall(key);
  if (!call)
    return;
  const FrameRef &frame = call->frame;
  const Node &node = frame->nodeAt(call->node);
  std::string name = callName("select", request.name);
  if (reply.failure)
    return fail(*frame, call->node, name + ": " + reply.failure->message,
                reply.failure->fatal);
  const std::string &choice = request.choices[reply.choice];
  Result<Value> value =
      convert(Value::text(choice), plan.types[node.select->type]);
  if (!value)
    return fail(*frame, call->node, name + ": " + value.error().message);
  MapData info = usageInfo(reply.usage);
  addScores(info, request.choices, reply.scores);
  Value state =
      extended(request, PromptNode::Kind::Data, choice, *value, nullptr);
  set(frame->result(call->node, 0), std::move(state));
  set(frame->result(call->node, 1), std::move(*value));
  set(frame->result(call->node, 2), Value::map(std::move(info)));
  finish(*frame);
}

} // namespace sgl::exec
