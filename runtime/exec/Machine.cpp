// The queue of a run: frames start, nodes run, cells become ready.
//
// See Machine.h. One turn: drain the queue, then settle failures, then perform
// an effect whose turn it is, then wait for the model.

#include "runtime/exec/Machine.h"

#include "runtime/exec/DrawKey.h"

#include <iterator>

namespace sgl::exec {

using plan::Op;

namespace {

/// Passes of a loop open at once; fewer when very many frames are.
constexpr uint32_t openPasses = 256;
constexpr size_t manyFrames = size_t(1) << 16;
/// Calls in flight hold frames open; more than these are no program that ends.
constexpr size_t mostFrames = size_t(1) << 21;
/// Tasks between two looks at the clock and the model: a long loop must not
/// keep a failed call from being seen.
constexpr size_t tasksPerTurn = size_t(1) << 20;

} // namespace

Machine::Machine(const plan::Plan &plan, Model &model,
                 const RunOptions &options)
    : plan(plan), options(options), model(model) {
  if (options.timeoutSeconds)
    deadline = std::chrono::steady_clock::now() +
               std::chrono::duration_cast<std::chrono::nanoseconds>(
                   std::chrono::duration<double>(*options.timeoutSeconds));
}

Machine::~Machine() {
  if (rootScope)
    tearDown(*rootScope);
}

const std::vector<uint32_t> &Machine::firstResults(const plan::Graph &graph) {
  auto [it, fresh] = graphs.try_emplace(&graph);
  if (fresh) {
    uint32_t next = graph.inputs;
    for (const plan::Node &node : graph.nodes) {
      it->second.push_back(next);
      next += node.outs;
    }
  }
  return it->second;
}

FrameRef Machine::makeFrame(const plan::Graph &graph, const FrameRef &parent,
                            uint32_t node, uint32_t pass,
                            std::vector<CellRef> inputs) {
  assert(inputs.size() == graph.inputs && "validated plan");
  auto frame = std::make_shared<Frame>();
  frame->graph = &graph;
  frame->firstResult = &firstResults(graph);
  frame->node = node;
  frame->pass = pass;
  frame->values = std::move(inputs);
  frame->values.resize(graph.valueCount());
  for (size_t i = graph.inputs; i < frame->values.size(); ++i)
    frame->values[i] = std::make_shared<Cell>();
  frame->missing.resize(graph.nodes.size());
  frame->remaining = uint32_t(graph.nodes.size());
  if (parent) {
    frame->parent = parent;
    frame->scope = parent->scope;
    frame->place = parent->place;
    frame->heat = parent->heat;
    frame->calls = parent->calls;
  } else {
    frame->scope = rootScope;
  }
  frames.emplace(frame.get(), frame);
  return frame;
}

void Machine::start(FrameRef frame) {
  fresh.push_back(StartTask{std::move(frame)});
}

void Machine::set(const CellRef &cell, Value value) {
  assert(!cell->ready && "a cell is set once");
  cell->ready = true;
  cell->value = std::move(value);
  for (Waiter &waiter : cell->waiters) {
    if (auto *node = std::get_if<NodeWaiter>(&waiter))
      fresh.push_back(std::move(*node));
    else if (auto *target = std::get_if<CellRef>(&waiter))
      fresh.push_back(std::pair{std::move(*target), cell->value});
    else
      fresh.push_back(std::move(std::get<ControlWaiter>(waiter)));
  }
  cell->waiters.clear();
  cell->waiters.shrink_to_fit();
}

void Machine::link(const CellRef &from, const CellRef &to) {
  if (from->ready)
    set(to, from->value);
  else
    from->waiters.push_back(to);
}

void Machine::wait(const CellRef &cell, ControlRef control, uint64_t tag) {
  if (cell->ready)
    fresh.push_back(ControlWaiter{std::move(control), tag});
  else
    cell->waiters.push_back(ControlWaiter{std::move(control), tag});
}

bool Machine::isCrowded() const { return frames.size() > mostFrames; }

uint32_t Machine::window() const {
  return frames.size() < manyFrames ? openPasses : 1;
}

void Machine::finish(Frame &frame) {
  if (--frame.remaining == 0)
    if (auto it = frames.find(&frame); it != frames.end())
      fresh.push_back(DoneTask{it->second});
}

/// How many leading operands a node waits for. Control nodes hand the others
/// on as they are.
uint32_t Machine::needed(const plan::Node &node) const {
  switch (node.op) {
  case Op::If:
  case Op::For:
  case Op::Map:
  case Op::Retry:
    return 1;
  case Op::While:
  case Op::Call:
    return 0;
  default:
    return uint32_t(node.in.size());
  }
}

void Machine::startFrame(const FrameRef &frame) {
  if (frame->scope->dead)
    return;
  for (uint32_t i = 0; i < frame->graph->nodes.size(); ++i) {
    const plan::Node &node = frame->nodeAt(i);
    for (uint32_t k = 0, n = needed(node); k < n; ++k) {
      const CellRef &cell = frame->operand(node, k);
      if (cell->ready)
        continue;
      ++frame->missing[i];
      cell->waiters.push_back(NodeWaiter{frame, i});
    }
    if (frame->missing[i] == 0)
      runNode(frame, i);
  }
  if (frame->graph->nodes.empty())
    fresh.push_back(DoneTask{frame});
}

/// After a failure nothing behind it in the program runs any more.
bool Machine::isDead(const Frame &frame, uint32_t node) const {
  std::optional<Path> path;
  for (const Scope *s = frame.scope.get(); s; s = s->parent.get()) {
    if (s->dead)
      return true;
    if (!s->failure)
      continue;
    if (!path)
      path = pathOf(frame, node);
    if (*path > s->failure->path)
      return true;
  }
  return false;
}

void Machine::runNode(const FrameRef &frame, uint32_t index) {
  const plan::Node &node = frame->nodeAt(index);
  if (isDead(*frame, index))
    return;
  switch (node.op) {
  case Op::If:
  case Op::For:
  case Op::While:
  case Op::Map:
  case Op::Retry:
  case Op::Call:
    return runControl(*this, frame, index);
  case Op::Gen:
    return submitGen(frame, index);
  case Op::Select:
    return submitSelect(frame, index);
  case Op::Tool:
  case Op::Print:
  case Op::Ask:
  case Op::ReadFile:
    effects.emplace(pathOf(*frame, index), NodeWaiter{frame, index});
    return;
  default:
    break;
  }
  std::vector<Value> in;
  in.reserve(node.in.size());
  for (size_t i = 0; i < node.in.size(); ++i)
    in.push_back(frame->operand(node, i)->value);
  Result<Value> value = isPromptNode(node.op)
                            ? evaluatePrompt(plan, model, node, in)
                            : evaluateValue(plan, node, in);
  if (!value)
    return fail(*frame, index, value.error().message);
  if (value->depth() > Value::maxDepth)
    return fail(*frame, index,
                "value nests deeper than " + std::to_string(Value::maxDepth));
  set(frame->result(index, 0), std::move(*value));
  finish(*frame);
}

void Machine::frameDone(const FrameRef &frame) {
  if (frame->scope->dead || !frames.erase(frame.get()))
    return;
  if (frame->owner)
    frame->owner->frameDone(*frame);
  else if (frame->parent)
    finish(*frame->parent);
  frame->values.clear();
  frame->owner.reset();
}

void Machine::runTask(Task &task) {
  if (auto *node = std::get_if<NodeWaiter>(&task)) {
    if (!node->frame->scope->dead && --node->frame->missing[node->node] == 0)
      runNode(node->frame, node->node);
  } else if (auto *frame = std::get_if<StartTask>(&task)) {
    startFrame(frame->frame);
  } else if (auto *done = std::get_if<DoneTask>(&task)) {
    frameDone(done->frame);
  } else if (auto *control = std::get_if<ControlWaiter>(&task)) {
    control->control->cellReady(control->tag);
  } else {
    auto &[cell, value] = std::get<std::pair<CellRef, Value>>(task);
    set(cell, std::move(value));
  }
}

/// What a task queues runs next and in order: the run goes through the program
/// depth first, so that a recursion without end meets its limit at the first
/// call that is too deep, not at two to the thousandth.
void Machine::schedule() {
  std::move(fresh.rbegin(), fresh.rend(), std::back_inserter(stack));
  fresh.clear();
}

void Machine::drain() {
  schedule();
  for (size_t i = 0; i < tasksPerTurn && !stack.empty(); ++i) {
    Task task = std::move(stack.back());
    stack.pop_back();
    runTask(task);
    schedule();
  }
}

Result<std::optional<Value>> Machine::run(const plan::Function &function,
                                          std::vector<Value> arguments) {
  rootScope = std::make_shared<Scope>();
  std::vector<CellRef> inputs;
  for (Value &argument : arguments)
    inputs.push_back(readyCell(std::move(argument)));
  FrameRef root = makeFrame(function.graph, nullptr, 0, 0, std::move(inputs));
  CellRef result =
      function.result ? root->values[root->graph->yield[0]] : CellRef();
  start(root);
  while (true) {
    drain();
    if (deadline && std::chrono::steady_clock::now() > *deadline)
      return Error{"run took longer than " +
                   printFloat(*options.timeoutSeconds) + " s (--timeout)"};
    if (!stack.empty()) {
      if (!calls.empty())
        model.wait();
      continue;
    }
    if (settle() || runEffect() || !fresh.empty())
      continue;
    if (rootScope->dead)
      return Error{describe(*rootScope->failure)};
    if (calls.empty())
      break;
    if (!model.wait())
      return Error{"model ended without a reply"};
  }
  if (!frames.empty() || (result && !result->ready))
    return Error{"plan stopped without a result"};
  return result ? std::optional<Value>(result->value) : std::nullopt;
}

} // namespace sgl::exec
