// Which calls run, and which rows each step computes.
//
// Calls wait in a queue and run in order of urgency. A call is admitted when
// the pages for what it knows to need are there; one that shares an uncached
// prefix with a running call waits until that one has computed it. Each step
// takes one row of every call that decodes, then prompt chunks. When pages run
// out the least urgent call is retracted: its pages go to the cache, it goes
// back to the queue, and what it still lacks is computed again later.
//
// What must hold: the most urgent running call always makes progress, so that
// every call ends.
#pragma once

#include "runtime/engine/SequenceStore.h"

#include <map>

namespace sgl {

/// Rows of one sequence in one step.
struct Slice {
  Call *call;
  Branch *branch; ///< null: the call's main sequence
  uint32_t rows;
  uint32_t logits; ///< of them, the last ones, with logits

  Sequence &sequence() const { return branch ? branch->sequence : call->main; }
};

class Scheduler {
public:
  Scheduler(Transformer &model, const EngineOptions &options);

  /// Why a call can never run here, with the numbers; "" when it can.
  std::string refusal(const Call &call) const;
  void enqueue(CallRef call);
  /// Lets calls in as far as rows and pages allow.
  void admit();
  /// The rows of the next step; pages for them are reserved.
  std::span<const Slice> plan();
  /// What a step computed goes to the cache.
  void computed(const Slice &slice);
  void finishBranch(Branch &branch);
  /// Takes a call out, wherever it is; `keep`: its pages stay in the cache.
  void remove(Call &call, bool keep);

  bool idle() const { return queue.empty() && running.empty(); }
  /// All calls inside, queued or running.
  std::vector<CallRef> calls() const;
  CallRef find(uint64_t id) const;
  const SequenceStore &pages() const { return store; }
  uint64_t retractions() const { return retracted; }
  std::string verify() const;

private:
  using CallMap = std::map<Urgency, CallRef>;

  bool waitsForPrefix(Call &call);
  bool tryAdmit(Call &call);
  void planPass(bool decode);
  void planCall(Call &call, bool decode);
  void planBranches(Call &call);
  bool planSequence(Call &call, Branch *branch);
  bool makeRoom(Call &call, Branch *branch);
  void yield(Call &call, Branch *branch);
  void retract(Call &call);
  void detach(Call &call, bool keep);
  void dropSlices(const Call *call, const Branch *branch);
  bool full() const;
  std::vector<const Sequence *> attached(bool branches) const;

  const EngineOptions options;
  SequenceStore store;
  CallMap queue, running;
  std::vector<Slice> slices;
  uint32_t rowsLeft = 0, logitsLeft = 0;
  uint64_t retracted = 0;
};

} // namespace sgl
