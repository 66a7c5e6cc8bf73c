// A model whose replies a test decides one by one.
#pragma once

#include "runtime/exec/Model.h"

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

namespace sgl {

class ManualModel : public Model {
public:
  struct Seen {
    std::string name;
    uint64_t drawKey = 0;
    double temperature = 0;
    std::string prompt;
    uint32_t maxTokens = 0;
    std::vector<std::string> stops;
    std::vector<uint32_t> path;
  };
  /// Makes the reply to a call; the default echoes the name.
  std::function<GenReply(const Seen &)> reply = [](const Seen &call) {
    GenReply r;
    r.text = call.name + "!";
    return r;
  };
  /// Picks which of the pending calls is answered; the default is the oldest.
  std::function<size_t(const std::vector<Seen> &)> pick =
      [](const std::vector<Seen> &) { return 0; };

  std::vector<Seen> seen;           ///< all gens, as submitted
  std::vector<std::string> cancels; ///< names of cancelled calls
  size_t mostInFlight = 0, answered = 0;

  Status admit(const plan::Plan &) override { return Done{}; }
  CallId gen(GenRequest request, std::function<void(GenReply)> done) override {
    Seen call{request.name,
              request.drawKey,
              request.sampling.temperature,
              promptText(request.prompt.get()),
              request.maxTokens,
              request.stops,
              request.path};
    seen.push_back(call);
    pending.push_back({next, call, std::move(done)});
    mostInFlight = std::max(mostInFlight, pending.size());
    return next++;
  }
  CallId select(SelectRequest, std::function<void(SelectReply)>) override {
    return next++;
  }
  void cancel(CallId id) override {
    for (size_t i = 0; i < pending.size(); ++i)
      if (pending[i].id == id) {
        cancels.push_back(pending[i].call.name);
        pending.erase(pending.begin() + ptrdiff_t(i));
        return;
      }
  }
  bool wait() override {
    if (pending.empty())
      return false;
    std::vector<Seen> calls;
    for (const Pending &p : pending)
      calls.push_back(p.call);
    size_t i = pick(calls);
    Pending chosen = std::move(pending[i]);
    pending.erase(pending.begin() + ptrdiff_t(i));
    ++answered;
    chosen.done(reply(chosen.call));
    return true;
  }
  Result<uint64_t> countTokens(const PromptNode &prompt) override {
    return promptText(&prompt).size();
  }
  void addStats(RunStats &) const override {}

private:
  struct Pending {
    CallId id;
    Seen call;
    std::function<void(GenReply)> done;
  };
  std::vector<Pending> pending;
  CallId next = 1;
};

} // namespace sgl
