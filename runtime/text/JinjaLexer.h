// Cuts the source of a template into tokens, with Jinja's white-space control.
//
// Settings are those that chat templates are written for: trim_blocks (the
// newline behind a block tag goes), lstrip_blocks (blanks before a block tag
// that begins its line go), one newline at the end of the source is dropped,
// and `\r\n` and `\r` count as `\n`.
#pragma once

#include "runtime/text/JinjaValue.h"

#include <string>
#include <vector>

namespace sgl::jinja {

/// Why a template does not compile or render; `line` counts from 1 (0: none).
struct Failure {
  ErrorClass kind = ErrorClass::Syntax;
  std::string message;
  unsigned line = 0;
};

enum class TokenKind {
  Data,
  VariableBegin,
  VariableEnd,
  BlockBegin,
  BlockEnd,
  Name,
  String,
  Integer,
  Float,
  Operator,
  End,
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::string text; ///< data, name, decoded string or operator
  Int integer = 0;
  double number = 0;
  unsigned line = 1;
};

/// All tokens, End last; false with `failure` filled when the source is bad.
bool tokenize(std::string_view source, std::vector<Token> &tokens,
              Failure &failure);

} // namespace sgl::jinja
