// Names of one function: scopes, lookups, and what to say of a name that is
// not there.
#include "compiler/check/BodyChecker.h"

namespace sgl {

BodyChecker::BodyChecker(Session &session, ast::Module &module,
                         ast::FnDecl *function)
    : session(session), types(session.types), module(module),
      function(function) {}

void BodyChecker::openScope() { scopes.emplace_back(); }

void BodyChecker::closeScope() {
  for (const std::string &name : scopes.back())
    locals[name].pop_back();
  scopes.pop_back();
}

ast::Binding *BodyChecker::declare(ast::BindingKind kind, const ast::Name &name,
                                   const Type *type) {
  assert(function && !scopes.empty() && "only functions have locals");
  auto binding = std::make_unique<ast::Binding>();
  binding->kind = kind;
  binding->name = name.text;
  binding->span = name.span;
  binding->type = type;
  binding->id = uint32_t(function->bindings.size());
  ast::Binding *result = binding.get();
  function->bindings.push_back(std::move(binding));
  info(result).branchDepth = branches.size();
  if (name.text == "_")
    return result;

  std::vector<Local> &same = locals[name.text];
  if (!same.empty() && same.back().scope == scopes.size()) {
    ast::Binding *first = same.back().binding;
    bool bothGenerated = kind == ast::BindingKind::Capture &&
                         first->kind == ast::BindingKind::Capture;
    Diagnostic &d =
        session.error(bothGenerated ? "E0205" : "E0207", name.span,
                      ticked(name.text) +
                          (bothGenerated ? " is generated twice in one scope"
                                         : " is declared twice in one scope"));
    d.label(bothGenerated ? "generated again here" : "declared again here")
        .also(first->span,
              bothGenerated ? "first generated here" : "first declared here");
    if (bothGenerated)
      d.note("rename one of them, or use a `fork`");
    return result;
  }
  same.push_back({result, scopes.size(), branches.size()});
  scopes.back().push_back(name.text);
  if (type->is(TypeKind::State))
    env.editFacts(result);
  return result;
}

const BodyChecker::Local *
BodyChecker::findLocal(const std::string &name) const {
  auto found = locals.find(name);
  return found == locals.end() || found->second.empty() ? nullptr
                                                        : &found->second.back();
}

ast::Binding *BodyChecker::findValue(const std::string &name) {
  if (const Local *local = findLocal(name))
    return local->binding;
  const Symbol *symbol = session.find(module, name);
  if (!symbol || symbol->kind != SymbolKind::Constant)
    return nullptr;
  ensureConstant(session, *symbol->owner, *symbol->constant);
  return symbol->constant->binding.get();
}

BodyChecker::LocalInfo &BodyChecker::info(const ast::Binding *binding) {
  if (infos.size() <= binding->id)
    infos.resize(binding->id + 1);
  return infos[binding->id];
}

bool BodyChecker::isLocal(const ast::Binding *binding) const {
  return function && binding->id < function->bindings.size() &&
         function->bindings[binding->id].get() == binding;
}

//===-- Unknown names -----------------------------------------------------===//

namespace {

/// Walks a body for everything that `gen` and `select` name.
template <typename Site>
class CaptureFinder {
public:
  explicit CaptureFinder(std::vector<Site> &sites) : sites(sites) {}

  void walk(const ast::Block &block) {
    Span outer = here;
    here = block.span;
    for (const auto &stmt : block.statements)
      walk(*stmt);
    here = outer;
  }

private:
  void walk(const ast::Stmt &stmt) {
    for (const auto *expr : {&stmt.place, &stmt.value, &stmt.message})
      if (*expr)
        walk(**expr);
    for (const auto &part : stmt.parts)
      walk(*part);
    walk(stmt.body);
    if (stmt.otherwise)
      walk(*stmt.otherwise);
    for (const ast::MatchArm &arm : stmt.arms)
      walk(arm.body);
    if (stmt.fork)
      walk(*stmt.fork);
  }

  void walk(const ast::ForkBlock &block) {
    if (block.source)
      walk(*block.source);
    if (block.list)
      walk(*block.list);
    std::optional<Span> outer = fork;
    fork = block.span;
    if (block.body)
      walk(*block.body);
    fork = outer;
  }

  void walk(const ast::Expr &expr) {
    if (expr.capture) {
      Site site;
      site.name = expr.capture->text;
      site.span = expr.capture->span;
      site.block = here;
      site.inFork = fork.has_value();
      if (fork)
        site.fork = *fork;
      sites.push_back(std::move(site));
    }
    for (const auto &child : expr.children)
      if (child)
        walk(*child);
    for (const ast::TextPart &part : expr.parts)
      if (part.hole)
        walk(*part.hole);
    for (const ast::Arg &arg : expr.args)
      if (arg.value)
        walk(*arg.value);
    if (expr.fork)
      walk(*expr.fork);
  }

  std::vector<Site> &sites;
  Span here;
  std::optional<Span> fork;
};

bool holds(Span outer, Span inner) {
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

} // namespace

const std::vector<BodyChecker::CaptureSite> &BodyChecker::captureSites() {
  if (!sites) {
    sites.emplace();
    if (function)
      CaptureFinder<CaptureSite>(*sites).walk(function->body);
  }
  return *sites;
}

std::vector<std::string> BodyChecker::visibleNames() {
  std::vector<std::string> names;
  for (const auto &[name, entries] : locals)
    if (!entries.empty())
      names.push_back(name);
  for (const auto &[name, symbol] : session.symbols[&module])
    if (symbol.kind == SymbolKind::Constant)
      names.push_back(name);
  return names;
}

const Type *BodyChecker::reportUnknownName(const ast::Expr &expr) {
  const std::string &name = expr.text;
  if (session.isFull())
    return errorType();
  for (const CaptureSite &site : captureSites()) {
    if (site.name != name)
      continue;
    if (site.inFork && !holds(site.fork, expr.span)) {
      session
          .error("E0204", expr.span,
                 ticked(name) + " belongs to the branches of a fork")
          .label("read outside of them")
          .also(site.span, "generated in each branch here")
          .note("`join " + name + "` hands back its values");
      return errorType();
    }
    if (site.span.begin >= expr.span.begin) {
      session
          .error("E0202", expr.span,
                 ticked(name) + " is read before it is generated")
          .label("nothing has this name yet")
          .also(site.span, "generated here");
      return errorType();
    }
    if (!holds(site.block, expr.span)) {
      session
          .error("E0203", expr.span,
                 ticked(name) + " is known only inside of the block that "
                                "generates it")
          .label("read outside of the block")
          .also(site.span, "generated here")
          .note("where every path generates it, `s." + name +
                "` reads it from its state `s`");
      return errorType();
    }
  }
  Diagnostic &d =
      session.error("E0201", expr.span, "cannot find " + ticked(name));
  d.label("no value of this name is in scope");
  std::string nearest = session.suggestNearest(d, expr.span, name,
                                               [&] { return visibleNames(); });
  // By its place alone: working a constant out here could report another
  // error in the midst of this one.
  const Symbol *symbol = session.find(module, nearest);
  if (const Local *local = nearest.empty() ? nullptr : findLocal(nearest))
    d.also(local->binding->span, ticked(nearest) + " is declared here");
  else if (symbol)
    d.also(symbol->span, ticked(nearest) + " is declared here");
  return errorType();
}

} // namespace sgl
