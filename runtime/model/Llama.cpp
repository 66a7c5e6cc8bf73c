// One forward pass: stages of chunks that all workers run together.
//
// A layer is: norm and quantise, q k v; rotate and store; attention; merge and
// quantise, output; norm and quantise, gate and up; quantise, down.
#include "runtime/model/Llama.h"

#include "runtime/model/LlamaAttention.h"
#include "runtime/model/LlamaWeights.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>

namespace sgl {

namespace {

using kernels::Kernels;
using kernels::PackedMatrix;
using kernels::tileTokens;

/// Rows computed together: their inputs stay in a core's second-level cache,
/// and weights are read once for all of them.
constexpr uint32_t sliceRows = 256;
/// Up to this many rows each worker prepares its own inputs, which costs less
/// than waiting for another to do it.
constexpr uint32_t soloRows = 2;
/// Groups computed for one tile before the next: weights and inputs stay in
/// the first-level cache.
constexpr uint32_t groupsAtOnce = 2;
/// Pieces of a product for each worker: the last to finish is not late by much.
constexpr uint32_t piecesPerWorker = 4;

/// The inputs of a product, in tiles of 16 rows.
struct Inputs {
  std::vector<std::byte> quantized, plain;
};

/// One matrix of a product and where its results go.
struct Target {
  const PackedMatrix *matrix = nullptr;
  float *out = nullptr;
  uint64_t stride = 0; ///< floats between rows of `out`
  bool add = false;
};

/// Working memory of one worker.
struct Scratch {
  std::vector<float> row;
  Inputs inputs;
  LlamaAttention::Scratch attention;
};

class Llama final : public Transformer {
public:
  Llama(std::shared_ptr<const Gguf> file, LlamaSpec given,
        const TransformerOptions &options, const Kernels &kernels)
      : file(std::move(file)), spec(std::move(given)), kernels(kernels),
        pool(options.threads), modelShape(llamaShape(spec)) {}

  Status load(uint32_t pages);

  const ModelShape &shape() const override { return modelShape; }
  std::string instructionSet() const override { return kernels.name; }
  void forward(const Batch &batch, std::span<float> logits) override;
  void copyPositions(PageId from, PageId to, uint32_t count) override {
    kv.copyPositions(from, to, count);
  }

private:
  void allocateBuffers();
  void runSlice(const AttentionPlan &plan, float *logits);
  void embed(Worker &worker);
  void runLayer(Worker &worker, uint32_t index);
  void storeRow(uint32_t layer, uint32_t row, Scratch &scratch);
  void runHead(Worker &worker, float *logits);

  template <typename Fill>
  void product(Worker &worker, uint32_t count, std::span<const Target> targets,
               bool gated, Fill &&fill);
  void prepare(const float *x, uint32_t columns, uint32_t row, uint32_t count,
               std::span<const Target> targets, Inputs &inputs);
  void multiplyGroups(const Target &target, uint32_t first, uint32_t groups,
                      const Inputs &inputs, uint32_t tile, uint32_t count);
  void runPiece(std::span<const Target> targets, bool gated, uint32_t first,
                uint32_t last, const Inputs &inputs, uint32_t count);

  std::shared_ptr<const Gguf> file; ///< rows of the embedding are read from it
  LlamaSpec spec;
  const Kernels &kernels;
  WorkerPool pool;
  ModelShape modelShape;
  LlamaWeights weights;
  PagedKv kv;
  std::unique_ptr<LlamaAttention> attention;
  uint32_t queryWidth = 0, kvWidth = 0;

  const AttentionPlan *plan = nullptr; ///< of the slice that runs
  std::vector<uint32_t> wanted;        ///< rows with logits, in their order
  std::vector<float> x, queries, keys, values, attended, gate, up;
  std::vector<float> cosines, sines; ///< [row][pair]
  Inputs shared;
  std::vector<Scratch> scratches;
};

Status Llama::load(uint32_t pages) {
  queryWidth = spec.heads * spec.headDim;
  kvWidth = spec.kvHeads * spec.headDim;
  auto packed = packLlamaWeights(*file, spec, pool);
  if (!packed)
    return packed.error();
  weights = std::move(*packed);
  auto room = PagedKv::allocate(spec, pages);
  if (!room)
    return room.error();
  kv = std::move(*room);
  attention = std::make_unique<LlamaAttention>(spec, kernels, kv, sliceRows);
  allocateBuffers();
  return Done{};
}

void Llama::allocateBuffers() {
  uint64_t rows = sliceRows, pairs = spec.ropeFrequencies.size();
  x.resize(rows * spec.width);
  queries.resize(rows * queryWidth);
  attended.resize(rows * queryWidth);
  keys.resize(rows * kvWidth);
  values.resize(rows * kvWidth);
  gate.resize(rows * spec.ffnWidth);
  up.resize(rows * spec.ffnWidth);
  cosines.resize(rows * pairs);
  sines.resize(rows * pairs);
  uint32_t widest = std::max({spec.width, queryWidth, spec.ffnWidth});
  auto makeInputs = [&](uint32_t count) {
    return Inputs{
        std::vector<std::byte>(kernels::tileBytes(true, widest, count)),
        std::vector<std::byte>(kernels::tileBytes(false, widest, count))};
  };
  shared = makeInputs(sliceRows);
  for (uint32_t i = 0; i < pool.threads(); ++i)
    scratches.push_back({std::vector<float>(widest), makeInputs(soloRows),
                         attention->makeScratch()});
}

/// Writes a row's values into the tile that holds it, in the forms that the
/// targets read.
void Llama::prepare(const float *values, uint32_t columns, uint32_t row,
                    uint32_t count, std::span<const Target> targets,
                    Inputs &inputs) {
  bool quantized = false, plain = false;
  for (const Target &target : targets)
    (target.matrix->quantized() ? quantized : plain) = true;
  uint32_t first = row / tileTokens * tileTokens;
  uint32_t tokens = std::min(tileTokens, count - first);
  if (quantized)
    kernels.quantize(values, columns, row - first, tokens,
                     inputs.quantized.data() +
                         kernels::tileBytes(true, columns, first));
  if (plain)
    kernels::spreadTile(values, columns, row - first, tokens,
                        inputs.plain.data() +
                            kernels::tileBytes(false, columns, first));
}

void Llama::multiplyGroups(const Target &target, uint32_t first,
                           uint32_t groups, const Inputs &inputs, uint32_t tile,
                           uint32_t count) {
  const PackedMatrix &matrix = *target.matrix;
  bool quantized = matrix.quantized();
  uint32_t row = tile * tileTokens;
  const auto &bytes = quantized ? inputs.quantized : inputs.plain;
  kernels.multiply(matrix, first, groups,
                   bytes.data() +
                       kernels::tileBytes(quantized, matrix.columns, row),
                   std::min(tileTokens, count - row),
                   target.out + row * target.stride, target.stride, target.add);
}

/// Groups first .. last - 1 of all targets counted on; gated: of both of two.
void Llama::runPiece(std::span<const Target> targets, bool gated,
                     uint32_t first, uint32_t last, const Inputs &inputs,
                     uint32_t count) {
  uint32_t tiles = (count + tileTokens - 1) / tileTokens;
  uint32_t before = 0; // groups of earlier targets
  for (const Target &target : targets) {
    uint32_t groups = target.matrix->groups();
    uint32_t begin = std::max(first, before) - before;
    uint32_t end = std::min(last, before + groups);
    end = end > before ? end - before : 0;
    for (uint32_t g = begin; g < end; g += groupsAtOnce) {
      uint32_t some = std::min(groupsAtOnce, end - g);
      uint32_t column = g * kernels::groupRows;
      uint32_t width =
          std::min(some * kernels::groupRows, target.matrix->rows - column);
      for (uint32_t tile = 0; tile < tiles; ++tile) {
        multiplyGroups(target, g, some, inputs, tile, count);
        if (!gated)
          continue;
        multiplyGroups(targets[1], g, some, inputs, tile, count);
        uint32_t end = std::min(count, (tile + 1) * tileTokens);
        for (uint32_t row = tile * tileTokens; row < end; ++row)
          kernels.gatedProduct(
              target.out + row * target.stride + column,
              targets[1].out + row * targets[1].stride + column, width);
      }
    }
    if (gated)
      return;
    before += groups;
  }
}

/// Multiplies `count` rows with all targets. fill(i, scratch) returns the
/// values of row i. Gated: two targets of one shape, the first gets
/// silu(first) * second.
template <typename Fill>
void Llama::product(Worker &worker, uint32_t count,
                    std::span<const Target> targets, bool gated, Fill &&fill) {
  Scratch &scratch = scratches[worker.index()];
  uint32_t columns = targets[0].matrix->columns;
  bool solo = count <= soloRows, ready = false;
  Inputs &inputs = solo ? scratch.inputs : shared;
  auto prepareRow = [&](uint32_t row) {
    prepare(fill(row, scratch), columns, row, count, targets, inputs);
  };
  if (!solo)
    worker.stage(count, prepareRow);
  uint32_t groups = 0;
  for (const Target &target : targets)
    groups += target.matrix->groups();
  if (gated)
    groups = targets[0].matrix->groups();
  uint32_t pieces =
      std::min(groups, std::max(1u, pool.threads()) * piecesPerWorker);
  worker.stage(pieces, [&](uint32_t piece) {
    for (uint32_t row = 0; solo && !ready && row < count; ++row)
      prepareRow(row);
    ready = true;
    auto bound = [&](uint64_t i) {
      return static_cast<uint32_t>(i * groups / pieces);
    };
    runPiece(targets, gated, bound(piece), bound(piece + 1), inputs, count);
  });
}

void Llama::embed(Worker &worker) {
  auto rows = static_cast<uint32_t>(plan->rows.size());
  kernels::Format format = *weightFormat(spec.embedding->type);
  uint64_t rowBytes = kernels::rowBytes(format, spec.width);
  uint64_t pairs = spec.ropeFrequencies.size();
  worker.stage(rows, [&](uint32_t row) {
    const PlannedRow &planned = plan->rows[row];
    assert(planned.token >= 0 &&
           static_cast<uint32_t>(planned.token) < spec.vocabSize &&
           "tokens are of the vocabulary");
    kernels::dequantizeRow(
        format, spec.embedding->data.data() + planned.token * rowBytes,
        spec.width, &x[uint64_t{row} * spec.width]);
    for (uint64_t i = 0; i < pairs; ++i) {
      double angle = planned.position * spec.ropeFrequencies[i];
      cosines[row * pairs + i] = static_cast<float>(std::cos(angle));
      sines[row * pairs + i] = static_cast<float>(std::sin(angle));
    }
  });
}

/// Rotates a row's queries and keys; stores its key and value.
void Llama::storeRow(uint32_t layer, uint32_t row, Scratch &scratch) {
  auto pairs = static_cast<uint32_t>(spec.ropeFrequencies.size());
  const float *c = cosines.data() + uint64_t{row} * pairs;
  const float *s = sines.data() + uint64_t{row} * pairs;
  for (uint32_t head = 0; head < spec.heads; ++head) {
    float *query = &queries[uint64_t{row} * queryWidth + head * spec.headDim];
    kernels.rotate(query, c, s, pairs);
    attention->putQuery(row, head, query);
  }
  const PlannedRow &planned = plan->rows[row];
  PageId page = planned.pages[planned.position / pageSize];
  uint32_t slot = planned.position % pageSize;
  uint32_t padded = PagedKv::paddedHead(spec.headDim);
  float head[1024] = {};
  assert(padded <= std::size(head) && "checked by readLlamaSpec");
  for (uint32_t h = 0; h < spec.kvHeads; ++h) {
    uint64_t at = uint64_t{row} * kvWidth + h * spec.headDim;
    std::byte *to = kv.headPage(layer, page, h);
    std::copy_n(&keys[at], spec.headDim, head);
    kernels.rotate(head, c, s, pairs);
    kernels.storeKey(head, padded, to, slot);
    std::copy_n(&values[at], spec.headDim, head);
    kernels.storeValue(head, padded, to, slot);
  }
}

void Llama::runLayer(Worker &worker, uint32_t index) {
  const LlamaLayerWeights &layer = weights.layers[index];
  auto rows = static_cast<uint32_t>(plan->rows.size());
  Scratch &own = scratches[worker.index()];
  auto normed = [&](const std::vector<float> &weight) {
    return [&](uint32_t row, Scratch &scratch) {
      kernels.rmsNorm(&x[uint64_t{row} * spec.width], weight.data(), spec.width,
                      spec.epsilon, scratch.row.data());
      return scratch.row.data();
    };
  };

  const Target qkv[] = {{&layer.query, queries.data(), queryWidth},
                        {&layer.key, keys.data(), kvWidth},
                        {&layer.value, values.data(), kvWidth}};
  product(worker, rows, qkv, false, normed(layer.attnNorm));
  worker.stage(rows, [&](uint32_t row) { storeRow(index, row, own); });
  auto items = static_cast<uint32_t>(plan->items.size());
  worker.stage(items * spec.kvHeads, [&](uint32_t i) {
    attention->runItem(index, i / spec.kvHeads, i % spec.kvHeads,
                       attended.data(), own.attention);
  });
  const Target output[] = {{&layer.attnOutput, x.data(), spec.width, true}};
  product(worker, rows, output, false, [&](uint32_t row, Scratch &scratch) {
    float *out = &attended[uint64_t{row} * queryWidth];
    if (plan->firstItem[row] == AttentionPlan::noItem)
      return out;
    attention->mergeRow(row, scratch.row.data(), scratch.attention);
    return scratch.row.data();
  });

  const Target gateUp[] = {{&layer.gate, gate.data(), spec.ffnWidth},
                           {&layer.up, up.data(), spec.ffnWidth}};
  product(worker, rows, gateUp, true, normed(layer.ffnNorm));
  const Target down[] = {{&layer.down, x.data(), spec.width, true}};
  product(worker, rows, down, false, [&](uint32_t row, Scratch &) {
    return &gate[uint64_t{row} * spec.ffnWidth];
  });
}

void Llama::runHead(Worker &worker, float *logits) {
  const Target head[] = {{&weights.head, logits, spec.vocabSize}};
  auto count = static_cast<uint32_t>(wanted.size());
  if (count == 0)
    return;
  product(worker, count, head, false, [&](uint32_t i, Scratch &scratch) {
    kernels.rmsNorm(&x[uint64_t{wanted[i]} * spec.width],
                    weights.outputNorm.data(), spec.width, spec.epsilon,
                    scratch.row.data());
    return scratch.row.data();
  });
}

void Llama::runSlice(const AttentionPlan &next, float *logits) {
  plan = &next;
  attention->begin(next);
  wanted.clear();
  for (uint32_t i = 0; i < next.rows.size(); ++i)
    if (next.rows[i].logits != 0)
      wanted.push_back(i);
  std::sort(wanted.begin(), wanted.end(), [&](uint32_t a, uint32_t b) {
    return next.rows[a].logits < next.rows[b].logits;
  });
  pool.run([&](Worker &worker) {
    embed(worker);
    for (uint32_t i = 0; i < spec.layers; ++i)
      runLayer(worker, i);
    runHead(worker, logits);
  });
}

void Llama::forward(const Batch &batch, std::span<float> logits) {
  uint64_t done = 0; // rows of logits
  for (size_t first = 0; first < batch.rows.size(); first += sliceRows) {
    size_t count = std::min<size_t>(sliceRows, batch.rows.size() - first);
    AttentionPlan slice =
        planAttention(batch, first, count, static_cast<uint32_t>(done));
    runSlice(slice, logits.data() + done * spec.vocabSize);
    done += wanted.size();
  }
  assert(logits.size() == done * spec.vocabSize &&
         "one row of logits for each row that wants them");
}

} // namespace

ModelShape llamaShape(const LlamaSpec &spec) {
  ModelShape shape;
  shape.vocabSize = spec.vocabSize;
  shape.contextLength = spec.contextLength;
  shape.kvBytesPerPosition = PagedKv::bytesPerPosition(spec);
  return shape;
}

Result<std::unique_ptr<Transformer>>
makeLlama(std::shared_ptr<const Gguf> file, LlamaSpec spec,
          const TransformerOptions &options) {
  const Kernels *kernels = &kernels::bestKernels();
  if (const char *wanted = std::getenv("SGL_CPU"); wanted && *wanted) {
    kernels = kernels::findKernels(wanted);
    if (!kernels)
      return Error{"SGL_CPU is '" + std::string(wanted).substr(0, 40) +
                   "', it must be scalar, avx2 or avx512, and this processor "
                   "must have the instructions"};
  }
  uint64_t pages = options.kvPages;
  auto model = std::make_unique<Llama>(std::move(file), std::move(spec),
                                       options, *kernels);
  if (Status status = model->load(static_cast<uint32_t>(pages)); !status)
    return status.error();
  return std::unique_ptr<Transformer>(std::move(model));
}

} // namespace sgl
