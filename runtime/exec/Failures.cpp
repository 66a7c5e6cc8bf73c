// What counts when several things fail, and effects in program order.
//
// See Machine.h. A failure stands until nothing before it in the program is in
// flight; then its scope ends: a try, or the run. Effects wait the same way, so
// none happens behind an error that was still to come.

#include "runtime/exec/Machine.h"

#include "ir/value/Utf8.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace sgl::exec {

using plan::Op;

namespace {

constexpr uint64_t maxFileBytes = uint64_t(64) << 20;

Result<Value> readFile(const std::string &path) {
  std::error_code status;
  if (std::filesystem::is_directory(path, status))
    return Error{"cannot read `" + path + "`: it is a directory"};
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return Error{"cannot read `" + path + "`: " + std::strerror(errno)};
  std::string text;
  char buffer[1 << 16];
  while (file.read(buffer, sizeof buffer), file.gcount() > 0) {
    text.append(buffer, size_t(file.gcount()));
    if (text.size() > maxFileBytes)
      return Error{"`" + path + "` is longer than 64 MiB"};
  }
  if (firstInvalidUtf8(text) != std::string::npos)
    return Error{"`" + path + "` is not valid UTF-8"};
  return Value::text(std::move(text));
}

} // namespace

void Machine::fail(const Frame &frame, uint32_t node, std::string message,
                   bool fatal) {
  fail(frame.scope, Failure{pathOf(frame, node), std::move(message),
                            frame.nodeAt(node).at, fatal});
}

void Machine::fail(const ScopeRef &scope, Failure failure) {
  if (scope->dead || (scope->failure && scope->failure->path <= failure.path))
    return;
  if (!scope->failure)
    failing.push_back(scope);
  scope->failure = std::move(failure);
}

bool Machine::anyCallBefore(const Path &path) const {
  return std::any_of(calls.begin(), calls.end(), [&](const auto &entry) {
    return entry.second.path < path;
  });
}

void Machine::cancelBehind(const Scope &scope, const Path &path) {
  for (auto it = calls.begin(); it != calls.end();) {
    const Call &call = it->second;
    if (within(call.frame->scope.get(), &scope) && call.path > path) {
      model.cancel(call.id);
      it = calls.erase(it);
    } else {
      ++it;
    }
  }
}

/// Ends one scope whose failure is certain. True if there was one.
bool Machine::settle() {
  std::stable_sort(
      failing.begin(), failing.end(),
      [](const ScopeRef &a, const ScopeRef &b) { return a->depth > b->depth; });
  std::erase_if(failing, [](const ScopeRef &s) {
    for (const Scope *p = s.get(); p; p = p->parent.get())
      if (p->dead)
        return true;
    return false;
  });
  for (size_t i = 0; i < failing.size(); ++i) {
    ScopeRef scope = failing[i];
    const Path &path = scope->failure->path;
    cancelBehind(*scope, path);
    bool effectBefore = !effects.empty() && effects.begin()->first < path;
    if (effectBefore || anyCallBefore(path))
      continue;
    failing.erase(failing.begin() + ptrdiff_t(i));
    ControlRef owner = std::move(scope->owner);
    tearDown(*scope);
    if (owner)
      owner->scopeFailed(*scope->failure);
    return owner != nullptr;
  }
  return false;
}

void Machine::tearDown(const Scope &scope) {
  const_cast<Scope &>(scope).dead = true;
  for (auto it = calls.begin(); it != calls.end();) {
    if (within(it->second.frame->scope.get(), &scope)) {
      model.cancel(it->second.id);
      it = calls.erase(it);
    } else {
      ++it;
    }
  }
  std::erase_if(effects, [&](const auto &entry) {
    return within(entry.second.frame->scope.get(), &scope);
  });
  // Frames and cells hold each other. Keep all frames while their links are
  // cut, so that freeing them never nests.
  std::vector<FrameRef> dropped;
  for (auto it = frames.begin(); it != frames.end();) {
    if (within(it->first->scope.get(), &scope)) {
      dropped.push_back(std::move(it->second));
      it = frames.erase(it);
    } else {
      ++it;
    }
  }
  std::vector<Waiter> waiters;
  std::vector<ControlRef> owners;
  for (const FrameRef &frame : dropped) {
    for (size_t i = frame->graph->inputs; i < frame->values.size(); ++i) {
      auto &list = frame->values[i]->waiters;
      std::move(list.begin(), list.end(), std::back_inserter(waiters));
      list.clear();
    }
    // A retry outlives its try: its own frame is outside.
    if (frame->owner && within(frame->parent->scope.get(), &scope))
      owners.push_back(std::move(frame->owner));
  }
  for (const Waiter &waiter : waiters)
    if (auto *control = std::get_if<ControlWaiter>(&waiter))
      control->control->drop();
  for (const ControlRef &owner : owners)
    owner->drop();
  for (const FrameRef &frame : dropped)
    frame->values.clear();
}

/// Performs the first effect of the program that is ready, if nothing before
/// it can still fail. True if one was performed or fell away.
bool Machine::runEffect() {
  if (effects.empty())
    return false;
  auto [path, waiter] = *effects.begin();
  const FrameRef &frame = waiter.frame;
  bool dead = isDead(*frame, waiter.node);
  if (!dead && anyCallBefore(path))
    return false;
  effects.erase(effects.begin());
  if (dead)
    return true;
  const plan::Node &node = frame->nodeAt(waiter.node);
  Result<Value> value = performEffect(node, frame->operand(node, 0)->value);
  if (!value) {
    fail(*frame, waiter.node, value.error().message);
    return true;
  }
  if (node.outs)
    set(frame->result(waiter.node, 0), std::move(*value));
  finish(*frame);
  return true;
}

Result<Value> Machine::performEffect(const plan::Node &node,
                                     const Value &argument) {
  if (node.op == Op::Print) {
    if (options.print)
      options.print(sgl::print(argument));
    return Value();
  }
  if (node.op == Op::Ask) {
    if (!options.ask)
      return Error{"nobody can be asked here"};
    std::optional<std::string> line = options.ask(sgl::print(argument));
    return line ? Value::text(std::move(*line)) : Value();
  }
  if (node.op == Op::ReadFile)
    return readFile(sgl::print(argument));
  return Error{"tool `" + node.name + "` is not bound"};
}

std::string Machine::describe(const Failure &failure) const {
  std::string place = placeText(plan, failure.at);
  return place.empty() ? failure.message : place + ": " + failure.message;
}

} // namespace sgl::exec
