// What every plan must keep before it runs. See Validate.h.

#include "ir/plan/Validate.h"
#include "ir/plan/OpTable.h"
#include "ir/plan/Options.h"
#include "ir/value/Builtins.h"

#include <algorithm>
#include <set>

namespace sgl::plan {

bool isGenOption(std::string_view name) {
  static const std::set<std::string_view> names = {"max_tokens",
                                                   "min_tokens",
                                                   "stop",
                                                   "stop_regex",
                                                   "regex",
                                                   "json",
                                                   "grammar",
                                                   "whitespace",
                                                   "lenient",
                                                   "decode",
                                                   "temperature",
                                                   "top_p",
                                                   "top_k",
                                                   "min_p",
                                                   "frequency_penalty",
                                                   "presence_penalty",
                                                   "repetition_penalty",
                                                   "logit_bias",
                                                   "seed",
                                                   "heal",
                                                   "logprobs",
                                                   "keep_stop",
                                                   "timeout",
                                                   "stream"};
  return names.count(name) != 0;
}

bool isSelectOption(std::string_view name) {
  static const std::set<std::string_view> names = {"method", "weights", "heal",
                                                   "timeout", "seed"};
  return names.count(name) != 0;
}

namespace {

constexpr uint32_t maxGraphDepth = 256;
constexpr uint64_t maxNodes = uint64_t(1) << 20;
constexpr uint64_t maxValues = uint64_t(1) << 24;

class Validator {
public:
  explicit Validator(const Plan &plan) : plan(plan) {}

  Status run() {
    if (!checkHeader() || !checkFunctions())
      return Error{path + ": " + message};
    return Done{};
  }

private:
  bool fail(std::string text) {
    message = std::move(text);
    return false;
  }
  /// Runs `check` with `step` put behind the path, kept where it fails.
  template <typename Check>
  bool inside(const std::string &step, Check check) {
    size_t length = path.size();
    path += step;
    if (!check())
      return false;
    path.resize(length);
    return true;
  }
  static std::string indexed(std::string_view name, size_t index) {
    return std::string(name) + "[" + std::to_string(index) + "]";
  }

  bool checkHeader() {
    static const std::set<std::string_view> known = {"tool", "print", "ask",
                                                     "read_file"};
    for (size_t i = 0; i < plan.needs.size(); ++i)
      if (!inside(indexed("needs", i), [&] {
            return fail("this program does not know \"" +
                        plan.needs[i].substr(0, 60) +
                        "\"; a newer one is needed");
          }))
        return false;
    for (size_t i = 0; i < plan.effects.size(); ++i)
      if (!inside(indexed("effects", i), [&] {
            return known.count(plan.effects[i]) ||
                   fail("unknown effect \"" + plan.effects[i].substr(0, 60) +
                        "\"");
          }))
        return false;
    for (size_t i = 0; i < plan.files.size(); ++i)
      if (!inside(indexed("files", i), [&] {
            return std::is_sorted(plan.files[i].lineStarts.begin(),
                                  plan.files[i].lineStarts.end()) ||
                   fail("line starts must ascend");
          }))
        return false;
    return true;
  }

  bool checkType(TypeId type) {
    return type < plan.types.size() ||
           fail("there is no type " + std::to_string(type));
  }
  bool checkText(TextId text) {
    return text < plan.texts.size() ||
           fail("there is no text " + std::to_string(text));
  }

  bool checkFunctions() {
    std::set<std::string_view> names;
    for (size_t i = 0; i < plan.functions.size(); ++i) {
      const Function &function = plan.functions[i];
      if (!inside(indexed("functions", i), [&] {
            if (function.name.empty())
              return fail("a function has a name");
            if (!names.insert(function.name).second)
              return fail("two functions are called \"" + function.name + "\"");
            return checkFunction(function);
          }))
        return false;
    }
    return true;
  }

  bool checkFunction(const Function &function) {
    std::set<std::string_view> names;
    for (const Param &param : function.params) {
      if (!checkType(param.type))
        return false;
      if (!names.insert(param.name).second)
        return fail("two parameters are called \"" + param.name + "\"");
    }
    if (function.result && !checkType(*function.result))
      return false;
    const Graph &graph = function.graph;
    if (graph.inputs != function.params.size())
      return fail("the graph has " + std::to_string(graph.inputs) +
                  " inputs for " + std::to_string(function.params.size()) +
                  " parameters");
    if (function.result && graph.yield.empty())
      return fail("the graph yields no result");
    return inside(".graph", [&] { return checkGraph(graph, 0); });
  }

  bool checkGraph(const Graph &graph, uint32_t depth) {
    if (depth > maxGraphDepth)
      return fail("regions nest deeper than " + std::to_string(maxGraphDepth));
    uint64_t values = graph.inputs;
    if (values > maxValues)
      return fail("a graph has more than " + std::to_string(maxValues) +
                  " values");
    for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
      const Node &node = graph.nodes[i];
      if (++nodes > maxNodes)
        return fail("a plan has more than " + std::to_string(maxNodes) +
                    " nodes");
      if (!inside(indexed(".nodes", i),
                  [&] { return checkNode(node, i, values, depth); }))
        return false;
      values += node.outs;
      if (values > maxValues)
        return fail("a graph has more than " + std::to_string(maxValues) +
                    " values");
    }
    for (ValueId id : graph.yield)
      if (id >= values)
        return fail("yields value " + std::to_string(id) + " of " +
                    std::to_string(values));
    return true;
  }

  bool checkNode(const Node &node, uint32_t index, uint64_t values,
                 uint32_t depth) {
    const OpInfo &op = info(node.op);
    for (ValueId id : node.in)
      if (id >= values)
        return fail(std::string(op.name) + " reads value " +
                    std::to_string(id) + ", which is not made before it");
    for (uint32_t before : node.after)
      if (before >= index)
        return fail("runs after node " + std::to_string(before) +
                    ", which is not before it");
    if (node.in.size() < op.minIn || node.in.size() > op.maxIn)
      return fail(std::string(op.name) + " has " +
                  std::to_string(node.in.size()) + " operands");
    if (op.outs != OpInfo::any && node.outs != op.outs)
      return fail(std::string(op.name) + " has " + std::to_string(op.outs) +
                  " results");
    if (node.regions.size() < op.minRegions ||
        node.regions.size() > op.maxRegions)
      return fail(std::string(op.name) + " has " +
                  std::to_string(node.regions.size()) + " regions");
    if (!plan.files.empty() && node.at.file >= plan.files.size())
      return fail("there is no file " + std::to_string(node.at.file));
    if (op.has(Part::Place) && node.place.empty())
      return fail(std::string(op.name) + " has no place");
    return checkParts(node, op) && checkRegions(node, depth);
  }

  bool checkParts(const Node &node, const OpInfo &op) {
    if (op.has(Part::Text) && !checkText(node.text))
      return false;
    if (op.has(Part::Type) && !checkType(node.type))
      return false;
    switch (node.op) {
    case Op::Builtin:
      return checkBuiltin(node);
    case Op::Unary:
      return checkName(node, {"not", "neg"});
    case Op::Binary:
      return checkName(node, {"add", "sub", "mul", "div", "mod", "eq", "ne",
                              "lt", "le", "gt", "ge", "in", "and", "or"});
    case Op::Fail:
      return checkName(node, {"expect", "error"});
    case Op::Inspect:
      return checkName(node, {"text", "messages", "tokens"});
    case Op::Record: {
      const Type *type = plan.types[node.type];
      if (!type->is(TypeKind::Record))
        return fail("record of a type that is none");
      return type->record->fields.size() == node.in.size() ||
             fail("record has " + std::to_string(node.in.size()) +
                  " operands for " +
                  std::to_string(type->record->fields.size()) + " fields");
    }
    case Op::Dict:
      return node.in.size() % 2 == 0 || fail("dict has a key without a value");
    case Op::Gen:
      return checkGen(node);
    case Op::Select:
      return checkSelect(node);
    case Op::Call:
      return checkCall(node);
    case Op::Tool:
    case Op::Print:
    case Op::Ask:
    case Op::ReadFile:
      return std::count(plan.effects.begin(), plan.effects.end(), op.name) ||
             fail("effect \"" + std::string(op.name) + "\" is not declared");
    default:
      return true;
    }
  }

  bool checkName(const Node &node,
                 std::initializer_list<std::string_view> names) {
    return std::count(names.begin(), names.end(), node.name) ||
           fail("unknown name \"" + node.name.substr(0, 60) + "\"");
  }

  bool checkBuiltin(const Node &node) {
    const Builtin *builtin = findBuiltin(node.name);
    if (!builtin)
      return fail("unknown built-in \"" + node.name.substr(0, 60) + "\"");
    return (node.in.size() >= builtin->minArgs &&
            node.in.size() <= builtin->maxArgs) ||
           fail(node.name + " has " + std::to_string(node.in.size()) +
                " arguments");
  }

  bool checkOptions(const Node &node, const std::vector<Option> &options,
                    bool (*known)(std::string_view)) {
    std::set<std::string_view> seen;
    for (const Option &option : options) {
      if (!known(option.name))
        return fail("unknown option \"" + option.name.substr(0, 60) + "\"");
      if (!seen.insert(option.name).second)
        return fail("option \"" + option.name + "\" appears twice");
      if (!option.value &&
          (option.operand == 0 || option.operand >= node.in.size()))
        return fail("option \"" + option.name + "\" reads operand " +
                    std::to_string(option.operand) + " of " +
                    std::to_string(node.in.size()));
    }
    return true;
  }

  bool checkGen(const Node &node) {
    if (!node.gen)
      return fail("gen has no description");
    const GenSpec &gen = *node.gen;
    if (gen.constraint && *gen.constraint >= plan.constraints.size())
      return fail("there is no constraint " + std::to_string(*gen.constraint));
    if (gen.constraint &&
        plan.constraints[*gen.constraint].automaton->isEmpty())
      return fail("constraint " + std::to_string(*gen.constraint) +
                  " accepts nothing");
    return checkType(gen.type) && (!gen.forced || checkText(*gen.forced)) &&
           (gen.follow.kind != Follow::Kind::Text ||
            checkText(gen.follow.text)) &&
           checkOptions(node, gen.options, isGenOption);
  }

  bool checkSelect(const Node &node) {
    if (!node.select)
      return fail("select has no description");
    const SelectSpec &select = *node.select;
    if (select.choices.empty() && node.in.size() < 2)
      return fail("select has neither choices nor a list of them");
    std::set<TextId> seen;
    for (TextId choice : select.choices) {
      if (!checkText(choice))
        return false;
      if (!seen.insert(choice).second)
        return fail("choice " + std::to_string(choice) + " appears twice");
    }
    return checkType(select.type) &&
           checkOptions(node, select.options, isSelectOption);
  }

  bool checkCall(const Node &node) {
    if (node.function >= plan.functions.size())
      return fail("there is no function " + std::to_string(node.function));
    const Function &callee = plan.functions[node.function];
    if (node.in.size() != callee.params.size())
      return fail("call of " + callee.name + " has " +
                  std::to_string(node.in.size()) + " operands for " +
                  std::to_string(callee.params.size()) + " parameters");
    return node.outs == callee.graph.yield.size() ||
           fail("call of " + callee.name + " has " + std::to_string(node.outs) +
                " results for " + std::to_string(callee.graph.yield.size()));
  }

  bool checkRegion(const Node &node, size_t index, uint64_t inputs,
                   uint64_t yields, uint32_t depth) {
    return inside(indexed(".regions", index), [&] {
      const Graph &region = node.regions[index];
      if (region.inputs != inputs)
        return fail("has " + std::to_string(region.inputs) + " inputs, not " +
                    std::to_string(inputs));
      if (region.yield.size() != yields)
        return fail("yields " + std::to_string(region.yield.size()) +
                    " values, not " + std::to_string(yields));
      return checkGraph(region, depth + 1);
    });
  }

  bool checkRegions(const Node &node, uint32_t depth) {
    uint64_t in = node.in.size();
    auto region = [&](size_t index, uint64_t inputs, uint64_t yields) {
      return checkRegion(node, index, inputs, yields, depth);
    };
    switch (node.op) {
    case Op::If:
      return region(0, in - 1, node.outs) && region(1, in - 1, node.outs);
    case Op::For:
      return checkCarried(node, in - 1) && region(0, in + 1, node.outs);
    case Op::While:
      return checkCarried(node, in) && region(0, in, 1) &&
             region(1, in, node.outs);
    case Op::Map:
      return region(0, in + 1, node.outs);
    case Op::Retry:
      return region(0, in + 1, node.outs) &&
             (node.regions.size() == 1 || region(1, in, node.outs));
    default:
      return true;
    }
  }

  bool checkCarried(const Node &node, uint64_t available) {
    if (node.carried > available)
      return fail("carries " + std::to_string(node.carried) + " of " +
                  std::to_string(available) + " operands");
    return node.outs == node.carried ||
           fail("has " + std::to_string(node.outs) + " results but carries " +
                std::to_string(node.carried));
  }

  const Plan &plan;
  std::string path, message;
  uint64_t nodes = 0;
};

} // namespace

Status validate(const Plan &plan) { return Validator(plan).run(); }

} // namespace sgl::plan
