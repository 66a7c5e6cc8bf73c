// Reading files, and finding lines in them.
#include "compiler/source/SourceFile.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sgl {

SourceFile::SourceFile(std::string path, std::string text)
    : filePath(std::move(path)), bytes(std::move(text)) {
  starts.push_back(0);
  for (size_t at = bytes.find('\n'); at != std::string::npos;
       at = bytes.find('\n', at + 1))
    starts.push_back(uint32_t(at + 1));
}

LineColumn SourceFile::at(uint32_t offset) const {
  auto next = std::upper_bound(starts.begin(), starts.end(), offset);
  auto line = uint32_t(next - starts.begin());
  return {line, offset - starts[line - 1] + 1};
}

std::string_view SourceFile::line(uint32_t number) const {
  assert(number >= 1 && number <= starts.size() && "lines count from 1");
  uint32_t begin = starts[number - 1];
  size_t end = number < starts.size() ? starts[number] - 1 : bytes.size();
  if (end > begin && bytes[end - 1] == '\r' && end < bytes.size())
    --end;
  return std::string_view(bytes).substr(begin, end - begin);
}

uint32_t SourceManager::add(std::string path, std::string text) {
  files.push_back(
      std::make_unique<SourceFile>(std::move(path), std::move(text)));
  return uint32_t(files.size() - 1);
}

constexpr size_t largestFile = size_t(16) << 20;

/// Closes a descriptor when it goes.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0)
      ::close(number);
  }
};

static Result<std::string> readBytes(const std::string &path) {
  auto failed = [&](const std::string &why) {
    return Error{"cannot read " + path + ": " + why};
  };
  // Without O_NONBLOCK a pipe that nobody writes to would wait for ever.
  Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  struct stat info;
  if (file.number < 0 || ::fstat(file.number, &info) != 0)
    return failed(std::strerror(errno));
  if (S_ISDIR(info.st_mode))
    return failed("it is a directory");
  std::string text;
  char buffer[65536];
  while (true) {
    ssize_t got = ::read(file.number, buffer, sizeof buffer);
    if (got == 0)
      return text;
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return failed(std::strerror(errno));
    text.append(buffer, size_t(got));
    if (text.size() > largestFile)
      return failed("it is larger than 16 MiB");
  }
}

Result<uint32_t> SourceManager::read(const std::string &path) {
  Result<std::string> text = readBytes(path);
  if (!text)
    return text.error();
  return add(path, std::move(*text));
}

} // namespace sgl
