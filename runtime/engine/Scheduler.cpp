// Admission and retraction; the rows of a step are in StepPlan.cpp.
#include "runtime/engine/Scheduler.h"

#include <algorithm>
#include <cassert>

using namespace sgl;

/// A call waits for a prefix when that saves it at least so many tokens; fewer
/// are computed twice sooner than waited for.
static constexpr uint32_t worthWaiting = pageSize / 2;

static uint64_t pagesFor(uint64_t positions) {
  return (positions + pageSize - 1) / pageSize;
}

Scheduler::Scheduler(Transformer &model, const EngineOptions &options)
    : options(options), store(model, options.kvPages) {}

static size_t longestChoice(const Call &call) {
  size_t longest = 0;
  for (const auto &choice : call.request.choices)
    longest = std::max(longest, choice.size());
  return longest;
}

std::string Scheduler::refusal(const Call &call) const {
  uint64_t prompt = call.promptLength, context = options.contextLength;
  uint64_t more = call.scoring() ? longestChoice(call) : call.limit;
  std::string size = "the prompt has " + std::to_string(prompt) + " tokens";
  if (prompt >= context && !call.scoring())
    return size + ", the context of " + std::to_string(context) +
           " has no room for one more";
  if (call.scoring() && prompt + more > context)
    return size + " and the longest choice " + std::to_string(more) +
           ", the context holds " + std::to_string(context);
  // The last token of an output is not stored. A branch has a copy of the
  // prompt's last page.
  uint64_t need = pagesFor(prompt + std::max<uint64_t>(more, 1) - 1);
  if (call.scoring() && more > 1 && prompt % pageSize)
    ++need;
  if (need <= store.pages())
    return "";
  return size + " and up to " + std::to_string(more) + " more: that takes " +
         std::to_string(need * pageSize) + " KV positions, the cache has " +
         std::to_string(uint64_t{store.pages()} * pageSize);
}

void Scheduler::enqueue(CallRef call) {
  Urgency urgency = call->urgency();
  queue.emplace(urgency, std::move(call));
}

static uint32_t agreement(RadixTree::Tokens a, RadixTree::Tokens b) {
  size_t most = std::min(a.size(), b.size());
  return static_cast<uint32_t>(
      std::mismatch(a.begin(), a.begin() + most, b.begin()).first - a.begin());
}

/// True while a running call computes a prefix that this one needs as well.
bool Scheduler::waitsForPrefix(Call &call) {
  if (!options.radix)
    return false;
  if (call.waitFor && call.waitFor->running &&
      call.waitFor->main.computed < call.waitLength)
    return true;
  call.waitFor = nullptr;
  auto tokens = RadixTree::Tokens(call.main.tokens);
  tokens = tokens.first(tokens.size() - 1);
  std::optional<uint32_t> cached;
  for (const auto &[urgency, other] : running) {
    if (other->main.pending() <= worthWaiting)
      continue;
    uint32_t common = agreement(tokens, other->main.tokens);
    if (common < other->main.computed + worthWaiting)
      continue;
    if (!cached)
      cached = store.cached(call.space(options), tokens);
    if (common < *cached + worthWaiting)
      continue;
    call.waitFor = other;
    call.waitLength = common;
    return true;
  }
  return false;
}

void Scheduler::admit() {
  size_t most = options.batching ? options.maxRows : 1;
  for (auto it = queue.begin(); it != queue.end() && running.size() < most;) {
    CallRef call = it->second;
    if (waitsForPrefix(*call)) {
      ++it;
      continue;
    }
    if (!tryAdmit(*call))
      return; // the others wait too, so that a large call gets its turn
    it = queue.erase(it);
    call->running = true;
    running.emplace(call->urgency(), std::move(call));
  }
}

/// Attaches a call to its cached prefix if the pages for the rest, and one more
/// for each running call, are there. A call alone is always let in: `refusal`
/// has made sure that it fits.
bool Scheduler::tryAdmit(Call &call) {
  Sequence &main = call.main;
  uint64_t space = call.space(options);
  uint64_t need = pagesFor(main.tokens.size() + longestChoice(call));
  uint64_t reserve = running.size() + 1;
  if (!running.empty()) {
    uint64_t cached = store.cached(space, main.tokens) / pageSize;
    if (need + reserve > store.available() + cached)
      return false;
  }
  store.attach(main, space, attached(false));
  if (!running.empty() &&
      need + reserve > store.available() + main.table.size()) {
    store.release(main, true);
    return false;
  }
  if (!call.began)
    call.reply.usage.cachedTokens =
        std::min(main.computed, call.promptLength - 1);
  call.began = true;
  call.waitFor = nullptr;
  return true;
}

/// Gives all pages of a call to the cache or back.
void Scheduler::detach(Call &call, bool keep) {
  for (Branch &branch : call.branches)
    store.release(branch.sequence, keep);
  store.release(call.main, keep);
}

void Scheduler::retract(Call &call) {
  CallRef self = running.at(call.urgency());
  dropSlices(&call, nullptr);
  detach(call, true);
  call.running = false;
  running.erase(call.urgency());
  enqueue(std::move(self));
  ++retracted;
}

void Scheduler::remove(Call &call, bool keep) {
  detach(call, keep && options.radix);
  call.running = false;
  if (!options.radix)
    store.drop(call.space(options));
  running.erase(call.urgency());
  queue.erase(call.urgency());
}

void Scheduler::computed(const Slice &slice) {
  slice.sequence().computed += slice.rows;
  store.commit(slice.sequence());
}

void Scheduler::finishBranch(Branch &branch) {
  store.release(branch.sequence, true);
  branch.done = true;
}

std::vector<const Sequence *> Scheduler::attached(bool branches) const {
  std::vector<const Sequence *> result;
  for (const auto &[urgency, call] : running) {
    if (call->main.node)
      result.push_back(&call->main);
    for (const Branch &branch : call->branches)
      if (branches && branch.sequence.node)
        result.push_back(&branch.sequence);
  }
  return result;
}

std::vector<CallRef> Scheduler::calls() const {
  std::vector<CallRef> result;
  for (const CallMap *map : {&running, &queue})
    for (const auto &[urgency, call] : *map)
      result.push_back(call);
  return result;
}

CallRef Scheduler::find(uint64_t id) const {
  for (const CallMap *map : {&running, &queue})
    for (const auto &[urgency, call] : *map)
      if (call->id == id)
        return call;
  return nullptr;
}

std::string Scheduler::verify() const { return store.verify(attached(true)); }
