// How strongly operators bind; the higher, the stronger. All group from the
// left.
#pragma once

#include "compiler/syntax/Ast.h"

#include "SglLexer.h"

namespace sgl::syntax {

/// `not a == b` is `not (a == b)`; a sign binds stronger than all of these.
constexpr int precedenceOfNot = 3;

constexpr int precedenceOf(ast::BinaryOp op) {
  using ast::BinaryOp;
  switch (op) {
  case BinaryOp::Or:
    return 1;
  case BinaryOp::And:
    return 2;
  case BinaryOp::Eq:
  case BinaryOp::Ne:
  case BinaryOp::Lt:
  case BinaryOp::Le:
  case BinaryOp::Gt:
  case BinaryOp::Ge:
  case BinaryOp::In:
  case BinaryOp::NotIn:
    return 4;
  case BinaryOp::Range:
  case BinaryOp::RangeInclusive:
    return 5;
  case BinaryOp::Add:
  case BinaryOp::Sub:
    return 6;
  case BinaryOp::Mul:
  case BinaryOp::Div:
  case BinaryOp::Mod:
    return 7;
  }
  return 0;
}

/// The operator that a word of type `token` writes.
constexpr ast::BinaryOp binaryOpOf(size_t token) {
  using ast::BinaryOp;
  switch (token) {
  case SglLexer::OR:
    return BinaryOp::Or;
  case SglLexer::AND:
    return BinaryOp::And;
  case SglLexer::EQUAL:
    return BinaryOp::Eq;
  case SglLexer::NOT_EQUAL:
    return BinaryOp::Ne;
  case SglLexer::LESS:
    return BinaryOp::Lt;
  case SglLexer::LESS_EQUAL:
    return BinaryOp::Le;
  case SglLexer::GREATER:
    return BinaryOp::Gt;
  case SglLexer::GREATER_EQUAL:
    return BinaryOp::Ge;
  case SglLexer::IN:
    return BinaryOp::In;
  case SglLexer::RANGE:
    return BinaryOp::Range;
  case SglLexer::RANGE_INCLUSIVE:
    return BinaryOp::RangeInclusive;
  case SglLexer::MINUS:
    return BinaryOp::Sub;
  case SglLexer::STAR:
    return BinaryOp::Mul;
  case SglLexer::SLASH:
    return BinaryOp::Div;
  case SglLexer::PERCENT:
    return BinaryOp::Mod;
  default:
    return BinaryOp::Add;
  }
}

} // namespace sgl::syntax
