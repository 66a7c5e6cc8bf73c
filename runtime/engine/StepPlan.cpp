// Chooses the rows of a step and finds pages for them; part of the Scheduler.
#include "runtime/engine/Scheduler.h"

#include <algorithm>
#include <cassert>

using namespace sgl;

std::span<const Slice> Scheduler::plan() {
  slices.clear();
  rowsLeft = options.maxRows;
  logitsLeft = options.maxLogitRows;
  planPass(true);
  planPass(false);
  return slices;
}

bool Scheduler::full() const {
  return rowsLeft == 0 || (!options.batching && !slices.empty());
}

/// The map changes below the loop: calls that are less urgent, and the one
/// being planned, may be retracted.
void Scheduler::planPass(bool decode) {
  for (auto it = running.begin(); it != running.end() && !full();) {
    CallRef call = it->second;
    planCall(*call, decode);
    it = running.upper_bound(call->urgency());
  }
}

/// One pending token is decoding. There are at most as many running calls as
/// rows, so the first pass leaves rows to the second.
void Scheduler::planCall(Call &call, bool decode) {
  uint32_t pending = call.main.pending();
  if (pending > 0) {
    if ((pending == 1) == decode)
      planSequence(call, nullptr);
  } else if (!decode) {
    planBranches(call);
  }
}

void Scheduler::planBranches(Call &call) {
  for (Branch &branch : call.branches) {
    if (full() || logitsLeft == 0 || !call.running)
      return;
    if (branch.done)
      continue;
    while (!branch.sequence.node && !store.fork(call.main, branch.sequence))
      if (!makeRoom(call, &branch))
        return yield(call, &branch);
    if (!planSequence(call, &branch))
      return;
  }
}

/// Adds rows of one sequence; false when it had to give up its place.
bool Scheduler::planSequence(Call &call, Branch *branch) {
  Sequence &sequence = branch ? branch->sequence : call.main;
  uint32_t rows = std::min(sequence.pending(), rowsLeft);
  bool wanted = branch || call.scoring() || call.limit > 0;
  if (branch)
    rows = std::min(rows, logitsLeft);
  else if (wanted && logitsLeft == 0 && rows == sequence.pending())
    --rows; // the last row waits for a place among the logits
  if (rows == 0)
    return true;
  while (!store.reserve(sequence, sequence.computed + rows)) {
    if (makeRoom(call, branch))
      continue;
    uint32_t held = static_cast<uint32_t>(sequence.table.size()) * pageSize;
    if (held <= sequence.computed) {
      yield(call, branch);
      return false;
    }
    rows = held - sequence.computed;
  }
  uint32_t logits = branch ? rows : wanted && rows == sequence.pending();
  slices.push_back({&call, branch, rows, logits});
  rowsLeft -= rows;
  logitsLeft -= logits;
  return true;
}

/// Takes pages from somebody less urgent: the last running call, or a later
/// branch of the same one. False when there is none.
bool Scheduler::makeRoom(Call &call, Branch *branch) {
  Call &last = *running.rbegin()->second;
  if (&last != &call) {
    retract(last);
    return true;
  }
  for (auto other = call.branches.rbegin();
       branch && other != call.branches.rend() && &*other != branch; ++other) {
    if (!other->sequence.node)
      continue;
    dropSlices(&call, &*other);
    store.release(other->sequence, true);
    ++retracted;
    return true;
  }
  return false;
}

/// The least urgent one found no page: it waits until the others have ended.
void Scheduler::yield(Call &call, Branch *branch) {
  bool earlier = false;
  for (Branch &other : call.branches) {
    if (&other == branch)
      break;
    earlier |= other.sequence.node != nullptr;
  }
  if (branch && earlier)
    store.release(branch->sequence, true);
  else if (running.size() > 1)
    retract(call);
}

/// Removes the planned rows of a call, or of one of its branches.
void Scheduler::dropSlices(const Call *call, const Branch *branch) {
  std::erase_if(slices, [&](const Slice &slice) {
    if (slice.call != call || (branch && slice.branch != branch))
      return false;
    rowsLeft += slice.rows;
    logitsLeft += slice.logits;
    return true;
  });
}
