// Calls that are part of the language: state(), special(), meta(), scores(),
// prob(), last_error() and what is not carried yet.
#include "compiler/check/BodyChecker.h"

namespace sgl {

const Type *BodyChecker::checkSpecialCall(ast::Expr &expr,
                                          const std::string &name) {
  if (session.refuse("call " + name, expr.children[0]->span))
    return errorType();
  if (name == "state") {
    expr.callee = ast::CalleeKind::State;
    checkArity(expr, 0, 0);
    return types.stateType();
  }
  if (name == "meta")
    return checkMeta(expr, ast::CalleeKind::Meta);
  if (name == "scores")
    return checkMeta(expr, ast::CalleeKind::Scores);
  if (name == "prob")
    return checkMeta(expr, ast::CalleeKind::Prob);
  if (name == "last_error") {
    expr.callee = ast::CalleeKind::LastError;
    if (checkArity(expr, 0, 0) && retryDepth == 0)
      session.error("E0201", expr.span, "`last_error()` outside of a `retry`")
          .label("no try failed before")
          .note("it says in a `retry`, or in its `else`, why the try before "
                "failed");
    return types.optional(types.strType());
  }
  if (name == "special") {
    session.error("E0509", expr.span, "`special(…)` stands outside of a `+=`")
        .label("a part of a prompt, not a value")
        .note("write `s += special(\"…\")`");
    return errorType();
  }
  // mock
  session.error("E0201", expr.span, ticked(name) + " belongs to tests")
      .label("outside of a `test`");
  checkArgumentsAnyway(expr);
  return errorType();
}

/// `meta(x)`, `scores(x)`, `prob(x)`: x is a capture, or `s.x`.
const Type *BodyChecker::checkMeta(ast::Expr &expr, ast::CalleeKind kind) {
  expr.callee = kind;
  const Type *result = kind == ast::CalleeKind::Meta
                           ? session.metaType
                           : types.map(types.floatType());
  if (!checkArity(expr, 1, 1)) {
    checkArgumentsAnyway(expr);
    return result;
  }
  ast::Expr &arg = *expr.args[0].value;
  if (isError(checkExpr(arg)))
    return result;
  bool isField = arg.kind == ast::ExprKind::Field && arg.children[0]->type &&
                 arg.children[0]->type->is(TypeKind::State) &&
                 arg.text != "text" && arg.text != "messages" &&
                 arg.text != "tokens";
  bool isName = arg.kind == ast::ExprKind::Name && arg.binding &&
                arg.binding->kind == ast::BindingKind::Capture;
  if (!isField && !isName) {
    session
        .error("E0301", arg.span,
               shownCallee(expr) + " takes the name of something generated")
        .label("not generated")
        .note("`gen() as x` gives a name; then `" + expr.children[0]->text +
              "(x)` or `" + expr.children[0]->text + "(s.x)`");
    return result;
  }
  if (kind == ast::CalleeKind::Meta || !arg.binding)
    return result;
  if (!info(arg.binding).ofSelect)
    session
        .error("E0301", arg.span,
               shownCallee(expr) + " takes the name of a `select`")
        .label("of a `gen`")
        .also(arg.binding->span, "generated here");
  return result;
}

} // namespace sgl
