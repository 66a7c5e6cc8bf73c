// Builds plans by hand for tests: nodes in order, values numbered for you.
#pragma once

#include "ir/plan/Plan.h"

#include <functional>
#include <initializer_list>

namespace sgl::plan {

class PlanBuilder;

/// One graph under construction. Methods append a node and return its results.
class GraphBuilder {
public:
  GraphBuilder(PlanBuilder &plan, uint32_t inputs) : plan(plan) {
    graph.inputs = inputs;
    next = inputs;
  }

  Node &node(Op op, std::vector<ValueId> in, uint32_t outs = 1) {
    graph.nodes.emplace_back();
    Node &n = graph.nodes.back();
    n.op = op;
    n.in = std::move(in);
    n.outs = outs;
    // Every node gets a place in the source: node N of a graph, from 1, is on line N.
    n.at = {0, uint32_t(graph.nodes.size() - 1) * 10, 1};
    first = next;
    next += outs;
    return n;
  }
  ValueId id(uint32_t result = 0) const { return first + result; }

  ValueId constant(const Type *type, Value value);
  ValueId text(const char *t);
  ValueId integer(int64_t i);
  ValueId boolean(bool b);
  ValueId list(std::vector<ValueId> items) {
    node(Op::List, std::move(items));
    return id();
  }
  ValueId root() {
    node(Op::Root, {});
    return id();
  }
  ValueId extend(ValueId state, const char *text);
  ValueId append(ValueId state, ValueId value) {
    node(Op::Append, {state, value});
    return id();
  }
  ValueId open(ValueId state, const char *role) {
    node(Op::Open, {state}).name = role;
    return id();
  }
  ValueId close(ValueId state) {
    node(Op::Close, {state});
    return id();
  }
  ValueId builtin(const char *name, std::vector<ValueId> in) {
    node(Op::Builtin, std::move(in)).name = name;
    return id();
  }
  ValueId binary(const char *name, ValueId a, ValueId b) {
    node(Op::Binary, {a, b}).name = name;
    return id();
  }
  ValueId concat(std::vector<ValueId> in) {
    node(Op::Concat, std::move(in));
    return id();
  }
  void fail(ValueId message, const char *kind = "error") {
    node(Op::Fail, {message}, 0).name = kind;
  }

  struct Called {
    ValueId state, value, info;
  };
  Called gen(ValueId state, const char *name, const Type *type,
             std::vector<uint32_t> place, std::vector<Option> options = {},
             std::vector<ValueId> dynamic = {});
  Called select(ValueId state, const char *name,
                std::initializer_list<const char *> choices,
                std::vector<uint32_t> place);

  /// A control node; the regions are built by the callbacks, which get a
  /// builder and yield by setting `graph.yield`.
  using Body = std::function<void(GraphBuilder &)>;
  ValueId control(Op op, std::vector<ValueId> in, uint32_t outs,
                  std::vector<uint32_t> place,
                  std::vector<std::pair<uint32_t, Body>> regions,
                  uint32_t carried = 0);
  void yield(std::vector<ValueId> ids) { graph.yield = std::move(ids); }

  Graph graph;
  PlanBuilder &plan;

private:
  ValueId first = 0, next = 0;
};

class PlanBuilder {
public:
  PlanBuilder() {
    plan.context = std::make_shared<TypeContext>();
    SourceName file;
    file.path = "test.sgl";
    file.hash = "0123456789abcdef";
    for (uint32_t line = 0; line < 200; ++line)
      file.lineStarts.push_back(line * 10);
    plan.files.push_back(std::move(file));
  }

  TypeId type(const Type *t) {
    for (TypeId i = 0; i < plan.types.size(); ++i)
      if (plan.types[i] == t)
        return i;
    plan.types.push_back(t);
    return TypeId(plan.types.size() - 1);
  }
  TextId text(const std::string &t) {
    for (TextId i = 0; i < plan.texts.size(); ++i)
      if (plan.texts[i] == t)
        return i;
    plan.texts.push_back(t);
    return TextId(plan.texts.size() - 1);
  }
  TypeContext &types() { return *plan.context; }

  FunctionId function(const char *name,
                      std::vector<std::pair<const char *, const Type *>> params,
                      const Type *result,
                      const std::function<void(GraphBuilder &)> &body) {
    Function f;
    f.name = name;
    f.entry = true;
    for (auto [paramName, paramType] : params) {
      Param param;
      param.name = paramName;
      param.type = type(paramType);
      f.params.push_back(std::move(param));
    }
    if (result)
      f.result = type(result);
    GraphBuilder builder(*this, uint32_t(params.size()));
    body(builder);
    f.graph = std::move(builder.graph);
    plan.functions.push_back(std::move(f));
    return FunctionId(plan.functions.size() - 1);
  }

  Plan plan;
};

inline ValueId GraphBuilder::constant(const Type *type, Value value) {
  Node &n = node(Op::Const, {});
  n.type = plan.type(type);
  n.value = std::move(value);
  return id();
}
inline ValueId GraphBuilder::text(const char *t) {
  return constant(plan.types().strType(), Value::text(t));
}
inline ValueId GraphBuilder::integer(int64_t i) {
  return constant(plan.types().intType(), Value::integer(i));
}
inline ValueId GraphBuilder::boolean(bool b) {
  return constant(plan.types().boolType(), Value::boolean(b));
}
inline ValueId GraphBuilder::extend(ValueId state, const char *text) {
  node(Op::Extend, {state}).text = plan.text(text);
  return id();
}
inline GraphBuilder::Called GraphBuilder::gen(ValueId state, const char *name,
                                              const Type *type,
                                              std::vector<uint32_t> place,
                                              std::vector<Option> options,
                                              std::vector<ValueId> dynamic) {
  std::vector<ValueId> in = {state};
  in.insert(in.end(), dynamic.begin(), dynamic.end());
  Node &n = node(Op::Gen, std::move(in), 3);
  n.place = std::move(place);
  n.gen = std::make_unique<GenSpec>();
  n.gen->name = name;
  n.gen->type = plan.type(type);
  n.gen->options = std::move(options);
  return {id(0), id(1), id(2)};
}
inline GraphBuilder::Called
GraphBuilder::select(ValueId state, const char *name,
                     std::initializer_list<const char *> choices,
                     std::vector<uint32_t> place) {
  Node &n = node(Op::Select, {state}, 3);
  n.place = std::move(place);
  n.select = std::make_unique<SelectSpec>();
  n.select->name = name;
  n.select->type = plan.type(plan.types().strType());
  for (const char *choice : choices)
    n.select->choices.push_back(plan.text(choice));
  return {id(0), id(1), id(2)};
}
inline ValueId GraphBuilder::control(
    Op op, std::vector<ValueId> in, uint32_t outs, std::vector<uint32_t> place,
    std::vector<std::pair<uint32_t, Body>> regions, uint32_t carried) {
  std::vector<Graph> built;
  for (auto &[inputs, body] : regions) {
    GraphBuilder region(plan, inputs);
    body(region);
    built.push_back(std::move(region.graph));
  }
  Node &n = node(op, std::move(in), outs);
  n.place = std::move(place);
  n.carried = carried;
  n.regions = std::move(built);
  return id();
}

} // namespace sgl::plan
