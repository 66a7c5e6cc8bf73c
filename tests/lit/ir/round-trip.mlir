// RUN: sgl-opt %s | sgl-opt | FileCheck %s
// Every operation prints what it reads.

// CHECK-LABEL: func.func @values
// CHECK: sgl.const "diet" -> !sgl.str
// CHECK: sgl.const 3 : i64
// CHECK: sgl.const true
// CHECK: sgl.const #sgl.value<"[1, 2]" : "[int]"> -> !sgl.list<i64>
// CHECK: sgl.const 3 : i64 -> !sgl.opt<i64>
// CHECK: sgl.cast %{{.*}} : !sgl.str to !sgl.opt<!sgl.str>
// CHECK: sgl.concat %{{.*}}, %{{.*}} : !sgl.str, i64
// CHECK: sgl.builtin "len"(%{{.*}}) : (!sgl.str) -> i64
// CHECK: sgl.unary "not" %{{.*}} : i1
// CHECK: sgl.binary "add" %{{.*}}, %{{.*}} : (i64, i64) -> i64
// CHECK: sgl.record "Person"(%{{.*}}) : (!sgl.str) -> !sgl.named<"Person">
// CHECK: sgl.field %{{.*}} "name" : !sgl.named<"Person"> -> !sgl.str
// CHECK: sgl.list "[str]"(%{{.*}}) : (!sgl.str) -> !sgl.list<!sgl.str>
// CHECK: sgl.dict "{str: int}"(%{{.*}}, %{{.*}}) : (!sgl.str, i64) -> !sgl.map<i64>
// CHECK: sgl.element %{{.*}}[%{{.*}}] : (!sgl.list<i64>, i64) -> i64
// CHECK: sgl.with_element %{{.*}}[%{{.*}}] = %{{.*}} : (!sgl.list<i64>, i64, i64) -> !sgl.list<i64>
// CHECK: sgl.with_field %{{.*}} "name" = %{{.*}} : !sgl.named<"Person">, !sgl.str
// CHECK: sgl.check %{{.*}} of "int in 0..=9" : i64 -> i64
// CHECK: sgl.convert %{{.*}} of "Person" : !sgl.json -> !sgl.named<"Person">
// CHECK: sgl.is %{{.*}} of "int" : !sgl.json
func.func @values(%b: i1, %j: !sgl.json) {
  %t = sgl.const "diet" -> !sgl.str
  %i = sgl.const 3 : i64
  %c = sgl.const true
  %l = sgl.const #sgl.value<"[1, 2]" : "[int]"> -> !sgl.list<i64>
  %o = sgl.const 3 : i64 -> !sgl.opt<i64>
  %0 = sgl.cast %t : !sgl.str to !sgl.opt<!sgl.str>
  %1 = sgl.concat %t, %i : !sgl.str, i64
  %2 = sgl.builtin "len"(%t) : (!sgl.str) -> i64
  %3 = sgl.unary "not" %b : i1
  %4 = sgl.binary "add" %i, %i : (i64, i64) -> i64
  %5 = sgl.record "Person"(%t) : (!sgl.str) -> !sgl.named<"Person">
  %6 = sgl.field %5 "name" : !sgl.named<"Person"> -> !sgl.str
  %7 = sgl.list "[str]"(%t) : (!sgl.str) -> !sgl.list<!sgl.str>
  %8 = sgl.dict "{str: int}"(%t, %i) : (!sgl.str, i64) -> !sgl.map<i64>
  %9 = sgl.element %l[%i] : (!sgl.list<i64>, i64) -> i64
  %10 = sgl.with_element %l[%i] = %i : (!sgl.list<i64>, i64, i64) -> !sgl.list<i64>
  %11 = sgl.with_field %5 "name" = %t : !sgl.named<"Person">, !sgl.str
  %12 = sgl.check %i of "int in 0..=9" : i64 -> i64
  %13 = sgl.convert %j of "Person" : !sgl.json -> !sgl.named<"Person">
  %14 = sgl.is %j of "int" : !sgl.json
  return
}

// CHECK-LABEL: func.func @prompts
// CHECK: sgl.root
// CHECK: sgl.open %{{.*}} "user"
// CHECK: sgl.extend %{{.*}} "Tip: "
// CHECK: sgl.append %{{.*}}, %{{.*}} : i64
// CHECK: sgl.special %{{.*}} "<|fim|>"
// CHECK: sgl.attach %{{.*}}, %{{.*}}
// CHECK: sgl.close %{{.*}}
// CHECK: sgl.gen %{{.*}} as "note" of "str" {follow = "END", options = {max_tokens = 20 : i64}, place = array<i32: 3>} -> !sgl.str
// CHECK: sgl.gen %{{.*}} as "" of "int"(%{{.*}} : f64) {dynamic_names = ["temperature"], end_of_turn} -> i64
// CHECK: sgl.select %{{.*}} as "x" of "str" {choices = ["yes", "no"]} -> !sgl.str
// CHECK: sgl.select %{{.*}} as "x" of "str"(%{{.*}} : !sgl.list<!sgl.str>) -> !sgl.str
// CHECK: sgl.inspect %{{.*}} "text" -> !sgl.str
// CHECK: sgl.capture %{{.*}} "note" of "str" -> !sgl.str
func.func @prompts(%m: !sgl.media, %n: i64, %f: f64, %l: !sgl.list<!sgl.str>) -> !sgl.state {
  %0 = sgl.root
  %1 = sgl.open %0 "user"
  %2 = sgl.extend %1 "Tip: "
  %3 = sgl.append %2, %n : i64
  %4 = sgl.special %3 "<|fim|>"
  %5 = sgl.attach %4, %m
  %6 = sgl.close %5
  %7, %v, %i = sgl.gen %6 as "note" of "str" {options = {max_tokens = 20}, follow = "END", place = array<i32: 3>} -> !sgl.str
  %8, %w, %j = sgl.gen %7 as "" of "int" (%f : f64) {dynamic_names = ["temperature"], end_of_turn} -> i64
  %9, %x, %k = sgl.select %8 as "x" of "str" {choices = ["yes", "no"]} -> !sgl.str
  %10, %y, %h = sgl.select %9 as "x" of "str" (%l : !sgl.list<!sgl.str>) -> !sgl.str
  %11 = sgl.inspect %10 "text" -> !sgl.str
  %12 = sgl.capture %10 "note" of "str" -> !sgl.str
  return %10 : !sgl.state
}

// CHECK-LABEL: func.func private @helper
func.func private @helper(%s: !sgl.state) -> !sgl.state {
  return %s : !sgl.state
}

// CHECK-LABEL: func.func @control
// CHECK: sgl.if %{{.*}} -> !sgl.state {
// CHECK: } else {
// CHECK: sgl.for %{{.*}} carry %{{.*}} : !sgl.list<!sgl.str>, !sgl.state -> !sgl.state {
// CHECK: sgl.while carry %{{.*}} : !sgl.state -> !sgl.state {
// CHECK: } do {
// CHECK: sgl.map %{{.*}} : !sgl.list<!sgl.str> -> !sgl.list<i64> {
// CHECK: sgl.retry %{{.*}} -> !sgl.state {
// CHECK: } else {
// CHECK: sgl.call @helper(%{{.*}}) {place = array<i32: 7>} : (!sgl.state) -> !sgl.state
// CHECK: sgl.fail %{{.*}} "expect"
func.func @control(%c: i1, %list: !sgl.list<!sgl.str>, %n: i64, %t: !sgl.str) -> !sgl.state {
  %0 = sgl.root
  %1 = sgl.if %c -> !sgl.state {
    %a = sgl.extend %0 "yes"
    sgl.yield %a : !sgl.state
  } else {
    sgl.yield %0 : !sgl.state
  }
  %2 = sgl.for %list carry %1 : !sgl.list<!sgl.str>, !sgl.state -> !sgl.state {
  ^bb0(%item: !sgl.str, %index: i64, %s: !sgl.state):
    %b = sgl.append %s, %item : !sgl.str
    sgl.yield %b : !sgl.state
  }
  %3 = sgl.while carry %2 : !sgl.state -> !sgl.state {
  ^bb0(%s: !sgl.state):
    sgl.yield %c : i1
  } do {
  ^bb0(%s: !sgl.state):
    sgl.yield %s : !sgl.state
  }
  %4 = sgl.map %list : !sgl.list<!sgl.str> -> !sgl.list<i64> {
  ^bb0(%item: !sgl.str, %index: i64):
    sgl.yield %index : i64
  }
  %5 = sgl.retry %n -> !sgl.state {
  ^bb0(%try: i64, %error: !sgl.opt<!sgl.str>):
    sgl.yield %3 : !sgl.state
  } else {
  ^bb0(%error: !sgl.opt<!sgl.str>):
    sgl.yield %2 : !sgl.state
  }
  %6 = sgl.call @helper(%5) {place = array<i32: 7>} : (!sgl.state) -> !sgl.state
  sgl.fail %t "expect"
  return %6 : !sgl.state
}

// CHECK-LABEL: func.func @outside
// CHECK: sgl.tool "wiki" %{{.*}} : (!sgl.named<"wiki">) -> !sgl.str
// CHECK: sgl.print %{{.*}} : !sgl.str
// CHECK: sgl.ask %{{.*}} -> !sgl.opt<!sgl.str>
// CHECK: sgl.read_file %{{.*}}
func.func @outside(%call: !sgl.named<"wiki">, %t: !sgl.str) {
  %0 = sgl.tool "wiki" %call : (!sgl.named<"wiki">) -> !sgl.str
  sgl.print %0 : !sgl.str
  %1 = sgl.ask %t -> !sgl.opt<!sgl.str>
  %2 = sgl.read_file %t
  return
}
