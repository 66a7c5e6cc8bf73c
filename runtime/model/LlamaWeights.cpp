// Lays all matrices out, then packs their groups on all workers.
#include "runtime/model/LlamaWeights.h"

#include "kernels/Pack.h"

#include <atomic>

namespace sgl {

namespace {

using kernels::PackedMatrix;

/// A matrix to pack: from `tensor` to `offset` of the buffer.
struct Job {
  const GgufTensor *tensor;
  PackedMatrix *matrix;
  kernels::Format format;
  uint64_t offset;
};

class Packer {
public:
  Packer(const Gguf &file, const LlamaSpec &spec, WorkerPool &pool)
      : file(file), spec(spec), pool(pool) {}

  Result<LlamaWeights> run() {
    if (Status status = readNorms(); !status)
      return status.error();
    for (uint32_t i = 0; i < spec.layers; ++i)
      addLayer(spec.layer[i], weights.layers[i]);
    add(spec.head, weights.head);
    auto memory = HugeBuffer::allocate(bytes, "the packed weights");
    if (!memory)
      return memory.error();
    weights.memory = std::move(*memory);
    for (Job &job : jobs)
      job.matrix->data = weights.memory.data() + job.offset;
    if (Status status = packAll(); !status)
      return status.error();
    return std::move(weights);
  }

private:
  Status readNorms() {
    weights.layers.resize(spec.layers);
    auto read = [&](const GgufTensor *tensor, std::vector<float> &out) {
      auto values = readVector(file, *tensor);
      if (values)
        out = std::move(*values);
      return values ? Status(Done{}) : Status(values.error());
    };
    Status status = read(spec.outputNorm, weights.outputNorm);
    for (uint32_t i = 0; i < spec.layers && status; ++i) {
      status = read(spec.layer[i].attnNorm, weights.layers[i].attnNorm);
      if (status)
        status = read(spec.layer[i].ffnNorm, weights.layers[i].ffnNorm);
    }
    return status;
  }

  void addLayer(const LlamaLayerTensors &t, LlamaLayerWeights &layer) {
    add(t.query, layer.query);
    add(t.key, layer.key);
    add(t.value, layer.value);
    add(t.attnOutput, layer.attnOutput);
    add(t.gate, layer.gate);
    add(t.up, layer.up);
    add(t.down, layer.down);
  }

  void add(const GgufTensor *tensor, PackedMatrix &matrix) {
    kernels::Format format = *weightFormat(tensor->type);
    matrix = kernels::layOut(format, static_cast<uint32_t>(tensor->rows()),
                             static_cast<uint32_t>(tensor->shape[0]));
    jobs.push_back({tensor, &matrix, format, bytes});
    bytes += (matrix.groups() * matrix.groupBytes + 63) / 64 * 64;
  }

  Status packAll() {
    std::atomic<const GgufTensor *> bad{nullptr};
    pool.run([&](Worker &worker) {
      for (const Job &job : jobs)
        worker.stage(job.matrix->groups(), [&](uint32_t group) {
          std::byte *out = weights.memory.data() + job.offset +
                           group * job.matrix->groupBytes;
          if (!kernels::packGroup(job.format, *job.matrix,
                                  job.tensor->data.data(), group, out))
            bad.store(job.tensor);
        });
    });
    if (const GgufTensor *tensor = bad.load())
      return Error{file.path() + ": tensor " + tensor->name +
                   " holds a number that is not finite"};
    return Done{};
  }

  const Gguf &file;
  const LlamaSpec &spec;
  WorkerPool &pool;
  LlamaWeights weights;
  std::vector<Job> jobs;
  uint64_t bytes = 0;
};

} // namespace

Result<LlamaWeights> packLlamaWeights(const Gguf &file, const LlamaSpec &spec,
                                      WorkerPool &pool) {
  return Packer(file, spec, pool).run();
}

} // namespace sgl
