// What a typed `gen` may write, and the value of what it wrote.
//
// Entry points: compileType and readTyped. Numbers, bools, enums and unions of
// text literals stand bare; records are JSON objects in field order with one
// canonical white space, `{"a": 1, "b": [2, 3]}`. A `json` nests up to
// jsonLevels deep, records that hold themselves up to the first of
// recursionLevels that fits maxUnfolded (ConstraintFault.h).
#pragma once

#include "ir/constraint/Automaton.h"
#include "ir/constraint/ConstraintFault.h"
#include "ir/constraint/JsonLayout.h"
#include "ir/value/Value.h"

namespace sgl {

/// How a value is written (2.6).
struct TypeForm {
  Whitespace whitespace = Whitespace::Canonical;
  /// Takes unions whose members cannot be told apart; a text is then the first
  /// member that it fits.
  bool lenient = false;
};

/// The automaton of a type. An error names the type (or the field) and says
/// what cannot be constrained, or that nothing fits it; `fault` gets the same
/// as data. A plain `str` is not constrained: ask `isConstraining` first.
Result<Automaton> compileType(const Type *type, TypeForm form = {},
                              ConstraintFault *fault = nullptr);

/// Does a gen of this type need an automaton? False for a plain `str`.
bool isConstraining(const Type *type);

/// Is the whole text of a gen of this type the text itself: a `str`, an enum, a
/// text literal, a union of text literals? All else is written as JSON.
bool standsBare(const Type *type);

/// The value that a generated text stands for: bare texts as themselves,
/// otherwise JSON. A key that a map or a `json` repeats has its last value.
/// Fails where `text` is not in the language of the type.
Result<Value> readTyped(const Type *type, std::string_view text);

} // namespace sgl
