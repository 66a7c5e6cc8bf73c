// Statements: output, branches, loops, assignments, macros.
#include "runtime/text/JinjaRun.h"

#include <algorithm>

namespace sgl::jinja {

static constexpr size_t maxOutputBytes = 16u << 20;

/// A scope that ends with its block. If a macro was made inside it, the scope
/// moves to the run and lives on.
struct Run::Inner {
  Inner(Run &run, Scope *parent)
      : run(run), before(run.scope), own(std::make_unique<Scope>()) {
    own->parent = parent;
    run.scope = own.get();
  }
  ~Inner() {
    run.scope = before;
    if (own->captured)
      run.keptScopes.push_back(std::move(own));
  }
  Run &run;
  Scope *before;
  std::unique_ptr<Scope> own;
};

/// Marks a scope and those around it as needed until the end of the run.
Scope *Run::keep(Scope *start) {
  for (Scope *s = start; s && !s->captured; s = s->parent)
    s->captured = true;
  return start;
}

namespace {

class Macro : public Object {
public:
  Macro(const MacroBody &body, Scope *home) : body(body), home(home) {
    name = makeText(body.name);
  }
  std::string_view typeName() const override { return "Macro"; }
  bool callable() const override { return true; }
  const Value *attribute(std::string_view key) override {
    return key == "name" ? &name : nullptr;
  }
  Value call(Run &run, Arguments arguments) override {
    return run.callMacro(body, home, std::move(arguments));
  }

private:
  const MacroBody &body;
  Scope *home;
  Value name;
};

} // namespace

/// The variable `loop`.
class Loop : public Object {
public:
  Loop(const Stmt &stmt, Scope *home, std::vector<Value> items, unsigned level)
      : items(std::move(items)), stmt(stmt), home(home), level(level) {}
  std::string_view typeName() const override { return "LoopContext"; }
  bool callable() const override { return stmt.recursive; }
  Value call(Run &run, Arguments arguments) override {
    if (arguments.positional.size() != 1)
      return run.fail(ErrorClass::Type, "loop() takes one argument");
    return run.callLoop(stmt, home, arguments.positional[0], level + 1);
  }
  const Value *attribute(std::string_view name) override;

  std::vector<Value> items;
  size_t at = 0;

private:
  Value get(std::string_view name) const;
  friend struct LoopMethods;
  const Stmt &stmt;
  Scope *home;
  unsigned level;
  Value answer;

public:
  Value cycle, changed; ///< bound methods
  std::optional<Value> lastChanged;
};

Value Loop::get(std::string_view name) const {
  auto number = [](size_t n) { return Value::integer(int64_t(n)); };
  if (name == "index")
    return number(at + 1);
  if (name == "index0")
    return number(at);
  if (name == "revindex")
    return number(items.size() - at);
  if (name == "revindex0")
    return number(items.size() - at - 1);
  if (name == "length")
    return number(items.size());
  if (name == "first")
    return Value(at == 0);
  if (name == "last")
    return Value(at + 1 == items.size());
  if (name == "depth")
    return number(level + 1);
  if (name == "depth0")
    return number(level);
  bool isPrevious = name == "previtem";
  if (isPrevious ? at > 0 : at + 1 < items.size())
    return items[isPrevious ? at - 1 : at + 1];
  return undefinedBecause(isPrevious ? "there is no previous item"
                                     : "there is no next item");
}

const Value *Loop::attribute(std::string_view name) {
  static constexpr std::string_view names[] = {
      "index", "index0", "revindex", "revindex0", "length",  "first",
      "last",  "depth",  "depth0",   "previtem",  "nextitem"};
  if (name == "cycle")
    return &cycle;
  if (name == "changed")
    return &changed;
  if (std::find(std::begin(names), std::end(names), name) == std::end(names))
    return nullptr;
  answer = get(name);
  return &answer;
}

struct LoopMethods {
  static Value cycle(Run &run, const Value &self, const Bound &arguments) {
    auto *loop = static_cast<Loop *>(self.object());
    const auto &choices = arguments.raw.positional;
    if (choices.empty())
      return run.fail(ErrorClass::Type, "no items for cycling given");
    return choices[loop->at % choices.size()];
  }
  static Value changed(Run &run, const Value &self, const Bound &arguments) {
    auto *loop = static_cast<Loop *>(self.object());
    Value now = makeList(arguments.raw.positional, true);
    if (loop->lastChanged && equal(*loop->lastChanged, now))
      return Value(false);
    loop->lastChanged = now;
    return Value(true);
  }
};

void Run::execute(const std::vector<Stmt> &statements) {
  for (const Stmt &stmt : statements) {
    if (failed() || jump != Jump::None)
      return;
    execute(stmt);
  }
}

void Run::execute(const Stmt &stmt) {
  Deeper deeper(*this);
  if (stmt.line)
    line = stmt.line;
  if (!spend(1))
    return;
  switch (stmt.kind) {
  case StmtKind::Data:
    return append(Text(stmt.text, false));
  case StmtKind::Print: {
    Text text = print(evaluate(*stmt.value));
    return failed() ? void() : append(text);
  }
  case StmtKind::If:
    return executeIf(stmt);
  case StmtKind::For:
    return executeFor(stmt, scope, evaluate(*stmt.value), 0);
  case StmtKind::Set:
    return assign(*stmt.target, evaluate(*stmt.value));
  case StmtKind::SetBlock:
  case StmtKind::FilterBlock:
    return executeBlock(stmt);
  case StmtKind::Macro:
    return scope->set(stmt.macro->name,
                      Value(own<Macro>(*stmt.macro, keep(scope))));
  case StmtKind::CallBlock:
    return executeCallBlock(stmt);
  case StmtKind::With:
    return executeWith(stmt);
  case StmtKind::Scope: {
    Inner inner(*this, scope);
    return execute(stmt.body);
  }
  case StmtKind::Break:
    jump = Jump::Break;
    return;
  case StmtKind::Continue:
    jump = Jump::Continue;
    return;
  case StmtKind::NoLoader:
    fail(ErrorClass::Type, "a chat template cannot load other templates");
    return;
  }
}

/// Output, within the limit on its length.
void Run::append(const Text &text) {
  out->append(text);
  if (out->size() > maxOutputBytes)
    fail(ErrorClass::Limit, "the output is longer than 16 MiB");
  spend(text.size() / 8);
}

void Run::executeIf(const Stmt &stmt) {
  for (const Branch &branch : stmt.branches) {
    bool yes = evaluate(*branch.test).truthy();
    if (failed())
      return;
    if (yes)
      return execute(branch.body);
  }
  execute(stmt.otherwise);
}

/// The items that the loop's own `if` keeps.
std::vector<Value> Run::loopItems(const Stmt &stmt, const Value &items) {
  std::vector<Value> all = iterate(*this, items);
  if (!stmt.test)
    return all;
  std::vector<Value> kept;
  for (Value &item : all) {
    if (failed())
      break;
    Inner inner(*this, scope);
    assign(*stmt.target, item);
    if (evaluate(*stmt.test).truthy())
      kept.push_back(std::move(item));
  }
  return kept;
}

static const Builtin cycleMethod = {"cycle", "...", &LoopMethods::cycle};
static const Builtin changedMethod = {"changed", "...", &LoopMethods::changed};

void Run::executeFor(const Stmt &stmt, Scope *home, const Value &items,
                     unsigned level) {
  Inner around(*this, home);
  auto *loop = own<Loop>(stmt, home, loopItems(stmt, items), level);
  loop->cycle = bindMethod(*this, Value(loop), cycleMethod);
  loop->changed = bindMethod(*this, Value(loop), changedMethod);
  for (; loop->at < loop->items.size() && spend(4); ++loop->at) {
    Inner inner(*this, scope);
    scope->set("loop", Value(loop));
    assign(*stmt.target, loop->items[loop->at]);
    execute(stmt.body);
    if (jump == Jump::Break)
      break;
    jump = Jump::None;
  }
  if (jump == Jump::Break)
    jump = Jump::None;
  else if (loop->items.empty() && !failed())
    execute(stmt.otherwise);
}

Value Run::callLoop(const Stmt &stmt, Scope *home, const Value &items,
                    unsigned level) {
  return charge(capture([&] { executeFor(stmt, home, items, level); }));
}

/// The output of `body` as a text of its own.
Text Run::capture(const std::function<void()> &body) {
  Text text;
  Text *before = std::exchange(out, &text);
  body();
  out = before;
  return text;
}

/// `set` and `filter` blocks: their text, through the filters.
void Run::executeBlock(const Stmt &stmt) {
  Text text = capture([&] {
    Inner inner(*this, scope);
    execute(stmt.body);
  });
  Value before = std::exchange(blockText, charge(std::move(text)));
  Value result = evaluate(*stmt.value);
  blockText = std::move(before);
  if (failed())
    return;
  if (stmt.target)
    assign(*stmt.target, std::move(result));
  else
    append(print(result));
}

void Run::executeCallBlock(const Stmt &stmt) {
  Arguments arguments = evaluateArguments(*stmt.value);
  Value callee = evaluate(*stmt.value->children[0]);
  arguments.named.emplace_back("caller",
                               Value(own<Macro>(*stmt.macro, keep(scope))));
  Text text = print(call(callee, std::move(arguments)));
  if (!failed())
    append(text);
}

void Run::executeWith(const Stmt &stmt) {
  std::vector<Value> values;
  for (const auto &[target, value] : stmt.assignments)
    values.push_back(evaluate(*value));
  Inner inner(*this, scope);
  for (size_t i = 0; i < values.size(); ++i)
    assign(*stmt.assignments[i].first, std::move(values[i]));
  execute(stmt.body);
}

void Run::assign(const Expr &target, Value value) {
  if (failed())
    return;
  if (target.kind == ExprKind::Name)
    return scope->set(target.text, std::move(value));
  if (target.kind == ExprKind::Attribute) {
    auto *space =
        dynamic_cast<Namespace *>(evaluate(*target.children[0]).object());
    if (!space) {
      fail(ErrorClass::Runtime, "only a namespace's attributes can be set");
      return;
    }
    space->values.set(makeText(target.text), std::move(value));
    return;
  }
  std::vector<Value> items = iterate(*this, value);
  if (!failed() && items.size() != target.children.size())
    fail(ErrorClass::Runtime,
         "cannot take " + std::to_string(items.size()) + " values apart into " +
             std::to_string(target.children.size()) + " names");
  for (size_t i = 0; i < items.size() && !failed(); ++i)
    assign(*target.children[i], std::move(items[i]));
}

/// Parameters become names of the current scope; the rest stays in
/// `arguments`.
void Run::bindMacro(const MacroBody &macro, Arguments &arguments) {
  size_t count = macro.parameters.size();
  size_t given = std::min(count, arguments.positional.size());
  size_t firstDefault = count - macro.defaults.size();
  for (size_t i = 0; i < count && !failed(); ++i) {
    const std::string &name = macro.parameters[i];
    auto named = std::find_if(arguments.named.begin(), arguments.named.end(),
                              [&](const auto &a) { return a.first == name; });
    if (i < given) {
      scope->set(name, arguments.positional[i]);
    } else if (named != arguments.named.end()) {
      scope->set(name, named->second);
      arguments.named.erase(named);
    } else if (i >= firstDefault) {
      scope->set(name, evaluate(*macro.defaults[i - firstDefault]));
    } else {
      scope->set(name,
                 undefinedBecause("parameter '" + name + "' was not provided"));
    }
  }
  arguments.positional.erase(arguments.positional.begin(),
                             arguments.positional.begin() +
                                 static_cast<std::ptrdiff_t>(given));
}

/// caller, varargs and kwargs, when the body reads them.
void Run::bindExtras(const MacroBody &macro, Arguments &arguments) {
  auto caller = std::find_if(arguments.named.begin(), arguments.named.end(),
                             [](const auto &a) { return a.first == "caller"; });
  if (macro.usesCaller && caller != arguments.named.end()) {
    scope->set("caller", caller->second);
    arguments.named.erase(caller);
  } else if (macro.usesCaller) {
    scope->set("caller", undefinedBecause("no caller defined"));
  }
  if (macro.usesKwargs) {
    Dict named;
    for (auto &[key, value] : arguments.named)
      named.set(makeText(key), value);
    scope->set("kwargs", charge(std::move(named)));
  } else if (!arguments.named.empty()) {
    fail(ErrorClass::Type, "macro '" + macro.name +
                               "' takes no keyword argument '" +
                               arguments.named[0].first + "'");
  }
  if (macro.usesVarargs)
    scope->set("varargs", charge(arguments.positional, true));
  else if (!arguments.positional.empty())
    fail(ErrorClass::Type, "macro '" + macro.name + "' takes not more than " +
                               std::to_string(macro.parameters.size()) +
                               " argument(s)");
}

Value Run::callMacro(const MacroBody &macro, Scope *home, Arguments arguments) {
  Deeper deeper(*this);
  unsigned callLine = line;
  Value result = charge(capture([&] {
    Inner inner(*this, home);
    bindMacro(macro, arguments);
    bindExtras(macro, arguments);
    execute(macro.body);
  }));
  if (!failed())
    line = callLine;
  return result;
}

} // namespace sgl::jinja
