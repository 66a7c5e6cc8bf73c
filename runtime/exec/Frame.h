// The moving parts of a run: cells, frames and what waits for them.
//
// A cell is a value that may not be there yet. A frame is one activation of a
// graph: a vector of cells, its inputs shared with whoever passed them. A node
// runs when the cells that it needs are ready. All of this lives on one thread.
#pragma once

#include "ir/plan/Plan.h"

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sgl::exec {

struct Cell;
struct Frame;
struct Scope;
class Control;
using CellRef = std::shared_ptr<Cell>;
using FrameRef = std::shared_ptr<Frame>;
using ScopeRef = std::shared_ptr<Scope>;
using ControlRef = std::shared_ptr<Control>;

/// A node that lacks one operand less.
struct NodeWaiter {
  FrameRef frame;
  uint32_t node = 0;
};
/// A control node that asked to be told; `tag` is its own.
struct ControlWaiter {
  ControlRef control;
  uint64_t tag = 0;
};
/// Who is told when a cell is ready; a CellRef takes its value.
using Waiter = std::variant<NodeWaiter, CellRef, ControlWaiter>;

struct Cell {
  bool ready = false;
  Value value;
  std::vector<Waiter> waiters;
};

inline CellRef readyCell(Value value) {
  auto cell = std::make_shared<Cell>();
  cell->ready = true;
  cell->value = std::move(value);
  return cell;
}

/// Program order: node, pass, node, pass, … from the run's first graph on.
/// Compared element by element.
using Path = std::vector<uint32_t>;

struct Failure {
  Path path;
  std::string message; ///< without the place
  plan::At at;
  bool fatal = false; ///< no retry catches it
};

/// What a failure ends: the run, or one try of a retry.
struct Scope {
  ScopeRef parent;
  ControlRef owner;               ///< the retry; null for the run
  std::optional<Failure> failure; ///< the first in program order so far
  bool dead = false;
  uint32_t depth = 0;
};

struct Frame {
  const plan::Graph *graph = nullptr;
  /// Index of each node's first result.
  const std::vector<uint32_t> *firstResult = nullptr;
  FrameRef parent;
  uint32_t node = 0, pass = 0; ///< where it stands in its parent
  ScopeRef scope;
  ControlRef owner;   ///< told when it is done; null: the parent's node is
  uint64_t place = 0; ///< hash, see DrawKey.h
  uint64_t heat = 0;  ///< hash of the tries around it; 0: all are first tries
  uint32_t calls = 0; ///< calls around it
  std::vector<CellRef> values;
  std::vector<uint32_t> missing; ///< for each node: operands not ready
  uint32_t remaining = 0;        ///< nodes not done

  const plan::Node &nodeAt(uint32_t index) const { return graph->nodes[index]; }
  const CellRef &operand(const plan::Node &n, size_t i) const {
    return values[n.in[i]];
  }
  const CellRef &result(uint32_t index, uint32_t i) const {
    return values[(*firstResult)[index] + i];
  }
};

/// The path of a node of `frame`.
Path pathOf(const Frame &frame, uint32_t node);
/// Is `scope` `outer` or inside it?
bool within(const Scope *scope, const Scope *outer);

} // namespace sgl::exec
