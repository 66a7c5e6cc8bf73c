// A loaded model with page tables, for tools that run sequences by hand.
//
// Entry point: ModelSession::open. A Sequence grows at its end; a branch shares
// the whole pages of its parent and copies the rest. Pages are never freed one
// by one: reset() forgets all sequences.
#pragma once

#include "runtime/model/Gguf.h"
#include "runtime/model/Transformer.h"

#include <vector>

namespace sgl {

class ModelSession {
public:
  struct Sequence {
    std::vector<PageId> pages;
    uint32_t length = 0;
  };

  /// Loads the model with room for `positions` positions (0: two contexts).
  static Result<ModelSession> open(const std::string &path,
                                   TransformerOptions options,
                                   uint64_t positions = 0);

  Transformer &model() { return *transformer; }
  const ModelShape &shape() const { return transformer->shape(); }

  void reset() { usedPages = 0; }
  /// Pages that can still be taken.
  uint32_t freePages() const { return allPages - usedPages; }

  /// Runs `tokens` behind the sequence. Returns the logits of its last
  /// `wanted` tokens, one row after another; freePages() must suffice.
  std::vector<float> append(Sequence &sequence, std::span<const TokenId> tokens,
                            uint32_t wanted);

  /// A sequence that begins with the first `length` positions of `parent`.
  Sequence branch(const Sequence &parent, uint32_t length);

  /// One token for each of several sequences in one batch; the logits of all.
  std::vector<float> step(std::span<Sequence> sequences,
                          std::span<const TokenId> tokens);

private:
  void extend(Sequence &sequence, uint32_t length);

  std::unique_ptr<Transformer> transformer;
  uint32_t allPages = 0, usedPages = 0;
};

/// Natural logarithm of the softmax over one row of logits, in double.
std::vector<double> logSoftmax(std::span<const float> logits);

/// The index of the largest value, the lowest of equal ones.
TokenId argmax(std::span<const float> logits);

} // namespace sgl
