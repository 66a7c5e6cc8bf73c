// A mapped or borrowed GGUF file and look-ups in what was read from it.
//
// Entry points: Gguf::open and Gguf::parse. The bytes stay where they are:
// strings and tensors are views. What the header must satisfy is checked in
// GgufParser.cpp before anything here hands out a view.
#include "runtime/model/Gguf.h"

#include "runtime/model/GgufParser.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sgl {

namespace {

/// A read-only mapping of a whole regular file.
class Mapping {
public:
  Mapping() = default;
  Mapping(const Mapping &) = delete;
  Mapping &operator=(const Mapping &) = delete;
  ~Mapping() {
    if (!bytes.empty())
      munmap(const_cast<std::byte *>(bytes.data()), bytes.size());
  }

  /// Maps `path`; refuses what is not a regular file. The descriptor is opened
  /// without blocking, so a pipe in place of a model cannot hang the program.
  Status map(const std::string &path) {
    int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
      return Error{path + ": cannot open: " + std::strerror(errno)};
    Status done = mapDescriptor(fd, path);
    ::close(fd);
    return done;
  }

  std::span<const std::byte> bytes;

private:
  Status mapDescriptor(int fd, const std::string &path) {
    struct stat info = {};
    if (fstat(fd, &info) != 0)
      return Error{path + ": cannot read: " + std::strerror(errno)};
    if (!S_ISREG(info.st_mode))
      return Error{path + ": not a regular file"};
    if (info.st_size == 0)
      return Error{path + ": the file is empty, a GGUF model was expected"};
    auto size = static_cast<size_t>(info.st_size);
    void *start = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (start == MAP_FAILED)
      return Error{path + ": cannot map: " + std::strerror(errno)};
    bytes = {static_cast<const std::byte *>(start), size};
    return Done{};
  }
};

} // namespace

struct Gguf::Impl {
  Mapping mapping; ///< empty when the bytes belong to the caller
  std::string path;
  GgufContents contents;
  std::map<std::string_view, size_t> keyIndex;
  std::map<std::string_view, size_t> tensorIndex;
};

Gguf::Gguf(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Gguf::~Gguf() = default;

Result<std::shared_ptr<const Gguf>> Gguf::open(const std::string &path) {
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  if (Status mapped = impl->mapping.map(path); !mapped)
    return mapped.error();
  return fromBytes(std::move(impl), {});
}

Result<std::shared_ptr<const Gguf>>
Gguf::parse(std::span<const std::byte> bytes, const std::string &name) {
  auto impl = std::make_unique<Impl>();
  impl->path = name;
  return fromBytes(std::move(impl), bytes);
}

Result<std::shared_ptr<const Gguf>>
Gguf::fromBytes(std::unique_ptr<Impl> impl, std::span<const std::byte> bytes) {
  if (!impl->mapping.bytes.empty())
    bytes = impl->mapping.bytes;
  Result<GgufContents> contents = parseGguf(bytes);
  if (!contents)
    return Error{impl->path + ": " + contents.error().message};
  impl->contents = std::move(*contents);
  const auto &metadata = impl->contents.metadata;
  for (size_t i = 0; i < metadata.size(); ++i)
    impl->keyIndex.emplace(metadata[i].first, i);
  const auto &tensors = impl->contents.tensors;
  for (size_t i = 0; i < tensors.size(); ++i)
    impl->tensorIndex.emplace(tensors[i].name, i);
  return std::shared_ptr<const Gguf>(new Gguf(std::move(impl)));
}

const std::string &Gguf::path() const { return impl->path; }
uint32_t Gguf::version() const { return impl->contents.version; }
uint64_t Gguf::fileBytes() const { return impl->contents.fileBytes; }

const GgufValue *Gguf::find(std::string_view key) const {
  auto it = impl->keyIndex.find(key);
  if (it == impl->keyIndex.end())
    return nullptr;
  return &impl->contents.metadata[it->second].second;
}

std::optional<std::string_view> Gguf::string(std::string_view key) const {
  const GgufValue *value = find(key);
  const auto *text = value ? std::get_if<std::string_view>(value) : nullptr;
  if (!text)
    return std::nullopt;
  return *text;
}

std::optional<uint64_t> Gguf::integer(std::string_view key) const {
  const GgufValue *value = find(key);
  if (!value)
    return std::nullopt;
  if (const auto *natural = std::get_if<uint64_t>(value))
    return *natural;
  const auto *whole = std::get_if<int64_t>(value);
  if (!whole || *whole < 0)
    return std::nullopt;
  return static_cast<uint64_t>(*whole);
}

std::optional<double> Gguf::number(std::string_view key) const {
  const GgufValue *value = find(key);
  if (!value)
    return std::nullopt;
  if (const auto *real = std::get_if<double>(value))
    return *real;
  if (const auto *natural = std::get_if<uint64_t>(value))
    return static_cast<double>(*natural);
  if (const auto *whole = std::get_if<int64_t>(value))
    return static_cast<double>(*whole);
  return std::nullopt;
}

std::optional<bool> Gguf::boolean(std::string_view key) const {
  const GgufValue *value = find(key);
  const auto *truth = value ? std::get_if<bool>(value) : nullptr;
  if (!truth)
    return std::nullopt;
  return *truth;
}

const GgufArray *Gguf::array(std::string_view key) const {
  const GgufValue *value = find(key);
  const auto *array =
      value ? std::get_if<std::shared_ptr<const GgufArray>>(value) : nullptr;
  return array ? array->get() : nullptr;
}

const std::vector<std::pair<std::string, GgufValue>> &Gguf::metadata() const {
  return impl->contents.metadata;
}

const GgufTensor *Gguf::tensor(std::string_view name) const {
  auto it = impl->tensorIndex.find(name);
  if (it == impl->tensorIndex.end())
    return nullptr;
  return &impl->contents.tensors[it->second];
}

const std::vector<GgufTensor> &Gguf::tensors() const {
  return impl->contents.tensors;
}

} // namespace sgl
