// `break`, `continue`, early `return` and `join` without jumps.
//
// Regions of the IR have one block, so a jump becomes a flag that is carried
// out of what it leaves, and what follows runs only where no flag is set. The
// functions here say, from the source alone, which jumps a block can make and
// whether it makes one on every path.
#pragma once

#include "compiler/syntax/Ast.h"

#include <cstdint>

namespace sgl {

enum class Exit : uint8_t { Continue, Break, Join, Return };
inline constexpr Exit allExits[] = {Exit::Continue, Exit::Break, Exit::Join,
                                    Exit::Return};

/// A set of jumps.
class Exits {
public:
  bool has(Exit exit) const { return bits >> unsigned(exit) & 1; }
  void add(Exit exit) { bits |= uint8_t(1u << unsigned(exit)); }
  void add(Exits other) { bits |= other.bits; }
  void remove(Exit exit) { bits &= uint8_t(~(1u << unsigned(exit))); }
  bool any() const { return bits; }

private:
  uint8_t bits = 0;
};

/// The jumps that can leave `block`. `inBranch`: it stands in a branch of a
/// fork, which `join` ends.
Exits exitsOf(const ast::Block &block, bool inBranch);
Exits exitsOfStmt(const ast::Stmt &stmt, bool inBranch);
/// Does every path through `block` end in a jump out of it?
bool alwaysExits(const ast::Block &block, bool inBranch);
/// `join fs`: closes states; it ends no branch.
bool closesStates(const ast::Stmt &join, bool inBranch);

} // namespace sgl
