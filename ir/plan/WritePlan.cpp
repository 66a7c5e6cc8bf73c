// Plans as canonical JSON. See Json.h; FORMAT.md is the reference.
//
// One line for each pool entry and node, so that a diff of two plans reads;
// keys in fixed order, defaults left out.

#include "ir/plan/Json.h"
#include "ir/plan/OpTable.h"
#include "ir/plan/TypeTable.h"
#include "ir/value/Print.h"

namespace sgl::plan {

namespace {

class Writer {
public:
  explicit Writer(const Plan &plan) : plan(plan), types(plan) {}

  std::string write() {
    out += "{\"format\": \"sgl-plan\", \"version\": [" +
           std::to_string(majorVersion) + ", " + std::to_string(minorVersion) +
           "],\n";
    line("needs", texts(plan.needs));
    line("effects", texts(plan.effects));
    pool("types", types.size(), [&](size_t i) { out += types.write(i); });
    pool("text", plan.texts.size(),
         [&](size_t i) { appendJsonText(out, plan.texts[i]); });
    pool("constraints", plan.constraints.size(), [&](size_t i) {
      out += "{\"source\": ";
      appendJsonText(out, plan.constraints[i].source);
      out += ", \"automaton\": ";
      appendJsonText(out, plan.constraints[i].automaton->write());
      out += '}';
    });
    pool("functions", plan.functions.size(),
         [&](size_t i) { writeFunction(plan.functions[i]); });
    pool("files", plan.files.size(), [&](size_t i) {
      out += "{\"path\": ";
      appendJsonText(out, plan.files[i].path);
      out += ", \"hash\": ";
      appendJsonText(out, plan.files[i].hash);
      out += ", \"lines\": " + numbers(plan.files[i].lineStarts) + "}";
    });
    out.resize(out.size() - 2); // the comma and newline behind `files`
    out += "}\n";
    return std::move(out);
  }

private:
  void line(std::string_view key, const std::string &json) {
    out.append("\"").append(key).append("\": ").append(json).append(",\n");
  }
  template <typename Each>
  void pool(std::string_view key, size_t count, Each each) {
    out.append("\"").append(key).append("\": [");
    for (size_t i = 0; i < count; ++i) {
      out += i ? ",\n  " : "\n  ";
      each(i);
    }
    out += "],\n";
  }
  static std::string texts(const std::vector<std::string> &list) {
    std::string json = "[";
    for (const std::string &text : list) {
      if (json.size() > 1)
        json += ", ";
      appendJsonText(json, text);
    }
    return json + "]";
  }
  static std::string numbers(const std::vector<uint32_t> &list) {
    std::string json = "[";
    for (size_t i = 0; i < list.size(); ++i)
      json += (i ? ", " : "") + std::to_string(list[i]);
    return json + "]";
  }

  void number(std::string_view key, uint64_t value) {
    out.append(", \"").append(key).append("\": ");
    out += std::to_string(value);
  }
  void text(std::string_view key, std::string_view value) {
    out.append(", \"").append(key).append("\": ");
    appendJsonText(out, value);
  }
  void newline() { out.append("\n").append(2 * indent, ' '); }

  void writeFunction(const Function &function) {
    out += "{\"name\": ";
    appendJsonText(out, function.name);
    if (!function.doc.empty())
      text("doc", function.doc);
    if (function.entry)
      out += ", \"entry\": true";
    out += ", \"params\": [";
    for (size_t i = 0; i < function.params.size(); ++i) {
      const Param &param = function.params[i];
      out += i ? ", {\"name\": " : "{\"name\": ";
      appendJsonText(out, param.name);
      number("type", param.type);
      if (!param.doc.empty())
        text("doc", param.doc);
      if (param.defaultValue)
        out += ", \"default\": " + toJson(*param.defaultValue);
      out += '}';
    }
    out += ']';
    if (function.result)
      number("result", *function.result);
    out += ", \"graph\": ";
    indent = 2;
    writeGraph(function.graph);
    out += '}';
  }

  void writeGraph(const Graph &graph) {
    out += "{\"inputs\": " + std::to_string(graph.inputs) + ", \"nodes\": [";
    ++indent;
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      if (i)
        out += ',';
      newline();
      writeNode(graph.nodes[i]);
    }
    --indent;
    out += "], \"yield\": " + numbers(graph.yield) + "}";
  }

  void writeNode(const Node &node) {
    const OpInfo &op = info(node.op);
    out.append("{\"op\": \"").append(op.name).append("\"");
    if (!node.in.empty())
      out += ", \"in\": " + numbers(node.in);
    if (op.outs == OpInfo::any)
      number("outs", node.outs);
    if (node.at.file || node.at.byte || node.at.length)
      out +=
          ", \"at\": " + numbers({node.at.file, node.at.byte, node.at.length});
    if (op.has(Part::Name))
      text("name", node.name);
    if (op.has(Part::Text))
      number("text", node.text);
    if (op.has(Part::Type))
      number("type", node.type);
    if (op.has(Part::Value))
      out += ", \"value\": " + toJson(node.value);
    if (op.has(Part::Function))
      number("function", node.function);
    if (op.has(Part::Carried))
      number("carried", node.carried);
    if (op.has(Part::Place))
      out += ", \"place\": " + numbers(node.place);
    if (op.has(Part::Gen))
      writeGen(*node.gen);
    if (op.has(Part::Select))
      writeSelect(*node.select);
    writeRest(node);
    out += '}';
  }

  void writeRest(const Node &node) {
    if (!node.after.empty())
      out += ", \"after\": " + numbers(node.after);
    if (!node.hints.empty()) {
      MapData hints;
      for (const auto &[key, value] : node.hints)
        hints.emplace_back(key, Value::integer(value));
      out += ", \"hints\": " + toJson(Value::map(std::move(hints)));
    }
    if (node.regions.empty())
      return;
    out += ", \"regions\": [";
    ++indent;
    for (size_t i = 0; i < node.regions.size(); ++i) {
      if (i)
        out += ',';
      newline();
      writeGraph(node.regions[i]);
    }
    --indent;
    out += ']';
  }

  void writeOptions(const std::vector<Option> &options) {
    if (options.empty())
      return;
    out += ", \"options\": [";
    for (size_t i = 0; i < options.size(); ++i) {
      out += i ? ", {\"name\": " : "{\"name\": ";
      appendJsonText(out, options[i].name);
      if (options[i].value)
        out += ", \"value\": " + toJson(*options[i].value);
      else
        number("operand", options[i].operand);
      out += '}';
    }
    out += ']';
  }

  void writeGen(const GenSpec &gen) {
    out += ", \"gen\": {\"name\": ";
    appendJsonText(out, gen.name);
    number("type", gen.type);
    if (gen.constraint)
      number("constraint", *gen.constraint);
    if (gen.forced)
      number("forced", *gen.forced);
    if (gen.follow.kind == Follow::Kind::Text)
      number("follow", gen.follow.text);
    if (gen.follow.kind == Follow::Kind::EndOfTurn)
      text("follow", "end_of_turn");
    writeOptions(gen.options);
    out += '}';
  }

  void writeSelect(const SelectSpec &select) {
    out += ", \"select\": {\"name\": ";
    appendJsonText(out, select.name);
    number("type", select.type);
    if (!select.choices.empty())
      out += ", \"choices\": " + numbers(select.choices);
    writeOptions(select.options);
    out += '}';
  }

  const Plan &plan;
  TypeTable types;
  std::string out;
  size_t indent = 0;
};

} // namespace

std::string writePlan(const Plan &plan) { return Writer(plan).write(); }

} // namespace sgl::plan
