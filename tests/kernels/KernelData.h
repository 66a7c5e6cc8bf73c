// Random and adversarial inputs for the kernels, and the tables to test.
#pragma once

#include "kernels/Kernels.h"
#include "kernels/Pack.h"

#include <cstring>
#include <random>
#include <vector>

namespace sgl::test {

/// All tables that this processor runs, the oracle first.
inline std::vector<const kernels::Kernels *> allTables() {
  std::vector<const kernels::Kernels *> tables;
  for (const char *name : {"scalar", "avx2", "avx512"})
    if (const kernels::Kernels *table = kernels::findKernels(name))
      tables.push_back(table);
  return tables;
}

inline constexpr kernels::Format allFormats[] = {
    kernels::Format::F32,  kernels::Format::F16,  kernels::Format::BF16,
    kernels::Format::Q4_0, kernels::Format::Q4_1, kernels::Format::Q5_0,
    kernels::Format::Q5_1, kernels::Format::Q8_0};

using Random = std::mt19937;

/// `count` values, mostly near 0, some large, some exactly 0.
inline std::vector<float> randomValues(Random &random, size_t count) {
  std::normal_distribution<float> normal(0, 1);
  std::vector<float> values(count);
  for (float &value : values) {
    value = normal(random);
    if (random() % 64 == 0)
      value *= 100;
    if (random() % 32 == 0)
      value = 0;
  }
  return values;
}

/// A half that is finite: often ordinary, sometimes 0, denormal or extreme.
inline uint16_t randomHalf(Random &random) {
  switch (random() % 16) {
  case 0:
    return random() % 2 ? 0x0000 : 0x8000;
  case 1:
    return static_cast<uint16_t>(random() % 1024); // denormal
  case 2:
    return static_cast<uint16_t>(0x7bff | random() % 2 << 15); // +-65504
  default: // 2^-7 .. 2^-3 and both signs
    return static_cast<uint16_t>((8 + random() % 4) << 10 | random() % 1024 |
                                 (random() % 2) << 15);
  }
}

/// Stored rows of a format: blocks of random and of extreme numbers.
inline std::vector<std::byte> randomRows(Random &random, kernels::Format format,
                                         uint32_t rows, uint32_t columns) {
  std::vector<std::byte> bytes(rows * kernels::rowBytes(format, columns));
  auto put = [&](size_t at, uint16_t value) {
    std::memcpy(bytes.data() + at, &value, 2);
  };
  if (format == kernels::Format::F32) {
    std::vector<float> values = randomValues(random, bytes.size() / 4);
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
  }
  if (!kernels::isQuantized(format)) {
    for (size_t at = 0; at < bytes.size(); at += 2)
      put(at, format == kernels::Format::F16
                  ? randomHalf(random)
                  : kernels::floatToBrain(randomValues(random, 1)[0]));
    return bytes;
  }
  bool hasMin =
      format == kernels::Format::Q4_1 || format == kernels::Format::Q5_1;
  size_t block = kernels::rowBytes(format, kernels::blockColumns);
  for (size_t at = 0; at < bytes.size(); at += block) {
    unsigned kind = random() % 8; // all bits clear, all set, else random
    for (size_t i = 0; i < block; ++i)
      bytes[at + i] = static_cast<std::byte>(kind == 0   ? 0
                                             : kind == 1 ? 0xff
                                                         : random() & 0xff);
    put(at, randomHalf(random));
    if (hasMin)
      put(at + 2, randomHalf(random));
  }
  return bytes;
}

/// A packed matrix with its memory.
struct Packed {
  kernels::PackedMatrix matrix;
  std::vector<std::byte> memory;
};

inline Packed pack(kernels::Format format, uint32_t rows, uint32_t columns,
                   const std::vector<std::byte> &stored) {
  Packed packed;
  packed.matrix = kernels::layOut(format, rows, columns);
  packed.memory.resize(packed.matrix.groups() * packed.matrix.groupBytes);
  packed.matrix.data = packed.memory.data();
  for (uint32_t g = 0; g < packed.matrix.groups(); ++g)
    kernels::packGroup(format, packed.matrix, stored.data(), g,
                       packed.memory.data() + g * packed.matrix.groupBytes);
  return packed;
}

/// Inputs [tokens][columns] as the tile that a matrix reads.
inline std::vector<std::byte> makeTile(const kernels::Kernels &table,
                                       bool quantized,
                                       const std::vector<float> &inputs,
                                       uint32_t columns) {
  auto tokens = static_cast<uint32_t>(inputs.size() / columns);
  std::vector<std::byte> tile(kernels::tileBytes(quantized, columns, tokens));
  for (uint32_t t = 0; t < tokens; ++t) {
    const float *x = inputs.data() + t * columns;
    if (quantized)
      table.quantize(x, columns, t, tokens, tile.data());
    else
      kernels::spreadTile(x, columns, t, tokens, tile.data());
  }
  return tile;
}

/// Equality of every bit, so that -0, NaN and rounding count.
inline bool sameBits(const std::vector<float> &a, const std::vector<float> &b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

} // namespace sgl::test
