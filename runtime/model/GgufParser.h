// The checked reading of a GGUF header.
//
// Entry point: parseGguf. Every count, length and offset is held against the
// bytes that are left before it is used, so a hostile file costs at most a
// small multiple of its own header.
#pragma once

#include "runtime/model/Gguf.h"

namespace sgl {

/// What a header says. Strings and tensor data are views into the bytes.
struct GgufContents {
  uint32_t version = 0;
  uint64_t fileBytes = 0;
  std::vector<std::pair<std::string, GgufValue>> metadata;
  std::vector<GgufTensor> tensors;
};

/// Limits of ours, far above any known model.
inline constexpr uint64_t maxGgufKeys = 1 << 16;
inline constexpr uint64_t maxGgufTensors = 1 << 16;
inline constexpr uint64_t maxGgufArrayElements = 1 << 24; ///< all arrays
inline constexpr uint64_t maxGgufString = 1 << 30;
inline constexpr uint64_t maxGgufAlignment = 1 << 20;

/// Reads a whole file in memory. The message of an error names key or tensor
/// but not the file. `bytes` must outlive the result.
Result<GgufContents> parseGguf(std::span<const std::byte> bytes);

} // namespace sgl
