# Runs every .mlir and .sgl file under this folder by its RUN lines.
import os
import lit.formats

config.name = "sgl"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".sgl"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.sgl_binary_dir + "/tests/lit"
config.environment["PATH"] = os.pathsep.join(
    [config.sgl_tools_dir, config.llvm_tools_dir, config.environment["PATH"]])
