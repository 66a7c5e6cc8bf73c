// RUN: sgl-opt %s --inline --symbol-dce | FileCheck %s
// Small functions vanish into their callers; a call's place goes in front of
// the places inside.

// CHECK-NOT: func.func private @ask
// CHECK-LABEL: func.func @main
// CHECK: sgl.extend %arg0 "Q"
// CHECK: sgl.gen %{{.*}} as "x" of "str" {place = array<i32: 5, 0>}
// CHECK: sgl.if
// CHECK: sgl.gen %{{.*}} as "y" of "str" {place = array<i32: 5, 1>}
// CHECK: sgl.for
// A loop is a frame of its own: only its own place changes.
// CHECK: sgl.gen %{{.*}} as "z" of "str" {place = array<i32: 3>}
// CHECK: } {place = array<i32: 5, 2>}
// A fixed greedy gen has no place and gets none.
// CHECK: sgl.gen %{{.*}} as "w" of "str" {fixed_greedy
// CHECK-NOT: sgl.call
func.func @main(%s: !sgl.state, %c: i1, %l: !sgl.list<!sgl.str>) -> !sgl.state {
  %0 = sgl.call @ask(%s, %c, %l) {place = array<i32: 5>} : (!sgl.state, i1, !sgl.list<!sgl.str>) -> !sgl.state
  return %0 : !sgl.state
}
func.func private @ask(%s: !sgl.state, %c: i1, %l: !sgl.list<!sgl.str>) -> !sgl.state {
  %0 = sgl.extend %s "Q"
  %1, %v, %i = sgl.gen %0 as "x" of "str" {place = array<i32: 0>} -> !sgl.str
  %2 = sgl.if %c -> !sgl.state {
    %3, %w, %j = sgl.gen %1 as "y" of "str" {place = array<i32: 1>} -> !sgl.str
    sgl.yield %3 : !sgl.state
  } else {
    sgl.yield %1 : !sgl.state
  }
  %4 = sgl.for %l carry %2 : !sgl.list<!sgl.str>, !sgl.state -> !sgl.state {
  ^bb0(%item: !sgl.str, %index: i64, %x: !sgl.state):
    %5, %w, %j = sgl.gen %x as "z" of "str" {place = array<i32: 3>} -> !sgl.str
    sgl.yield %5 : !sgl.state
  } {place = array<i32: 2>}
  %6, %u, %k = sgl.gen %4 as "w" of "str" {fixed_greedy, options = {temperature = 0.0}} -> !sgl.str
  return %6 : !sgl.state
}

// CHECK-LABEL: func.func private @again
// CHECK: sgl.call @again
// CHECK-LABEL: func.func @recursion_stays
// CHECK: sgl.call @again
func.func private @again(%s: !sgl.state) -> !sgl.state attributes {sgl.recursive} {
  %0 = sgl.call @again(%s) {place = array<i32: 0>} : (!sgl.state) -> !sgl.state
  return %0 : !sgl.state
}
func.func @recursion_stays(%s: !sgl.state) -> !sgl.state {
  %0 = sgl.call @again(%s) {place = array<i32: 0>} : (!sgl.state) -> !sgl.state
  return %0 : !sgl.state
}
