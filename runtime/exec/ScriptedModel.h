// A model that answers from a table: `mock:FILE.json`, tests.
//
// The table is an object {CAPTURE: reply}. A list is one reply for each call in
// the order of the program; anything else serves all calls. `"*"` serves gens
// and selects that are not named; `{"hash": true}` draws a reply that fits.
// Calls are answered one at a time, the first in program order first, or in a
// random order that must not show in any result.
#pragma once

#include "runtime/exec/Model.h"

#include <random>

namespace sgl {

class ScriptedModel : public Model {
public:
  /// The file's text; errors say what in it is wrong.
  static Result<std::unique_ptr<ScriptedModel>> parse(std::string_view json);

  /// Answers in an order drawn from `seed` instead of the program's.
  void answerInRandomOrder(uint64_t seed) { shuffle.emplace(seed); }

  Status admit(const plan::Plan &plan) override { return Done{}; }
  CallId gen(GenRequest request, std::function<void(GenReply)> done) override;
  CallId select(SelectRequest request,
                std::function<void(SelectReply)> done) override;
  void cancel(CallId call) override { pending.erase(call); }
  bool wait() override;
  /// A byte counts as a token.
  Result<uint64_t> countTokens(const PromptNode &prompt) override;
  void addStats(RunStats &stats) const override;

private:
  struct Pending {
    std::vector<uint32_t> path;
    std::string name;
    std::function<void()> answer;
  };
  /// What a call gets: a value, or a hash (null).
  Result<const Value *> replyFor(const std::string &name);
  const Value *entryFor(const std::string &name) const;
  bool isList(const Pending &call) const;
  void answerGen(const GenRequest &request,
                 const std::function<void(GenReply)> &done);
  void answerSelect(const SelectRequest &request,
                    const std::function<void(SelectReply)> &done);
  void count(const CallRequest &request, Usage &usage, size_t generated);

  MapData table;
  std::map<std::string, size_t> used; ///< replies taken from each list
  std::map<CallId, Pending> pending;
  CallId next = 1;
  std::optional<std::mt19937_64> shuffle;
  RunStats stats;
};

} // namespace sgl
