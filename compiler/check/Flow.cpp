// Reading, writing and merging of Envs; see Flow.h.
#include "compiler/check/Flow.h"

namespace sgl {

const StateFacts *Env::facts(const ast::Binding *state) const {
  auto found = states.get().find(state);
  return found == states.get().end() ? nullptr : &found->second;
}

StateFacts &Env::editFacts(const ast::Binding *state) {
  return states.edit()[state];
}

const Type *Env::narrowedType(const Place &place) const {
  auto found = narrowed.get().find(place);
  return found == narrowed.get().end() ? nullptr : found->second;
}

void Env::narrow(const Place &place, const Type *type) {
  narrowed.edit()[place] = type;
}

void Env::forget(const ast::Binding *root) {
  auto first = narrowed.get().lower_bound(Place{root, ""});
  if (first == narrowed.get().end() || first->first.root != root)
    return;
  auto &map = narrowed.edit();
  auto from = map.lower_bound(Place{root, ""});
  auto to = from;
  while (to != map.end() && to->first.root == root)
    ++to;
  map.erase(from, to);
}

namespace {

using CaptureMap = std::map<std::string, CaptureFact>;

CaptureFact mergeCapture(const CaptureFact &a, const CaptureFact &b) {
  CaptureFact fact = a;
  fact.onAllPaths = a.onAllPaths && b.onAllPaths;
  if (a.binding != b.binding)
    fact.binding = nullptr;
  fact.ofSelect = a.ofSelect && b.ofSelect;
  if (a.type != b.type && !isError(a.type) && !isError(b.type))
    fact.otherType = b.type;
  else if (b.otherType)
    fact.otherType = b.otherType;
  return fact;
}

void mergeCaptures(Shared<CaptureMap> &a, const Shared<CaptureMap> &b) {
  if (a.sameAs(b))
    return;
  CaptureMap merged;
  for (const auto &[name, fact] : a.get()) {
    auto other = b.get().find(name);
    CaptureFact &entry = merged[name];
    if (other != b.get().end()) {
      entry = mergeCapture(fact, other->second);
    } else {
      entry = fact;
      entry.onAllPaths = false;
    }
  }
  for (const auto &[name, fact] : b.get())
    if (auto [entry, fresh] = merged.emplace(name, fact); fresh)
      entry->second.onAllPaths = false;
  a.edit() = std::move(merged);
}

void mergeStates(Env &a, const Env &b) {
  if (a.states.sameAs(b.states))
    return;
  auto &states = a.states.edit();
  // A state of one side only was declared there and is out of scope.
  for (auto it = states.begin(); it != states.end();) {
    const StateFacts *other = b.facts(it->first);
    if (!other) {
      it = states.erase(it);
      continue;
    }
    StateFacts &facts = it->second;
    mergeCaptures(facts.captures, other->captures);
    if (!facts.joined)
      facts.joined = other->joined;
    ++it;
  }
}

} // namespace

Env merge(Session &session, const Env &a, const Env &b) {
  if (!a.reachable)
    return b;
  if (!b.reachable)
    return a;
  Env result = a;
  mergeStates(result, b);
  if (a.narrowed.sameAs(b.narrowed))
    return result;
  auto &narrowed = result.narrowed.edit();
  for (auto it = narrowed.begin(); it != narrowed.end();) {
    const Type *other = b.narrowedType(it->first);
    if (!other) {
      it = narrowed.erase(it);
      continue;
    }
    if (other != it->second)
      it->second = session.types.unionOf({it->second, other});
    ++it;
  }
  return result;
}

} // namespace sgl
