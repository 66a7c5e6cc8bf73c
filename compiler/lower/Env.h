// What each name stands for at a point of the source: SSA by renaming.
//
// An Env is a value. A branch copies it, and where two branches meet, the slots
// that differ become results of the operation that holds them. An exit flag
// that is absent is known to be false.
#pragma once

#include "compiler/lower/EarlyExit.h"

#include "mlir/IR/Value.h"

#include <map>
#include <string>

namespace sgl {

struct Slot {
  enum class Kind : uint8_t {
    Variable, ///< a local, a parameter, a state
    Captured, ///< `s.name`: `id` is s
    Info,     ///< facts of a capture, or of `s.name` where `name` is set
    Flag,     ///< `id` is an Exit: has it been taken?
    Given,    ///< `id` is an Exit: the value of `return` or `join`
    Result,   ///< of an expression that is an `if`
  };
  Kind kind = Kind::Variable;
  uint32_t id = 0;
  std::string name;
  auto operator<=>(const Slot &) const = default;

  static Slot flag(Exit exit) { return {Kind::Flag, uint32_t(exit), ""}; }
  static Slot given(Exit exit) { return {Kind::Given, uint32_t(exit), ""}; }
};

/// In an order that depends on the source alone, so equal sources give equal
/// bytes.
using Env = std::map<Slot, mlir::Value>;

} // namespace sgl
