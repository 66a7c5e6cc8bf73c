// One function from its parameters to its last brace.
#include "compiler/check/BodyChecker.h"

namespace sgl {

void BodyChecker::checkFunction() {
  ScopeGuard scope(*this);
  uint64_t errorsBefore = session.errors;
  for (ast::Param &param : function->params) {
    ast::Binding *binding = param.binding;
    std::vector<Local> &same = locals[binding->name];
    if (!same.empty()) {
      session
          .error("E0207", param.name.span,
                 ticked(binding->name) + " is a parameter twice")
          .label("declared again here")
          .also(same.back().binding->span, "first declared here");
      continue;
    }
    same.push_back({binding, scopes.size(), 0});
    scopes.back().push_back(binding->name);
    info(binding);
    if (!isError(binding->type) && holdsStates(binding->type))
      env.editFacts(binding);
  }
  // Parameters belong to the body's own scope.
  checkStatements(function->body);
  const Type *result = function->resultType;
  if (env.reachable && !result->is(TypeKind::Void) && !function->damaged) {
    Span end = function->body.span;
    end.begin = end.end > end.begin ? end.end - 1 : end.end;
    Diagnostic &d = session.error("E0307", end,
                                  ticked(function->name.text) +
                                      " ends here without a `return`");
    d.label("a path reaches this end");
    if (function->result)
      d.also(function->result->span, "a " + ticked(result) + " is expected");
  }
  // Behind a mistake much looks unused that is not.
  if (session.errors == errorsBefore)
    warnUnusedText();
}

} // namespace sgl
