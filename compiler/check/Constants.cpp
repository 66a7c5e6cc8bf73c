// Constants of files, defaults of parameters and fields (2.1): made of
// literals, enums, records, other constants in any order and pure built-ins.
#include "compiler/check/BodyChecker.h"

#include "compiler/check/Fold.h"
#include "compiler/check/Types.h"

namespace sgl {

const Type *BodyChecker::checkConstant(ast::Expr &expr, const Type *to,
                                       const std::string &what) {
  const Type *type = to ? checkAs(expr, to) : checkExpr(expr);
  if (isError(type) || expr.constant)
    return type;
  std::string why;
  foldExpr(session, expr, &why);
  Diagnostic &d =
      session.error("E0208", expr.span, what + " is not a constant");
  d.label("not known when compiled");
  if (!why.empty())
    d.note(why);
  else
    d.note("constants are made of literals, enums, records, other constants "
           "and pure built-ins");
  return errorType();
}

void ensureConstant(Session &session, ast::Module &module,
                    ast::ConstDecl &constant) {
  if (session.done.count(&constant))
    return;
  if (!constant.binding) {
    constant.binding = std::make_unique<ast::Binding>();
    constant.binding->kind = ast::BindingKind::Constant;
    constant.binding->name = constant.name.text;
    constant.binding->span = constant.name.span;
    constant.binding->type = errorType();
  }
  ast::Binding &binding = *constant.binding;
  if (!session.active.insert(&constant).second) {
    session
        .error("E0208", constant.name.span,
               "constant " + ticked(constant.name.text) + " is made of itself")
        .label("its value needs its value");
    return;
  }
  if (session.active.size() > maxDeclarationDepth) {
    session
        .error("E0208", constant.name.span,
               "constants refer to each other more than " +
                   std::to_string(maxDeclarationDepth) + " deep")
        .label("too deep");
  } else {
    const Type *to = nullptr;
    if (constant.declaredType)
      to = resolveType(session, module, *constant.declaredType);
    BodyChecker checker(session, module, nullptr);
    const Type *type =
        checker.checkConstant(*constant.value, to, ticked(constant.name.text));
    if (!isError(type) && (!to || !isError(to))) {
      binding.type = to ? to : type;
      binding.constant = constant.value->constant;
    }
  }
  session.active.erase(&constant);
  session.done.insert(&constant);
}

} // namespace sgl
