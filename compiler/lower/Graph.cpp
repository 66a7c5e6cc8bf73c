// The plan as a graph in the DOT language.
//
// Entry point: dumpGraph. States are solid edges, values dashed ones; a region
// is a box. Constants are written into the label of nothing but themselves.
#include "compiler/lower/Lower.h"
#include "ir/plan/OpTable.h"

#include <algorithm>

namespace sgl {

namespace {

/// Longest text shown in a label, in bytes.
constexpr size_t longestLabel = 32;

std::string quoteLabel(std::string_view text) {
  std::string out;
  size_t end = std::min(text.size(), longestLabel);
  while (end < text.size() && end > 0 && (text[end] & 0xC0) == 0x80)
    --end;
  for (char c : text.substr(0, end)) {
    if (c == '"' || c == '\\')
      out += '\\';
    if (c == '\n')
      out += "\\\\n";
    else
      out += c;
  }
  return end < text.size() ? out + "…" : out;
}

class GraphWriter {
public:
  explicit GraphWriter(const plan::Plan &plan) : plan(plan) {}

  std::string run() {
    out = "digraph plan {\n  rankdir=LR;\n  node [shape=box];\n";
    for (const plan::Function &function : plan.functions) {
      std::vector<Source> inputs;
      openBox(function.name);
      for (const plan::Param &param : function.params)
        inputs.push_back({newNode(quoteLabel(param.name), "ellipse"),
                          plan.types[param.type]->is(TypeKind::State)});
      writeGraph(function.graph, inputs, "result");
      closeBox();
    }
    return out + "}\n";
  }

private:
  /// What makes a value: a node of the picture.
  struct Source {
    unsigned node = 0;
    bool isState = false;
  };

  void line(const std::string &text) {
    out += std::string(2 * depth, ' ') + text + "\n";
  }
  void openBox(const std::string &label) {
    line("subgraph cluster_" + std::to_string(boxes++) + " {");
    ++depth;
    line("label=\"" + quoteLabel(label) + "\";");
  }
  void closeBox() {
    --depth;
    line("}");
  }
  unsigned newNode(const std::string &label, std::string_view shape = "box") {
    line("n" + std::to_string(nodes) + " [label=\"" + label + "\"" +
         (shape == "box" ? "" : " shape=" + std::string(shape)) + "];");
    return nodes++;
  }
  void edge(Source from, unsigned to, std::string_view attributes = "") {
    std::string style(attributes);
    if (!from.isState)
      style += style.empty() ? "style=dashed" : " style=dashed";
    line("n" + std::to_string(from.node) + " -> n" + std::to_string(to) +
         (style.empty() ? "" : " [" + style + "]") + ";");
  }

  std::string label(const plan::Node &node) const {
    std::string name(plan::info(node.op).name);
    switch (node.op) {
    case plan::Op::Const:
      return quoteLabel(toJson(node.value));
    case plan::Op::Extend:
    case plan::Op::Special:
      return name + " '" + quoteLabel(plan.texts[node.text]) + "'";
    case plan::Op::Gen:
      return name + " " + quoteLabel(node.gen->name);
    case plan::Op::Select:
      return name + " " + quoteLabel(node.select->name);
    case plan::Op::Call:
      return name + " " + quoteLabel(plan.functions[node.function].name);
    default:
      return node.name.empty() ? name : name + " " + quoteLabel(node.name);
    }
  }

  static bool makesState(const plan::Node &node, uint32_t result) {
    using plan::Op;
    switch (node.op) {
    case Op::Root:
    case Op::Extend:
    case Op::Append:
    case Op::Special:
    case Op::Open:
    case Op::Close:
    case Op::Attach:
      return true;
    case Op::Gen:
    case Op::Select:
      return result == 0;
    default:
      return false;
    }
  }

  void writeGraph(const plan::Graph &graph, std::vector<Source> values,
                  const std::string &yieldLabel) {
    std::vector<unsigned> made;
    for (const plan::Node &node : graph.nodes) {
      if (!node.regions.empty())
        openBox(label(node));
      unsigned self = newNode(label(node));
      for (plan::ValueId id : node.in)
        edge(values[id], self);
      for (uint32_t before : node.after)
        edge({made[before], true}, self, "color=red");
      for (const plan::Graph &region : node.regions) {
        openBox("");
        // Inputs stand for themselves: the node that opens the region.
        writeGraph(region, std::vector<Source>(region.inputs, {self, true}),
                   "yield");
        closeBox();
      }
      if (!node.regions.empty())
        closeBox();
      made.push_back(self);
      for (uint32_t i = 0; i < node.outs; ++i)
        values.push_back({self, makesState(node, i)});
    }
    if (graph.yield.empty())
      return;
    unsigned end = newNode(yieldLabel, "ellipse");
    for (plan::ValueId id : graph.yield)
      edge(values[id], end);
  }

  const plan::Plan &plan;
  std::string out;
  unsigned nodes = 0, boxes = 0, depth = 1;
};

} // namespace

std::string dumpGraph(const plan::Plan &plan) {
  return GraphWriter(plan).run();
}

} // namespace sgl
