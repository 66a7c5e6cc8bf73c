// RMS norm, rotary positions, grouped attention and the gated feed-forward
// layer in float32 loops. Threads share out rows of weights and tokens; no sum
// depends on them.
#include "runtime/model/ReferenceLlama.h"

#include "runtime/device/HugeBuffer.h"
#include "runtime/device/WorkerPool.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace sgl {

namespace {

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&         \
    !defined(__SANITIZE_ADDRESS__)
// The same sums on every processor: lanes are fixed, nothing is contracted.
#define SGL_WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define SGL_WIDE
#endif

SGL_WIDE float dot(const float *a, const float *b, size_t count) {
  constexpr size_t lanes = 16;
  float sums[lanes] = {};
  size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (size_t j = 0; j < lanes; ++j)
      sums[j] += a[i + j] * b[i + j];
  for (; i < count; ++i)
    sums[0] += a[i] * b[i];
  float total = 0;
  for (float sum : sums)
    total += sum;
  return total;
}

void rmsNorm(const float *x, const std::vector<float> &weight, float epsilon,
             float *out) {
  double squares = 0;
  for (size_t i = 0; i < weight.size(); ++i)
    squares += static_cast<double>(x[i]) * x[i];
  double mean = squares / static_cast<double>(weight.size());
  auto scale = static_cast<float>(1 / std::sqrt(mean + epsilon));
  for (size_t i = 0; i < weight.size(); ++i)
    out[i] = x[i] * scale * weight[i];
}

/// Weights [rows][columns].
struct Matrix {
  uint64_t rows = 0, columns = 0;
  std::vector<float> values;
};

struct Layer {
  std::vector<float> attnNorm, ffnNorm;
  Matrix query, key, value, attnOutput, gate, up, down;
};

using Rows = std::vector<float>; ///< [tokens][some width]

class ReferenceLlama final : public Transformer {
public:
  ReferenceLlama(LlamaSpec spec, const TransformerOptions &options)
      : spec(std::move(spec)), pool(options.threads) {
    queryWidth = this->spec.heads * this->spec.headDim;
    kvWidth = this->spec.kvHeads * this->spec.headDim;
    modelShape.vocabSize = this->spec.vocabSize;
    modelShape.contextLength = this->spec.contextLength;
    modelShape.kvBytesPerPosition =
        uint64_t{2} * this->spec.layers * kvWidth * sizeof(float);
    pages = options.kvPages;
  }

  Status load(const Gguf &file);

  const ModelShape &shape() const override { return modelShape; }
  std::string instructionSet() const override { return "reference"; }
  void forward(const Batch &batch, std::span<float> logits) override;
  void copyPositions(PageId from, PageId to, uint32_t count) override;

private:
  uint64_t pageFloats() const { return uint64_t{2} * pageSize * kvWidth; }
  /// K of one position of all KV heads; V lies pageSize * kvWidth behind.
  float *keyAt(uint32_t layer, PageId page, uint32_t slot) {
    auto *all = reinterpret_cast<float *>(kv.data());
    return all + (layer * pages + page) * pageFloats() + slot * kvWidth;
  }
  Status loadMatrix(const Gguf &file, const GgufTensor &tensor, Matrix &out);

  void multiply(const Matrix &w, const Rows &x, Rows &out);
  void normRows(const Rows &x, const std::vector<float> &weight, Rows &out);
  void rotate(float *head, uint32_t position) const;
  void storeKeys(uint32_t layer, const Batch &batch, Rows &keys,
                 const Rows &values);
  void attend(uint32_t layer, const Batch &batch, Rows &queries, Rows &out);
  void attendRow(uint32_t layer, const Batch &batch, const BatchRow &row,
                 const float *queries, float *out);
  void runLayer(uint32_t index, const Batch &batch, Rows &x);

  LlamaSpec spec;
  ModelShape modelShape;
  WorkerPool pool;
  uint64_t queryWidth = 0, kvWidth = 0;
  Matrix embedding, output; ///< `output` is empty where the head is tied
  std::vector<float> outputNorm;
  std::vector<Layer> layers;
  uint64_t pages = 0;
  HugeBuffer kv; ///< [layer][page][K, V][slot][kvWidth] floats
};

Status ReferenceLlama::loadMatrix(const Gguf &file, const GgufTensor &tensor,
                                  Matrix &out) {
  auto values = readVector(file, tensor);
  if (!values)
    return values.error();
  out = {tensor.rows(), tensor.shape[0], std::move(*values)};
  return Done{};
}

Status ReferenceLlama::load(const Gguf &file) {
  auto room = HugeBuffer::allocate(
      pages * spec.layers * pageFloats() * sizeof(float), "keys and values");
  if (!room)
    return room.error();
  kv = std::move(*room);
  Status status = Done{};
  auto matrix = [&](const GgufTensor *tensor, Matrix &out) {
    if (status)
      status = loadMatrix(file, *tensor, out);
  };
  auto vector = [&](const GgufTensor *tensor, std::vector<float> &out) {
    auto values = readVector(file, *tensor);
    if (status && !values)
      status = values.error();
    if (values)
      out = std::move(*values);
  };
  matrix(spec.embedding, embedding);
  if (spec.head != spec.embedding)
    matrix(spec.head, output);
  vector(spec.outputNorm, outputNorm);
  layers.resize(spec.layers);
  for (uint32_t i = 0; i < spec.layers && status; ++i) {
    const LlamaLayerTensors &t = spec.layer[i];
    Layer &layer = layers[i];
    vector(t.attnNorm, layer.attnNorm);
    vector(t.ffnNorm, layer.ffnNorm);
    matrix(t.query, layer.query);
    matrix(t.key, layer.key);
    matrix(t.value, layer.value);
    matrix(t.attnOutput, layer.attnOutput);
    matrix(t.gate, layer.gate);
    matrix(t.up, layer.up);
    matrix(t.down, layer.down);
  }
  return status;
}

/// out[t][r] = sum over c of w[r][c] * x[t][c].
void ReferenceLlama::multiply(const Matrix &w, const Rows &x, Rows &out) {
  uint64_t tokens = x.size() / w.columns;
  out.resize(tokens * w.rows);
  constexpr uint64_t rowsAtOnce = 32;
  auto chunks = static_cast<uint32_t>((w.rows + rowsAtOnce - 1) / rowsAtOnce);
  pool.run([&](Worker &worker) {
    worker.stage(chunks, [&](uint32_t chunk) {
      uint64_t first = chunk * rowsAtOnce;
      uint64_t last = std::min(w.rows, first + rowsAtOnce);
      for (uint64_t t = 0; t < tokens; ++t)
        for (uint64_t r = first; r < last; ++r)
          out[t * w.rows + r] =
              dot(&w.values[r * w.columns], &x[t * w.columns], w.columns);
    });
  });
}

void ReferenceLlama::normRows(const Rows &x, const std::vector<float> &weight,
                              Rows &out) {
  out.resize(x.size());
  for (size_t i = 0; i < x.size(); i += weight.size())
    rmsNorm(&x[i], weight, spec.epsilon, &out[i]);
}

/// Rotary position embedding on neighbouring pairs (Su et al. 2021).
void ReferenceLlama::rotate(float *head, uint32_t position) const {
  for (size_t i = 0; i < spec.ropeFrequencies.size(); ++i) {
    double angle = position * spec.ropeFrequencies[i];
    auto c = static_cast<float>(std::cos(angle));
    auto s = static_cast<float>(std::sin(angle));
    float even = head[2 * i], odd = head[2 * i + 1];
    head[2 * i] = even * c - odd * s;
    head[2 * i + 1] = even * s + odd * c;
  }
}

void ReferenceLlama::storeKeys(uint32_t layer, const Batch &batch, Rows &keys,
                               const Rows &values) {
  for (size_t t = 0; t < batch.rows.size(); ++t) {
    const BatchRow &row = batch.rows[t];
    float *key = &keys[t * kvWidth];
    for (uint32_t head = 0; head < spec.kvHeads; ++head)
      rotate(key + head * spec.headDim, row.position);
    PageId page = batch.sequences[row.sequence].pages[row.position / pageSize];
    float *to = keyAt(layer, page, row.position % pageSize);
    std::copy_n(key, kvWidth, to);
    std::copy_n(&values[t * kvWidth], kvWidth, to + pageSize * kvWidth);
  }
}

void ReferenceLlama::attendRow(uint32_t layer, const Batch &batch,
                               const BatchRow &row, const float *queries,
                               float *out) {
  std::span<const PageId> pages = batch.sequences[row.sequence].pages;
  uint32_t dim = spec.headDim, visible = row.position + 1;
  float scale = 1 / std::sqrt(static_cast<float>(dim));
  std::vector<float> scores(visible);
  for (uint32_t head = 0; head < spec.heads; ++head) {
    uint32_t kvOffset = head / (spec.heads / spec.kvHeads) * dim;
    float largest = -INFINITY;
    for (uint32_t p = 0; p < visible; ++p) {
      const float *key = keyAt(layer, pages[p / pageSize], p % pageSize);
      scores[p] = scale * dot(queries + head * dim, key + kvOffset, dim);
      largest = std::max(largest, scores[p]);
    }
    float sum = 0;
    for (float &score : scores)
      sum += score = std::exp(score - largest);
    float *result = out + head * dim;
    std::fill_n(result, dim, 0.f);
    for (uint32_t p = 0; p < visible; ++p) {
      const float *value = keyAt(layer, pages[p / pageSize], p % pageSize) +
                           pageSize * kvWidth + kvOffset;
      for (uint32_t i = 0; i < dim; ++i)
        result[i] += scores[p] / sum * value[i];
    }
  }
}

void ReferenceLlama::attend(uint32_t layer, const Batch &batch, Rows &queries,
                            Rows &out) {
  out.resize(queries.size());
  auto rows = static_cast<uint32_t>(batch.rows.size());
  pool.run([&](Worker &worker) {
    worker.stage(rows, [&](uint32_t t) {
      float *query = &queries[t * queryWidth];
      for (uint32_t head = 0; head < spec.heads; ++head)
        rotate(query + head * spec.headDim, batch.rows[t].position);
      attendRow(layer, batch, batch.rows[t], query, &out[t * queryWidth]);
    });
  });
}

void ReferenceLlama::runLayer(uint32_t index, const Batch &batch, Rows &x) {
  const Layer &layer = layers[index];
  Rows normed, queries, keys, values, attended, gate, up, delta;
  normRows(x, layer.attnNorm, normed);
  multiply(layer.query, normed, queries);
  multiply(layer.key, normed, keys);
  multiply(layer.value, normed, values);
  storeKeys(index, batch, keys, values);
  attend(index, batch, queries, attended);
  multiply(layer.attnOutput, attended, delta);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] += delta[i];

  normRows(x, layer.ffnNorm, normed);
  multiply(layer.gate, normed, gate);
  multiply(layer.up, normed, up);
  for (size_t i = 0; i < gate.size(); ++i)
    gate[i] = gate[i] / (1 + std::exp(-gate[i])) * up[i];
  multiply(layer.down, gate, delta);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] += delta[i];
}

void ReferenceLlama::forward(const Batch &batch, std::span<float> logits) {
  Rows x(batch.rows.size() * spec.width);
  for (size_t t = 0; t < batch.rows.size(); ++t)
    std::copy_n(&embedding.values[batch.rows[t].token * uint64_t{spec.width}],
                spec.width, &x[t * spec.width]);
  for (uint32_t i = 0; i < spec.layers; ++i)
    runLayer(i, batch, x);

  Rows wanted, normed, result;
  for (size_t t = 0; t < batch.rows.size(); ++t)
    if (batch.rows[t].wantLogits)
      wanted.insert(wanted.end(), &x[t * spec.width],
                    &x[t * spec.width] + spec.width);
  assert(logits.size() == wanted.size() / spec.width * spec.vocabSize &&
         "one row of logits for each row that wants them");
  normRows(wanted, outputNorm, normed);
  multiply(output.rows ? output : embedding, normed, result);
  std::copy(result.begin(), result.end(), logits.begin());
}

void ReferenceLlama::copyPositions(PageId from, PageId to, uint32_t count) {
  for (uint32_t layer = 0; layer < spec.layers; ++layer) {
    for (uint64_t half : {uint64_t{0}, pageSize * kvWidth})
      std::copy_n(keyAt(layer, from, 0) + half, count * kvWidth,
                  keyAt(layer, to, 0) + half);
  }
}

} // namespace

Result<std::unique_ptr<Transformer>>
makeReferenceLlama(std::shared_ptr<const Gguf> file, LlamaSpec spec,
                   const TransformerOptions &options) {
  auto model = std::make_unique<ReferenceLlama>(std::move(spec), options);
  if (Status status = model->load(*file); !status)
    return status.error();
  return std::unique_ptr<Transformer>(std::move(model));
}

} // namespace sgl
