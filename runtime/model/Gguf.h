// Reads GGUF model files (versions 2 and 3) with checks on every number.
//
// Entry point: Gguf::open. A file is outside input: it is refused in
// milliseconds and with little memory when a count, length, type, shape or
// offset does not hold. Formats: ggml's docs/gguf.md.
#pragma once

#include "ir/value/Result.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sgl {

/// Element types of tensors, by their ids in the file.
enum class TensorType : uint32_t {
  F32 = 0,
  F16 = 1,
  Q4_0 = 2,
  Q4_1 = 3,
  Q5_0 = 6,
  Q5_1 = 7,
  Q8_0 = 8,
  Q2_K = 10,
  Q3_K = 11,
  Q4_K = 12,
  Q5_K = 13,
  Q6_K = 14,
  IQ2_XXS = 16,
  IQ2_XS,
  IQ3_XXS,
  IQ1_S,
  IQ4_NL,
  IQ3_S,
  IQ2_S,
  IQ4_XS,
  I8 = 24,
  I16,
  I32,
  I64,
  F64,
  IQ1_M,
  BF16 = 30,
  TQ1_0 = 34,
  TQ2_0 = 35,
  MXFP4 = 39,
};

/// As in "Q4_1"; "type 77" where unknown.
std::string tensorTypeName(TensorType type);
/// Elements and bytes of one block; {0, 0} where unknown.
struct BlockLayout {
  uint32_t elements = 0, bytes = 0;
};
BlockLayout blockLayout(TensorType type);

struct GgufTensor {
  std::string name;
  TensorType type = TensorType::F32;
  std::vector<uint64_t> shape; ///< ne[0] first: the input (fastest) dimension
  std::span<const std::byte> data; ///< inside the mapped file
  uint64_t elements() const;
  uint64_t rows() const; ///< product of all dimensions but the first
};

struct GgufArray;
using GgufValue =
    std::variant<uint64_t, int64_t, double, bool, std::string_view,
                 std::shared_ptr<const GgufArray>>;
/// An array of one element type; strings are views into the file.
struct GgufArray {
  std::vector<std::string_view> strings; ///< element type string
  std::vector<double> numbers;           ///< floats
  std::vector<int64_t> integers;         ///< all integers and bools
};

class Gguf {
public:
  /// Maps and checks the file. The path appears in every message.
  static Result<std::shared_ptr<const Gguf>> open(const std::string &path);
  /// The same on bytes in memory, which must outlive the result (tests,
  /// fuzzer).
  static Result<std::shared_ptr<const Gguf>>
  parse(std::span<const std::byte> bytes, const std::string &name);
  ~Gguf();

  const std::string &path() const;
  uint32_t version() const;
  uint64_t fileBytes() const;

  const GgufValue *find(std::string_view key) const;
  std::optional<std::string_view> string(std::string_view key) const;
  std::optional<uint64_t> integer(std::string_view key) const; ///< non-negative
  std::optional<double> number(std::string_view key) const;    ///< int or float
  std::optional<bool> boolean(std::string_view key) const;
  const GgufArray *array(std::string_view key) const;
  /// All metadata keys in the order of the file.
  const std::vector<std::pair<std::string, GgufValue>> &metadata() const;

  const GgufTensor *tensor(std::string_view name) const;
  const std::vector<GgufTensor> &tensors() const;

private:
  struct Impl;
  static Result<std::shared_ptr<const Gguf>>
  fromBytes(std::unique_ptr<Impl> impl, std::span<const std::byte> bytes);
  explicit Gguf(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace sgl
