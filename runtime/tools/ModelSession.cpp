// Page tables by hand: pages are handed out in rising order.
#include "runtime/tools/ModelSession.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace sgl {

namespace {

uint32_t pagesFor(uint64_t positions) {
  return static_cast<uint32_t>((positions + pageSize - 1) / pageSize);
}

} // namespace

Result<ModelSession> ModelSession::open(const std::string &path,
                                        TransformerOptions options,
                                        uint64_t positions) {
  auto file = Gguf::open(path);
  if (!file)
    return file.error();
  auto shape = readModelShape(**file);
  if (!shape)
    return shape.error();
  if (positions == 0)
    positions = uint64_t{2} * shape->contextLength + 2 * pageSize;
  ModelSession session;
  session.allPages = options.kvPages = pagesFor(positions);
  auto model = makeTransformer(*file, options);
  if (!model)
    return model.error();
  session.transformer = std::move(*model);
  return session;
}

void ModelSession::extend(Sequence &sequence, uint32_t length) {
  while (sequence.pages.size() < pagesFor(length)) {
    assert(usedPages < allPages && "the caller keeps within freePages()");
    sequence.pages.push_back(usedPages++);
  }
  sequence.length = length;
}

std::vector<float> ModelSession::append(Sequence &sequence,
                                        std::span<const TokenId> tokens,
                                        uint32_t wanted) {
  assert(wanted <= tokens.size() && "logits of tokens that are run");
  uint32_t first = sequence.length;
  auto count = static_cast<uint32_t>(tokens.size());
  extend(sequence, first + count);
  Batch batch;
  batch.sequences.push_back({sequence.pages, sequence.length});
  for (uint32_t i = 0; i < count; ++i)
    batch.rows.push_back({tokens[i], first + i, 0, i + wanted >= count});
  std::vector<float> logits(uint64_t{wanted} * shape().vocabSize);
  transformer->forward(batch, logits);
  return logits;
}

ModelSession::Sequence ModelSession::branch(const Sequence &parent,
                                            uint32_t length) {
  assert(length <= parent.length && "a branch begins within its parent");
  uint32_t whole = length / pageSize;
  Sequence child;
  child.pages.assign(parent.pages.begin(), parent.pages.begin() + whole);
  extend(child, length);
  if (length % pageSize != 0)
    transformer->copyPositions(parent.pages[whole], child.pages[whole],
                               length % pageSize);
  return child;
}

std::vector<float> ModelSession::step(std::span<Sequence> sequences,
                                      std::span<const TokenId> tokens) {
  Batch batch;
  for (uint32_t i = 0; i < sequences.size(); ++i) {
    Sequence &sequence = sequences[i];
    extend(sequence, sequence.length + 1);
    batch.sequences.push_back({sequence.pages, sequence.length});
    batch.rows.push_back({tokens[i], sequence.length - 1, i, true});
  }
  std::vector<float> logits(sequences.size() * uint64_t{shape().vocabSize});
  transformer->forward(batch, logits);
  return logits;
}

std::vector<double> logSoftmax(std::span<const float> logits) {
  double largest = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (float logit : logits)
    sum += std::exp(logit - largest);
  double shift = largest + std::log(sum);
  std::vector<double> result;
  result.reserve(logits.size());
  for (float logit : logits)
    result.push_back(logit - shift);
  return result;
}

TokenId argmax(std::span<const float> logits) {
  auto best = std::max_element(logits.begin(), logits.end());
  return static_cast<TokenId>(best - logits.begin());
}

} // namespace sgl
