// The outside world. These keep their order by effects on one resource; edges
// for it appear only in the plan.
#ifndef SGL_OUTSIDE_OPS_TD
#define SGL_OUTSIDE_OPS_TD

def Sgl_ToolOp : Sgl_Op<"tool", [Sgl_ActsOutside]> {
  let summary = "Runs a tool with a record of arguments";
  let arguments = (ins AnyType:$call, StrAttr:$name);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$name $call attr-dict `:` functional-type($call, $result)";
}

def Sgl_PrintOp : Sgl_Op<"print", [Sgl_ActsOutside]> {
  let summary = "Writes a value to stderr";
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def Sgl_AskOp : Sgl_Op<"ask", [Sgl_ActsOutside]> {
  let summary = "Asks the user for a line; null at the end of input";
  let arguments = (ins Sgl_StrType:$prompt);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$prompt attr-dict `->` type($result)";
}

def Sgl_ReadFileOp : Sgl_Op<"read_file", [Sgl_ActsOutside]> {
  let summary = "The text of a file";
  let arguments = (ins Sgl_StrType:$path);
  let results = (outs Sgl_StrType:$result);
  let assemblyFormat = "$path attr-dict";
}

#endif // SGL_OUTSIDE_OPS_TD
