// Control nodes: if and call open one frame, for, while and map many, retry one
// for each try.
//
// A control hands cells on as they are: a frame's inputs may still be pending,
// so a loop's next pass starts as soon as the one before has started, and
// independent calls of different passes overlap.

#include "runtime/exec/DrawKey.h"
#include "runtime/exec/Machine.h"

namespace sgl::exec {

using plan::Node;
using plan::Op;

namespace {

constexpr uint32_t maxCalls = 1000;
/// Folded behind the place where a pass would be: the `else` of a retry.
constexpr uint32_t elsePass = UINT32_MAX;

/// What all controls share: the node, and handing results on.
class NodeControl : public Control,
                    public std::enable_shared_from_this<NodeControl> {
public:
  NodeControl(Machine &machine, FrameRef frame, uint32_t index)
      : machine(machine), frame(std::move(frame)), index(index) {}

  void drop() override { frame.reset(); }

protected:
  const Node &node() const { return frame->nodeAt(index); }
  bool over() const { return !frame || frame->scope->dead; }

  /// The operands from `first` on, behind `front`.
  std::vector<CellRef> inputs(std::vector<CellRef> front, size_t first) const {
    for (size_t i = first; i < node().in.size(); ++i)
      front.push_back(frame->operand(node(), i));
    return front;
  }

  FrameRef open(const plan::Graph &graph, uint32_t pass,
                std::vector<CellRef> in) {
    FrameRef child =
        machine.makeFrame(graph, frame, index, pass, std::move(in));
    child->owner = shared_from_this();
    child->place = foldPlace(foldPlace(frame->place, std::span(node().place)),
                             uint64_t(pass));
    return child;
  }

  void linkResults(const std::vector<CellRef> &cells) {
    for (uint32_t i = 0; i < cells.size(); ++i)
      machine.link(cells[i], frame->result(index, i));
  }

  void done() {
    FrameRef last = std::move(frame);
    machine.finish(*last);
  }

  Machine &machine;
  FrameRef frame;
  uint32_t index;
};

std::vector<CellRef> yields(const Frame &frame) {
  std::vector<CellRef> cells;
  for (plan::ValueId id : frame.graph->yield)
    cells.push_back(frame.values[id]);
  return cells;
}

class ForLoop final : public NodeControl {
public:
  using NodeControl::NodeControl;

  void begin() {
    const Node &n = node();
    list = frame->operand(n, 0)->value;
    if (!list.asList()) {
      machine.fail(*frame, index, "`for` needs a list");
      return drop();
    }
    for (uint32_t i = 0; i < n.carried; ++i)
      carried.push_back(frame->operand(n, 1 + i));
    advance();
  }

  void frameDone(Frame &) override {
    if (over())
      return;
    --unfinished;
    advance();
  }
  void drop() override {
    carried.clear();
    NodeControl::drop();
  }

private:
  void advance() {
    const Node &n = node();
    const ListData &items = *list.asList();
    while (next < items.size() && unfinished < machine.window()) {
      std::vector<CellRef> front = {readyCell(items[next]),
                                    readyCell(Value::integer(int64_t(next)))};
      front.insert(front.end(), carried.begin(), carried.end());
      FrameRef pass = open(n.regions[0], uint32_t(next),
                           inputs(std::move(front), 1 + n.carried));
      carried = yields(*pass);
      ++next;
      ++unfinished;
      machine.start(std::move(pass));
    }
    if (next < items.size() || unfinished)
      return linkOnce();
    linkOnce();
    done();
  }
  /// The results are those of the last pass, as soon as it is open.
  void linkOnce() {
    if (linked || next < list.asList()->size())
      return;
    linked = true;
    linkResults(carried);
    carried.clear();
  }

  Value list;
  std::vector<CellRef> carried;
  size_t next = 0;
  uint32_t unfinished = 0;
  bool linked = false;
};

class WhileLoop final : public NodeControl {
public:
  using NodeControl::NodeControl;

  void begin() {
    for (uint32_t i = 0; i < node().carried; ++i)
      carried.push_back(frame->operand(node(), i));
    test();
  }

  void cellReady(uint64_t) override {
    if (over())
      return;
    Value value = condition->value;
    condition.reset();
    if (!value.asBool()) {
      machine.fail(*frame, index, "condition is not a bool");
      return drop();
    }
    if (!*value.asBool()) {
      ended = true;
      linkResults(carried);
      carried.clear();
      return finishIfDone();
    }
    FrameRef body = open(node().regions[1], pass, inputs(carried));
    carried = yields(*body);
    ++pass;
    ++unfinished;
    machine.start(std::move(body));
    test();
  }

  void frameDone(Frame &) override {
    if (over())
      return;
    --unfinished;
    test();
    finishIfDone();
  }
  void drop() override {
    carried.clear();
    condition.reset();
    NodeControl::drop();
  }

private:
  std::vector<CellRef> inputs(std::vector<CellRef> front) const {
    return NodeControl::inputs(std::move(front), node().carried);
  }
  void test() {
    if (ended || condition || unfinished >= machine.window())
      return;
    if (pass == UINT32_MAX) {
      machine.fail(*frame, index, "loop runs too long");
      return drop();
    }
    FrameRef tested = open(node().regions[0], pass, inputs(carried));
    condition = yields(*tested)[0];
    ++unfinished;
    machine.wait(condition, shared_from_this(), 0);
    machine.start(std::move(tested));
  }
  void finishIfDone() {
    if (frame && ended && unfinished == 0)
      done();
  }

  std::vector<CellRef> carried;
  CellRef condition; ///< of the pass being tested
  uint32_t pass = 0, unfinished = 0;
  bool ended = false;
};

class MapFork final : public NodeControl {
public:
  using NodeControl::NodeControl;

  void begin() {
    list = frame->operand(node(), 0)->value;
    if (!list.asList()) {
      machine.fail(*frame, index, "`fork` needs a list");
      return drop();
    }
    columns.resize(node().outs);
    missing = list.asList()->size() * columns.size();
    for (auto &column : columns)
      column.reserve(list.asList()->size());
    if (missing == 0)
      setResults();
    advance();
  }

  void cellReady(uint64_t) override {
    if (over() || --missing != 0)
      return;
    setResults();
    finishIfDone();
  }
  void frameDone(Frame &) override {
    if (over())
      return;
    --unfinished;
    advance();
  }
  void drop() override {
    columns.clear();
    NodeControl::drop();
  }

private:
  void advance() {
    const ListData &items = *list.asList();
    while (next < items.size() && unfinished < machine.window()) {
      FrameRef branch = open(node().regions[0], uint32_t(next),
                             inputs({readyCell(items[next]),
                                     readyCell(Value::integer(int64_t(next)))},
                                    1));
      std::vector<CellRef> cells = yields(*branch);
      for (size_t i = 0; i < cells.size(); ++i) {
        columns[i].push_back(cells[i]);
        machine.wait(cells[i], shared_from_this(), 0);
      }
      ++next;
      ++unfinished;
      machine.start(std::move(branch));
    }
    finishIfDone();
  }
  void setResults() {
    for (uint32_t i = 0; i < columns.size(); ++i) {
      ListData values;
      for (const CellRef &cell : columns[i])
        values.push_back(cell->value);
      machine.set(frame->result(index, i), Value::list(std::move(values)));
    }
    columns.clear();
    ready = true;
  }
  void finishIfDone() {
    if (frame && ready && unfinished == 0 && next == list.asList()->size())
      done();
  }

  Value list;
  std::vector<std::vector<CellRef>> columns; ///< for each yield, its cells
  size_t next = 0, missing = 0;
  uint32_t unfinished = 0;
  bool ready = false;
};

class RetryTries final : public NodeControl {
public:
  using NodeControl::NodeControl;

  void begin() {
    const int64_t *count = frame->operand(node(), 0)->value.asInt();
    if (!count || *count < 1) {
      machine.fail(*frame, index, "`retry` needs a number of tries from 1");
      return drop();
    }
    tries = uint64_t(*count);
    attempt();
  }

  void frameDone(Frame &) override {
    if (over())
      return;
    if (current) {
      linkResults(current->yield);
      current->scope->owner.reset();
      current.reset();
    }
    done();
  }

  void scopeFailed(const Failure &failure) override {
    if (over())
      return;
    current.reset();
    last = failure;
    if (failure.fatal)
      return raise();
    if (++attempts < tries)
      return attempt();
    if (node().regions.size() == 1)
      return raise();
    FrameRef other = open(node().regions[1], elsePass,
                          inputs({readyCell(Value::text(last->message))}, 1));
    linkResults(yields(*other));
    machine.start(std::move(other));
  }
  void drop() override {
    current.reset();
    NodeControl::drop();
  }

private:
  struct Try {
    ScopeRef scope;
    std::vector<CellRef> yield;
  };

  void attempt() {
    auto scope = std::make_shared<Scope>();
    scope->parent = frame->scope;
    scope->depth = frame->scope->depth + 1;
    scope->owner = shared_from_this();
    Value why = last ? Value::text(last->message) : Value::null();
    FrameRef body = open(
        node().regions[0], uint32_t(attempts),
        inputs({readyCell(Value::integer(int64_t(attempts))), readyCell(why)},
               1));
    body->scope = scope;
    if (attempts)
      body->heat = foldPlace(frame->heat, attempts);
    current = Try{scope, yields(*body)};
    machine.start(std::move(body));
  }
  /// The last failure goes on outwards, at the place where it happened.
  void raise() {
    ScopeRef outer = frame->scope;
    machine.fail(outer, *last);
    drop();
  }

  uint64_t tries = 1, attempts = 0;
  std::optional<Try> current;
  std::optional<Failure> last;
};

void runIf(Machine &machine, const FrameRef &frame, uint32_t index) {
  const Node &node = frame->nodeAt(index);
  const bool *condition = frame->operand(node, 0)->value.asBool();
  if (!condition)
    return machine.fail(*frame, index, "condition is not a bool");
  std::vector<CellRef> inputs;
  for (size_t i = 1; i < node.in.size(); ++i)
    inputs.push_back(frame->operand(node, i));
  FrameRef branch = machine.makeFrame(node.regions[*condition ? 0 : 1], frame,
                                      index, 0, std::move(inputs));
  std::vector<CellRef> cells = yields(*branch);
  for (uint32_t i = 0; i < cells.size(); ++i)
    machine.link(cells[i], frame->result(index, i));
  machine.start(std::move(branch));
}

void runCall(Machine &machine, const FrameRef &frame, uint32_t index) {
  const Node &node = frame->nodeAt(index);
  const plan::Function &callee = machine.plan.functions[node.function];
  if (frame->calls >= maxCalls)
    return machine.fail(*frame, index,
                        "calls nest deeper than 1,000: does the recursion of "
                        "`" +
                            callee.name + "` end?");
  if (machine.isCrowded())
    return machine.fail(*frame, index,
                        "too many calls are open at once: does the recursion "
                        "of `" +
                            callee.name + "` end?",
                        true);
  std::vector<CellRef> inputs;
  for (size_t i = 0; i < node.in.size(); ++i)
    inputs.push_back(frame->operand(node, i));
  FrameRef body =
      machine.makeFrame(callee.graph, frame, index, 0, std::move(inputs));
  body->place = foldPlace(frame->place, std::span(node.place));
  body->calls = frame->calls + 1;
  std::vector<CellRef> cells = yields(*body);
  for (uint32_t i = 0; i < cells.size(); ++i)
    machine.link(cells[i], frame->result(index, i));
  machine.start(std::move(body));
}

template <typename C>
void openControl(Machine &machine, const FrameRef &frame, uint32_t index) {
  std::make_shared<C>(machine, frame, index)->begin();
}

} // namespace

void runControl(Machine &machine, const FrameRef &frame, uint32_t index) {
  switch (frame->nodeAt(index).op) {
  case Op::If:
    return runIf(machine, frame, index);
  case Op::Call:
    return runCall(machine, frame, index);
  case Op::For:
    return openControl<ForLoop>(machine, frame, index);
  case Op::While:
    return openControl<WhileLoop>(machine, frame, index);
  case Op::Map:
    return openControl<MapFork>(machine, frame, index);
  case Op::Retry:
    return openControl<RetryTries>(machine, frame, index);
  default:
    assert(false && "a control node");
  }
}

} // namespace sgl::exec
