#include "tests/unit/lower/Compiled.h"

#include "ir/plan/Validate.h"

#include <gtest/gtest.h>

namespace sgl {

std::unique_ptr<Compiled> compileText(std::string source, int level) {
  auto result = std::make_unique<Compiled>();
  uint32_t file = result->sources.add("main.sgl", std::move(source));
  result->program = check(result->sources, file, {}, result->diagnostics);
  for (const Diagnostic &diagnostic : result->diagnostics.all())
    if (diagnostic.severity == Severity::Error)
      ADD_FAILURE() << diagnostic.code << ": " << diagnostic.message;
  if (result->diagnostics.hasErrors())
    return result;
  Lowered lowered(result->program, result->sources);
  std::string log;
  EXPECT_TRUE(lowered.optimise({level, {}}, log)) << log << lowered.print();
  result->ir = lowered.print();
  result->plan = lowered.emit();
  Status status = plan::validate(result->plan);
  EXPECT_TRUE(bool(status)) << status.error().message << "\n" << result->ir;
  return result;
}

static void collect(const plan::Graph &graph, plan::Op op,
                    std::vector<const plan::Node *> &found) {
  for (const plan::Node &node : graph.nodes) {
    if (node.op == op)
      found.push_back(&node);
    for (const plan::Graph &region : node.regions)
      collect(region, op, found);
  }
}

std::vector<const plan::Node *> nodesOf(const plan::Plan &plan, plan::Op op) {
  std::vector<const plan::Node *> found;
  for (const plan::Function &function : plan.functions)
    collect(function.graph, op, found);
  return found;
}

const plan::Node *genNamed(const plan::Plan &plan, const std::string &name) {
  for (const plan::Node *node : nodesOf(plan, plan::Op::Gen))
    if (node->gen->name == name)
      return node;
  ADD_FAILURE() << "no gen is called " << name;
  return nullptr;
}

} // namespace sgl
