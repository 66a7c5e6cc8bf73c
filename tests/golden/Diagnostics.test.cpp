// The catalogue of messages: each diagnostics/CODE-what.sgl is checked, and
// what `sglc check` says must be CODE-what.txt, byte for byte. The first
// message must carry the code of the file's name; a name without a code is a
// program of which nothing is said.
//
// SGL_UPDATE_GOLDEN=1 writes the .txt files instead; read the diff.

#include "compiler/check/Check.h"
#include "compiler/source/Render.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace fs = std::filesystem;

namespace {

std::string readFile(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

struct Checked {
  std::string drawn, firstCode;
};

Checked checkFile(const fs::path &path) {
  sgl::SourceManager sources;
  sgl::Diagnostics diagnostics;
  uint32_t file = sources.add(path.filename().string(), readFile(path));
  sgl::check(sources, file, {}, diagnostics);
  diagnostics.sort();
  const auto &all = diagnostics.all();
  return {sgl::render(diagnostics, sources, {}),
          all.empty() ? "" : all.front().code};
}

std::vector<fs::path> sourcesOf(const fs::path &folder) {
  std::vector<fs::path> list;
  for (const auto &entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".sgl")
      list.push_back(entry.path());
  std::sort(list.begin(), list.end());
  return list;
}

const fs::path folder = SGL_SOURCE_DIR "/tests/golden/diagnostics";

TEST(GoldenDiagnostics, AreAsRecorded) {
  bool update = std::getenv("SGL_UPDATE_GOLDEN") != nullptr;
  size_t count = 0;
  for (const fs::path &source : sourcesOf(folder)) {
    ++count;
    std::string name = source.stem().string();
    bool hasCode =
        name.size() > 5 && name[5] == '-' && (name[0] == 'E' || name[0] == 'W');
    Checked checked = checkFile(source);
    EXPECT_EQ(checked.firstCode, hasCode ? name.substr(0, 5) : "") << name;
    fs::path expected = fs::path(source).replace_extension(".txt");
    if (update)
      std::ofstream(expected, std::ios::binary) << checked.drawn;
    EXPECT_EQ(checked.drawn, readFile(expected)) << name;
  }
  EXPECT_GT(count, 0u) << "no programs in " << folder;
}

TEST(GoldenDiagnostics, HaveNoOrphans) {
  for (const auto &entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".txt")
      EXPECT_TRUE(fs::exists(fs::path(entry.path()).replace_extension(".sgl")))
          << entry.path();
}

} // namespace
