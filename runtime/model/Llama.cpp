// One forward pass: stages of chunks that all workers run together.
//
// A layer is: norm and quantise, q k v; rotate and store; attention; merge and
// quantise, output; norm and quantise, gate and up; quantise, down.
#include "runtime/model/Llama.h"

#include "runtime/model/LlamaAttention.h"
#include "runtime/model/LlamaWeights.h"
#include "runtime/model/Products.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>

namespace sgl {

namespace {

using kernels::Kernels;
using Target = Products::Target;

/// Rows computed together: their inputs stay in a core's second-level cache,
/// and weights are read once for all of them.
constexpr uint32_t sliceRows = 256;

/// Working memory of one worker.
struct Scratch {
  std::vector<float> row;
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
  void storeRow(uint32_t layer, uint32_t row);
  void runHead(Worker &worker, float *logits);

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
  std::unique_ptr<Products> products;
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
  products =
      std::make_unique<Products>(kernels, pool.threads(), sliceRows, widest);
  for (uint32_t i = 0; i < pool.threads(); ++i)
    scratches.push_back({std::vector<float>(widest), attention->makeScratch()});
}

void Llama::embed(Worker &worker) {
  auto rows = static_cast<uint32_t>(plan->rows.size());
  kernels::Format format = *weightFormat(spec.embedding->type);
  uint64_t rowBytes = kernels::rowBytes(format, spec.width);
  uint64_t pairs = spec.ropeFrequencies.size();
  forRows(worker, rows, [&](uint32_t row) {
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
void Llama::storeRow(uint32_t layer, uint32_t row) {
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
  Scratch &scratch = scratches[worker.index()];
  float *made = scratch.row.data();
  auto normed = [&](const std::vector<float> &weight) {
    return [&, made](uint32_t row) {
      kernels.rmsNorm(&x[uint64_t{row} * spec.width], weight.data(), spec.width,
                      spec.epsilon, made);
      return made;
    };
  };

  const Target qkv[] = {{&layer.query, queries.data(), queryWidth},
                        {&layer.key, keys.data(), kvWidth},
                        {&layer.value, values.data(), kvWidth}};
  products->run(worker, rows, qkv, false, normed(layer.attnNorm));
  forRows(worker, rows, [&](uint32_t row) { storeRow(index, row); });
  auto items = static_cast<uint32_t>(plan->items.size());
  worker.stage(items * spec.kvHeads, [&](uint32_t i) {
    attention->runItem(index, i / spec.kvHeads, i % spec.kvHeads,
                       attended.data(), scratch.attention);
  });
  const Target output[] = {{&layer.attnOutput, x.data(), spec.width, true}};
  products->run(worker, rows, output, false, [&](uint32_t row) {
    if (plan->firstItem[row] == AttentionPlan::noItem)
      return &attended[uint64_t{row} * queryWidth];
    attention->mergeRow(row, made, scratch.attention);
    return made;
  });

  const Target gateUp[] = {{&layer.gate, gate.data(), spec.ffnWidth},
                           {&layer.up, up.data(), spec.ffnWidth}};
  products->run(worker, rows, gateUp, true, normed(layer.ffnNorm));
  const Target down[] = {{&layer.down, x.data(), spec.width, true}};
  products->run(worker, rows, down, false, [&](uint32_t row) {
    return &gate[uint64_t{row} * spec.ffnWidth];
  });
}

void Llama::runHead(Worker &worker, float *logits) {
  const Target head[] = {{&weights.head, logits, spec.vocabSize}};
  auto count = static_cast<uint32_t>(wanted.size());
  if (count == 0)
    return;
  float *made = scratches[worker.index()].row.data();
  products->run(worker, count, head, false, [&](uint32_t i) {
    kernels.rmsNorm(&x[uint64_t{wanted[i]} * spec.width],
                    weights.outputNorm.data(), spec.width, spec.epsilon, made);
    return made;
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
