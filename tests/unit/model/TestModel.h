// Where the tests find the real model and the reference data.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace sgl::test {

/// The path of the test model, or "" when it is not on this machine.
inline std::string modelPath() {
  std::string path;
  if (const char *given = std::getenv("SGL_TEST_MODEL"))
    path = given;
  else if (const char *home = std::getenv("HOME"))
    path = std::string(home) +
           "/.cache/sgl/models/SmolLM2-135M-Instruct.Q4_1.gguf";
  return std::filesystem::exists(path) ? path : "";
}

/// A file of the reference data, or "" when the folder is not there.
inline std::string referencePath(const std::string &file) {
  std::string path = std::string(SGL_SOURCE_DIR) + "/../shared/" + file;
  return std::filesystem::exists(path) ? path : "";
}

} // namespace sgl::test
