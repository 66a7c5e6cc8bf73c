// Parts of a prompt, one after the other on one state, and turns.
//
// `follow` is decided here, from the source: the literal text that is put next
// on the same state in the same block, however the `+=` are cut; or the end of
// the turn where nothing stands between.
#include "compiler/lower/FunctionLowering.h"
#include "compiler/lower/Walk.h"
#include "compiler/lower/Writes.h"

using namespace mlir;

namespace sgl {

/// No token is longer, so no more of what follows can matter.
constexpr size_t longestFollow = 256;

FunctionLowering::Prompt FunctionLowering::promptAt(const ast::Expr &place) {
  Prompt prompt;
  prompt.value = lowerExpr(place);
  if (place.kind == ast::ExprKind::Name) {
    prompt.id = place.binding->id;
    prompt.binding = place.binding;
  }
  return prompt;
}

/// The state goes on as `value`: later parts may read it by its name.
void FunctionLowering::advance(Prompt &prompt, mlir::Value value) {
  prompt.value = value;
  if (prompt.binding)
    env[slotOf(prompt.binding)] = value;
}

void FunctionLowering::lowerExtend(const ast::Stmt &stmt) {
  if (stmt.isArithmetic) {
    const ast::Expr &place = *stmt.place;
    const sgl::Type *type = place.type;
    mlir::Value left = lowerExpr(place);
    mlir::Value right = lowerExpr(*stmt.parts[0]);
    mlir::Value sum = binary("add", left, right, irType(type), at(stmt.span));
    const sgl::Type *to =
        place.kind == ast::ExprKind::Name ? place.binding->type : type;
    return assign(
        place, enter(sum, baseType(module.types(), type), to, at(stmt.span)));
  }
  endFollow(noState);
  Prompt prompt = promptAt(*stmt.place);
  for (const ast::ExprPtr &part : stmt.parts)
    lowerPart(*part, prompt);
  if (!prompt.binding)
    assign(*stmt.place, prompt.value);
}

void FunctionLowering::lowerRoleBlock(const ast::Stmt &stmt) {
  Location location = at(stmt.span);
  Prompt prompt = promptAt(*stmt.place);
  endFollow(prompt.id);
  openTurn(stmt.role, prompt, location);
  if (!prompt.binding)
    assign(*stmt.place, prompt.value);
  // A block of its own, whose end is the end of the turn: also behind a jump,
  // which is a flag here.
  std::map<uint32_t, Open> outer = std::exchange(followed, {});
  lowerStatements(stmt.body.statements);
  prompt = promptAt(*stmt.place);
  closeTurn(prompt, location);
  if (!prompt.binding)
    assign(*stmt.place, prompt.value);
  followed = std::move(outer);
  for (uint32_t written : writesOf(stmt.body))
    endFollow(written);
}

//===-- Parts ------------------------------------------------------------===//

void FunctionLowering::lowerPart(const ast::Expr &part, Prompt &prompt) {
  using K = ast::ExprKind;
  switch (part.kind) {
  case K::Gen:
    return lowerGen(part, prompt);
  case K::Select:
    return lowerSelect(part, prompt);
  case K::Text:
    return lowerTextPart(part, prompt);
  case K::Binary:
    if (!part.isPart)
      break;
    lowerPart(*part.children[0], prompt);
    return lowerPart(*part.children[1], prompt);
  case K::Call:
    if (part.callee == ast::CalleeKind::Role ||
        part.callee == ast::CalleeKind::Special)
      return lowerCallPart(part, prompt);
    break;
  default:
    break;
  }
  appendValue(part, prompt);
}

void FunctionLowering::lowerTextPart(const ast::Expr &part, Prompt &prompt) {
  for (const ast::TextPart &piece : part.parts) {
    if (piece.hole)
      lowerPart(*piece.hole, prompt);
    else
      appendLiteral(piece.bytes, prompt, at(piece.span));
  }
}

void FunctionLowering::lowerCallPart(const ast::Expr &part, Prompt &prompt) {
  Location location = at(part.span);
  if (part.callee == ast::CalleeKind::Special) {
    endFollow(prompt.id);
    const std::string *token = part.args[0].value->constant->asText();
    return advance(
        prompt, builder.create<ir::SpecialOp>(location, prompt.value, *token));
  }
  endFollow(prompt.id);
  openTurn(part.builtin, prompt, location);
  bool namesRole = part.children[0]->text == "role";
  for (size_t i = namesRole ? 1 : 0; i < part.args.size(); ++i)
    lowerPart(*part.args[i].value, prompt);
  closeTurn(prompt, location);
}

void FunctionLowering::appendLiteral(llvm::StringRef text, Prompt &prompt,
                                     Location location) {
  if (text.empty())
    return;
  auto open = followed.find(prompt.id);
  if (open != followed.end() && open->second.text.size() < longestFollow) {
    open->second.text += text;
    open->second.gen.setFollow(open->second.text);
  }
  advance(prompt, builder.create<ir::ExtendOp>(location, prompt.value, text));
}

void FunctionLowering::appendValue(const ast::Expr &part, Prompt &prompt) {
  Location location = at(part.span);
  if (part.constant)
    return appendLiteral(print(*part.constant), prompt, location);
  mlir::Value value = lowerExpr(part);
  endFollow(prompt.id);
  // The value may have been made on this very state: `s += "${f(s)}"`.
  if (prompt.binding)
    prompt.value = env.at(slotOf(prompt.binding));
  if (isa<ir::MediaType>(value.getType()))
    return advance(prompt,
                   builder.create<ir::AttachOp>(location, prompt.value, value));
  advance(prompt, builder.create<ir::AppendOp>(location, prompt.value, value));
}

//===-- Turns ------------------------------------------------------------===//

void FunctionLowering::openTurn(llvm::StringRef role, Prompt &prompt,
                                Location location) {
  advance(prompt, builder.create<ir::OpenOp>(location, prompt.value, role));
}

void FunctionLowering::closeTurn(Prompt &prompt, Location location) {
  auto open = followed.find(prompt.id);
  if (open != followed.end() && open->second.text.empty())
    open->second.gen.setEndOfTurn(true);
  endFollow(prompt.id);
  advance(prompt, builder.create<ir::CloseOp>(location, prompt.value));
}

} // namespace sgl
