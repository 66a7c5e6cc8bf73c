// RUN: sgl-opt %s -split-input-file -verify-diagnostics
// What the verifiers refuse, one fact for each part.

func.func @if_types(%c: i1, %s: !sgl.state, %t: !sgl.str) {
  // expected-error @below {{the else region yields wrong types}}
  %0 = sgl.if %c -> !sgl.state {
    sgl.yield %s : !sgl.state
  } else {
    // expected-note @below {{but this yields ('!sgl.str')}}
    sgl.yield %t : !sgl.str
  }
  return
}
// -----
func.func @for_inputs(%l: !sgl.list<!sgl.str>, %s: !sgl.state) {
  // expected-error @below {{the body takes ('!sgl.str', '!sgl.state') instead of ('!sgl.str', 'i64', '!sgl.state')}}
  %0 = sgl.for %l carry %s : !sgl.list<!sgl.str>, !sgl.state -> !sgl.state {
  ^bb0(%item: !sgl.str, %x: !sgl.state):
    sgl.yield %x : !sgl.state
  }
  return
}
// -----
func.func @for_list(%l: !sgl.str) {
  // expected-error @below {{goes over a list, not '!sgl.str'}}
  sgl.for %l : !sgl.str {
  ^bb0(%item: !sgl.str, %i: i64):
    sgl.yield
  }
  return
}
// -----
func.func @map_results(%l: !sgl.list<!sgl.str>) {
  // expected-error @below {{gives lists, not 'i64'}}
  %0 = sgl.map %l : !sgl.list<!sgl.str> -> i64 {
  ^bb0(%item: !sgl.str, %i: i64):
    sgl.yield %i : i64
  }
  return
}
// -----
func.func @while_condition(%s: !sgl.state) {
  // expected-error @below {{the condition yields wrong types}}
  %0 = sgl.while carry %s : !sgl.state -> !sgl.state {
  ^bb0(%x: !sgl.state):
    // expected-note @below {{expected ('i1')}}
    sgl.yield %x : !sgl.state
  } do {
  ^bb0(%x: !sgl.state):
    sgl.yield %x : !sgl.state
  }
  return
}
// -----
func.func @retry_inputs(%n: i64) {
  // expected-error @below {{the body takes () instead of ('i64', '!sgl.opt<!sgl.str>')}}
  sgl.retry %n {
    sgl.yield
  }
  return
}
// -----
func.func @operator(%a: i64) {
  // expected-error @below {{knows no operator "plus"}}
  %0 = sgl.binary "plus" %a, %a : (i64, i64) -> i64
  return
}
// -----
func.func @options(%s: !sgl.state, %f: f64) {
  // expected-error @below {{names 0 dynamic options but has 1 operands for them}}
  %0, %v, %i = sgl.gen %s as "x" of "str" (%f : f64) -> !sgl.str
  return
}
// -----
func.func @option_twice(%s: !sgl.state, %f: f64) {
  // expected-error @below {{has the option "top_p" twice}}
  %0, %v, %i = sgl.gen %s as "x" of "str" (%f : f64) {dynamic_names = ["top_p"], options = {top_p = 0.5}} -> !sgl.str
  return
}
// -----
func.func @followed_twice(%s: !sgl.state) {
  // expected-error @below {{is followed either by text or by the end of its turn}}
  %0, %v, %i = sgl.gen %s as "x" of "str" {follow = ".", end_of_turn} -> !sgl.str
  return
}
// -----
func.func @forced(%s: !sgl.state) {
  // expected-error @below {{is forced to a text by no constraint}}
  %0, %v, %i = sgl.gen %s as "x" of "str" {forced = "yes"} -> !sgl.str
  return
}
// -----
func.func @choices(%s: !sgl.state) {
  // expected-error @below {{needs choices or a list of them}}
  %0, %v, %i = sgl.select %s as "x" of "str" -> !sgl.str
  return
}
// -----
func.func @inspect(%s: !sgl.state) {
  // expected-error @below {{cannot read "size" of a state}}
  %0 = sgl.inspect %s "size" -> i64
  return
}
// -----
func.func @dict(%t: !sgl.str) {
  // expected-error @below {{needs a value for each key, but has 1 operands}}
  %0 = sgl.dict "{str: str}"(%t) : (!sgl.str) -> !sgl.map<!sgl.str>
  return
}
// -----
func.func @call_unknown(%s: !sgl.state) {
  // expected-error @below {{calls no function named @nobody}}
  %0 = sgl.call @nobody(%s) : (!sgl.state) -> !sgl.state
  return
}
// -----
func.func private @taker(!sgl.str)
func.func @call_type(%s: !sgl.state) {
  // expected-error @below {{a function of type '(!sgl.str) -> ()'}}
  sgl.call @taker(%s) : (!sgl.state) -> ()
  return
}
