// Opening a model file and dividing the memory.
#include "runtime/engine/LocalModel.h"
#include "runtime/model/Gguf.h"

#include <algorithm>
#include <fstream>

namespace sgl {

/// Memory that can be had without swapping, in bytes; 0 when unknown.
static uint64_t freeMemory() {
  std::ifstream info("/proc/meminfo");
  std::string name, unit;
  for (uint64_t kib = 0; info >> name >> kib; std::getline(info, unit))
    if (name == "MemAvailable:")
      return kib * 1024;
  return 0;
}

static std::string mebibytes(uint64_t bytes) {
  return std::to_string((bytes + (1u << 20) - 1) >> 20) + " MiB";
}

/// Pages of the KV cache: what was asked for, or a quarter of the free memory,
/// raised to what one sequence of the whole context needs.
static Result<uint32_t> pagesFor(const LocalModelOptions &options,
                                 const ModelShape &shape, uint32_t context,
                                 uint64_t weights) {
  uint64_t page = shape.kvBytesPerPosition * pageSize;
  // One page more than the context: a match that ends inside a page copies.
  uint64_t needed = (uint64_t{context} + pageSize - 1) / pageSize + 1;
  uint64_t memory = freeMemory();
  uint64_t pages = options.kvCacheBytes ? options.kvCacheBytes / page
                                        : std::max(needed, memory / 4 / page);
  if (pages < 2)
    return Error{"a KV cache of " + mebibytes(options.kvCacheBytes) +
                 " holds less than two pages of " + std::to_string(page) +
                 " bytes: give a larger --kv-cache"};
  if (memory && weights + pages * page > memory)
    return Error{"the model needs " + mebibytes(weights) +
                 " and its KV cache " + mebibytes(pages * page) +
                 ", but only " + mebibytes(memory) +
                 " of memory are free: give a smaller --ctx or --kv-cache"};
  return static_cast<uint32_t>(
      std::min<uint64_t>(pages, UINT32_MAX / pageSize));
}

Result<std::unique_ptr<LocalModel>>
LocalModel::load(const LocalModelOptions &options) {
  auto file = Gguf::open(options.path);
  if (!file)
    return file.error();
  auto shape = readModelShape(**file);
  if (!shape)
    return shape.error();
  auto tokenizer = Tokenizer::load(**file);
  if (!tokenizer)
    return tokenizer.error();
  auto chat = ChatTemplate::load(**file, options.chatTemplateFile);
  if (!chat && !options.chatTemplateFile.empty())
    return chat.error();
  if (options.contextLength > shape->contextLength)
    return Error{"--ctx " + std::to_string(options.contextLength) +
                 " is more than the " + std::to_string(shape->contextLength) +
                 " tokens that the model was trained for"};
  uint32_t context =
      options.contextLength ? options.contextLength : shape->contextLength;
  auto pages = pagesFor(options, *shape, context, weightBytes(**file));
  if (!pages)
    return pages.error();
  TransformerOptions transformer;
  transformer.threads = options.threads;
  transformer.kvPages = *pages;
  transformer.reference = options.reference;
  auto model = makeTransformer(*file, transformer);
  if (!model)
    return model.error();
  EngineOptions engine = options.engine;
  engine.kvPages = *pages;
  engine.contextLength = context;
  return std::make_unique<LocalModel>(
      std::shared_ptr<const Tokenizer>(std::move(*tokenizer)), std::move(chat),
      std::make_unique<Engine>(std::move(*model), engine));
}

} // namespace sgl
