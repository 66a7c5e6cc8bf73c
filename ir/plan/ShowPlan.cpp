// A plan as text for people (`sglc show`). See Json.h.
//
//   fn main(s: state, topic: str) -> str
//     %2 = open %0 "user"
//     %3 = append %2 %1
//     %4, %5, %6 = gen %3 as note: str (max_tokens: 50)
//     yield %5 %4

#include "ir/plan/Json.h"
#include "ir/plan/OpTable.h"

namespace sgl::plan {

namespace {

class Printer {
public:
  explicit Printer(const Plan &plan) : plan(plan) {}

  std::string print() {
    for (size_t i = 0; i < plan.constraints.size(); ++i)
      out += "constraint " + std::to_string(i) + ": " +
             plan.constraints[i].source + " (" +
             std::to_string(plan.constraints[i].automaton->stateCount()) +
             " states)\n";
    for (const Function &function : plan.functions)
      printFunction(function);
    return std::move(out);
  }

private:
  std::string typeName(TypeId type) const { return toString(plan.types[type]); }
  static std::string value(uint32_t id) { return "%" + std::to_string(id); }
  std::string quoted(TextId text) const {
    return toJson(Value::text(plan.texts[text]));
  }

  void printFunction(const Function &function) {
    out += function.entry ? "entry fn " : "fn ";
    out += function.name + "(";
    for (size_t i = 0; i < function.params.size(); ++i) {
      const Param &param = function.params[i];
      out += i ? ", " : "";
      out +=
          value(uint32_t(i)) + " " + param.name + ": " + typeName(param.type);
      if (param.defaultValue)
        out += " = " + toJson(*param.defaultValue);
    }
    out += ")";
    if (function.result)
      out += " -> " + typeName(*function.result);
    out += "\n";
    printGraph(function.graph, 1);
  }

  void printGraph(const Graph &graph, size_t depth) {
    uint32_t next = graph.inputs;
    for (const Node &node : graph.nodes) {
      out.append(2 * depth, ' ');
      for (uint32_t i = 0; i < node.outs; ++i)
        out += (i ? ", " : "") + value(next++);
      out += node.outs ? " = " : "";
      printNode(node);
      out += '\n';
      for (size_t i = 0; i < node.regions.size(); ++i)
        printRegion(node, i, depth + 1);
    }
    out.append(2 * depth, ' ');
    out += "yield";
    for (uint32_t id : graph.yield)
      out += " " + value(id);
    out += '\n';
  }

  void printRegion(const Node &node, size_t index, size_t depth) {
    static const std::pair<Op, std::pair<const char *, const char *>> names[] =
        {{Op::If, {"then", "else"}},
         {Op::While, {"while", "do"}},
         {Op::Retry, {"try", "else"}}};
    const char *name = "each";
    for (const auto &[op, pair] : names)
      if (op == node.op)
        name = index ? pair.second : pair.first;
    out.append(2 * depth - 1, ' ');
    out += name;
    out += "(";
    for (uint32_t i = 0; i < node.regions[index].inputs; ++i)
      out += (i ? " " : "") + value(i);
    out += ")\n";
    printGraph(node.regions[index], depth + 1);
  }

  void printNode(const Node &node) {
    const OpInfo &op = info(node.op);
    out += op.name;
    for (uint32_t id : node.in)
      out += " " + value(id);
    if (op.has(Part::Name))
      out += " " + toJson(Value::text(node.name));
    if (op.has(Part::Text))
      out += " " + quoted(node.text);
    if (op.has(Part::Value))
      out += " " + toJson(node.value);
    if (op.has(Part::Type))
      out += ": " + typeName(node.type);
    if (op.has(Part::Function))
      out += " " + plan.functions[node.function].name;
    if (op.has(Part::Carried))
      out += " carried " + std::to_string(node.carried);
    if (node.gen)
      printGen(*node.gen);
    if (node.select)
      printSelect(*node.select);
    if (op.has(Part::Place)) {
      out += " at ";
      for (size_t i = 0; i < node.place.size(); ++i)
        out += (i ? "." : "") + std::to_string(node.place[i]);
    }
    for (uint32_t before : node.after)
      out += " after #" + std::to_string(before);
    for (const auto &[key, number] : node.hints)
      out += " {" + key + ": " + std::to_string(number) + "}";
  }

  void printOptions(const std::vector<Option> &options) {
    if (options.empty())
      return;
    out += " (";
    for (size_t i = 0; i < options.size(); ++i) {
      const Option &option = options[i];
      out += (i ? ", " : "") + option.name + ": ";
      out += option.value ? toJson(*option.value)
                          : "operand " + std::to_string(option.operand);
    }
    out += ")";
  }

  void printGen(const GenSpec &gen) {
    if (!gen.name.empty())
      out += " as " + gen.name;
    out += ": " + typeName(gen.type);
    if (gen.constraint)
      out += " constraint " + std::to_string(*gen.constraint);
    if (gen.forced)
      out += " forced " + quoted(*gen.forced);
    printOptions(gen.options);
    if (gen.follow.kind == Follow::Kind::Text)
      out += " follow " + quoted(gen.follow.text);
    if (gen.follow.kind == Follow::Kind::EndOfTurn)
      out += " follow end of turn";
  }

  void printSelect(const SelectSpec &select) {
    if (!select.name.empty())
      out += " as " + select.name;
    if (!select.choices.empty()) {
      out += " [";
      for (size_t i = 0; i < select.choices.size(); ++i)
        out += (i ? ", " : "") + quoted(select.choices[i]);
      out += "]";
    }
    printOptions(select.options);
  }

  const Plan &plan;
  std::string out;
};

} // namespace

std::string showPlan(const Plan &plan) { return Printer(plan).print(); }

} // namespace sgl::plan
