// What is known at a point of a function: reachability, narrowed types, and
// for each state what was generated on it, its open turn, whether it is closed.
//
// An Env is a value: branches copy it and merge what they end with. Copies
// share until they are written, so a branch that learns nothing costs nothing.
#pragma once

#include "compiler/check/Session.h"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace sgl {

/// Shared until written.
template <typename T>
class Shared {
public:
  const T &get() const {
    static const T none;
    return data ? *data : none;
  }
  T &edit() {
    if (!data)
      data = std::make_shared<T>();
    else if (data.use_count() > 1)
      data = std::make_shared<T>(*data);
    return *data;
  }
  bool sameAs(const Shared &other) const { return data == other.data; }

private:
  std::shared_ptr<T> data;
};

/// A name, or fields behind it: `.report.grade`.
struct Place {
  const ast::Binding *root = nullptr;
  std::string fields;
  auto operator<=>(const Place &) const = default;
};

/// A name generated on a state.
struct CaptureFact {
  const Type *type = nullptr;
  ast::Binding *binding = nullptr; ///< null: of several gens
  Span span;                       ///< where it is generated
  bool onAllPaths = true;
  const Type *otherType = nullptr; ///< set: another type on another path
  bool ofSelect = false;
};

struct StateFacts {
  Shared<std::map<std::string, CaptureFact>> captures;
  std::optional<Span> joined; ///< closed by this `join`
  std::string openRole;       ///< the turn that is open; empty: none
  Span roleSpan;
};

struct Env {
  bool reachable = true;
  Shared<std::map<Place, const Type *>> narrowed;
  Shared<std::map<const ast::Binding *, StateFacts>> states;

  const StateFacts *facts(const ast::Binding *state) const;
  StateFacts &editFacts(const ast::Binding *state);
  const Type *narrowedType(const Place &place) const;
  void narrow(const Place &place, const Type *type);
  /// Forgets what is known of a name and its fields.
  void forget(const ast::Binding *root);
};

/// What holds behind two paths. An unreachable side does not count.
Env merge(Session &session, const Env &a, const Env &b);

/// Types learnt from a condition.
using Facts = std::vector<std::pair<Place, const Type *>>;
struct Condition {
  Facts whenTrue, whenFalse;
};

} // namespace sgl
