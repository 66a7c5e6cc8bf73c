// The table of node kinds. See OpTable.h; Plan.h says what each does.

#include "ir/plan/OpTable.h"

namespace sgl::plan {

namespace {

constexpr uint32_t any = OpInfo::any;

template <typename... Parts>
constexpr uint16_t parts(Parts... list) {
  return uint16_t((0 | ... | uint16_t(list)));
}

// In the order of Op. Columns: name, operands from and to, results, regions
// from and to, parts.
constexpr OpInfo table[] = {
    {Op::Const, "const", 0, 0, 1, 0, 0, parts(Part::Type, Part::Value)},
    {Op::Concat, "concat", 0, any, 1, 0, 0, parts()},
    {Op::Builtin, "builtin", 0, any, 1, 0, 0, parts(Part::Name)},
    {Op::Unary, "unary", 1, 1, 1, 0, 0, parts(Part::Name)},
    {Op::Binary, "binary", 2, 2, 1, 0, 0, parts(Part::Name)},
    {Op::Record, "record", 0, any, 1, 0, 0, parts(Part::Type)},
    {Op::Field, "field", 1, 1, 1, 0, 0, parts(Part::Name)},
    {Op::List, "list", 0, any, 1, 0, 0, parts()},
    {Op::Dict, "dict", 0, any, 1, 0, 0, parts()},
    {Op::Element, "element", 2, 2, 1, 0, 0, parts()},
    {Op::WithElement, "with_element", 3, 3, 1, 0, 0, parts()},
    {Op::WithField, "with_field", 2, 2, 1, 0, 0, parts(Part::Name)},
    {Op::Check, "check", 1, 1, 1, 0, 0, parts(Part::Type)},
    {Op::Convert, "convert", 1, 1, 1, 0, 0, parts(Part::Type)},
    {Op::Is, "is", 1, 1, 1, 0, 0, parts(Part::Type)},
    {Op::Root, "root", 0, 0, 1, 0, 0, parts()},
    {Op::Extend, "extend", 1, 1, 1, 0, 0, parts(Part::Text)},
    {Op::Append, "append", 2, 2, 1, 0, 0, parts()},
    {Op::Special, "special", 1, 1, 1, 0, 0, parts(Part::Text)},
    {Op::Open, "open", 1, 1, 1, 0, 0, parts(Part::Name)},
    {Op::Close, "close", 1, 1, 1, 0, 0, parts()},
    {Op::Attach, "attach", 2, 2, 1, 0, 0, parts()},
    {Op::Gen, "gen", 1, any, 3, 0, 0, parts(Part::Gen, Part::Place)},
    {Op::Select, "select", 1, any, 3, 0, 0, parts(Part::Select, Part::Place)},
    {Op::Inspect, "inspect", 1, 1, 1, 0, 0, parts(Part::Name)},
    {Op::Capture, "capture", 1, 1, 1, 0, 0, parts(Part::Name)},
    {Op::If, "if", 1, any, any, 2, 2, parts()},
    {Op::For, "for", 1, any, any, 1, 1, parts(Part::Carried, Part::Place)},
    {Op::While, "while", 0, any, any, 2, 2, parts(Part::Carried, Part::Place)},
    {Op::Map, "map", 1, any, any, 1, 1, parts(Part::Place)},
    {Op::Retry, "retry", 1, any, any, 1, 2, parts(Part::Place)},
    {Op::Call, "call", 0, any, any, 0, 0, parts(Part::Function, Part::Place)},
    {Op::Fail, "fail", 1, 1, 0, 0, 0, parts(Part::Name)},
    {Op::Tool, "tool", 1, 1, 1, 0, 0, parts(Part::Name)},
    {Op::Print, "print", 1, 1, 0, 0, 0, parts()},
    {Op::Ask, "ask", 1, 1, 1, 0, 0, parts()},
    {Op::ReadFile, "read_file", 1, 1, 1, 0, 0, parts()},
};

constexpr bool inOrder() {
  for (size_t i = 0; i < std::size(table); ++i)
    if (size_t(table[i].op) != i)
      return false;
  return std::size(table) == size_t(Op::ReadFile) + 1;
}
static_assert(inOrder(), "the table is indexed by Op");

} // namespace

const OpInfo &info(Op op) { return table[size_t(op)]; }

const OpInfo *findOp(std::string_view name) {
  for (const OpInfo &op : table)
    if (op.name == name)
      return &op;
  return nullptr;
}

std::span<const OpInfo> allOps() { return table; }

} // namespace sgl::plan
