// The executor's face: admission of a plan, one run. See Executor.h.

#include "runtime/exec/Executor.h"
#include "ir/constraint/Regex.h"
#include "runtime/exec/CallOptions.h"
#include "runtime/exec/Machine.h"

#include <algorithm>

namespace sgl {

using plan::Op;

namespace {

/// The first node of a graph that this runtime cannot run yet.
Status admitNode(const plan::Node &node) {
  if (node.op == Op::Tool)
    return Error{"tool `" + node.name +
                 "` is not bound: tools are not supported yet"};
  if (node.op == Op::Attach)
    return Error{"images and videos are not supported yet"};
  if (node.gen)
    return exec::admitOptions(node.gen->options);
  if (node.select)
    return exec::admitOptions(node.select->options);
  return Done{};
}

Status admitGraph(const plan::Plan &plan, const plan::Graph &graph) {
  for (const plan::Node &node : graph.nodes) {
    if (Status status = admitNode(node); !status) {
      std::string place = placeText(plan, node.at);
      return Error{(place.empty() ? "" : place + ": ") +
                   status.error().message};
    }
    for (const plan::Graph &region : node.regions)
      if (Status status = admitGraph(plan, region); !status)
        return status;
  }
  return Done{};
}

} // namespace

std::string placeText(const plan::Plan &plan, plan::At at) {
  if (at.file >= plan.files.size())
    return "";
  const plan::SourceName &file = plan.files[at.file];
  auto next =
      std::upper_bound(file.lineStarts.begin(), file.lineStarts.end(), at.byte);
  if (next == file.lineStarts.begin())
    return file.path;
  size_t line = size_t(next - file.lineStarts.begin());
  return file.path + ":" + std::to_string(line) + ":" +
         std::to_string(at.byte - *(next - 1) + 1);
}

Executor::Executor(const plan::Plan &plan, Model &model, RunOptions options)
    : plan(plan), model(model), options(std::move(options)) {
  useRegexForTypes();
}

Status Executor::admit() {
  for (const plan::Function &function : plan.functions)
    if (Status status = admitGraph(plan, function.graph); !status)
      return status;
  return model.admit(plan);
}

Result<std::optional<Value>> Executor::run(const plan::Function &function,
                                           std::vector<Value> arguments) {
  assert(arguments.size() == function.params.size() &&
         "one argument for each parameter");
  return exec::Machine(plan, model, options)
      .run(function, std::move(arguments));
}

} // namespace sgl
