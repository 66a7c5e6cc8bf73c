// All operations of the dialect, by what they are about.
#ifndef SGL_OPS_TD
#define SGL_OPS_TD
include "SglDialect.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"

class Sgl_Op<string opMnemonic, list<Trait> traits = []>
    : Op<Sgl_Dialect, opMnemonic, traits>;

// What happens outside of the program keeps its order: tools, print, ask.
def Sgl_Outside : Resource<"::sgl::ir::Outside">;
// An operation that can raise an error stays where it is even if nobody reads
// its result: the error that a run raises may not depend on the optimiser.
def Sgl_Failure : Resource<"::sgl::ir::Failure">;
def Sgl_CanFail : MemoryEffects<[MemWrite<Sgl_Failure>]>;
// Whether it can fail depends on its name and operands (Effects.cpp).
def Sgl_MayFail : DeclareOpInterfaceMethods<MemoryEffectsOpInterface>;
def Sgl_ActsOutside : MemoryEffects<[MemWrite<Sgl_Outside>, MemWrite<Sgl_Failure>]>;

// Ordinals in the source of each function on the way (draw place).
def Sgl_PlaceAttr : DefaultValuedOptionalAttr<DenseI32ArrayAttr, "{}">;

include "ValueOps.td"
include "PromptOps.td"
include "ControlOps.td"
include "OutsideOps.td"

#endif // SGL_OPS_TD
