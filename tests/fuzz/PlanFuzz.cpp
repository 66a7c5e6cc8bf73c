// Plans from outside: whatever the bytes are, reading one refuses it or gives a
// plan that validates, writes canonically, prints, and runs to an end.
//
// The bytes are a plan, or replacements into a small good one, so that the
// fuzzer gets behind the JSON reader at once.
#include "ir/plan/Json.h"
#include "ir/plan/Validate.h"
#include "runtime/exec/Executor.h"
#include "runtime/exec/ScriptedModel.h"

#include <cstdlib>

using namespace sgl;

namespace {

constexpr std::string_view seedPlan =
    R"({"format": "sgl-plan", "version": [1, 0],
"needs": [], "effects": [],
"types": ["state", "str", {"kind": "int", "min": 0, "max": 9}, {"kind": "optional", "of": 1}, {"kind": "record", "name": "R", "fields": [{"name": "a", "type": 1}]}],
"text": ["Tell ", "."],
"constraints": [{"source": "[a-z]", "automaton": "A2AgJhegIB"}],
"functions": [{"name": "main", "entry": true, "params": [{"name": "s", "type": 0}], "result": 1, "graph": {"inputs": 1, "nodes": [
{"op": "extend", "in": [0], "text": 0},
{"op": "gen", "in": [1], "place": [0], "gen": {"name": "x", "type": 1, "constraint": 0, "options": [{"name": "max_tokens", "value": 12}]}},
{"op": "list", "in": [3, 3]},
{"op": "map", "in": [5, 1], "outs": 1, "place": [1], "regions": [{"inputs": 3, "nodes": [{"op": "concat", "in": [0, 1]}], "yield": [3]}]},
{"op": "builtin", "in": [6], "name": "lines"}], "yield": [7, 1]}}],
"files": []})";

/// Two bytes of position and one of length choose what the rest replaces.
std::string mutated(std::string_view bytes) {
  std::string plan(seedPlan);
  size_t at =
      (size_t(uint8_t(bytes[0])) << 8 | uint8_t(bytes[1])) % plan.size();
  return plan.replace(at, uint8_t(bytes[2]), bytes.substr(3));
}

/// Loops for ever are valid plans: those with a `while` are not run, nor those
/// with large ranges.
bool isSafeToRun(const plan::Graph &graph) {
  for (const plan::Node &node : graph.nodes) {
    if (node.op == plan::Op::While || node.op == plan::Op::Call ||
        node.op == plan::Op::ReadFile || node.name == "range")
      return false;
    for (const plan::Graph &region : node.regions)
      if (!isSafeToRun(region))
        return false;
  }
  return true;
}

void check(std::string_view text) {
  Result<plan::Plan> read = plan::readPlan(text);
  if (!read)
    return;
  std::string written = plan::writePlan(*read);
  Result<plan::Plan> again = plan::readPlan(written);
  if (!again || plan::writePlan(*again) != written)
    std::abort();
  (void)plan::showPlan(*again);
  const plan::Function *main = again->find("main");
  if (!main || !isSafeToRun(main->graph))
    return;
  auto model = ScriptedModel::parse(R"({"*": {"hash": true}})");
  Executor executor(*again, **model, {});
  std::vector<Value> arguments(main->params.size(), Value::state(rootPrompt()));
  if (executor.admit())
    (void)executor.run(*main, std::move(arguments));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view bytes(reinterpret_cast<const char *>(data), size);
  check(bytes);
  if (size >= 3)
    check(mutated(bytes));
  return 0;
}
