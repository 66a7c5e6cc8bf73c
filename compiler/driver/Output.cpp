// Whole files or none: a draft beside the place, then a rename.
#include "compiler/driver/Output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sgl {

static Error failed(const std::string &path) {
  return {"cannot write " + path + ": " + std::strerror(errno)};
}

/// All of `bytes`, or false with errno.
static bool writeAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return false;
    bytes.remove_prefix(size_t(written));
  }
  return true;
}

/// Writes and closes; a failure of either is one.
static bool writeFile(const std::string &path, int flags,
                      std::string_view bytes) {
  int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666);
  if (file < 0)
    return false;
  bool written = writeAll(file, bytes);
  int error = errno;
  bool closed = ::close(file) == 0;
  if (!written)
    errno = error;
  return written && closed;
}

Status writeOutput(const std::string &path, std::string_view bytes) {
  struct stat info;
  bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    return failed(path);
  }
  if (exists && !S_ISREG(info.st_mode)) {
    if (!writeFile(path, 0, bytes))
      return failed(path);
    return Done{};
  }
  std::string draft = path + ".part" + std::to_string(::getpid());
  if (!writeFile(draft, O_CREAT | O_TRUNC, bytes) ||
      ::rename(draft.c_str(), path.c_str()) != 0) {
    Error error = failed(path);
    ::unlink(draft.c_str());
    return error;
  }
  return Done{};
}

Status writeStdout(std::string_view bytes) {
  if (!writeAll(STDOUT_FILENO, bytes))
    return failed("standard output");
  return Done{};
}

} // namespace sgl
