// One rendering of a template: scopes, budgets, the first failure.
//
// The first failure sticks and later ones are ignored, so an operation on the
// undefined value that a failed one returned is harmless; loops check
// `failed()` to end early. A template is outside input: `spend` bounds work
// and memory, `deeper` the depth of the stack, whatever the template does.
#pragma once

#include "runtime/text/JinjaAst.h"
#include "runtime/text/JinjaLexer.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sgl::jinja {

/// Names of one scope; lookups go on in the parent.
struct Scope {
  Scope *parent = nullptr;
  bool captured = false; ///< a macro may still read it after its end
  std::vector<std::pair<std::string_view, Value>> names;

  const Value *find(std::string_view name) const;
  void set(std::string_view name, Value value);
};

/// Variables from outside: name to value.
using Globals = std::unordered_map<std::string, Value>;

class Run {
public:
  /// Renders the statements; nothing when it failed (see `failure`).
  std::optional<Text> render(const std::vector<Stmt> &statements);
  Failure failure;
  Globals globals;

  // Failures and budgets.
  Value fail(ErrorClass kind, std::string message);
  Value fail(const Missing &why) { return fail(why.kind, why.message); }
  /// Raises what an undefined value stands for.
  Value failUndefined(const Value &value);
  bool failed() const { return hasFailed; }
  /// Takes `units` of work off the budget; false (and failed) at its end.
  bool spend(size_t units);
  /// A text as a value: its bytes are charged, its length is limited.
  Value charge(Text text);
  Value charge(std::vector<Value> items, bool tuple = false);
  Value charge(Dict dict);
  /// What `{{ value }}` prints, charged.
  Text print(const Value &value);

  /// Counts the depth of calls while it lives.
  class Deeper {
  public:
    explicit Deeper(Run &run);
    ~Deeper() { --run.depth; }

  private:
    Run &run;
  };

  // Evaluation (JinjaEval.cpp, JinjaEvalExpr.cpp).
  Value evaluate(const Expr &expr);
  void execute(const std::vector<Stmt> &statements);
  Value callMacro(const MacroBody &macro, Scope *home, Arguments arguments);
  /// Runs the body of a loop over `items` and returns its text.
  Value callLoop(const Stmt &loop, Scope *home, const Value &items,
                 unsigned depth);
  Value call(const Value &callee, Arguments arguments);
  Value applyFilter(std::string_view name, const Value &value,
                    Arguments arguments);
  bool applyTest(std::string_view name, const Value &value,
                 Arguments arguments);

  /// Makes an object that lives as long as the run.
  template <typename T, typename... Args>
  T *own(Args &&...args) {
    spend(20);
    auto object = std::make_unique<T>(std::forward<Args>(args)...);
    T *raw = object.get();
    objects.push_back(std::move(object));
    return raw;
  }

private:
  friend class Loop;
  struct Inner; ///< a scope while it lives

  void execute(const Stmt &stmt);
  void append(const Text &text);
  void executeIf(const Stmt &stmt);
  void executeFor(const Stmt &stmt, Scope *home, const Value &items,
                  unsigned level);
  void executeBlock(const Stmt &stmt);
  void executeCallBlock(const Stmt &stmt);
  void executeWith(const Stmt &stmt);
  void assign(const Expr &target, Value value);
  Text capture(const std::function<void()> &body);
  std::vector<Value> loopItems(const Stmt &stmt, const Value &items);
  Value lookUp(const std::string &name);
  Arguments evaluateArguments(const Expr &expr);
  Value evaluateSlice(const Expr &expr);
  Value evaluateCompare(const Expr &expr);
  Value evaluateConcat(const Expr &expr);
  Value evaluateDict(const Expr &expr);
  std::vector<Value> evaluateAll(const std::vector<ExprPtr> &list);
  void bindMacro(const MacroBody &macro, Arguments &arguments);
  void bindExtras(const MacroBody &macro, Arguments &arguments);
  Scope *keep(Scope *scope);

  Scope root;
  Scope *scope = &root;
  Text *out = nullptr;
  Value blockText;
  std::vector<std::unique_ptr<Object>> objects;
  std::vector<std::unique_ptr<Scope>> keptScopes;
  enum class Jump { None, Break, Continue } jump = Jump::None;
  bool hasFailed = false;
  unsigned line = 0;
  unsigned depth = 0;
  size_t budget = 20'000'000;
};

// Operators (JinjaOperators.cpp).

/// `left op right` for + - * / // % **.
Value binaryOperator(Run &run, std::string_view op, const Value &left,
                     const Value &right);
Value negative(Run &run, const Value &value);
/// Less-than as Python has it; a type error where the two do not compare.
bool lessThan(Run &run, const Value &left, const Value &right,
              std::string_view op = "<");
bool contains(Run &run, const Value &item, const Value &container);
bool compare(Run &run, std::string_view op, const Value &left,
             const Value &right);

// Access (JinjaAccess.cpp).

Value getAttribute(Run &run, const Value &base, std::string_view name);
Value getItem(Run &run, const Value &base, const Value &key);
/// `a.b.0` of an item, part by part; `otherwise` (may be null) stands in for
/// what is undefined.
Value getPath(Run &run, Value item, const Value &path, const Value *otherwise);
/// The elements a `for` goes over; fails when there are none to go over.
std::vector<Value> iterate(Run &run, const Value &value);
/// Length in elements or characters; fails when it has none.
size_t lengthOf(Run &run, const Value &value);
Value slice(Run &run, const Value &base, const Value *from, const Value *to,
            const Value *step);

// Built-in functions with named parameters (JinjaBuiltin.cpp).

/// Arguments in the order of a built-in's parameters.
struct Bound {
  Arguments raw;
  std::vector<const Value *> slots;

  bool has(size_t i) const { return i < slots.size() && slots[i]; }
  const Value &operator[](size_t i) const { return *slots[i]; }
  /// Truth of an optional flag.
  bool flag(size_t i, bool otherwise) const {
    return has(i) ? slots[i]->truthy() : otherwise;
  }
};

/// A filter, test, method or function. `parameters` are names separated by
/// blanks, needed ones with a leading "*"; "..." takes any arguments.
struct Builtin {
  std::string_view name;
  std::string_view parameters;
  Value (*run)(Run &run, const Value &self, const Bound &arguments);
};

/// Binds and calls; a type error when the arguments do not fit.
Value callBuiltin(Run &run, const Builtin &builtin, const Value &self,
                  Arguments arguments);
/// The text of an argument; a type error that names the built-in otherwise.
const Text &needText(Run &run, const Value &value, std::string_view who);
Int needInt(Run &run, const Value &value, std::string_view who);

/// The method `name` of a text, list, tuple or dict, or null
/// (JinjaMethods.cpp).
const Builtin *findMethod(const Value &self, std::string_view name);
/// The same for lists, tuples and dicts alone (JinjaContainers.cpp).
const Builtin *findContainerMethod(const Value &self, std::string_view name);
/// Does Python have this method, which changes its object?
bool isMutatingMethod(const Value &self, std::string_view name);
Value bindMethod(Run &run, const Value &self, const Builtin &method);
const Builtin *findFilter(std::string_view name);
const Builtin *findSortFilter(std::string_view name);
const Builtin *findTextFilter(std::string_view name);
const Builtin *findTest(std::string_view name);
/// range, namespace, raise_exception and the other globals, or undefined.
Value findGlobal(Run &run, std::string_view name);

/// `"..." % value` and `"...".format(...)` (JinjaFormat.cpp).
Value formatPercent(Run &run, const Text &format, const Value &value);
Value formatBraces(Run &run, const Text &format, const Arguments &arguments);

/// JSON as Python's json.dumps writes it (JinjaJson.cpp).
struct JsonStyle {
  bool ascii = false, sortKeys = false;
  std::optional<unsigned> indent;
  std::string itemSeparator = ", ", keySeparator = ": ";
};
Value toJson(Run &run, const Value &value, const JsonStyle &style);

/// `namespace(...)`: the one value whose attributes a template may set.
class Namespace : public Object {
public:
  std::string_view typeName() const override { return "Namespace"; }
  const Value *attribute(std::string_view name) override {
    return values.find(name);
  }
  Dict values;
};

} // namespace sgl::jinja
