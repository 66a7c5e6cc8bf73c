// The bytes of one source file, and places in them.
//
// All of the compiler counts in bytes; lines and columns appear only where a
// message is drawn. Line ends stay as they are in the file.
#pragma once

#include "ir/value/Result.h"

#include <cassert>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sgl {

/// A byte range of one file: begin <= end <= file size.
struct Span {
  uint32_t file = 0; ///< index in SourceManager
  uint32_t begin = 0, end = 0;
  uint32_t size() const {
    assert(begin <= end && "a span runs forward");
    return end - begin;
  }
  /// The smallest span that holds both (of one file).
  static Span join(Span a, Span b) {
    return {a.file, a.begin < b.begin ? a.begin : b.begin,
            a.end > b.end ? a.end : b.end};
  }
};

/// Line and column from 1; the column counts bytes.
struct LineColumn {
  uint32_t line = 1, column = 1;
};

class SourceFile {
public:
  SourceFile(std::string path, std::string text);
  const std::string &path() const { return filePath; }
  std::string_view text() const { return bytes; }
  LineColumn at(uint32_t offset) const;
  /// The line (from 1) without its end.
  std::string_view line(uint32_t number) const;
  uint32_t lineCount() const { return uint32_t(starts.size()); }

private:
  std::string filePath, bytes;
  std::vector<uint32_t> starts;
};

/// Every file of one compilation, in order of reading; owns them.
class SourceManager {
public:
  /// Adds a file that is in memory already (stdlib, tests); returns its index.
  uint32_t add(std::string path, std::string text);
  /// Reads a file of at most 16 MiB. The path shown in messages is `path`.
  Result<uint32_t> read(const std::string &path);
  const SourceFile &file(uint32_t index) const { return *files[index]; }
  uint32_t count() const { return uint32_t(files.size()); }
  std::string_view text(Span span) const {
    return file(span.file).text().substr(span.begin, span.size());
  }

private:
  std::vector<std::unique_ptr<SourceFile>> files;
};

} // namespace sgl
