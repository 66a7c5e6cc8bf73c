// The state of one run: tasks, calls in flight, failures.
//
// Internal to the executor. Controls (Control.h) and calls (Calls.cpp) work
// through the methods here. Nothing recurses: a ready cell queues its waiters
// as tasks.
#pragma once

#include "runtime/exec/Executor.h"
#include "runtime/exec/Frame.h"

#include <chrono>
#include <map>
#include <set>
#include <unordered_map>

namespace sgl::exec {

/// A control node at work: it opens frames and is told how they fare.
class Control {
public:
  virtual ~Control() = default;
  /// A frame opened by it has done all it started.
  virtual void frameDone(Frame &frame) {}
  /// A cell it waits for is ready.
  virtual void cellReady(uint64_t tag) {}
  /// The scope it owns has failed.
  virtual void scopeFailed(const Failure &failure) {}
  /// Lets go of cells and frames; the run or the try around it is over.
  virtual void drop() {}
};

class Machine {
public:
  Machine(const plan::Plan &plan, Model &model, const RunOptions &options);
  ~Machine();

  Result<std::optional<Value>> run(const plan::Function &function,
                                   std::vector<Value> arguments);

  // For controls and calls.
  /// A frame of `graph` below `node` of `parent`, with its cells; it runs once
  /// it is started.
  FrameRef makeFrame(const plan::Graph &graph, const FrameRef &parent,
                     uint32_t node, uint32_t pass, std::vector<CellRef> inputs);
  void start(FrameRef frame);
  void set(const CellRef &cell, Value value);
  /// `to` takes the value of `from` when it is ready.
  void link(const CellRef &from, const CellRef &to);
  void wait(const CellRef &cell, ControlRef control, uint64_t tag);
  void fail(const Frame &frame, uint32_t node, std::string message,
            bool fatal = false);
  void fail(const ScopeRef &scope, Failure failure);
  /// The node has done its work.
  void finish(Frame &frame);
  /// Ends everything inside `scope`: calls are cancelled, frames dropped.
  void tearDown(const Scope &scope);
  /// How many passes of a loop or branches of a fork may be open at once.
  uint32_t window() const;
  /// Are there too many open frames for another call?
  bool isCrowded() const;

  const plan::Plan &plan;
  const RunOptions &options;

private:
  struct StartTask {
    FrameRef frame;
  };
  struct DoneTask {
    FrameRef frame;
  };
  using Task = std::variant<StartTask, NodeWaiter, DoneTask, ControlWaiter,
                            std::pair<CellRef, Value>>;

  struct Call {
    FrameRef frame;
    uint32_t node = 0;
    Path path;
    Model::CallId id = 0;
  };
  using CallKey = uint64_t;

  // Machine.cpp
  void drain();
  void schedule();
  void runTask(Task &task);
  void startFrame(const FrameRef &frame);
  void runNode(const FrameRef &frame, uint32_t node);
  void frameDone(const FrameRef &frame);
  bool isDead(const Frame &frame, uint32_t node) const;
  const std::vector<uint32_t> &firstResults(const plan::Graph &graph);
  uint32_t needed(const plan::Node &node) const;
  // Failures.cpp
  bool settle();
  bool anyCallBefore(const Path &path) const;
  void cancelBehind(const Scope &scope, const Path &path);
  bool runEffect();
  Result<Value> performEffect(const plan::Node &node, const Value &argument);
  std::string describe(const Failure &failure) const;
  // Calls.cpp
  void submitGen(const FrameRef &frame, uint32_t node);
  void submitSelect(const FrameRef &frame, uint32_t node);
  void keepCall(CallKey key, const FrameRef &frame, uint32_t node, Path path,
                Model::CallId id);
  std::optional<Call> takeCall(CallKey key);
  void finishGen(CallKey key, const GenRequest &request, GenReply reply);
  void finishSelect(CallKey key, const SelectRequest &request,
                    SelectReply reply);
  void warnCut(const plan::Node &node, uint32_t tokens);

  Model &model;
  std::vector<Task> stack; ///< the last is next
  std::vector<Task> fresh; ///< queued by the task that runs, in order
  std::unordered_map<Frame *, FrameRef> frames; ///< not done
  std::unordered_map<const plan::Graph *, std::vector<uint32_t>> graphs;
  std::map<CallKey, Call> calls;
  CallKey nextCall = 1;
  std::map<Path, NodeWaiter> effects; ///< ready, not performed
  std::vector<ScopeRef> failing;
  std::set<std::pair<uint32_t, uint32_t>> warned;
  ScopeRef rootScope;
  std::optional<std::chrono::steady_clock::time_point> deadline;
};

/// Opens the control node `node` of `frame`, whose needed operands are ready.
void runControl(Machine &machine, const FrameRef &frame, uint32_t node);

/// Nodes that compute: values (NodesValue.cpp) and prompts (NodesPrompt.cpp).
Result<Value> evaluateValue(const plan::Plan &plan, const plan::Node &node,
                            const std::vector<Value> &in);
Result<Value> evaluatePrompt(const plan::Plan &plan, Model &model,
                             const plan::Node &node,
                             const std::vector<Value> &in);
bool isPromptNode(plan::Op op);

/// The prompt of a state value.
PromptRef promptOf(const Value &state);

} // namespace sgl::exec
