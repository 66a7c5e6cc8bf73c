// Reads the keys and the tensor table of the llama architecture.
#include "runtime/model/LlamaSpec.h"

#include <cmath>
#include <set>

namespace sgl {

namespace {

constexpr uint64_t maxLayers = 512;
/// Far above any model; keeps products of two sizes within 64 bits.
constexpr uint64_t maxSize = 1u << 24;

std::string shapeText(const GgufTensor &tensor) {
  std::string text = "[";
  for (uint64_t n : tensor.shape)
    text += (text.size() > 1 ? ", " : "") + std::to_string(n);
  return text + "]";
}

class SpecReader {
public:
  explicit SpecReader(const Gguf &file) : file(file) {}

  Result<LlamaSpec> run() {
    if (!readSizes() || !readHeadSizes() || !readRope() || !findTensors() ||
        !checkVocabulary() || !checkAllTensorsKnown())
      return Error{file.path() + ": " + message};
    return std::move(spec);
  }

private:
  bool fail(std::string text) {
    if (message.empty())
      message = std::move(text);
    return false;
  }

  bool size(const std::string &name, uint32_t &out, uint64_t limit = maxSize) {
    std::string key = "llama." + name;
    auto value = file.integer(key);
    if (!value)
      return fail("key " + key + " is missing or not one whole number");
    if (*value == 0 || *value > limit)
      return fail("key " + key + " is " + std::to_string(*value) +
                  ", it must be in 1.." + std::to_string(limit));
    out = static_cast<uint32_t>(*value);
    return true;
  }

  /// Takes `fallback` where the key is absent.
  bool number(const std::string &name, double fallback, double &out) {
    std::string key = "llama." + name;
    out = fallback;
    if (!file.find(key))
      return true;
    auto value = file.number(key);
    if (!value || !std::isfinite(*value) || *value <= 0)
      return fail("key " + key + " must be a number above 0");
    out = *value;
    return true;
  }

  bool readSizes() {
    auto architecture = file.string("general.architecture");
    if (!architecture)
      return fail("key general.architecture is missing");
    if (*architecture != "llama")
      return fail("architecture '" + std::string(architecture->substr(0, 40)) +
                  "' is not supported yet; supported: llama");
    if (auto experts = file.integer("llama.expert_count"); experts.value_or(0))
      return fail("key llama.expert_count: mixtures of experts are not "
                  "supported yet");
    double epsilon = 0;
    if (!size("block_count", spec.layers, maxLayers) ||
        !size("embedding_length", spec.width) ||
        !size("feed_forward_length", spec.ffnWidth) ||
        !size("context_length", spec.contextLength, 1u << 30) ||
        !number("attention.layer_norm_rms_epsilon", 1e-5, epsilon))
      return false;
    spec.epsilon = static_cast<float>(epsilon);
    return true;
  }

  bool readHeadSizes() {
    if (!size("attention.head_count", spec.heads))
      return false;
    spec.kvHeads = spec.heads;
    if (file.find("llama.attention.head_count_kv") &&
        !size("attention.head_count_kv", spec.kvHeads))
      return false;
    if (spec.heads % spec.kvHeads != 0)
      return fail("key llama.attention.head_count is " +
                  std::to_string(spec.heads) +
                  ", it must be a multiple of llama.attention.head_count_kv, " +
                  std::to_string(spec.kvHeads));
    if (file.find("llama.attention.key_length")) {
      uint32_t valueDim = 0;
      if (!size("attention.key_length", spec.headDim, 1024) ||
          !size("attention.value_length", valueDim, 1024))
        return false;
      if (valueDim != spec.headDim)
        return fail("key llama.attention.value_length must equal "
                    "llama.attention.key_length");
    } else {
      if (spec.width % spec.heads != 0)
        return fail("key llama.embedding_length is " +
                    std::to_string(spec.width) +
                    ", it must be a multiple of llama.attention.head_count, " +
                    std::to_string(spec.heads));
      spec.headDim = spec.width / spec.heads;
    }
    if (spec.headDim % 2 != 0 || spec.headDim > 1024)
      return fail("the size of a head is " + std::to_string(spec.headDim) +
                  ", it must be even and at most 1024");
    if (uint64_t{spec.heads} * spec.headDim > maxSize)
      return fail("all heads together are wider than " +
                  std::to_string(maxSize));
    return true;
  }

  bool readRope() {
    double base = 0, factor = 1;
    uint32_t dims = spec.headDim;
    if (!number("rope.freq_base", 10000, base))
      return false;
    if (file.find("llama.rope.dimension_count") &&
        !size("rope.dimension_count", dims))
      return false;
    if (dims > spec.headDim || dims % 2 != 0)
      return fail("key llama.rope.dimension_count is " + std::to_string(dims) +
                  ", it must be even and at most the size of a head, " +
                  std::to_string(spec.headDim));
    auto scaling = file.string("llama.rope.scaling.type").value_or("none");
    if (scaling == "linear") {
      if (!number("rope.scaling.factor", 1, factor))
        return false;
    } else if (scaling != "none") {
      return fail("key llama.rope.scaling.type: '" +
                  std::string(scaling.substr(0, 40)) +
                  "' is not supported yet; supported: none, linear");
    }
    for (uint32_t i = 0; i < dims / 2; ++i)
      spec.ropeFrequencies.push_back(std::pow(base, -2.0 * i / dims) / factor);
    return divideByRopeFactors();
  }

  /// Llama 3.1 and later store a divisor for each frequency.
  bool divideByRopeFactors() {
    const GgufTensor *tensor = file.tensor("rope_freqs.weight");
    if (!tensor)
      return true;
    known.insert(tensor->name);
    if (tensor->elements() != spec.ropeFrequencies.size())
      return fail("tensor rope_freqs.weight has shape " + shapeText(*tensor) +
                  ", [" + std::to_string(spec.ropeFrequencies.size()) +
                  "] is needed");
    auto factors = readVector(file, *tensor);
    if (!factors)
      return fail("tensor rope_freqs.weight must hold finite numbers");
    for (size_t i = 0; i < factors->size(); ++i) {
      if ((*factors)[i] <= 0)
        return fail("tensor rope_freqs.weight must hold numbers above 0");
      spec.ropeFrequencies[i] /= (*factors)[i];
    }
    return true;
  }

  /// The tensor `name` with `rows` rows of `columns` values; rows 1: a vector.
  const GgufTensor *tensor(const std::string &name, uint64_t columns,
                           uint64_t rows) {
    const GgufTensor *found = file.tensor(name);
    if (!found) {
      fail("tensor " + name + " is missing");
      return nullptr;
    }
    bool fits = !found->shape.empty() && found->shape.size() <= 2 &&
                found->shape[0] == columns && found->rows() == rows;
    if (!fits) {
      std::string wanted("[");
      wanted += std::to_string(columns);
      if (rows != 1)
        wanted += ", " + std::to_string(rows);
      fail("tensor " + name + " has shape " + shapeText(*found) + ", " +
           wanted + "] is needed");
      return nullptr;
    }
    if (!weightFormat(found->type)) {
      fail("tensor " + name + " has type " + tensorTypeName(found->type) +
           ", which is not supported yet; supported: F32, F16, BF16, Q4_0, "
           "Q4_1, Q5_0, Q5_1, Q8_0");
      return nullptr;
    }
    known.insert(name);
    return found;
  }

  bool findTensors() {
    const GgufTensor *embedding = file.tensor("token_embd.weight");
    if (!embedding)
      return fail("tensor token_embd.weight is missing");
    if (embedding->rows() > maxSize)
      return fail("tensor token_embd.weight has too many rows: " +
                  std::to_string(embedding->rows()));
    spec.vocabSize = static_cast<uint32_t>(embedding->rows());
    uint64_t width = spec.width;
    spec.embedding = tensor("token_embd.weight", width, spec.vocabSize);
    spec.outputNorm = tensor("output_norm.weight", width, 1);
    spec.head = file.tensor("output.weight")
                    ? tensor("output.weight", width, spec.vocabSize)
                    : spec.embedding;
    for (uint32_t i = 0; i < spec.layers && message.empty(); ++i)
      findLayer("blk." + std::to_string(i) + ".");
    return message.empty();
  }

  void findLayer(const std::string &prefix) {
    auto find = [&](const char *name, uint64_t columns, uint64_t rows) {
      return tensor(prefix + name + ".weight", columns, rows);
    };
    uint64_t width = spec.width, ffn = spec.ffnWidth;
    uint64_t query = uint64_t{spec.heads} * spec.headDim;
    uint64_t keyValue = uint64_t{spec.kvHeads} * spec.headDim;
    LlamaLayerTensors t{};
    t.attnNorm = find("attn_norm", width, 1);
    t.query = find("attn_q", width, query);
    t.key = find("attn_k", width, keyValue);
    t.value = find("attn_v", width, keyValue);
    t.attnOutput = find("attn_output", query, width);
    t.ffnNorm = find("ffn_norm", width, 1);
    t.gate = find("ffn_gate", width, ffn);
    t.up = find("ffn_up", width, ffn);
    t.down = find("ffn_down", ffn, width);
    spec.layer.push_back(t);
  }

  bool checkVocabulary() {
    std::string rows = std::to_string(spec.vocabSize);
    if (auto declared = file.integer("llama.vocab_size");
        declared && *declared != spec.vocabSize)
      return fail("key llama.vocab_size is " + std::to_string(*declared) +
                  ", but tensor token_embd.weight has " + rows + " rows");
    const GgufArray *tokens = file.array("tokenizer.ggml.tokens");
    if (tokens && tokens->strings.size() != spec.vocabSize)
      return fail("key tokenizer.ggml.tokens has " +
                  std::to_string(tokens->strings.size()) +
                  " entries, but tensor token_embd.weight has " + rows +
                  " rows");
    return true;
  }

  /// A tensor that this architecture would leave unused (a bias, an expert)
  /// changes the model's meaning: it is refused, not ignored.
  bool checkAllTensorsKnown() {
    for (const GgufTensor &t : file.tensors())
      if (!known.count(t.name))
        return fail("tensor " + t.name.substr(0, 64) +
                    " is not part of a llama model as supported here");
    return true;
  }

  const Gguf &file;
  LlamaSpec spec;
  std::string message;
  std::set<std::string> known;
};

} // namespace

Result<LlamaSpec> readLlamaSpec(const Gguf &file) {
  return SpecReader(file).run();
}

std::optional<kernels::Format> weightFormat(TensorType type) {
  using kernels::Format;
  switch (type) {
  case TensorType::F32:
    return Format::F32;
  case TensorType::F16:
    return Format::F16;
  case TensorType::BF16:
    return Format::BF16;
  case TensorType::Q4_0:
    return Format::Q4_0;
  case TensorType::Q4_1:
    return Format::Q4_1;
  case TensorType::Q5_0:
    return Format::Q5_0;
  case TensorType::Q5_1:
    return Format::Q5_1;
  case TensorType::Q8_0:
    return Format::Q8_0;
  default:
    return std::nullopt;
  }
}

Result<std::vector<float>> readVector(const Gguf &file,
                                      const GgufTensor &tensor) {
  auto format = weightFormat(tensor.type);
  if (!format)
    return Error{file.path() + ": tensor " + tensor.name + " has type " +
                 tensorTypeName(tensor.type) + ", which is not supported yet"};
  std::vector<float> values(tensor.elements());
  kernels::dequantizeRow(*format, tensor.data.data(), values.size(),
                         values.data());
  for (float value : values)
    if (!std::isfinite(value))
      return Error{file.path() + ": tensor " + tensor.name +
                   " holds a value that is not finite"};
  return values;
}

} // namespace sgl
