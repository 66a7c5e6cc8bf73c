// Operations on plain values. All are folded by the functions of
// ir/value/Builtins.h, the ones that the runtime calls.
#ifndef SGL_VALUE_OPS_TD
#define SGL_VALUE_OPS_TD

def Sgl_ConstOp : Sgl_Op<"const", [Pure, ConstantLike]> {
  let summary = "A constant";
  let description = [{ `sgl.const "diet" -> !sgl.str`, `sgl.const 3 : i64`,
    `sgl.const #sgl.value<"[1, 2]" : "[int]"> -> !sgl.list<i64>`. }];
  let arguments = (ins AnyAttr:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "custom<Constant>($value, type($result)) attr-dict";
  let hasFolder = 1;
}

def Sgl_CastOp : Sgl_Op<"cast", [Pure]> {
  let summary = "The same value under another static type";
  let description = [{ `T` where `T?` is expected, a member where its union is,
    and back after narrowing. No node of the plan: values are the same. }];
  let arguments = (ins AnyType:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `to` type($result)";
  let hasFolder = 1;
}

def Sgl_ConcatOp : Sgl_Op<"concat", [Pure]> {
  let summary = "Text of several values, each as `${}` prints it";
  let arguments = (ins Variadic<AnyType>:$values);
  let results = (outs Sgl_StrType:$result);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let hasFolder = 1;
}

def Sgl_BuiltinOp : Sgl_Op<"builtin", [Sgl_MayFail]> {
  let summary = "A pure built-in function";
  let arguments = (ins StrAttr:$name, Variadic<AnyType>:$arguments);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$name `(` $arguments `)` attr-dict `:` functional-type($arguments, $result)";
  let hasFolder = 1;
}

def Sgl_UnaryOp : Sgl_Op<"unary", [Sgl_MayFail, AllTypesMatch<["value", "result"]>]> {
  let summary = "`not` or `neg`";
  let arguments = (ins StrAttr:$name, AnyType:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$name $value attr-dict `:` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Sgl_BinaryOp : Sgl_Op<"binary", [Sgl_MayFail]> {
  let summary = "add sub mul div mod eq ne lt le gt ge in and or";
  let description = [{ `and` and `or` read both sides; where the right side can
    fail or calls something, lowering writes an `sgl.if` instead. }];
  let arguments = (ins StrAttr:$name, AnyType:$left, AnyType:$right);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$name $left `,` $right attr-dict `:` functional-type(operands, $result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Sgl_RecordOp : Sgl_Op<"record", [Pure]> {
  let summary = "A record of its fields in order";
  let arguments = (ins StrAttr:$of, Variadic<AnyType>:$fields);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$of `(` $fields `)` attr-dict `:` functional-type($fields, $result)";
  let hasFolder = 1;
}

def Sgl_FieldOp : Sgl_Op<"field", [Sgl_MayFail]> {
  let summary = "A field of a record or of a json";
  let arguments = (ins AnyType:$base, StrAttr:$name);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$base $name attr-dict `:` type($base) `->` type($result)";
  let hasFolder = 1;
}

def Sgl_ListOp : Sgl_Op<"list", [Pure]> {
  let summary = "A list of its elements";
  let arguments = (ins StrAttr:$of, Variadic<AnyType>:$elements);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$of `(` $elements `)` attr-dict `:` functional-type($elements, $result)";
  let hasFolder = 1;
}

def Sgl_DictOp : Sgl_Op<"dict", [Pure]> {
  let summary = "A map of keys and values, alternating";
  let arguments = (ins StrAttr:$of, Variadic<AnyType>:$items);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$of `(` $items `)` attr-dict `:` functional-type($items, $result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Sgl_ElementOp : Sgl_Op<"element", [Sgl_CanFail]> {
  let summary = "An element of a list, map or json; missing is an error";
  let arguments = (ins AnyType:$base, AnyType:$key);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$base `[` $key `]` attr-dict `:` functional-type(operands, $result)";
  let hasFolder = 1;
}

def Sgl_WithElementOp : Sgl_Op<"with_element", [Sgl_CanFail]> {
  let summary = "A copy of a list or map with one element set";
  let arguments = (ins AnyType:$base, AnyType:$key, AnyType:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$base `[` $key `]` `=` $value attr-dict `:` functional-type(operands, $result)";
}

def Sgl_WithFieldOp : Sgl_Op<"with_field", [Pure, AllTypesMatch<["base", "result"]>]> {
  let summary = "A copy of a record with one field set";
  let arguments = (ins AnyType:$base, StrAttr:$name, AnyType:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$base $name `=` $value attr-dict `:` type($base) `,` type($value)";
}

def Sgl_CheckOp : Sgl_Op<"check", [Sgl_CanFail]> {
  let summary = "The value, or an error if it does not conform to a type";
  let arguments = (ins AnyType:$value, StrAttr:$of);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$value `of` $of attr-dict `:` type($value) `->` type($result)";
  let hasFolder = 1;
}

def Sgl_ConvertOp : Sgl_Op<"convert", [Sgl_CanFail]> {
  let summary = "A json or text as a typed value, or an error";
  let description = [{ Also any value as a `json`, which cannot fail. }];
  let arguments = (ins AnyType:$value, StrAttr:$of);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$value `of` $of attr-dict `:` type($value) `->` type($result)";
  let hasFolder = 1;
}

def Sgl_IsOp : Sgl_Op<"is", [Pure]> {
  let summary = "Whether a value is of a type";
  let arguments = (ins AnyType:$value, StrAttr:$of);
  let results = (outs I1:$result);
  let assemblyFormat = "$value `of` $of attr-dict `:` type($value)";
}

#endif // SGL_VALUE_OPS_TD
