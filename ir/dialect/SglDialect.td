// The dialect, its types and attributes. Operations: SglOps.td.
#ifndef SGL_DIALECT_TD
#define SGL_DIALECT_TD
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"

def Sgl_Dialect : Dialect {
  let name = "sgl";
  let cppNamespace = "::sgl::ir";
  let summary = "Programs over immutable prompt states";
  let description = [{
    A prompt state is an immutable SSA value: `sgl.extend` and `sgl.gen` return
    a new one. A fork is two uses of one value and costs nothing; prompts that
    begin alike are equal chains of operations, so sharing a prefix is
    common-subexpression elimination. A value that is not ready is still just a
    value: the IR has no futures, data dependence is the schedule.

    ```mlir
    %p = sgl.extend %s "Tip: "                        // shared by both
    %a = sgl.extend %p "diet"   %b = sgl.extend %p "sleep"
    %a2, %x, %i = sgl.gen %a …  %b2, %y, %j = sgl.gen %b …
    ```
    Nothing orders the two calls above, so they run at once.

    There is one operation for each kind of node of a plan (ir/plan/Plan.h), with
    operands in the same order. Regions have one block and may read values from
    outside; what they read becomes an input of a closed graph when the plan is
    written. `break`, `continue`, early `return` and `join` are carried flags
    before the IR exists.

    Static types are those of the language without refinements. A place that
    needs a refined or nominal type names it by its *key*, the type as the user
    writes it (`"int in 0..=10"`); Tables.h holds what a key stands for.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    /// Types and automata of the program at hand; never null.
    ::sgl::ir::Tables &tables() { return *tableStorage; }
    const ::sgl::ir::Tables &tables() const { return *tableStorage; }
    /// Begins with a new program: a context serves one at a time.
    void resetTables(::sgl::TypeContext *types = nullptr);
  private:
    std::shared_ptr<::sgl::ir::Tables> tableStorage;
  }];
}

class Sgl_Type<string cppName, string typeMnemonic, string text>
    : TypeDef<Sgl_Dialect, cppName> {
  let mnemonic = typeMnemonic;
  let summary = text;
}
class Sgl_Aggregate<string cppName, string typeMnemonic, string text>
    : Sgl_Type<cppName, typeMnemonic, text> {
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
}

def Sgl_StateType : Sgl_Type<"State", "state", "An immutable prompt state">;
def Sgl_StrType : Sgl_Type<"Str", "str", "A text in UTF-8">;
def Sgl_JsonType : Sgl_Type<"Json", "json", "Any value but a state or media; also the type of `null`">;
def Sgl_MediaType : Sgl_Type<"Media", "media", "An image or a video">;
def Sgl_ListType : Sgl_Aggregate<"List", "list", "A list of one element type">;
def Sgl_MapType : Sgl_Aggregate<"Map", "map", "A map from texts to one element type, ordered">;
def Sgl_OptType : Sgl_Aggregate<"Opt", "opt", "A value or null">;
def Sgl_NamedType : Sgl_Type<"Named", "named", "A record, an enum or a union, by its key"> {
  let parameters = (ins StringRefParameter<"key of the type">:$key);
  let assemblyFormat = "`<` $key `>`";
}

def Sgl_SpanAttr : AttrDef<Sgl_Dialect, "Span"> {
  let mnemonic = "span";
  let summary = "A range of bytes of a source file";
  let description = [{
    Metadata of a fused location: the number of the file in the SourceManager,
    the first byte and the length. Messages of a run point there.
  }];
  let parameters = (ins "unsigned":$file, "unsigned":$begin, "unsigned":$length);
  let assemblyFormat = "`<` $file `,` $begin `,` $length `>`";
}

def Sgl_ValueAttr : AttrDef<Sgl_Dialect, "Value"> {
  let mnemonic = "value";
  let summary = "A constant that is not a bool, a number or a text";
  let description = [{ Canonical JSON and the key of its type: `#sgl.value<"[1, 2]" : "[int]">`. }];
  let parameters = (ins StringRefParameter<"canonical JSON">:$json,
                        StringRefParameter<"key of the type">:$key);
  let assemblyFormat = "`<` $json `:` $key `>`";
}

#endif // SGL_DIALECT_TD
