// A model that answers from a table. See ScriptedModel.h.

#include "runtime/exec/ScriptedModel.h"

#include "runtime/exec/CallOptions.h"
#include "runtime/exec/ScriptedReply.h"

#include <algorithm>

namespace sgl {

namespace {

bool isHash(const Value &reply) {
  const Value *flag = reply.asMap() && reply.asMap()->size() == 1
                          ? entry(reply, "hash")
                          : nullptr;
  return flag && flag->asBool() && *flag->asBool();
}

std::string quoted(const std::string &name) {
  return name.empty() ? "a call without a name" : "`" + name + "`";
}

} // namespace

Result<std::unique_ptr<ScriptedModel>>
ScriptedModel::parse(std::string_view json) {
  Result<Value> value = parseJson(json);
  if (!value)
    return Error{"replies are not JSON: " + value.error().message};
  if (!value->asMap())
    return Error{"replies must be a JSON object {CAPTURE: reply}"};
  auto model = std::make_unique<ScriptedModel>();
  model->table = *value->asMap();
  model->stats.device = "scripted";
  return model;
}

Model::CallId ScriptedModel::gen(GenRequest request,
                                 std::function<void(GenReply)> done) {
  Pending call{request.path, request.name, {}};
  call.answer = [this, request = std::move(request), done = std::move(done)] {
    answerGen(request, done);
  };
  pending.emplace(next, std::move(call));
  return next++;
}

Model::CallId ScriptedModel::select(SelectRequest request,
                                    std::function<void(SelectReply)> done) {
  Pending call{request.path, request.name, {}};
  call.answer = [this, request = std::move(request), done = std::move(done)] {
    answerSelect(request, done);
  };
  pending.emplace(next, std::move(call));
  return next++;
}

const Value *ScriptedModel::entryFor(const std::string &name) const {
  const Value *star = nullptr;
  for (const auto &[key, value] : table) {
    if (!name.empty() && key == name)
      return &value;
    if (key == "*")
      star = &value;
  }
  return star;
}

bool ScriptedModel::isList(const Pending &call) const {
  const Value *found = entryFor(call.name);
  return found && found->asList();
}

Result<const Value *> ScriptedModel::replyFor(const std::string &name) {
  const Value *found = entryFor(name);
  if (!found)
    return Error{"no reply for " + quoted(name) + " in the mock"};
  if (const ListData *list = found->asList()) {
    size_t &index = used[name];
    if (index == list->size())
      return Error{"mock of " + quoted(name) + " has " +
                   std::to_string(list->size()) +
                   " replies and all are used up"};
    found = &(*list)[index++];
  }
  return isHash(*found) ? Result<const Value *>(nullptr) : found;
}

bool ScriptedModel::wait() {
  if (pending.empty())
    return false;
  auto first = std::min_element(pending.begin(), pending.end(),
                                [](const auto &a, const auto &b) {
                                  return a.second.path < b.second.path;
                                });
  auto chosen = first;
  if (shuffle) {
    // A list is handed out in program order: only the first call of all is
    // certain to be the next of its name.
    std::vector<decltype(first)> eligible;
    for (auto it = pending.begin(); it != pending.end(); ++it)
      if (it == first || !isList(it->second))
        eligible.push_back(it);
    chosen = eligible[(*shuffle)() % eligible.size()];
  }
  std::function<void()> answer = std::move(chosen->second.answer);
  pending.erase(chosen);
  answer();
  return true;
}

void ScriptedModel::count(const CallRequest &request, Usage &usage,
                          size_t generated) {
  usage.promptTokens = uint32_t(promptText(request.prompt.get()).size());
  usage.generatedTokens = uint32_t(generated);
  ++stats.calls;
  stats.promptTokens += usage.promptTokens;
  stats.generatedTokens += usage.generatedTokens;
}

void ScriptedModel::answerGen(const GenRequest &request,
                              const std::function<void(GenReply)> &done) {
  GenReply reply;
  Result<const Value *> value = replyFor(request.name);
  Result<std::string> text = !value   ? Result<std::string>(value.error())
                             : *value ? scriptedText(request, **value)
                                      : hashedText(request);
  if (!text) {
    std::string message = text.error().message;
    if (value)
      message = "mock of " + quoted(request.name) + ": " + message;
    reply.failure = CallFailure{std::move(message), true};
    return done(std::move(reply));
  }
  reply.text = std::move(*text);
  reply.finish = request.constraint ? Finish::Constraint : Finish::EndOfTurn;
  // As a model would, it ends at the first stop.
  size_t cut = std::string::npos, length = 0;
  for (const std::string &stop : request.stops)
    if (size_t at = reply.text.find(stop); at < cut) {
      cut = at;
      length = stop.size();
    }
  if (cut != std::string::npos) {
    reply.text.resize(request.keepStop ? cut + length : cut);
    reply.finish = Finish::Stop;
  }
  reply.tail = reply.text;
  count(request, reply.usage, reply.text.size());
  done(std::move(reply));
}

void ScriptedModel::answerSelect(const SelectRequest &request,
                                 const std::function<void(SelectReply)> &done) {
  SelectReply reply;
  Result<const Value *> value = replyFor(request.name);
  if (!value) {
    reply.failure = CallFailure{value.error().message, true};
    return done(std::move(reply));
  }
  const auto &choices = request.choices;
  if (!*value) {
    reply.scores = hashedScores(request);
    reply.choice =
        uint32_t(std::max_element(reply.scores.begin(), reply.scores.end()) -
                 reply.scores.begin());
  } else {
    std::string wanted = print(**value);
    auto found = std::find(choices.begin(), choices.end(), wanted);
    if (found == choices.end()) {
      reply.failure =
          CallFailure{"mock of " + quoted(request.name) + ": " +
                          toJson(**value) + " is none of the choices",
                      true};
      return done(std::move(reply));
    }
    reply.choice = uint32_t(found - choices.begin());
    reply.scores.assign(choices.size(), -1);
    reply.scores[reply.choice] = 0;
  }
  count(request, reply.usage, 0);
  done(std::move(reply));
}

Result<uint64_t> ScriptedModel::countTokens(const PromptNode &prompt) {
  return promptText(&prompt).size();
}

void ScriptedModel::addStats(RunStats &out) const {
  out.calls += stats.calls;
  out.promptTokens += stats.promptTokens;
  out.generatedTokens += stats.generatedTokens;
  out.device = stats.device;
}

} // namespace sgl
