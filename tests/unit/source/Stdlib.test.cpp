// The embedded library is the files in stdlib/, byte for byte.

#include "compiler/source/Stdlib.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

TEST(Stdlib, HoldsEveryModule) {
  size_t count = 0;
  for (const auto &entry :
       std::filesystem::directory_iterator(SGL_SOURCE_DIR "/stdlib")) {
    if (entry.path().extension() != ".sgl")
      continue;
    ++count;
    std::ifstream file(entry.path(), std::ios::binary);
    std::stringstream bytes;
    bytes << file.rdbuf();
    auto module = sgl::embeddedModule("std." + entry.path().stem().string());
    ASSERT_TRUE(module) << entry.path();
    EXPECT_EQ(*module, bytes.str()) << entry.path();
  }
  EXPECT_GT(count, 0u);
}

TEST(Stdlib, HasNoOtherModule) {
  EXPECT_FALSE(sgl::embeddedModule("std.nothing"));
  EXPECT_FALSE(sgl::embeddedModule("text"));
  EXPECT_FALSE(sgl::embeddedModule(""));
}

} // namespace
