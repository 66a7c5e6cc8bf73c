// Operations on prompt states. A state is immutable: each returns a new one.
#ifndef SGL_PROMPT_OPS_TD
#define SGL_PROMPT_OPS_TD

def Sgl_RootOp : Sgl_Op<"root", [Pure]> {
  let summary = "The empty prompt";
  let results = (outs Sgl_StateType:$result);
  let assemblyFormat = "attr-dict";
}

def Sgl_ExtendOp : Sgl_Op<"extend", [Pure]> {
  let summary = "Appends literal text of the program";
  let description = [{ How a text is cut into several of these never changes a
    result: token ids depend on the whole run of text. }];
  let arguments = (ins Sgl_StateType:$state, StrAttr:$text);
  let results = (outs Sgl_StateType:$result);
  let assemblyFormat = "$state $text attr-dict";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Sgl_AppendOp : Sgl_Op<"append", [Pure]> {
  let summary = "Appends a value as `${}` prints it";
  let description = [{ Data: it never becomes a control token. Neither does
    literal text, so appending a constant is `sgl.extend`. }];
  let arguments = (ins Sgl_StateType:$state, AnyType:$value);
  let results = (outs Sgl_StateType:$result);
  let assemblyFormat = "$state `,` $value attr-dict `:` type($value)";
  let hasCanonicalizer = 1;
}

def Sgl_SpecialOp : Sgl_Op<"special", [Pure]> {
  let summary = "Appends one control token by its text";
  let arguments = (ins Sgl_StateType:$state, StrAttr:$text);
  let results = (outs Sgl_StateType:$result);
  let assemblyFormat = "$state $text attr-dict";
}

def Sgl_OpenOp : Sgl_Op<"open", [Pure]> {
  let summary = "A turn of a role begins";
  let arguments = (ins Sgl_StateType:$state, StrAttr:$role);
  let results = (outs Sgl_StateType:$result);
  let assemblyFormat = "$state $role attr-dict";
}

def Sgl_CloseOp : Sgl_Op<"close", [Pure]> {
  let summary = "The open turn ends";
  let arguments = (ins Sgl_StateType:$state);
  let results = (outs Sgl_StateType:$result);
  let assemblyFormat = "$state attr-dict";
}

def Sgl_AttachOp : Sgl_Op<"attach", [Pure]> {
  let summary = "Appends an image or a video";
  let arguments = (ins Sgl_StateType:$state, Sgl_MediaType:$media);
  let results = (outs Sgl_StateType:$result);
  let assemblyFormat = "$state `,` $media attr-dict";
}

def Sgl_GenOp : Sgl_Op<"gen", [Sgl_MayFail]> {
  let summary = "Generates from a prompt: the state behind it, the value, its facts";
  let description = [{
    Never pure: pure means that it may be made earlier than written, and a call
    of a model must not leave an `sgl.if`. A gen *allocates* its results: unused
    it is erased, and two never merge, for their draws differ. Only if the
    source fixes temperature 0 (`fixed_greedy`; a flag could heat the others) is
    it a function of its prompt, except in an `sgl.retry`, whose later tries heat it.

    - `capture` is the name after `as`; it may be empty.
    - `of` is the key of the value's type.
    - `options` are the constant options by name; `dynamic_names` name the
      operands behind the state, in order.
    - `constraint` is a key of Tables.h; `forced` its only text, if it has one.
    - `follow` is literal text that follows on the same state in the same block
      of the source; `end_of_turn` says that the turn is closed next.
    - `place` is what its draws depend on; a fixed greedy gen has none.
  }];
  let arguments = (ins Sgl_StateType:$state, Variadic<AnyType>:$dynamic,
      StrAttr:$capture, StrAttr:$of,
      DefaultValuedOptionalAttr<DictionaryAttr, "{}">:$options,
      DefaultValuedOptionalAttr<StrArrayAttr, "{}">:$dynamic_names,
      OptionalAttr<StrAttr>:$constraint, OptionalAttr<StrAttr>:$forced,
      OptionalAttr<StrAttr>:$follow, UnitAttr:$end_of_turn,
      UnitAttr:$fixed_greedy, Sgl_PlaceAttr:$place);
  let results = (outs Sgl_StateType:$result, AnyType:$value, Sgl_JsonType:$info);
  let assemblyFormat = [{ $state `as` $capture `of` $of
    (`(` $dynamic^ `:` type($dynamic) `)`)? attr-dict `->` type($value) }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Sgl_SelectOp : Sgl_Op<"select", [Sgl_MayFail]> {
  let summary = "Chooses a text by its score: state, value, facts";
  let description = [{ Without `choices` the first of `dynamic` is the list of
    them. Allocates its results as `sgl.gen` does. }];
  let arguments = (ins Sgl_StateType:$state, Variadic<AnyType>:$dynamic,
      StrAttr:$capture, StrAttr:$of,
      DefaultValuedOptionalAttr<StrArrayAttr, "{}">:$choices,
      DefaultValuedOptionalAttr<DictionaryAttr, "{}">:$options,
      DefaultValuedOptionalAttr<StrArrayAttr, "{}">:$dynamic_names,
      Sgl_PlaceAttr:$place);
  let results = (outs Sgl_StateType:$result, AnyType:$value, Sgl_JsonType:$info);
  let assemblyFormat = [{ $state `as` $capture `of` $of
    (`(` $dynamic^ `:` type($dynamic) `)`)? attr-dict `->` type($value) }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Sgl_InspectOp : Sgl_Op<"inspect", [Pure]> {
  let summary = "`text`, `messages` or `tokens` of a state";
  let arguments = (ins Sgl_StateType:$state, StrAttr:$name);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$state $name attr-dict `->` type($result)";
  let hasVerifier = 1;
}

def Sgl_CaptureOp : Sgl_Op<"capture", [Pure]> {
  let summary = "The latest value generated under a name";
  let arguments = (ins Sgl_StateType:$state, StrAttr:$name, StrAttr:$of);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$state $name `of` $of attr-dict `->` type($result)";
}

#endif // SGL_PROMPT_OPS_TD
