// `gen` and `select`: options, constraints, types and captures (2.6, 2.7).
#include "compiler/check/BodyChecker.h"

#include "compiler/check/Options.h"
#include "compiler/check/PatternCheck.h"
#include "compiler/check/Types.h"

namespace sgl {

//===-- Options -----------------------------------------------------------===//

void BodyChecker::checkOptions(std::vector<ast::Arg> &args, size_t from,
                               bool ofSelect) {
  std::unordered_map<std::string_view, Span> seen;
  for (size_t i = from; i < args.size(); ++i) {
    ast::Arg &arg = args[i];
    if (!arg.label) {
      session.error("E0302", arg.value->span, "options are given by name")
          .label("which option?")
          .note("write `name: value`, as in `max_tokens: 100`");
      continue;
    }
    auto [first, fresh] = seen.emplace(arg.label->text, arg.label->span);
    if (!fresh) {
      session
          .error("E0302", arg.label->span,
                 "option " + ticked(arg.label->text) + " is given twice")
          .label("again here")
          .also(first->second, "first here");
      continue;
    }
    checkOption(arg, ofSelect);
  }
}

void BodyChecker::checkOption(ast::Arg &arg, bool ofSelect) {
  const ast::Name &name = *arg.label;
  ast::Expr &value = *arg.value;
  const OptionInfo *option = findOption(name.text);
  if (!option || !(ofSelect ? option->ofSelect : option->ofGen)) {
    std::string owner = ofSelect ? "`select`" : "`gen`";
    Diagnostic &d = session.error(
        "E0302", name.span, owner + " has no option " + ticked(name.text));
    d.label("unknown option");
    if (option)
      d.note(ofSelect ? "it is an option of `gen`"
                      : "it is an option of "
                        "`select`");
    else if (name.text == "n")
      d.note("several samples are a fork: `fork s as f for i in 0..n { … }`");
    else
      session.suggestNearest(d, name.span, name.text,
                             [&] { return optionNames(ofSelect); });
    value.type = errorType();
    return;
  }
  if (session.refuse("option " + name.text, name.span)) {
    value.type = errorType();
    return;
  }
  auto misfit = [&](const std::string &takes) {
    session
        .error(
            "E0303", value.span,
            ticked(name.text) + " takes " + takes + ", found " +
                (value.constant ? toJson(*value.constant) : ticked(value.type)))
        .label("not " + takes);
  };
  if (option->kind == OptionKind::Word) {
    std::string words;
    for (std::string_view word : option->words) {
      words += (words.empty() ? "" : ", ") + ticked(word);
      if (value.kind == ast::ExprKind::Name && value.text == word) {
        value.type = types.strType();
        value.constant = Value::text(value.text);
        session.refuse("option " + name.text + " " + value.text, value.span);
        return;
      }
    }
    session
        .error("E0303", value.span,
               ticked(name.text) + " takes one of " + words)
        .label("not one of them");
    value.type = errorType();
    return;
  }

  const Type *expected = nullptr;
  if (option->kind == OptionKind::Float)
    expected = types.floatType();
  else if (option->kind == OptionKind::Schema)
    expected = types.jsonType();
  else if (option->kind == OptionKind::Weights)
    expected = types.map(types.floatType());
  else if (option->kind == OptionKind::TextOrList &&
           value.kind == ast::ExprKind::List)
    expected = types.list(types.strType());
  const Type *type = checkExpr(value, expected);
  if (isError(type) || refuseNull(value))
    return;
  TypeKind kind = plainKind(type);
  bool texts =
      kind == TypeKind::List && plainKind(type->element) == TypeKind::Str;
  switch (option->kind) {
  case OptionKind::Int:
    if (kind != TypeKind::Int)
      return misfit("an `int` " + std::string(option->range));
    break;
  case OptionKind::Float:
    if (!isNumber(type))
      return misfit("a number " + std::string(option->range));
    coerce(value, types.floatType());
    break;
  case OptionKind::Bool:
    if (kind != TypeKind::Bool)
      return misfit("`true` or `false`");
    return;
  case OptionKind::Text:
    if (kind != TypeKind::Str)
      return misfit("a text");
    return;
  case OptionKind::TextOrList:
    if (kind != TypeKind::Str && !texts)
      return misfit("a text or a list of texts");
    return;
  case OptionKind::Weights:
  case OptionKind::Schema:
    coerce(value, expected);
    return;
  case OptionKind::Word:
    return;
  }
  if (!value.constant)
    return;
  double number = value.constant->asInt() ? double(*value.constant->asInt())
                                          : *value.constant->asFloat();
  bool low = option->aboveLow ? number <= option->low : number < option->low;
  if (low || number > option->high)
    session
        .error("E0303", value.span,
               ticked(name.text) + " takes a number " +
                   std::string(option->range) + ", found " +
                   toJson(*value.constant))
        .label("out of range");
}

void BodyChecker::checkDefaults() {
  checkOptions(module.defaults, 0, false);
  for (ast::Arg &arg : module.defaults)
    if (arg.value->type && !isError(arg.value->type) && !arg.value->constant)
      session.error("E0208", arg.value->span, "`defaults` takes constants")
          .label("not known when compiled");
}

//===-- gen ---------------------------------------------------------------===//

const Type *BodyChecker::checkGen(ast::Expr &expr) {
  checkOptions(expr.args, 0, false);
  const Type *type = types.strType();
  if (expr.captureType)
    type = resolveType(session, module, *expr.captureType);
  if (!isError(type)) {
    const Type *inner = present(type);
    if (!isPrintable(inner)) {
      session
          .error("E0301", expr.captureType->span,
                 "a `gen` cannot give a " + ticked(type))
          .label("not something that text stands for");
      type = errorType();
    }
  }
  checkConstraints(expr, type);
  if (!isError(type) && expr.captureType)
    checkGenerable(session, type, expr.captureType->span);
  if (expr.captureType && !expr.capture)
    session.error("E0302", expr.captureType->span, "a typed `gen` has a name")
        .label("of what?");
  expr.type = type;
  capture(expr, type);
  return type;
}

/// At most one of regex, json, grammar and a constraining type (E0304).
void BodyChecker::checkConstraints(ast::Expr &expr, const Type *type) {
  const ast::Arg *first = nullptr;
  for (const ast::Arg &arg : expr.args) {
    if (!arg.label ||
        (arg.label->text != "regex" && arg.label->text != "json" &&
         arg.label->text != "grammar"))
      continue;
    if (first) {
      session
          .error("E0304", arg.label->span,
                 "both " + ticked(first->label->text) + " and " +
                     ticked(arg.label->text) + " constrain this `gen`")
          .label("keep one")
          .also(first->label->span, "constrained here already");
      continue;
    }
    first = &arg;
    const ast::Expr &value = *arg.value;
    if (arg.label->text == "regex" && value.constant &&
        value.constant->asText())
      checkPattern(session, *value.constant->asText(), value.span);
  }
  bool plain =
      isError(type) || (type->is(TypeKind::Str) && type->refinement.empty());
  if (first && !plain)
    session
        .error("E0304", first->label->span,
               "both " + ticked(first->label->text) + " and the type " +
                   ticked(type) + " constrain this `gen`")
        .label("keep one")
        .also(expr.captureType->span, "constrained here too");
}

void BodyChecker::capture(ast::Expr &expr, const Type *type) {
  bool ofSelect = expr.kind == ast::ExprKind::Select;
  if (!expr.capture)
    return;
  const ast::Name &name = *expr.capture;
  if (name.text == "text" || name.text == "messages" || name.text == "tokens") {
    session
        .error("E0207", name.span,
               "nothing generated can be named " + ticked(name.text))
        .label("taken")
        .note("`s." + name.text + "` reads the state itself");
    return;
  }
  ast::Binding *binding = declare(ast::BindingKind::Capture, name, type);
  expr.binding = binding;
  info(binding).ofSelect = ofSelect;
  CaptureFact fact;
  fact.type = type;
  fact.binding = binding;
  fact.span = name.span;
  fact.ofSelect = ofSelect;
  auto [known, fresh] = dynamicCaptures.emplace(name.text, fact);
  if (!fresh && known->second.type != type)
    known->second.otherType = type;
  if (extending.empty())
    return;
  ast::Binding *state = stateRoot(*extending.back());
  if (!state || extending.back()->kind != ast::ExprKind::Name)
    return;
  env.editFacts(state).captures.edit()[name.text] = fact;
  env.forget(state);
}

//===-- select ------------------------------------------------------------===//

const Type *BodyChecker::checkSelect(ast::Expr &expr) {
  const Type *type = errorType();
  if (expr.args.empty() || expr.args[0].label) {
    session.error("E0604", expr.span, "`select` misses its choices")
        .label("among what?")
        .note("write `select([\"yes\", \"no\"])` or `select(Mood)`");
    checkOptions(expr.args, 0, true);
  } else {
    type = choiceType(*expr.args[0].value);
    checkOptions(expr.args, 1, true);
  }
  expr.type = type;
  capture(expr, type);
  return type;
}

/// The type of what is chosen: the enum, the union of constant texts, or text.
const Type *BodyChecker::choiceType(ast::Expr &choices) {
  // The name of an enum, where it is no value.
  bool bare = choices.kind == ast::ExprKind::Name && !findValue(choices.text);
  const Symbol *symbol = bare ? session.find(module, choices.text) : nullptr;
  if (choices.kind == ast::ExprKind::Field &&
      choices.children[0]->kind == ast::ExprKind::Name) {
    ast::Expr &scope = *choices.children[0];
    const Symbol *in = session.find(module, scope.text);
    if (in && in->kind == SymbolKind::Module && !findValue(scope.text)) {
      const Symbol *inner = session.find(*in->module, choices.text);
      if (inner && !inner->imported && typeOfSymbol(session, *inner) &&
          session.findIn(*in->module, {choices.text, choices.nameSpan})) {
        symbol = inner;
        scope.type = types.voidType();
      }
    }
  }
  const Type *named = symbol ? typeOfSymbol(session, *symbol) : nullptr;
  if (named && isError(named))
    return choices.type = errorType();
  if (named && named->is(TypeKind::Enum)) {
    choices.enumeration = named->enumeration;
    choices.type = named;
    return named;
  }
  if (named && present(named)->is(TypeKind::Union) &&
      plainKind(named) == TypeKind::Str) {
    session
        .error("E0301", choices.span,
               "`select` takes a list of texts or an enum")
        .label("the name of a union")
        .note("`gen() as x: " + choices.text + "` chooses among its texts");
    return choices.type = errorType();
  }

  const Type *list = checkExpr(choices);
  if (isError(list) || refuseNull(choices))
    return errorType();
  if (!list->is(TypeKind::List) || plainKind(list->element) != TypeKind::Str) {
    Diagnostic &d = session.error("E0301", choices.span,
                                  "`select` takes a list of texts or an enum, "
                                  "found " +
                                      ticked(list));
    d.label("of type " + ticked(list));
    if (list->is(TypeKind::List) && list->element->is(TypeKind::Enum))
      d.note("to choose among all members, name the enum: `select(" +
             list->element->enumeration->name + ")`");
    return errorType();
  }
  if (!choices.constant)
    return types.strType();
  checkChoices(choices);
  std::vector<const Type *> members;
  for (const Value &choice : *choices.constant->asList())
    members.push_back(types.text(*choice.asText()));
  return members.empty() ? errorType() : types.unionOf(std::move(members));
}

/// What is wrong, or odd, with constant choices: E0404, W0405, W0406, E0407.
void BodyChecker::checkChoices(const ast::Expr &choices) {
  const ListData &list = *choices.constant->asList();
  if (list.empty()) {
    session.error("E0407", choices.span, "`select` among nothing")
        .label("no choice");
    return;
  }
  auto spanOf = [&](size_t i) {
    return choices.kind == ast::ExprKind::List ? choices.children[i]->span
                                               : choices.span;
  };
  std::map<std::string, size_t> places;
  size_t blanks = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string &text = *list[i].asText();
    blanks += !text.empty() && text[0] == ' ';
    auto [first, fresh] = places.emplace(text, i);
    if (fresh)
      continue;
    session
        .error("E0404", spanOf(i),
               "choice " + toJson(list[i]) + " appears twice")
        .label("again here")
        .also(spanOf(first->second), "first here");
  }
  if (blanks && blanks != list.size())
    session
        .warning("W0406", choices.span,
                 "some choices begin with a blank, others do not")
        .label("blanks change how likely a choice is")
        .note("begin all or none of them with a blank");
  // In the order of texts a prefix stands right before what it begins.
  const std::string *before = nullptr;
  for (const auto &[text, place] : places) {
    if (before && !before->empty() && text.rfind(*before, 0) == 0)
      session
          .warning("W0405", spanOf(places[*before]),
                   "choice " + toJson(Value::text(*before)) +
                       " is a prefix of " + toJson(Value::text(text)))
          .label("begins the other one")
          .also(spanOf(place), "the longer choice");
    before = &text;
  }
}

} // namespace sgl
