// What a typed `gen` may write, and the value of what it wrote.
//
// Entry points: compileType and readTyped. Numbers, bools, enums and unions of
// text literals stand bare; records are JSON objects in field order with one
// canonical white space, `{"a": 1, "b": [2, 3]}`.
#pragma once

#include "ir/constraint/Automaton.h"
#include "ir/value/Value.h"

namespace sgl {

/// The automaton of a type. An error names the type (or the field) and says
/// what cannot be constrained, or that nothing fits it. A plain `str` is not
/// constrained: ask `isConstraining` first.
Result<Automaton> compileType(const Type *type);

/// Does a gen of this type need an automaton? False for a plain `str`.
bool isConstraining(const Type *type);

/// Is the whole text of a gen of this type the text itself: a `str`, an enum, a
/// text literal, a union of text literals? All else is written as JSON.
bool standsBare(const Type *type);

/// The value that a generated text stands for: bare texts as themselves,
/// otherwise JSON. Fails where `text` is not in the language of the type.
Result<Value> readTyped(const Type *type, std::string_view text);

} // namespace sgl
