// Seeds from `+=` and turns, carried backwards along calls; see StateEffects.h.
#include "compiler/check/StateEffects.h"

#include "compiler/check/Declare.h"

namespace sgl {

namespace {

/// One parameter of one function.
struct ParamRef {
  const ast::FnDecl *function = nullptr;
  size_t parameter = 0;
  bool operator==(const ParamRef &) const = default;
};

struct ParamHash {
  size_t operator()(const ParamRef &ref) const {
    return std::hash<const void *>()(ref.function) * 31 + ref.parameter;
  }
};

class EffectFinder {
public:
  explicit EffectFinder(Session &session) : session(session) {}

  void run() {
    for (const auto &module : session.program.modules)
      for (const auto &function : module->functions)
        session.effects[function.get()].resize(function->params.size());
    for (const auto &module : session.program.modules)
      for (const auto &function : module->functions)
        scan(*function);
    while (!work.empty()) {
      ParamRef callee = work.back();
      work.pop_back();
      ParamEffect effect = session.effects[callee.function][callee.parameter];
      for (const ParamRef &caller : callers[callee])
        add(caller, effect);
    }
  }

private:
  /// The parameter a name stands for, in the scope that is read.
  using Names = std::unordered_map<std::string, size_t>;

  void add(ParamRef to, ParamEffect effect) {
    ParamEffect &now = session.effects[to.function][to.parameter];
    if ((now.extends || !effect.extends) &&
        (now.opensRole || !effect.opensRole))
      return;
    now.extends |= effect.extends;
    now.opensRole |= effect.opensRole;
    work.push_back(to);
  }

  void scan(const ast::FnDecl &fn) {
    function = &fn;
    names.clear();
    for (size_t i = 0; i < fn.params.size(); ++i)
      if (fn.params[i].binding && holdsStates(fn.params[i].binding->type))
        names[fn.params[i].name.text] = i;
    scan(fn.body);
  }

  void scan(const ast::Block &block) {
    Names outer = names;
    for (const auto &stmt : block.statements) {
      scan(*stmt);
      if (stmt->kind == ast::StmtKind::Let || stmt->kind == ast::StmtKind::Var)
        names.erase(stmt->name.text);
    }
    names = std::move(outer);
  }

  std::optional<size_t> parameterOf(const ast::Expr *place) const {
    while (place && place->kind == ast::ExprKind::Index)
      place = place->children[0].get();
    if (!place || place->kind != ast::ExprKind::Name)
      return std::nullopt;
    auto found = names.find(place->text);
    if (found == names.end())
      return std::nullopt;
    return found->second;
  }

  void scan(const ast::Stmt &stmt) {
    std::optional<size_t> written = parameterOf(stmt.place.get());
    bool isTurn = stmt.kind == ast::StmtKind::RoleBlock;
    if (written && (stmt.kind == ast::StmtKind::Extend || isTurn))
      add({function, *written}, {true, isTurn});
    target = written;
    for (const auto &part : stmt.parts)
      scan(*part);
    target.reset();
    for (const auto *expr : {&stmt.value, &stmt.message})
      if (*expr)
        scan(**expr);
    if (stmt.kind == ast::StmtKind::For)
      scanLoop(stmt);
    else
      scan(stmt.body);
    if (stmt.otherwise)
      scan(*stmt.otherwise);
    for (const ast::MatchArm &arm : stmt.arms)
      scan(arm.body);
    if (stmt.fork)
      scan(*stmt.fork);
  }

  void scanLoop(const ast::Stmt &stmt) {
    Names outer = names;
    // `for f in fs`: f is an element of the parameter itself.
    std::optional<size_t> list = parameterOf(stmt.value.get());
    names.erase(stmt.name.text);
    if (list)
      names[stmt.name.text] = *list;
    scan(stmt.body);
    names = std::move(outer);
  }

  void scan(const ast::ForkBlock &fork) {
    if (fork.source)
      scan(*fork.source);
    if (fork.list)
      scan(*fork.list);
    Names outer = names;
    names.erase(fork.branch.text);
    if (fork.loopName)
      names.erase(fork.loopName->text);
    std::optional<size_t> outerTarget = target;
    target.reset();
    if (fork.body)
      scan(*fork.body);
    target = outerTarget;
    names = std::move(outer);
  }

  void scan(const ast::Expr &expr) {
    if (expr.kind == ast::ExprKind::Call)
      scanCall(expr);
    for (const auto &child : expr.children)
      if (child)
        scan(*child);
    for (const ast::TextPart &part : expr.parts)
      if (part.hole)
        scan(*part.hole);
    for (const ast::Arg &arg : expr.args)
      if (arg.value)
        scan(*arg.value);
    if (expr.fork)
      scan(*expr.fork);
  }

  void scanCall(const ast::Expr &call) {
    const ast::FnDecl *callee = calleeOf(*call.children[0]);
    if (!callee) {
      const ast::Expr &name = *call.children[0];
      if (target && name.kind == ast::ExprKind::Name && isRoleName(name.text))
        add({function, *target}, {true, true});
      return;
    }
    for (size_t i = 0; i < call.args.size(); ++i) {
      std::optional<size_t> mine = parameterOf(call.args[i].value.get());
      if (!mine)
        continue;
      size_t to = i;
      if (call.args[i].label)
        for (to = 0; to < callee->params.size(); ++to)
          if (callee->params[to].name.text == call.args[i].label->text)
            break;
      if (to >= callee->params.size())
        continue;
      ParamRef theirs{callee, to};
      callers[theirs].push_back({function, *mine});
      add({function, *mine}, session.effects[callee][to]);
    }
  }

  const ast::FnDecl *calleeOf(const ast::Expr &callee) const {
    const Symbol *symbol = nullptr;
    if (callee.kind == ast::ExprKind::Name) {
      symbol = session.find(*function->module, callee.text);
    } else if (callee.kind == ast::ExprKind::Field &&
               callee.children[0]->kind == ast::ExprKind::Name) {
      symbol = session.find(*function->module, callee.children[0]->text);
      if (symbol && symbol->kind == SymbolKind::Module)
        symbol = session.find(*symbol->module, callee.text);
    }
    return symbol && symbol->kind == SymbolKind::Function ? symbol->function
                                                          : nullptr;
  }

  Session &session;
  const ast::FnDecl *function = nullptr;
  Names names;
  std::optional<size_t> target; ///< the parameter whose `+=` is read
  std::unordered_map<ParamRef, std::vector<ParamRef>, ParamHash> callers;
  std::vector<ParamRef> work;
};

} // namespace

void findStateEffects(Session &session) { EffectFinder(session).run(); }

} // namespace sgl
