// Writes small GGUF files in memory for tests.
//
// Entry points: GgufBuilder's methods in any order, then bytes(). Raw fields
// (counts, version) can be overridden to build files that must be refused.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sgl::test {

class GgufBuilder {
public:
  std::string magic = "GGUF";
  uint32_t version = 3;
  uint32_t alignment = 32; ///< padding that is written
  std::optional<uint64_t> tensorCount, keyCount;

  static std::string packString(std::string_view text) {
    return pack(uint64_t{text.size()}) + std::string(text);
  }
  template <typename T>
  static std::string pack(T number) {
    std::string out(sizeof(T), '\0');
    std::memcpy(out.data(), &number, sizeof(T));
    return out;
  }

  /// A key with a value type id and the bytes of its value.
  void raw(std::string_view key, uint32_t type, std::string_view value) {
    keys += packString(key) + pack(type) + std::string(value);
    ++keysWritten;
  }
  void u32(std::string_view key, uint32_t value) { raw(key, 4, pack(value)); }
  void f32(std::string_view key, float value) { raw(key, 6, pack(value)); }
  void boolean(std::string_view key, bool value) {
    raw(key, 7, pack(uint8_t(value)));
  }
  void string(std::string_view key, std::string_view value) {
    raw(key, 8, packString(value));
  }
  void strings(std::string_view key, const std::vector<std::string> &values) {
    std::string body = pack(uint32_t{8}) + pack(uint64_t{values.size()});
    for (const std::string &value : values)
      body += packString(value);
    raw(key, 9, body);
  }
  template <typename T>
  void numbers(std::string_view key, uint32_t elementType,
               const std::vector<T> &values) {
    std::string body = pack(elementType) + pack(uint64_t{values.size()});
    for (T value : values)
      body += pack(value);
    raw(key, 9, body);
  }
  /// A tensor table entry alone; `offset` is that in the data section.
  void tensorInfo(std::string_view name, const std::vector<uint64_t> &shape,
                  uint32_t type, uint64_t offset) {
    tensors += packString(name) + pack(uint32_t(shape.size()));
    for (uint64_t size : shape)
      tensors += pack(size);
    tensors += pack(type) + pack(offset);
    ++tensorsWritten;
  }
  /// A tensor with its data, placed behind the ones before.
  void tensor(std::string_view name, const std::vector<uint64_t> &shape,
              uint32_t type, std::string_view bytes) {
    data.resize((data.size() + alignment - 1) / alignment * alignment);
    tensorInfo(name, shape, type, data.size());
    data += bytes;
  }

  std::string bytes() const {
    std::string out = magic + pack(version) +
                      pack(tensorCount.value_or(tensorsWritten)) +
                      pack(keyCount.value_or(keysWritten)) + keys + tensors;
    if (!data.empty())
      out.resize((out.size() + alignment - 1) / alignment * alignment);
    return out + data;
  }

private:
  std::string keys, tensors, data;
  uint64_t keysWritten = 0, tensorsWritten = 0;
};

} // namespace sgl::test
