// Small llama models with random weights, whole or broken on purpose.
//
// Entry point: buildModel, the bytes of a GGUF file.
#pragma once

#include "runtime/model/Gguf.h"
#include "tests/kernels/KernelData.h"
#include "tests/unit/model/GgufBuilder.h"

#include <map>
#include <string>

namespace sgl::test {

struct Recipe {
  kernels::Format format = kernels::Format::Q4_1;
  uint32_t layers = 2, width = 64, heads = 4, kvHeads = 2, headDim = 16;
  uint32_t ffn = 96, vocab = 50;
  bool tied = true;
  std::string architecture = "llama";

  // What is wrong with it.
  std::string leftOut;                      ///< a key or a tensor
  std::map<std::string, uint32_t> keys;     ///< other values, without "llama."
  std::map<std::string, uint64_t> moreRows; ///< of tensors
  std::string otherType;                    ///< tensor stored as Q6_K
  std::string notFinite;                    ///< tensor with an infinity
  std::string extraTensor;
  uint32_t tokens = 0; ///< entries of the tokenizer's list; 0: no list
};

inline TensorType typeOf(kernels::Format format) {
  constexpr TensorType types[] = {
      TensorType::F32,  TensorType::F16,  TensorType::BF16, TensorType::Q4_0,
      TensorType::Q4_1, TensorType::Q5_0, TensorType::Q5_1, TensorType::Q8_0};
  return types[static_cast<int>(format)];
}

/// Weights of a size that keeps activations near 1.
inline std::string randomWeights(Random &random, kernels::Format format,
                                 uint64_t rows, uint64_t columns) {
  using kernels::Format;
  std::string bytes(rows * kernels::rowBytes(format, columns), '\0');
  std::normal_distribution<float> normal(0, 0.15f);
  auto put = [&](size_t at, uint16_t half) {
    std::memcpy(&bytes[at], &half, 2);
  };
  if (format == Format::F32) {
    for (size_t at = 0; at < bytes.size(); at += 4) {
      float value = normal(random);
      std::memcpy(&bytes[at], &value, 4);
    }
    return bytes;
  }
  if (!kernels::isQuantized(format)) {
    for (size_t at = 0; at < bytes.size(); at += 2) // halves 2^-5 .. 2^-2
      put(at,
          format == Format::BF16
              ? kernels::floatToBrain(normal(random))
              : static_cast<uint16_t>((10 + random() % 3) << 10 |
                                      random() % 1024 | (random() % 2) << 15));
    return bytes;
  }
  for (char &byte : bytes)
    byte = static_cast<char>(random());
  size_t block = kernels::rowBytes(format, kernels::blockColumns);
  bool five = format == Format::Q5_0 || format == Format::Q5_1;
  // Scales of about 2^-10, 2^-6 and 2^-5 for 8, 5 and 4 bits.
  int scale = format == Format::Q8_0 ? 0x1400 : five ? 0x2400 : 0x2800;
  for (size_t at = 0; at < bytes.size(); at += block) {
    put(at, static_cast<uint16_t>(scale + random() % 512));
    if (format == Format::Q4_1 || format == Format::Q5_1)
      put(at + 2, static_cast<uint16_t>(0xb400 + random() % 256));
  }
  return bytes;
}

class ModelWriter {
public:
  ModelWriter(const Recipe &recipe, unsigned seed)
      : recipe(recipe), random(seed) {}

  std::string write() {
    if (recipe.leftOut != "general.architecture")
      builder.string("general.architecture", recipe.architecture);
    key("block_count", recipe.layers);
    key("context_length", 512);
    key("embedding_length", recipe.width);
    key("feed_forward_length", recipe.ffn);
    key("attention.head_count", recipe.heads);
    key("attention.head_count_kv", recipe.kvHeads);
    key("attention.key_length", recipe.headDim);
    key("attention.value_length", recipe.headDim);
    if (recipe.keys.count("vocab_size"))
      key("vocab_size", 0);
    if (recipe.keys.count("rope.dimension_count"))
      key("rope.dimension_count", 0);
    if (recipe.tokens)
      builder.strings("tokenizer.ggml.tokens",
                      std::vector<std::string>(recipe.tokens, "x"));
    matrix("token_embd", recipe.width, recipe.vocab);
    vector("output_norm");
    if (!recipe.tied)
      matrix("output", recipe.width, recipe.vocab);
    for (uint32_t i = 0; i < recipe.layers; ++i)
      layer("blk." + std::to_string(i) + ".");
    if (!recipe.extraTensor.empty())
      vector(recipe.extraTensor);
    return builder.bytes();
  }

private:
  void key(const std::string &name, uint32_t value) {
    auto other = recipe.keys.find(name);
    if (recipe.leftOut != name)
      builder.u32("llama." + name,
                  other == recipe.keys.end() ? value : other->second);
  }

  void layer(const std::string &prefix) {
    uint32_t query = recipe.heads * recipe.headDim;
    uint32_t kv = recipe.kvHeads * recipe.headDim;
    vector(prefix + "attn_norm");
    matrix(prefix + "attn_q", recipe.width, query);
    matrix(prefix + "attn_k", recipe.width, kv);
    matrix(prefix + "attn_v", recipe.width, kv);
    matrix(prefix + "attn_output", query, recipe.width);
    vector(prefix + "ffn_norm");
    matrix(prefix + "ffn_gate", recipe.width, recipe.ffn);
    matrix(prefix + "ffn_up", recipe.width, recipe.ffn);
    matrix(prefix + "ffn_down", recipe.ffn, recipe.width);
  }

  void vector(const std::string &name) {
    std::vector<float> values(recipe.width);
    for (float &value : values)
      value = 1 + static_cast<float>(random() % 100) * 0.002f;
    if (recipe.notFinite == name)
      values[3] = INFINITY;
    if (recipe.leftOut != name)
      builder.tensor(name + ".weight", {recipe.width}, 0,
                     {reinterpret_cast<char *>(values.data()),
                      values.size() * sizeof(float)});
  }

  void matrix(const std::string &name, uint64_t columns, uint64_t rows) {
    if (auto more = recipe.moreRows.find(name); more != recipe.moreRows.end())
      rows += more->second;
    if (recipe.leftOut == name)
      return;
    if (recipe.otherType == name) {
      builder.tensor(name + ".weight", {256, 1}, 14, std::string(210, '\0'));
      return;
    }
    std::string bytes = randomWeights(random, recipe.format, rows, columns);
    if (recipe.notFinite == name) {
      uint16_t infinity =
          recipe.format == kernels::Format::BF16 ? 0x7f80 : 0x7c00;
      std::memcpy(
          &bytes[bytes.size() / 2 / kernels::rowBytes(recipe.format, 32) *
                 kernels::rowBytes(recipe.format, 32)],
          &infinity, 2);
    }
    builder.tensor(name + ".weight", {columns, rows},
                   static_cast<uint32_t>(typeOf(recipe.format)), bytes);
  }

  const Recipe &recipe;
  Random random;
  GgufBuilder builder;
};

inline std::string buildModel(const Recipe &recipe, unsigned seed = 1) {
  return ModelWriter(recipe, seed).write();
}

} // namespace sgl::test
