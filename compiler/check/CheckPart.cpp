// The parts of a prompt: texts with holes, turns, gens, values (2.4, 2.5).
#include "compiler/check/BodyChecker.h"

#include "compiler/check/Declare.h"
#include "compiler/check/Fold.h"

#include <cctype>

namespace sgl {

//===-- What is a part ----------------------------------------------------===//

/// A role, `special`, or media: called for a prompt, not for a value.
bool BodyChecker::isPartCall(const ast::Expr &expr) {
  if (expr.kind != ast::ExprKind::Call ||
      expr.children[0]->kind != ast::ExprKind::Name)
    return false;
  const std::string &name = expr.children[0]->text;
  bool known = isRoleName(name) || name == "special" || name == "image" ||
               name == "video";
  if (!known)
    return false;
  const Symbol *symbol = session.find(module, name);
  return !symbol || symbol->kind == SymbolKind::Constant;
}

bool BodyChecker::makesPart(const ast::Expr &expr) {
  switch (expr.kind) {
  case ast::ExprKind::Gen:
  case ast::ExprKind::Select:
    return true;
  case ast::ExprKind::Call:
    return isPartCall(expr);
  case ast::ExprKind::Name: {
    ast::Binding *binding = findValue(expr.text);
    return binding && binding->type && isMedia(binding->type);
  }
  case ast::ExprKind::Text:
    for (const ast::TextPart &part : expr.parts)
      if (part.hole && makesPart(*part.hole))
        return true;
    return false;
  case ast::ExprKind::Binary:
    return expr.binary == ast::BinaryOp::Add &&
           (makesPart(*expr.children[1]) || makesPart(*expr.children[0]));
  default:
    return false;
  }
}

//===-- Parts -------------------------------------------------------------===//

void BodyChecker::checkParts(std::vector<ast::ExprPtr> &parts) {
  for (size_t i = 0; i < parts.size(); ++i) {
    checkPart(*parts[i]);
    if (i == 0 || parts[i]->kind != ast::ExprKind::Gen)
      continue;
    for (const ast::Arg &arg : parts[i]->args)
      if (arg.label && arg.label->text == "heal" && arg.value->constant &&
          arg.value->constant->asText() &&
          *arg.value->constant->asText() == "off")
        warnBlankEnd(*parts[i - 1], parts[i]->span);
  }
}

void BodyChecker::warnBlankEnd(const ast::Expr &before, Span gen) {
  if (before.kind != ast::ExprKind::Text || before.parts.empty() ||
      before.parts.back().hole)
    return;
  const std::string &bytes = before.parts.back().bytes;
  if (bytes.empty() || bytes.back() != ' ')
    return;
  session
      .warning("W0508", before.span,
               "the prompt ends in a blank right before a `gen` that does not "
               "heal")
      .label("ends in a blank")
      .also(gen, "generates from here")
      .note("most tokens begin with their blank; leave it to the model");
}

void BodyChecker::checkPart(ast::Expr &part) {
  switch (part.kind) {
  case ast::ExprKind::Gen:
  case ast::ExprKind::Select: {
    warnGenInTurn(part.span);
    if (!extending.empty())
      markUsed(*extending.back());
    part.type =
        part.kind == ast::ExprKind::Gen ? checkGen(part) : checkSelect(part);
    return;
  }
  case ast::ExprKind::Text:
    if (makesPart(part))
      return checkTextPart(part);
    break;
  case ast::ExprKind::Binary:
    if (!makesPart(part))
      break;
    part.isPart = true;
    part.type = types.voidType();
    checkPart(*part.children[0]);
    checkPart(*part.children[1]);
    return;
  case ast::ExprKind::Call:
    if (isPartCall(part))
      return checkCallPart(part);
    break;
  default:
    break;
  }
  checkExpr(part);
  if (!isError(part.type) && !isMedia(part.type))
    checkPrintable(part);
}

void BodyChecker::checkTextPart(ast::Expr &part) {
  for (ast::TextPart &piece : part.parts) {
    if (!piece.hole) {
      warnPlainName(piece);
      continue;
    }
    ast::Expr &hole = *piece.hole;
    if (!makesPart(hole)) {
      checkExpr(hole);
      checkPrintable(hole);
      continue;
    }
    bool isTurn = isPartCall(hole) && isRoleName(hole.children[0]->text);
    bool isPicture = hole.kind == ast::ExprKind::Name;
    if (isTurn || isPicture)
      session
          .error("E0509", hole.span,
                 isTurn ? "a turn stands inside of a text"
                        : "media stands inside of a text")
          .label("a part of its own")
          .note("close the text before it: `\"…\", " +
                std::string(isTurn ? "user(…)" : "photo") + ", \"…\"`");
    checkPart(hole);
  }
  part.type = types.strType();
}

void BodyChecker::checkCallPart(ast::Expr &part) {
  const std::string &name = part.children[0]->text;
  part.children[0]->type = types.voidType();
  if (isRoleName(name))
    return checkRolePart(part, roleOf(part, name));
  if (name != "special") {
    checkExpr(part);
    return;
  }
  part.callee = ast::CalleeKind::Special;
  part.type = types.voidType();
  if (!checkArity(part, 1, 1))
    return;
  ast::Expr &text = *part.args[0].value;
  bool literal = text.kind == ast::ExprKind::Text;
  for (const ast::TextPart &piece : text.parts)
    literal &= !piece.hole;
  if (!literal) {
    session.error("E0208", text.span, "`special` takes a text literal only")
        .label("not a literal")
        .note("values are data; they never become control tokens");
    checkExpr(text);
    return;
  }
  checkExpr(text);
  part.constant = text.constant;
}

//===-- Turns -------------------------------------------------------------===//

/// The role that `user(…)` or `role("critic", …)` names; "" was reported.
std::string BodyChecker::roleOf(ast::Expr &call, const std::string &name) {
  if (name != "role")
    return name;
  if (!call.args.empty()) {
    ast::Expr &first = *call.args[0].value;
    if (first.kind == ast::ExprKind::Text) {
      checkExpr(first);
      if (first.constant && first.constant->asText() &&
          !first.constant->asText()->empty())
        return *first.constant->asText();
    }
  }
  session
      .error("E0208", call.args.empty() ? call.span : call.args[0].value->span,
             "`role` takes the name of the role first, as a text literal")
      .label("not a literal")
      .note("write `role(\"critic\", …)`");
  return "";
}

bool BodyChecker::openTurn(const std::string &role, Span span) {
  ast::Binding *state =
      extending.empty() ? nullptr : stateRoot(*extending.back());
  if (!state)
    return true;
  const StateFacts *facts = env.facts(state);
  if (facts && !facts->openRole.empty()) {
    session
        .error("E0504", span,
               "a turn of " + ticked(role) + " inside a turn of " +
                   ticked(facts->openRole))
        .label("begins here")
        .also(facts->roleSpan, "still open")
        .note("turns do not nest");
    return false;
  }
  StateFacts &mine = env.editFacts(state);
  mine.openRole = role.empty() ? "role" : role;
  mine.roleSpan = span;
  return true;
}

void BodyChecker::closeTurn() {
  ast::Binding *state =
      extending.empty() ? nullptr : stateRoot(*extending.back());
  if (state)
    env.editFacts(state).openRole.clear();
}

void BodyChecker::checkRolePart(ast::Expr &part, const std::string &role) {
  part.callee = ast::CalleeKind::Role;
  part.builtin = role;
  part.type = types.voidType();
  bool opened = openTurn(role, part.children[0]->span);
  size_t from = part.children[0]->text == "role" ? 1 : 0;
  for (size_t i = from; i < part.args.size(); ++i) {
    ast::Arg &arg = part.args[i];
    if (arg.label)
      session
          .error("E0302", arg.label->span,
                 "a turn has no option " + ticked(arg.label->text))
          .label("unknown option")
          .note("options stand in the `gen` itself");
    checkPart(*arg.value);
    if (i > from && arg.value->kind == ast::ExprKind::Gen)
      for (const ast::Arg &option : arg.value->args)
        if (option.label && option.label->text == "heal" &&
            option.value->constant && option.value->constant->asText() &&
            *option.value->constant->asText() == "off")
          warnBlankEnd(*part.args[i - 1].value, arg.value->span);
  }
  if (opened)
    closeTurn();
}

void BodyChecker::warnGenInTurn(Span span) {
  ast::Binding *state =
      extending.empty() ? nullptr : stateRoot(*extending.back());
  const StateFacts *facts = state ? env.facts(state) : nullptr;
  if (!facts || (facts->openRole != "user" && facts->openRole != "system"))
    return;
  session
      .warning("W0505", span,
               "the model speaks for the " + facts->openRole + " here")
      .label("generated inside of this turn")
      .also(facts->roleSpan, "the turn begins here")
      .note("answers usually stand in `assistant(…)`");
}

/// `{topic}` in a text, where `topic` is a value in scope: W0107.
void BodyChecker::warnPlainName(const ast::TextPart &part) {
  const std::string &bytes = part.bytes;
  for (size_t at = bytes.find('{'); at != std::string::npos;
       at = bytes.find('{', at + 1)) {
    size_t end = at + 1;
    while (end < bytes.size() &&
           (std::isalnum(uint8_t(bytes[end])) || bytes[end] == '_'))
      ++end;
    if (end == at + 1 || end >= bytes.size() || bytes[end] != '}' ||
        std::isdigit(uint8_t(bytes[at + 1])) ||
        (at > 0 && (bytes[at - 1] == '{' || bytes[at - 1] == '$')))
      continue;
    std::string name = bytes.substr(at + 1, end - at - 1);
    if (!findLocal(name))
      continue;
    session
        .warning("W0107", part.span,
                 ticked("{" + name + "}") + " is plain text, but " +
                     ticked(name) + " is in scope")
        .label("written as it stands")
        .note("a value goes into a text as `${" + name + "}`");
    return;
  }
}

} // namespace sgl
