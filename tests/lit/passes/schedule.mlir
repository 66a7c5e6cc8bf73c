// RUN: sgl-opt %s --pass-pipeline='builtin.module(func.func(sgl-schedule))' | FileCheck %s
// Levels: how many long operations lie in front. Equal levels may overlap.

// CHECK-LABEL: func.func @levels
// CHECK: as "a" of "str" {sgl.level = 0 : i64}
// CHECK: as "b" of "str" {sgl.level = 0 : i64}
// CHECK: as "c" of "str" {sgl.level = 1 : i64}
// The condition is behind "b"; so is what the `if` holds.
// CHECK: sgl.if
// CHECK: as "d" of "str" {sgl.level = 1 : i64}
// CHECK: as "e" of "str" {sgl.level = 2 : i64}
func.func @levels(%s: !sgl.state, %t: !sgl.state) -> !sgl.state {
  %1, %a, %i1 = sgl.gen %s as "a" of "str" -> !sgl.str
  %2, %b, %i2 = sgl.gen %t as "b" of "str" -> !sgl.str
  %3, %c, %i3 = sgl.gen %1 as "c" of "str" -> !sgl.str
  %yes = sgl.const "yes" -> !sgl.str
  %q = sgl.binary "eq" %b, %yes : (!sgl.str, !sgl.str) -> i1
  %4 = sgl.if %q -> !sgl.state {
    %5, %d, %i5 = sgl.gen %t as "d" of "str" -> !sgl.str
    sgl.yield %5 : !sgl.state
  } else {
    sgl.yield %t : !sgl.state
  }
  %6, %e, %i6 = sgl.gen %4 as "e" of "str" -> !sgl.str
  return %6 : !sgl.state
}
