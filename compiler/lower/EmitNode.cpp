// What an op becomes: the node's kind, names and entries of the pools.
#include "compiler/lower/PlanEmitter.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sgl {

using plan::Node;
using plan::Op;

void PlanEmitter::fill(Operation &op, Node &node) {
  bool known = fillValue(op, node) || fillPrompt(op, node) ||
               fillControl(op, node) || fillOutside(op, node);
  assert(known && "verify-plan-ready lets only nodes of a plan pass");
  (void)known;
}

//===-- Values -----------------------------------------------------------===//

bool PlanEmitter::fillValue(Operation &op, Node &node) {
  auto is = [&](Op kind) {
    node.op = kind;
    return true;
  };
  auto named = [&](Op kind, llvm::StringRef name) {
    node.name = name.str();
    return is(kind);
  };
  auto typed = [&](Op kind, StringAttr key) {
    node.type = pools.type(key);
    return is(kind);
  };
  return llvm::TypeSwitch<Operation *, bool>(&op)
      .Case([&](ir::ConstOp c) {
        fillConst(op, node);
        return true;
      })
      .Case([&](ir::ConcatOp) { return is(Op::Concat); })
      .Case([&](ir::BuiltinOp b) { return named(Op::Builtin, b.getName()); })
      .Case([&](ir::UnaryOp u) { return named(Op::Unary, u.getName()); })
      .Case([&](ir::BinaryOp b) { return named(Op::Binary, b.getName()); })
      .Case([&](ir::RecordOp r) { return typed(Op::Record, r.getOfAttr()); })
      .Case([&](ir::FieldOp f) { return named(Op::Field, f.getName()); })
      .Case([&](ir::ListOp) { return is(Op::List); })
      .Case([&](ir::DictOp) { return is(Op::Dict); })
      .Case([&](ir::ElementOp) { return is(Op::Element); })
      .Case([&](ir::WithElementOp) { return is(Op::WithElement); })
      .Case(
          [&](ir::WithFieldOp w) { return named(Op::WithField, w.getName()); })
      .Case([&](ir::CheckOp c) { return typed(Op::Check, c.getOfAttr()); })
      .Case([&](ir::ConvertOp c) { return typed(Op::Convert, c.getOfAttr()); })
      .Case([&](ir::IsOp i) { return typed(Op::Is, i.getOfAttr()); })
      .Default([](Operation *) { return false; });
}

void PlanEmitter::fillConst(Operation &op, Node &node) {
  auto constant = cast<ir::ConstOp>(op);
  node.op = Op::Const;
  std::optional<Value> value = tables.valueOf(constant.getValue());
  assert(value && "a constant fits its type");
  node.value = *value;
  if (auto typed = dyn_cast<ir::ValueAttr>(constant.getValue()))
    node.type = pools.type(tables.type(typed.getKey()));
  else if (isa<StringAttr>(constant.getValue()))
    node.type = pools.type(tables.type("str"));
  else if (isa<FloatAttr>(constant.getValue()))
    node.type = pools.type(tables.type("float"));
  else
    node.type = pools.type(
        tables.type(isa<BoolAttr>(constant.getValue()) ? "bool" : "int"));
}

//===-- Prompts ----------------------------------------------------------===//

bool PlanEmitter::fillPrompt(Operation &op, Node &node) {
  auto is = [&](Op kind) {
    node.op = kind;
    return true;
  };
  auto named = [&](Op kind, llvm::StringRef name) {
    node.name = name.str();
    return is(kind);
  };
  auto worded = [&](Op kind, llvm::StringRef text) {
    node.text = pools.text(text);
    return is(kind);
  };
  return llvm::TypeSwitch<Operation *, bool>(&op)
      .Case([&](ir::RootOp) { return is(Op::Root); })
      .Case([&](ir::ExtendOp e) { return worded(Op::Extend, e.getText()); })
      .Case([&](ir::AppendOp) { return is(Op::Append); })
      .Case([&](ir::SpecialOp s) { return worded(Op::Special, s.getText()); })
      .Case([&](ir::OpenOp o) { return named(Op::Open, o.getRole()); })
      .Case([&](ir::CloseOp) { return is(Op::Close); })
      .Case([&](ir::AttachOp) { return is(Op::Attach); })
      .Case([&](ir::InspectOp i) { return named(Op::Inspect, i.getName()); })
      .Case([&](ir::CaptureOp c) { return named(Op::Capture, c.getName()); })
      .Case([&](ir::GenOp) {
        fillGen(op, node);
        return true;
      })
      .Case([&](ir::SelectOp) {
        fillSelect(op, node);
        return true;
      })
      .Default([](Operation *) { return false; });
}

/// Constant options by name, then those that are operands.
std::vector<plan::Option> PlanEmitter::options(DictionaryAttr constant,
                                               ArrayAttr names,
                                               uint32_t operand) {
  std::vector<plan::Option> list;
  for (NamedAttribute entry : constant) {
    plan::Option option;
    option.name = entry.getName().str();
    option.value = tables.valueOf(entry.getValue());
    list.push_back(std::move(option));
  }
  for (Attribute name : names) {
    plan::Option option;
    option.name = cast<StringAttr>(name).str();
    option.operand = operand++;
    list.push_back(std::move(option));
  }
  return list;
}

static std::vector<uint32_t> unsignedPlace(ArrayRef<int32_t> place) {
  return {place.begin(), place.end()};
}

void PlanEmitter::fillGen(Operation &op, Node &node) {
  auto gen = cast<ir::GenOp>(op);
  node.op = Op::Gen;
  auto spec = std::make_unique<plan::GenSpec>();
  spec->name = gen.getCapture().str();
  spec->type = pools.type(gen.getOfAttr());
  if (gen.getConstraint())
    spec->constraint = pools.constraint(*gen.getConstraint());
  if (gen.getForced())
    spec->forced = pools.text(*gen.getForced());
  if (gen.getFollow())
    spec->follow = {plan::Follow::Kind::Text, pools.text(*gen.getFollow())};
  else if (gen.getEndOfTurn())
    spec->follow.kind = plan::Follow::Kind::EndOfTurn;
  spec->options = options(gen.getOptions(), gen.getDynamicNames(), 1);
  node.gen = std::move(spec);
  node.place = unsignedPlace(gen.getPlace());
  // A fixed greedy gen draws by its prompt alone: any place will do.
  if (node.place.empty())
    node.place = {0};
}

void PlanEmitter::fillSelect(Operation &op, Node &node) {
  auto select = cast<ir::SelectOp>(op);
  node.op = Op::Select;
  auto spec = std::make_unique<plan::SelectSpec>();
  spec->name = select.getCapture().str();
  spec->type = pools.type(select.getOfAttr());
  for (Attribute choice : select.getChoices())
    spec->choices.push_back(pools.text(cast<StringAttr>(choice).getValue()));
  uint32_t firstOption = spec->choices.empty() ? 2 : 1;
  spec->options =
      options(select.getOptions(), select.getDynamicNames(), firstOption);
  node.select = std::move(spec);
  node.place = unsignedPlace(select.getPlace());
}

//===-- Control and the outside ------------------------------------------===//

bool PlanEmitter::fillControl(Operation &op, Node &node) {
  auto is = [&](Op kind, ArrayRef<int32_t> place, size_t carried) {
    node.op = kind;
    node.place = unsignedPlace(place);
    node.carried = uint32_t(carried);
    return true;
  };
  return llvm::TypeSwitch<Operation *, bool>(&op)
      .Case([&](ir::IfOp) { return is(Op::If, {}, 0); })
      .Case([&](ir::ForOp f) {
        return is(Op::For, f.getPlace(), f.getInits().size());
      })
      .Case([&](ir::WhileOp w) {
        return is(Op::While, w.getPlace(), w.getInits().size());
      })
      .Case([&](ir::MapOp m) { return is(Op::Map, m.getPlace(), 0); })
      .Case([&](ir::RetryOp r) { return is(Op::Retry, r.getPlace(), 0); })
      .Case([&](ir::CallOp c) {
        node.function = functions.find(c.getCallee().str())->second;
        return is(Op::Call, c.getPlace(), 0);
      })
      .Case([&](ir::FailOp f) {
        node.name = f.getKind().str();
        return is(Op::Fail, {}, 0);
      })
      .Default([](Operation *) { return false; });
}

bool PlanEmitter::fillOutside(Operation &op, Node &node) {
  auto is = [&](Op kind) {
    node.op = kind;
    return true;
  };
  return llvm::TypeSwitch<Operation *, bool>(&op)
      .Case([&](ir::ToolOp t) {
        node.name = t.getName().str();
        return is(Op::Tool);
      })
      .Case([&](ir::PrintOp) { return is(Op::Print); })
      .Case([&](ir::AskOp) { return is(Op::Ask); })
      .Case([&](ir::ReadFileOp) { return is(Op::ReadFile); })
      .Default([](Operation *) { return false; });
}

} // namespace sgl
