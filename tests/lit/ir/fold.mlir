// RUN: sgl-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @empty_text
// CHECK-NEXT: return %arg0
func.func @empty_text(%s: !sgl.state) -> !sgl.state {
  %0 = sgl.extend %s ""
  return %0 : !sgl.state
}

// CHECK-LABEL: func.func @texts_meet
// CHECK: sgl.extend %arg0 "Tip: diet"
// CHECK-NEXT: return
func.func @texts_meet(%s: !sgl.state) -> !sgl.state {
  %0 = sgl.extend %s "Tip: "
  %1 = sgl.extend %0 "diet"
  return %1 : !sgl.state
}

// The middle is read twice: it stays, for it is a prefix that two prompts share.
// CHECK-LABEL: func.func @shared_middle_stays
// CHECK: sgl.extend %arg0 "Tip: "
// CHECK: sgl.extend %{{.*}} "diet"
// CHECK: sgl.extend %{{.*}} "sleep"
func.func @shared_middle_stays(%s: !sgl.state) -> (!sgl.state, !sgl.state) {
  %0 = sgl.extend %s "Tip: "
  %1 = sgl.extend %0 "diet"
  %2 = sgl.extend %0 "sleep"
  return %1, %2 : !sgl.state, !sgl.state
}

// CHECK-LABEL: func.func @constant_is_text
// CHECK: sgl.extend %arg0 "score: 3 of [1, 2]"
func.func @constant_is_text(%s: !sgl.state) -> !sgl.state {
  %n = sgl.const 3 : i64
  %l = sgl.const #sgl.value<"[1, 2]" : "[int]"> -> !sgl.list<i64>
  %0 = sgl.extend %s "score: "
  %1 = sgl.append %0, %n : i64
  %2 = sgl.extend %1 " of "
  %3 = sgl.append %2, %l : !sgl.list<i64>
  return %3 : !sgl.state
}

// CHECK-LABEL: func.func @arithmetic
// CHECK: sgl.const 7 : i64
// CHECK-NOT: sgl.binary
// CHECK: return
func.func @arithmetic() -> i64 {
  %a = sgl.const 3 : i64
  %b = sgl.const 4 : i64
  %0 = sgl.binary "add" %a, %b : (i64, i64) -> i64
  return %0 : i64
}

// What would raise an error is left to the run, and stays though nobody reads it.
// CHECK-LABEL: func.func @errors_stay
// CHECK: sgl.binary "div"
// CHECK: sgl.element
func.func @errors_stay() {
  %a = sgl.const 3 : i64
  %z = sgl.const 0 : i64
  %l = sgl.const #sgl.value<"[1, 2]" : "[int]"> -> !sgl.list<i64>
  %0 = sgl.binary "div" %a, %z : (i64, i64) -> f64
  %1 = sgl.element %l[%a] : (!sgl.list<i64>, i64) -> i64
  return
}

// CHECK-LABEL: func.func @built_ins
// CHECK-DAG: sgl.const "DIET" -> !sgl.str
// CHECK-DAG: sgl.const 2 : i64
// CHECK-DAG: sgl.const "a-3" -> !sgl.str
// CHECK: return
func.func @built_ins() -> (!sgl.str, i64, !sgl.str) {
  %t = sgl.const "diet" -> !sgl.str
  %l = sgl.const #sgl.value<"[1, 2]" : "[int]"> -> !sgl.list<i64>
  %a = sgl.const "a-" -> !sgl.str
  %n = sgl.const 3 : i64
  %0 = sgl.builtin "upper"(%t) : (!sgl.str) -> !sgl.str
  %1 = sgl.builtin "len"(%l) : (!sgl.list<i64>) -> i64
  %2 = sgl.concat %a, %n : !sgl.str, i64
  return %0, %1, %2 : !sgl.str, i64, !sgl.str
}

// An element of a list that is built here is what was put there: also a state.
// CHECK-LABEL: func.func @element_of_list
// CHECK-NEXT: return %arg1
func.func @element_of_list(%a: !sgl.state, %b: !sgl.state) -> !sgl.state {
  %i = sgl.const 1 : i64
  %l = sgl.list "[state]"(%a, %b) : (!sgl.state, !sgl.state) -> !sgl.list<!sgl.state>
  %0 = sgl.element %l[%i] : (!sgl.list<!sgl.state>, i64) -> !sgl.state
  return %0 : !sgl.state
}

// CHECK-LABEL: func.func @casts
// CHECK-NEXT: return %arg0
func.func @casts(%t: !sgl.str) -> !sgl.str {
  %0 = sgl.cast %t : !sgl.str to !sgl.opt<!sgl.str>
  %1 = sgl.cast %0 : !sgl.opt<!sgl.str> to !sgl.str
  return %1 : !sgl.str
}

// CHECK-LABEL: func.func @known_branch
// CHECK-NOT: sgl.if
// CHECK: sgl.extend %arg0 "no"
func.func @known_branch(%s: !sgl.state) -> !sgl.state {
  %c = sgl.const false
  %0 = sgl.if %c -> !sgl.state {
    %a = sgl.extend %s "yes"
    sgl.yield %a : !sgl.state
  } else {
    %b = sgl.extend %s "no"
    sgl.yield %b : !sgl.state
  }
  return %0 : !sgl.state
}

// Results that nobody reads, and those that both sides take from outside.
// CHECK-LABEL: func.func @narrow_branch
// CHECK: %[[R:.*]] = sgl.if %arg0 -> !sgl.state {
// CHECK-NOT: sgl.extend %{{.*}} "dead"
// CHECK: return %[[R]], %arg2
func.func @narrow_branch(%c: i1, %s: !sgl.state, %t: !sgl.state) -> (!sgl.state, !sgl.state) {
  %0, %1, %2 = sgl.if %c -> !sgl.state, !sgl.state, !sgl.state {
    %a = sgl.extend %s "yes"
    %d = sgl.extend %s "dead"
    sgl.yield %a, %t, %d : !sgl.state, !sgl.state, !sgl.state
  } else {
    %b = sgl.extend %s "no"
    sgl.yield %b, %t, %s : !sgl.state, !sgl.state, !sgl.state
  }
  return %0, %1 : !sgl.state, !sgl.state
}

// An `expect` is never erased.
// CHECK-LABEL: func.func @fail_stays
// CHECK: sgl.if
// CHECK: sgl.fail
func.func @fail_stays(%c: i1, %t: !sgl.str) {
  sgl.if %c {
    sgl.yield
  } else {
    sgl.fail %t "expect"
    sgl.yield
  }
  return
}

// An option that is constant after all; a pattern stays an operand.
// CHECK-LABEL: func.func @constant_option
// CHECK: sgl.gen %arg0 as "x" of "str"(%{{.*}} : !sgl.str) {dynamic_names = ["regex"], options = {max_tokens = 20 : i64, stop = "END"}}
func.func @constant_option(%s: !sgl.state) -> !sgl.state {
  %n = sgl.const 20 : i64
  %r = sgl.const "[0-9]+" -> !sgl.str
  %0, %v, %i = sgl.gen %s as "x" of "str" (%n, %r : i64, !sgl.str) {dynamic_names = ["max_tokens", "regex"], options = {stop = "END"}} -> !sgl.str
  return %0 : !sgl.state
}
