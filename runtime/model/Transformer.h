// What the engine asks of a language model: rows of tokens in, logits out.
//
// A Transformer owns weights and the KV pages of one device. The engine knows
// page numbers only: it says which pages hold which positions of a sequence,
// and the model writes and reads keys and values there. Prefill, decode and a
// chunk are the same kind of row.
//
// What must hold (Promise 1): the logits of a row depend on the tokens of its
// own sequence alone, bit for bit: not on other rows, on how the prompt was cut
// into chunks, on which pages hold it, or on the number of threads.
#pragma once

#include "ir/value/Result.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sgl {

using TokenId = int32_t;
using PageId = uint32_t;

/// Positions in one KV page.
inline constexpr uint32_t pageSize = 16;

/// One sequence of a batch: its page table covers positions 0 .. length-1 after
/// this batch has been run; page i holds positions 16 i .. 16 i + 15.
struct BatchSequence {
  std::span<const PageId> pages;
  uint32_t length = 0;
};

/// One token to run. Rows of one sequence stand in rising order of position
/// and next to each other; all positions before the first are already stored.
struct BatchRow {
  TokenId token = 0;
  uint32_t position = 0;
  uint32_t sequence = 0;
  bool wantLogits = false;
};

struct Batch {
  std::vector<BatchRow> rows;
  std::vector<BatchSequence> sequences;
};

/// Sizes that the engine needs.
struct ModelShape {
  uint32_t vocabSize = 0;
  uint32_t contextLength = 0;      ///< as trained
  uint64_t kvBytesPerPosition = 0; ///< over all layers, K and V
};

struct TransformerOptions {
  uint32_t threads = 0;   ///< 0: all cores
  uint32_t kvPages = 0;   ///< pages to allocate
  bool reference = false; ///< the scalar float32 twin with float32 K and V
};

class Transformer {
public:
  virtual ~Transformer() = default;
  virtual const ModelShape &shape() const = 0;

  /// Runs all rows and stores their keys and values. `logits` gets one row of
  /// vocabSize floats for each row with wantLogits, in order; its size must be
  /// exactly that.
  virtual void forward(const Batch &batch, std::span<float> logits) = 0;

  /// Copies the first `count` positions of page `from` to page `to`, all
  /// layers.
  virtual void copyPositions(PageId from, PageId to, uint32_t count) = 0;

  /// As "avx512", "avx2", "scalar".
  virtual std::string instructionSet() const = 0;
};

class Gguf;

/// Builds the model that the file describes; refuses unknown architectures,
/// tensor types, shapes and missing tensors by name.
Result<std::unique_ptr<Transformer>>
makeTransformer(std::shared_ptr<const Gguf> file,
                const TransformerOptions &options);

/// Bytes needed for weights (as kept in memory) without KV pages.
uint64_t weightBytes(const Gguf &file);
/// Shape alone, read from the header, without loading weights.
Result<ModelShape> readModelShape(const Gguf &file);

} // namespace sgl
