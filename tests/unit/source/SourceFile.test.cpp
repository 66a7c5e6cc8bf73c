// Lines, columns, and files that cannot be read.

#include "compiler/source/SourceFile.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace sgl;

namespace {

TEST(SourceFile, FindsLinesAndColumns) {
  SourceFile file("x.sgl", "ab\n\ncd\r\né");
  struct Row {
    uint32_t offset, line, column;
  };
  const Row rows[] = {{0, 1, 1}, {2, 1, 3}, {3, 2, 1}, {4, 3, 1},
                      {7, 3, 4}, {8, 4, 1}, {10, 4, 3}};
  for (const Row &row : rows) {
    LineColumn at = file.at(row.offset);
    EXPECT_EQ(at.line, row.line) << row.offset;
    EXPECT_EQ(at.column, row.column) << row.offset;
  }
  const char *lines[] = {"ab", "", "cd", "é"};
  ASSERT_EQ(file.lineCount(), 4u);
  for (uint32_t i = 0; i < 4; ++i)
    EXPECT_EQ(file.line(i + 1), lines[i]);
}

TEST(SourceFile, EndsWithAnEmptyLine) {
  EXPECT_EQ(SourceFile("x", "").lineCount(), 1u);
  EXPECT_EQ(SourceFile("x", "").line(1), "");
  EXPECT_EQ(SourceFile("x", "a\n").lineCount(), 2u);
  EXPECT_EQ(SourceFile("x", "a\n").line(2), "");
}

class Reading : public testing::Test {
protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() /
             ("sgl-source-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::string path(const char *name) const { return folder / name; }
  std::string errorOf(const std::string &path) {
    SourceManager sources;
    Result<uint32_t> read = sources.read(path);
    return read ? "" : read.error().message;
  }
  std::filesystem::path folder;
};

TEST_F(Reading, KeepsBytes) {
  std::string bytes("a\r\n\0\xFF", 5);
  std::ofstream(path("a.sgl"), std::ios::binary) << bytes;
  SourceManager sources;
  sources.add("first", "x");
  Result<uint32_t> read = sources.read(path("a.sgl"));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, 1u);
  EXPECT_EQ(sources.file(*read).text(), bytes);
  EXPECT_EQ(sources.text({1, 0, 1}), "a");
}

TEST_F(Reading, RefusesWhatIsNoFile) {
  EXPECT_NE(errorOf(path("none.sgl")).find("No such file"), std::string::npos);
  std::filesystem::create_directory(folder / "dir.sgl");
  EXPECT_EQ(errorOf(path("dir.sgl")),
            "cannot read " + path("dir.sgl") + ": it is a directory");
}

TEST_F(Reading, RefusesMoreThan16MiB) {
  std::ofstream file(path("big.sgl"), std::ios::binary);
  file.seekp(16 << 20);
  file << "x";
  file.close();
  EXPECT_EQ(errorOf(path("big.sgl")),
            "cannot read " + path("big.sgl") + ": it is larger than 16 MiB");
  EXPECT_NE(errorOf("/dev/zero").find("16 MiB"), std::string::npos);
}

TEST_F(Reading, DoesNotWaitForAPipe) {
  ASSERT_EQ(::mkfifo(path("pipe.sgl").c_str(), 0600), 0);
  SourceManager sources;
  Result<uint32_t> read = sources.read(path("pipe.sgl"));
  ASSERT_TRUE(read);
  EXPECT_EQ(sources.file(*read).text(), "");
}

} // namespace
