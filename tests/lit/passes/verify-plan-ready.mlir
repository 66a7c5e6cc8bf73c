// RUN: sgl-opt %s --sgl-verify-plan-ready -split-input-file -verify-diagnostics
// The gate in front of emission.

func.func @fine(%s: !sgl.state) -> !sgl.state {
  %0, %v, %i = sgl.gen %s as "x" of "[str]" -> !sgl.list<!sgl.str>
  return %0 : !sgl.state
}
// -----
func.func @type(%s: !sgl.state) {
  // expected-error @below {{no type has the key "Person"}}
  %0, %v, %i = sgl.gen %s as "x" of "Person" -> !sgl.named<"Person">
  return
}
// -----
func.func @constraint(%s: !sgl.state) {
  // expected-error @below {{no constraint has the key "int in 0..=9"}}
  %0, %v, %i = sgl.gen %s as "x" of "int" {constraint = "int in 0..=9"} -> i64
  return
}
// -----
func.func @foreign(%a: i64) {
  // expected-error @below {{no node of a plan stands for builtin.unrealized_conversion_cast}}
  %0 = builtin.unrealized_conversion_cast %a : i64 to i32
  return
}
