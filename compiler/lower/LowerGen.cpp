// `gen` and `select`: options, constraints, captures.
#include "compiler/lower/FunctionLowering.h"

using namespace mlir;

namespace sgl {

//===-- Options ----------------------------------------------------------===//

bool FunctionLowering::Options::has(llvm::StringRef name) const {
  return llvm::any_of(constant,
                      [&](NamedAttribute a) { return a.getName() == name; }) ||
         llvm::any_of(names, [&](Attribute a) {
           return cast<StringAttr>(a).getValue() == name;
         });
}

std::optional<double>
FunctionLowering::Options::number(llvm::StringRef name) const {
  for (NamedAttribute option : constant) {
    if (option.getName() != name)
      continue;
    if (auto number = dyn_cast<FloatAttr>(option.getValue()))
      return number.getValueAsDouble();
    if (auto number = dyn_cast<IntegerAttr>(option.getValue()))
      return double(number.getInt());
  }
  return std::nullopt;
}

/// A constant goes into the op; anything else is an operand.
void FunctionLowering::addOption(const ast::Arg &arg, Options &options) {
  const std::string &name = arg.label->text;
  const ast::Expr &value = *arg.value;
  if (!value.constant) {
    options.names.push_back(builder.getStringAttr(name));
    options.dynamic.push_back(lowerExpr(value));
    return;
  }
  options.constant.push_back(builder.getNamedAttr(
      name, module.tables().attributeOf(module.context(), *value.constant,
                                        value.type)));
}

/// Writes `options` and what all calls of a model have in common.
static void setOptions(Operation *op, Builder &builder,
                       ArrayRef<NamedAttribute> constant,
                       ArrayRef<Attribute> names) {
  if (!constant.empty())
    op->setAttr("options", builder.getDictionaryAttr(constant));
  if (!names.empty())
    op->setAttr("dynamic_names", builder.getArrayAttr(names));
}

//===-- gen --------------------------------------------------------------===//

void FunctionLowering::lowerGen(const ast::Expr &gen, Prompt &prompt) {
  Location location = at(gen.span);
  Options options;
  const ast::Expr *regex = nullptr;
  for (const ast::Arg &arg : gen.args) {
    if (arg.label->text == "regex" && arg.value->constant)
      regex = arg.value.get();
    else
      addOption(arg, options);
  }
  bool ownRegex = regex || options.has("regex");
  for (const ast::Arg &arg : function.module->defaults) {
    const std::string &name = arg.label->text;
    if (options.has(name) || (name == "regex" && ownRegex))
      continue;
    if (name == "regex")
      regex = arg.value.get();
    else
      addOption(arg, options);
  }

  endFollow(prompt.id);
  std::string capture = gen.capture ? gen.capture->text : "";
  SmallVector<mlir::Value> operands{prompt.value};
  llvm::append_range(operands, options.dynamic);
  auto op = builder.create<ir::GenOp>(
      location,
      TypeRange{ir::StateType::get(module.context()), irType(gen.type),
                ir::JsonType::get(module.context())},
      operands,
      ArrayRef<NamedAttribute>{
          builder.getNamedAttr("capture", builder.getStringAttr(capture)),
          builder.getNamedAttr("of", key(gen.type))});
  setOptions(op, builder, options.constant, options.names);
  if (options.number("temperature") == 0.0)
    op.setFixedGreedy(true);
  else
    op.setPlace(placeOf(places.of(gen)));
  constrain(gen, regex, op);
  bindCapture(gen, prompt, op.getResult(), op.getValue(), op.getInfo());
  followed[prompt.id] = {op, ""};
}

void FunctionLowering::constrain(const ast::Expr &gen, const ast::Expr *regex,
                                 ir::GenOp op) {
  std::optional<std::string> constraint;
  if (regex)
    constraint = module.constrainToRegex(*regex->constant->asText());
  else
    constraint = module.constrainTo(gen.type);
  if (!constraint)
    return;
  op.setConstraint(*constraint);
  const ir::ConstraintEntry *entry = module.tables().constraint(*constraint);
  if (!entry)
    return;
  if (std::optional<std::string> only = entry->automaton->onlyText())
    op.setForced(*only);
}

//===-- select -----------------------------------------------------------===//

/// The texts to choose among, where they are known.
static std::vector<std::string> choicesOf(const ast::Expr &choices) {
  std::vector<std::string> texts;
  if (choices.enumeration && choices.type->is(TypeKind::Enum)) {
    for (const EnumMember &member : choices.enumeration->members)
      texts.push_back(member.text);
    return texts;
  }
  if (choices.constant && choices.constant->asList())
    for (const Value &choice : *choices.constant->asList())
      texts.push_back(print(choice));
  return texts;
}

void FunctionLowering::lowerSelect(const ast::Expr &select, Prompt &prompt) {
  Location location = at(select.span);
  const ast::Expr &choices = *select.args[0].value;
  std::vector<std::string> texts = choicesOf(choices);
  Options options;
  if (texts.empty())
    options.dynamic.push_back(lowerExpr(choices));
  for (const ast::Arg &arg : llvm::ArrayRef(select.args).drop_front())
    addOption(arg, options);

  endFollow(prompt.id);
  std::string capture = select.capture ? select.capture->text : "";
  SmallVector<mlir::Value> operands{prompt.value};
  llvm::append_range(operands, options.dynamic);
  auto op = builder.create<ir::SelectOp>(
      location,
      TypeRange{ir::StateType::get(module.context()), irType(select.type),
                ir::JsonType::get(module.context())},
      operands,
      ArrayRef<NamedAttribute>{
          builder.getNamedAttr("capture", builder.getStringAttr(capture)),
          builder.getNamedAttr("of", key(select.type))});
  setOptions(op, builder, options.constant, options.names);
  if (!texts.empty()) {
    SmallVector<llvm::StringRef> references(texts.begin(), texts.end());
    op.setChoicesAttr(builder.getStrArrayAttr(references));
  }
  op.setPlace(placeOf(places.of(select)));
  bindCapture(select, prompt, op.getResult(), op.getValue(), op.getInfo());
}

//===-- Captures ---------------------------------------------------------===//

/// The value is a local from here on, and `s.name`.
void FunctionLowering::bindCapture(const ast::Expr &expr, Prompt &prompt,
                                   mlir::Value state, mlir::Value value,
                                   mlir::Value info) {
  advance(prompt, state);
  if (!expr.capture)
    return;
  const std::string &name = expr.capture->text;
  if (expr.binding)
    env[slotOf(expr.binding)] = value;
  if (prompt.binding)
    env[{Slot::Kind::Captured, prompt.id, name}] = value;
  if (!keepsFacts)
    return;
  if (expr.binding)
    env[{Slot::Kind::Info, expr.binding->id, ""}] = info;
  if (prompt.binding)
    env[{Slot::Kind::Info, prompt.id, name}] = info;
}

} // namespace sgl
