// Reading a plan: JSON tree to structs, then validate. See Json.h.
//
// A plan is outside input: unknown keys and nodes are refused with their JSON
// path, and every number is checked here or by validate().

#include "ir/plan/Json.h"
#include "ir/plan/OpTable.h"
#include "ir/plan/TypeTable.h"
#include "ir/plan/Validate.h"

#include <algorithm>

namespace sgl::plan {

namespace {

constexpr JsonLimits limits = {
    .depth = 1200, .bytes = size_t(256) << 20, .values = size_t(4) << 20};

/// Cells of the tables of all constraints together (4 bytes each).
constexpr uint64_t maxConstraintCells = 4 * maxAutomatonCells;

class PlanReader {
public:
  Result<Plan> read(const Value &json) {
    Cursor root{&json, nullptr, {}, 0};
    if (!readHeader(root) || !readPools(root) || !readFunctions(root))
      return reader.failure;
    if (Status status = validate(plan); !status)
      return status.error();
    return std::move(plan);
  }

private:
  bool optionalText(const Cursor &at, std::string_view key, std::string &out) {
    Cursor found = Reader::child(at, key);
    return !found.value || reader.text(found, out);
  }
  bool optionalNumber(const Cursor &at, std::string_view key, uint32_t &out) {
    Cursor found = Reader::child(at, key);
    return !found.value || reader.number(found, out);
  }
  bool optionalNumbers(const Cursor &at, std::string_view key,
                       std::vector<uint32_t> &out) {
    Cursor found = Reader::child(at, key);
    return !found.value || reader.numbers(found, out);
  }

  /// Format and version come first: of another version no other key means
  /// anything.
  bool readHeader(const Cursor &root) {
    std::vector<uint32_t> version;
    std::string format;
    if (!root.value->asMap())
      return reader.fail(root, "not a plan: expected an object");
    if (!Reader::child(root, "format").value ||
        !optionalText(root, "format", format) || format != "sgl-plan")
      return reader.fail(root,
                         "not a plan: key \"format\" is not \"sgl-plan\"");
    Cursor at = Reader::child(root, "version");
    if (!reader.numbers(at, version))
      return false;
    if (version.size() != 2)
      return reader.fail(at, "expected two numbers");
    if (version[0] != majorVersion)
      return reader.fail(at, "plan has format " + std::to_string(version[0]) +
                                 "." + std::to_string(version[1]) +
                                 ", this program reads " +
                                 std::to_string(majorVersion) +
                                 ".x; compile the source again");
    return reader.shape(root, {"format", "version", "needs", "effects", "types",
                               "text", "constraints", "functions", "files"}) &&
           reader.texts(Reader::child(root, "needs"), plan.needs) &&
           reader.texts(Reader::child(root, "effects"), plan.effects);
  }

  bool readPools(const Cursor &root) {
    return readTypes(reader, Reader::child(root, "types"), plan) &&
           reader.texts(Reader::child(root, "text"), plan.texts) &&
           reader.list(Reader::child(root, "constraints"),
                       [&](const Cursor &at) { return readConstraint(at); }) &&
           reader.list(Reader::child(root, "files"), [&](const Cursor &at) {
             SourceName &file = plan.files.emplace_back();
             return reader.shape(at, {"path", "hash", "lines"}) &&
                    reader.text(Reader::child(at, "path"), file.path) &&
                    reader.text(Reader::child(at, "hash"), file.hash) &&
                    reader.numbers(Reader::child(at, "lines"), file.lineStarts);
           });
  }

  bool readConstraint(const Cursor &at) {
    Constraint &constraint = plan.constraints.emplace_back();
    std::string text;
    if (!reader.shape(at, {"source", "automaton"}) ||
        !reader.text(Reader::child(at, "source"), constraint.source) ||
        !reader.text(Reader::child(at, "automaton"), text))
      return false;
    Result<Automaton> automaton = Automaton::read(text, cellBudget);
    if (!automaton)
      return reader.fail(Reader::child(at, "automaton"),
                         automaton.error().message);
    constraint.automaton =
        std::make_shared<const Automaton>(std::move(*automaton));
    return true;
  }

  /// A constant of a type of the pool.
  bool constant(const Cursor &at, TypeId type, Value &out) {
    if (type >= plan.types.size())
      return reader.fail(at, "there is no type " + std::to_string(type));
    Result<Value> value = convert(*at.value, plan.types[type]);
    if (!value)
      return reader.fail(at, value.error().message);
    out = *value;
    return true;
  }

  bool readFunctions(const Cursor &root) {
    return reader.list(Reader::child(root, "functions"), [&](const Cursor &at) {
      Function &function = plan.functions.emplace_back();
      if (!reader.shape(at, {"name", "params", "graph"},
                        {"doc", "entry", "result"}) ||
          !reader.text(Reader::child(at, "name"), function.name) ||
          !optionalText(at, "doc", function.doc))
        return false;
      if (Cursor entry = Reader::child(at, "entry");
          entry.value && !reader.boolean(entry, function.entry))
        return false;
      if (Cursor result = Reader::child(at, "result");
          result.value && !reader.number(result, function.result.emplace()))
        return false;
      return readParams(Reader::child(at, "params"), function) &&
             readGraph(Reader::child(at, "graph"), function.graph);
    });
  }

  bool readParams(const Cursor &params, Function &function) {
    return reader.list(params, [&](const Cursor &at) {
      Param &param = function.params.emplace_back();
      if (!reader.shape(at, {"name", "type"}, {"doc", "default"}) ||
          !reader.text(Reader::child(at, "name"), param.name) ||
          !reader.number(Reader::child(at, "type"), param.type) ||
          !optionalText(at, "doc", param.doc))
        return false;
      Cursor given = Reader::child(at, "default");
      return !given.value ||
             constant(given, param.type, param.defaultValue.emplace());
    });
  }

  bool readGraph(const Cursor &at, Graph &graph) {
    return reader.shape(at, {"inputs", "nodes", "yield"}) &&
           reader.number(Reader::child(at, "inputs"), graph.inputs) &&
           reader.list(Reader::child(at, "nodes"),
                       [&](const Cursor &item) {
                         return readNode(item, graph.nodes.emplace_back());
                       }) &&
           reader.numbers(Reader::child(at, "yield"), graph.yield);
  }

  bool readNode(const Cursor &at, Node &node) {
    std::string name;
    Cursor opAt = Reader::child(at, "op");
    if (!opAt.value)
      return reader.fail(at, "key \"op\" is missing");
    if (!reader.text(opAt, name))
      return false;
    const OpInfo *op = findOp(name);
    if (!op)
      return reader.fail(opAt, "unknown node \"" + name.substr(0, 60) + "\"");
    node.op = op->op;
    node.outs = op->outs == OpInfo::any ? 0 : op->outs;
    return checkKeys(at, *op) && optionalNumbers(at, "in", node.in) &&
           optionalNumber(at, "outs", node.outs) && readAt(at, node) &&
           readParts(at, *op, node) &&
           optionalNumbers(at, "after", node.after) && readHints(at, node) &&
           readRegions(at, node);
  }

  bool checkKeys(const Cursor &at, const OpInfo &op) {
    struct Key {
      std::string_view name;
      bool allowed, required;
    };
    auto part = [&](std::string_view name, Part p) {
      return Key{name, op.has(p), op.has(p)};
    };
    bool variable = op.outs == OpInfo::any;
    const Key keys[] = {{"op", true, true},
                        {"in", op.maxIn > 0, false},
                        {"outs", variable, variable},
                        {"at", true, false},
                        part("name", Part::Name),
                        part("text", Part::Text),
                        part("type", Part::Type),
                        part("value", Part::Value),
                        part("function", Part::Function),
                        part("carried", Part::Carried),
                        part("place", Part::Place),
                        part("gen", Part::Gen),
                        part("select", Part::Select),
                        {"after", true, false},
                        {"hints", true, false},
                        {"regions", op.maxRegions > 0, op.maxRegions > 0}};
    for (const Key &key : keys)
      if (key.required && !Reader::child(at, key.name).value)
        return reader.fail(at,
                           "key \"" + std::string(key.name) + "\" is missing");
    return reader.object(at, [&](const Cursor &item) {
      for (const Key &key : keys)
        if (key.allowed && key.name == item.key)
          return true;
      return reader.fail(at, "unknown key \"" +
                                 std::string(item.key.substr(0, 60)) + "\"");
    });
  }

  bool readAt(const Cursor &at, Node &node) {
    std::vector<uint32_t> numbers;
    Cursor found = Reader::child(at, "at");
    if (!found.value)
      return true;
    if (!reader.numbers(found, numbers))
      return false;
    if (numbers.size() != 3)
      return reader.fail(found, "expected file, byte and length");
    node.at = {numbers[0], numbers[1], numbers[2]};
    return true;
  }

  bool readParts(const Cursor &at, const OpInfo &op, Node &node) {
    auto child = [&](std::string_view key) { return Reader::child(at, key); };
    if (op.has(Part::Name) && !reader.text(child("name"), node.name))
      return false;
    if (op.has(Part::Text) && !reader.number(child("text"), node.text))
      return false;
    if (op.has(Part::Type) && !reader.number(child("type"), node.type))
      return false;
    if (op.has(Part::Value) && !constant(child("value"), node.type, node.value))
      return false;
    if (op.has(Part::Function) &&
        !reader.number(child("function"), node.function))
      return false;
    if (op.has(Part::Carried) && !reader.number(child("carried"), node.carried))
      return false;
    if (op.has(Part::Place) && !reader.numbers(child("place"), node.place))
      return false;
    if (op.has(Part::Gen))
      return readGen(child("gen"), *(node.gen = std::make_unique<GenSpec>()));
    if (op.has(Part::Select))
      return readSelect(child("select"),
                        *(node.select = std::make_unique<SelectSpec>()));
    return true;
  }

  bool readHints(const Cursor &at, Node &node) {
    Cursor hints = Reader::child(at, "hints");
    return !hints.value || reader.object(hints, [&](const Cursor &item) {
      int64_t number = 0;
      if (!reader.integer(item, number))
        return false;
      node.hints.emplace_back(std::string(item.key), number);
      return true;
    });
  }

  bool readRegions(const Cursor &at, Node &node) {
    Cursor regions = Reader::child(at, "regions");
    return !regions.value || reader.list(regions, [&](const Cursor &item) {
      return readGraph(item, node.regions.emplace_back());
    });
  }

  bool readOptions(const Cursor &at, std::vector<Option> &options) {
    Cursor found = Reader::child(at, "options");
    return !found.value || reader.list(found, [&](const Cursor &item) {
      Option &option = options.emplace_back();
      if (!reader.shape(item, {"name"}, {"value", "operand"}) ||
          !reader.text(Reader::child(item, "name"), option.name))
        return false;
      Cursor value = Reader::child(item, "value");
      if (value.value) {
        option.value = *value.value;
        return !Reader::child(item, "operand").value ||
               reader.fail(item, "both a value and an operand");
      }
      return reader.number(Reader::child(item, "operand"), option.operand);
    });
  }

  bool readFollow(const Cursor &at, Follow &follow) {
    Cursor found = Reader::child(at, "follow");
    if (!found.value)
      return true;
    if (auto *word = found.value->asText(); word && *word == "end_of_turn") {
      follow.kind = Follow::Kind::EndOfTurn;
      return true;
    }
    follow.kind = Follow::Kind::Text;
    return reader.number(found, follow.text);
  }

  bool readGen(const Cursor &at, GenSpec &gen) {
    if (!reader.shape(at, {"name", "type"},
                      {"constraint", "forced", "follow", "options"}) ||
        !reader.text(Reader::child(at, "name"), gen.name) ||
        !reader.number(Reader::child(at, "type"), gen.type))
      return false;
    for (auto [key, number] : {std::pair{"constraint", &gen.constraint},
                               std::pair{"forced", &gen.forced}})
      if (Cursor found = Reader::child(at, key);
          found.value && !reader.number(found, number->emplace()))
        return false;
    return readFollow(at, gen.follow) && readOptions(at, gen.options);
  }

  bool readSelect(const Cursor &at, SelectSpec &select) {
    return reader.shape(at, {"name", "type"}, {"choices", "options"}) &&
           reader.text(Reader::child(at, "name"), select.name) &&
           reader.number(Reader::child(at, "type"), select.type) &&
           optionalNumbers(at, "choices", select.choices) &&
           readOptions(at, select.options);
  }

  Reader reader;
  uint64_t cellBudget = maxConstraintCells; ///< what is left for constraints
  Plan plan;
};

} // namespace

Result<Plan> readPlan(std::string_view text) {
  Result<Value> json = parseJson(text, limits);
  if (!json)
    return Error{"not a plan: " + json.error().message};
  return PlanReader().read(*json);
}

} // namespace sgl::plan
