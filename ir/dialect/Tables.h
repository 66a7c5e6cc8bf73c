// What the IR names by a key: types and automata of the program at hand.
//
// A key is the type as the user writes it; where two types of one spelling
// exist (records of two modules), the later get "#2", "#3". Without a program
// (sgl-opt) the keys of built-in types and of lists, maps and optionals of them
// still work; others are unknown and whatever needs them is not folded.
#pragma once

#include "ir/constraint/Automaton.h"
#include "ir/value/Type.h"
#include "ir/value/Value.h"

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Types.h"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace sgl::ir {

struct ConstraintEntry {
  std::string source; ///< what it came from, for messages
  std::shared_ptr<const Automaton> automaton;
};

class Tables {
public:
  /// `types` owns what the keys stand for; null: a context of its own.
  explicit Tables(TypeContext *types = nullptr);

  /// The key of a type; the same for the same type.
  const std::string &key(const Type *type);
  /// Null where the key is unknown.
  const Type *type(llvm::StringRef key);
  /// The static type of values of `type` in the IR.
  mlir::Type irType(mlir::MLIRContext *context, const Type *type);
  /// A type of the language for a static type; null for an unknown name.
  const Type *typeOf(mlir::Type type);

  void addConstraint(std::string key, ConstraintEntry entry);
  const ConstraintEntry *constraint(llvm::StringRef key) const;

  /// The value of a constant's attribute; none where its type is unknown.
  std::optional<Value> valueOf(mlir::Attribute attribute);
  /// The attribute of a value of static type `type`; null where there is none
  /// (states, media, unknown types).
  mlir::Attribute attributeOf(const Value &value, mlir::Type type);
  /// The same where the type of the language is known.
  mlir::Attribute attributeOf(mlir::MLIRContext *context, const Value &value,
                              const Type *type);

private:
  std::unique_ptr<TypeContext> own;
  TypeContext *types;
  std::map<const Type *, std::string> keys;
  std::map<std::string, const Type *, std::less<>> byKey;
  std::map<std::string, ConstraintEntry, std::less<>> constraints;
};

} // namespace sgl::ir
