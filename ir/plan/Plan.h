// The dataflow graph that sglc writes and sglrun executes, as plain structs.
//
// A plan is a set of functions; a function is a graph; a graph is a list of
// nodes in an order in which each names only values made before it. Values are
// numbered densely in a graph: its inputs first, then the results of each node
// in order. So one forward pass validates a plan, and a frame is a vector.
// Regions (bodies of if, for, map, retry) are closed graphs: everything they
// read is handed in. Order between nodes is data dependence and nothing else;
// `after` edges order effects on the outside world.
//
// FORMAT.md beside this file is the reference of the serialised form.
#pragma once

#include "ir/constraint/Automaton.h"
#include "ir/value/Type.h"
#include "ir/value/Value.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sgl::plan {

/// A value of one graph.
using ValueId = uint32_t;
using TextId = uint32_t;
using TypeId = uint32_t;
using ConstraintId = uint32_t;
using FunctionId = uint32_t;

enum class Op : uint8_t {
  // Values. Results: one, unless said otherwise.
  Const,       ///< `type`, `value`
  Concat,      ///< texts -> str; each operand is printed as `${}` prints it
  Builtin,     ///< `name`: a pure built-in of ir/value/Builtins.h
  Unary,       ///< `name`: "not", "neg"
  Binary,      ///< `name`: add sub mul div mod eq ne lt le gt ge in and or
  Record,      ///< `type`; operands: its fields in order
  Field,       ///< [record or json], `name`
  List,        ///< elements
  Dict,        ///< key, value, key, value, …
  Element,     ///< [list, map or json; index or key]: missing is an error
  WithElement, ///< [list or map; index or key; value]: a copy with it set
  WithField,   ///< [record; value], `name`
  Check,   ///< [value], `type`: the value, or an error if it does not conform
  Convert, ///< [json or text], `type`: the typed value, or an error
  Is,      ///< [value], `type`: bool: is it of this type (match)

  // Prompt states, immutable.
  Root,    ///< -> the empty state
  Extend,  ///< [state], `text`: the author's literal text
  Append,  ///< [state, value]: data, printed as `${}` prints it
  Special, ///< [state], `text`: the text of one control token
  Open,    ///< [state], `name`: a turn of this role begins
  Close,   ///< [state]: the open turn ends
  Attach,  ///< [state, media]
  Gen,     ///< [state, dynamic options…], `gen` -> state, value, info
  Select,  ///< [state, dynamic options…], `select` -> state, value, info
  Inspect, ///< [state], `name`: "text", "messages", "tokens"
  Capture, ///< [state], `name`: the latest value generated under it

  // Control. Operands behind the listed ones are handed to the regions.
  If,    ///< [condition, captured…]; regions then, else: inputs captured;
         ///< results = yields
  For,   ///< [list, carried × `carried`, captured…]; region: inputs element,
         ///< index, carried, captured; yields carried; results carried
  While, ///< [carried × `carried`, captured…]; regions condition (yields bool)
         ///< and body (yields carried): inputs carried, captured
  Map,   ///< [list, captured…]; region: inputs element, index, captured;
         ///< results: for each yield the list of its values. Passes are
         ///< independent: the branches of a fork
  Retry, ///< [tries, captured…]; regions body: inputs try (int, from 0), last
         ///< error (str?), captured; else (may be absent): inputs last error,
         ///< captured; results = yields
  Call,  ///< operands: arguments; `function`; results: the function's
  Fail, ///< [message: str], `name`: kind ("expect", "error"): raises; no result

  // The outside world (ordered by `after`).
  Tool,     ///< [arguments record], `name`
  Print,    ///< [value]; no result
  Ask,      ///< [prompt: str] -> str?
  ReadFile, ///< [path: str] -> str
};

/// Where a node comes from, for run-time messages.
struct At {
  uint32_t file = 0, byte = 0, length = 0;
};

/// An option of gen or select: a constant, or an operand of the node.
struct Option {
  std::string name;
  std::optional<Value> value;
  uint32_t operand = 0; ///< index into Node::in, where `value` is absent
};

/// What is known to follow a gen in its prompt (2.6).
struct Follow {
  enum class Kind : uint8_t {
    Unknown,   ///< nothing known
    Text,      ///< the literal text `text`
    EndOfTurn, ///< the turn is closed next
  } kind = Kind::Unknown;
  TextId text = 0;
};

struct GenSpec {
  std::string name; ///< of the capture; may be empty
  TypeId type = 0;
  std::optional<ConstraintId> constraint;
  std::optional<TextId> forced; ///< the constraint's language is this text
  Follow follow;
  std::vector<Option> options;
};

struct SelectSpec {
  std::string name;
  TypeId type = 0;             ///< union of literals, enum or str
  std::vector<TextId> choices; ///< empty: operand 1 is the list of them
  std::vector<Option> options;
};

struct Graph;

struct Node {
  Op op = Op::Const;
  std::vector<ValueId> in;
  uint32_t outs = 1;
  At at;
  std::string name;
  TextId text = 0;
  TypeId type = 0;
  Value value; ///< Const
  FunctionId function = 0;
  uint32_t carried = 0;
  /// The call's place relative to its frame (design "draw paths"): ordinals in
  /// the source of each function, with the passes of unrolled loops between.
  /// Gen, Select, For, While, Map, Retry, Call have one.
  std::vector<uint32_t> place;
  std::unique_ptr<GenSpec> gen;
  std::unique_ptr<SelectSpec> select;
  std::vector<Graph> regions;
  std::vector<uint32_t> after; ///< indices of earlier nodes of this graph
  std::vector<std::pair<std::string, int64_t>> hints;
};

struct Graph {
  uint32_t inputs = 0;
  std::vector<Node> nodes;
  std::vector<ValueId> yield;
  /// inputs + all results.
  uint32_t valueCount() const;
};

struct Param {
  std::string name, doc;
  TypeId type = 0;
  std::optional<Value> defaultValue;
};

/// Inputs of the graph: the parameters. Yields: the result (when there is one),
/// then the last value of each state parameter, in order.
struct Function {
  std::string name, doc;
  bool entry = false; ///< a public function of the compiled file
  std::vector<Param> params;
  std::optional<TypeId> result;
  Graph graph;
};

/// A byte automaton, held once; `source` is what it came from, for messages.
struct Constraint {
  std::string source;
  std::shared_ptr<const Automaton> automaton;
};

struct SourceName {
  std::string path; ///< relative to the main file
  std::string hash; ///< XXH64 of its bytes, 16 hex digits
  /// Offsets at which lines begin, so that a message can name line and column
  /// without the source at hand.
  std::vector<uint32_t> lineStarts;
};

/// A whole program. Owns its types; move-only.
struct Plan {
  std::vector<std::string> needs;   ///< features a runtime must know
  std::vector<std::string> effects; ///< outside effects it can have
  std::shared_ptr<TypeContext> context;
  std::vector<const Type *> types;
  std::vector<std::string> texts;
  std::vector<Constraint> constraints;
  std::vector<Function> functions;
  std::vector<SourceName> files;

  const Function *find(std::string_view name) const;
};

} // namespace sgl::plan
