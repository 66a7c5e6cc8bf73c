// Control flow. Each operation is one node of the plan; regions have one block,
// end in `sgl.yield` and may read values from outside.
#ifndef SGL_CONTROL_OPS_TD
#define SGL_CONTROL_OPS_TD

class Sgl_RegionOp<string opMnemonic, list<Trait> traits = []>
    : Sgl_Op<opMnemonic, !listconcat([RecursiveMemoryEffects, SingleBlock], traits)> {
  let hasRegionVerifier = 1;
}

def Sgl_YieldOp : Sgl_Op<"yield", [Pure, Terminator, ReturnLike]> {
  let summary = "Ends a region with its values";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ }]>];
}

def Sgl_IfOp : Sgl_RegionOp<"if", [NoRegionArguments]> {
  let summary = "Runs one of two regions";
  let arguments = (ins I1:$condition);
  let results = (outs Variadic<AnyType>:$values);
  let regions = (region SizedRegion<1>:$then_region, SizedRegion<1>:$else_region);
  let assemblyFormat = "$condition (`->` type($values)^)? $then_region `else` $else_region attr-dict";
  let hasCanonicalizer = 1;
}

def Sgl_ForOp : Sgl_RegionOp<"for"> {
  let summary = "Passes over a list, one after the other";
  let description = [{ The body takes element, index and the carried values and
    yields the carried values. }];
  let arguments = (ins AnyType:$list, Variadic<AnyType>:$inits, Sgl_PlaceAttr:$place);
  let results = (outs Variadic<AnyType>:$values);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{ $list (`carry` $inits^)? `:` type(operands) (`->` type($values)^)? $body attr-dict }];
}

def Sgl_WhileOp : Sgl_RegionOp<"while"> {
  let summary = "Passes as long as a condition holds";
  let description = [{ Both regions take the carried values; the first yields
    an `i1`, the second the carried values. }];
  let arguments = (ins Variadic<AnyType>:$inits, Sgl_PlaceAttr:$place);
  let results = (outs Variadic<AnyType>:$values);
  let regions = (region SizedRegion<1>:$condition, SizedRegion<1>:$body);
  let assemblyFormat = [{ (`carry` $inits^ `:` type($inits))? (`->` type($values)^)? $condition `do` $body attr-dict }];
}

def Sgl_MapOp : Sgl_RegionOp<"map"> {
  let summary = "Independent passes over a list: the branches of a fork";
  let description = [{ The body takes element and index. For each value that it
    yields there is one result: the list of them, in order of the elements. }];
  let arguments = (ins AnyType:$list, Sgl_PlaceAttr:$place);
  let results = (outs Variadic<AnyType>:$values);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{ $list `:` type($list) (`->` type($values)^)? $body attr-dict }];
}

def Sgl_RetryOp : Sgl_RegionOp<"retry"> {
  let summary = "Tries a region several times, then runs another";
  let description = [{ The body takes the number of the try (from 0) and the
    error of the one before; the second region, which may be empty, the last
    error. States are immutable, so each try begins with a snapshot. }];
  let arguments = (ins I64:$tries, Sgl_PlaceAttr:$place);
  let results = (outs Variadic<AnyType>:$values);
  let regions = (region SizedRegion<1>:$body, MaxSizedRegion<1>:$otherwise);
  let assemblyFormat = [{ $tries (`->` type($values)^)? $body (`else` $otherwise^)? attr-dict }];
}

def Sgl_CallOp : Sgl_Op<"call", [DeclareOpInterfaceMethods<CallOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Calls a function of the program";
  let description = [{ Not `func.call`: a call has a `place`, which inlining
    puts in front of the places inside. }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$arguments, Sgl_PlaceAttr:$place);
  let results = (outs Variadic<AnyType>:$values);
  let assemblyFormat = "$callee `(` $arguments `)` attr-dict `:` functional-type($arguments, $values)";
}

def Sgl_FailOp : Sgl_Op<"fail", [Sgl_ActsOutside]> {
  let summary = "Raises an error";
  let description = [{ `kind` is `expect` or `error`. }];
  let arguments = (ins Sgl_StrType:$message, StrAttr:$kind);
  let assemblyFormat = "$message $kind attr-dict";
}

#endif // SGL_CONTROL_OPS_TD
