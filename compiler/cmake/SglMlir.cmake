# Finds MLIR 19 and makes Debian's targets link statically.
#
# Why static: the shared libraries cost 29 ms at every start of sglc, the static
# ones 1.6 ms. Debian's MLIR targets name the shared library `LLVM`; here each
# names the three static ones that it needs instead.
list(APPEND CMAKE_PREFIX_PATH /usr/lib/llvm-19)
find_package(MLIR 19.1 REQUIRED CONFIG)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
if(NOT TARGET zstd::libzstd_shared)
  add_library(zstd::libzstd_shared INTERFACE IMPORTED GLOBAL)
  set_target_properties(zstd::libzstd_shared PROPERTIES
    INTERFACE_LINK_LIBRARIES libzstd.so.1)
endif()
include(TableGen)
include(AddLLVM)
include(AddMLIR)
foreach(target IN LISTS MLIR_EXPORTED_TARGETS)
  if(TARGET ${target})
    get_target_property(links ${target} INTERFACE_LINK_LIBRARIES)
    if(links)
      list(REMOVE_ITEM links LLVM)
      set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES
        "${links};LLVMSupport;LLVMCore;LLVMTargetParser")
    endif()
  endif()
endforeach()
