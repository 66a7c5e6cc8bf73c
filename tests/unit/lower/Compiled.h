// Compiles a source text to a plan, for the tests of this folder.
#pragma once

#include "compiler/lower/Lower.h"

#include <memory>
#include <string>
#include <vector>

namespace sgl {

/// A program and its plan; trees and types live as long as this.
struct Compiled {
  SourceManager sources;
  Diagnostics diagnostics;
  CheckedProgram program;
  plan::Plan plan;
  std::string ir; ///< of the level asked for
};

/// `source` as the main file "main.sgl", at `level`. Fails the test where the
/// source has an error or the passes fail.
std::unique_ptr<Compiled> compileText(std::string source, int level = 0);

/// All nodes of a kind, in program order, also those inside of regions.
std::vector<const plan::Node *> nodesOf(const plan::Plan &plan, plan::Op op);
/// The plan's one gen of that name.
const plan::Node *genNamed(const plan::Plan &plan, const std::string &name);

} // namespace sgl
