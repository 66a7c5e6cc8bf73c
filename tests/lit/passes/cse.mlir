// RUN: sgl-opt %s --cse --canonicalize | FileCheck %s
// Prompts that begin alike are equal chains: CSE shares their prefixes.

// CHECK-LABEL: func.func @prefix_shared
// CHECK-COUNT-1: sgl.open
// CHECK-COUNT-1: sgl.extend %{{.*}} "You are brief.Q"
// CHECK-COUNT-2: sgl.gen
func.func @prefix_shared() -> (!sgl.str, !sgl.str) {
  %0 = sgl.root
  %1 = sgl.open %0 "user"
  %2 = sgl.extend %1 "You are brief."
  %3 = sgl.extend %2 "Q"
  %a, %va, %ia = sgl.gen %3 as "x" of "str" {place = array<i32: 0>} -> !sgl.str
  %4 = sgl.root
  %5 = sgl.open %4 "user"
  %6 = sgl.extend %5 "You are brief."
  %7 = sgl.extend %6 "Q"
  %b, %vb, %ib = sgl.gen %7 as "x" of "str" {place = array<i32: 1>} -> !sgl.str
  return %va, %vb : !sgl.str, !sgl.str
}

// The source fixes temperature 0: one call serves both.
// CHECK-LABEL: func.func @fixed_greedy_gens_merge
// CHECK-COUNT-1: sgl.gen
// CHECK-NOT: sgl.gen
// CHECK: return
func.func @fixed_greedy_gens_merge(%s: !sgl.state) -> (!sgl.str, !sgl.str) {
  %a, %va, %ia = sgl.gen %s as "x" of "str" {fixed_greedy, options = {temperature = 0.0}} -> !sgl.str
  %b, %vb, %ib = sgl.gen %s as "x" of "str" {fixed_greedy, options = {temperature = 0.0}} -> !sgl.str
  return %va, %vb : !sgl.str, !sgl.str
}

// Greedy by default only: a flag may heat them, and then they draw apart.
// CHECK-LABEL: func.func @other_gens_stay
// CHECK-COUNT-2: sgl.gen
func.func @other_gens_stay(%s: !sgl.state) -> (!sgl.str, !sgl.str) {
  %a, %va, %ia = sgl.gen %s as "x" of "str" -> !sgl.str
  %b, %vb, %ib = sgl.gen %s as "x" of "str" -> !sgl.str
  return %va, %vb : !sgl.str, !sgl.str
}

// A later try heats what stands in a retry, so nothing merges with it.
// CHECK-LABEL: func.func @retry_is_a_border
// CHECK: sgl.gen
// CHECK: sgl.retry
// CHECK: sgl.gen
func.func @retry_is_a_border(%s: !sgl.state, %n: i64) -> (!sgl.str, !sgl.str) {
  %a, %va, %ia = sgl.gen %s as "x" of "str" {fixed_greedy, options = {temperature = 0.0}} -> !sgl.str
  %r = sgl.retry %n -> !sgl.str {
  ^bb0(%try: i64, %error: !sgl.opt<!sgl.str>):
    %b, %vb, %ib = sgl.gen %s as "x" of "str" {fixed_greedy, options = {temperature = 0.0}} -> !sgl.str
    sgl.yield %vb : !sgl.str
  }
  return %va, %r : !sgl.str, !sgl.str
}

// Unread, a gen is erased; while its state is read it is not.
// CHECK-LABEL: func.func @dead_gens
// CHECK-COUNT-1: sgl.gen %{{.*}} as "kept"
// CHECK-NOT: sgl.gen
func.func @dead_gens(%s: !sgl.state) -> !sgl.state {
  %a, %va, %ia = sgl.gen %s as "kept" of "str" -> !sgl.str
  %b, %vb, %ib = sgl.gen %s as "dead" of "str" -> !sgl.str
  return %a : !sgl.state
}

// No gen leaves an `if`: the side that is not taken makes no call.
// CHECK-LABEL: func.func @gens_stay_in_branches
// CHECK: sgl.if
// CHECK-NEXT: sgl.gen
// CHECK: } else {
// CHECK-NEXT: sgl.gen
func.func @gens_stay_in_branches(%c: i1, %s: !sgl.state) -> !sgl.str {
  %r = sgl.if %c -> !sgl.str {
    %a, %va, %ia = sgl.gen %s as "x" of "str" {fixed_greedy, options = {temperature = 0.0}} -> !sgl.str
    sgl.yield %va : !sgl.str
  } else {
    %b, %vb, %ib = sgl.gen %s as "x" of "str" {fixed_greedy, options = {temperature = 0.0}} -> !sgl.str
    sgl.yield %vb : !sgl.str
  }
  return %r : !sgl.str
}

// Outside effects and what can fail stay as they are.
// CHECK-LABEL: func.func @outside_stays
// CHECK-COUNT-2: sgl.ask
// CHECK-COUNT-2: sgl.element
func.func @outside_stays(%t: !sgl.str, %l: !sgl.list<i64>, %i: i64) {
  %0 = sgl.ask %t -> !sgl.opt<!sgl.str>
  %1 = sgl.ask %t -> !sgl.opt<!sgl.str>
  %2 = sgl.element %l[%i] : (!sgl.list<i64>, i64) -> i64
  %3 = sgl.element %l[%i] : (!sgl.list<i64>, i64) -> i64
  return
}
