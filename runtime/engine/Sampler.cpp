// Implements the draw; see Sampler.h for its order and what it means.
#include "runtime/engine/Sampler.h"

#include "runtime/engine/Philox.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace sgl;

bool Sampler::usesHistory(const TokenSampling &sampling) {
  return sampling.frequencyPenalty != 0 || sampling.presencePenalty != 0 ||
         sampling.repetitionPenalty != 1;
}

/// Bias and penalties, on a copy when there are any.
std::span<const float> Sampler::adjust(std::span<const float> logits,
                                       const DrawRequest &request) {
  const TokenSampling &sampling = *request.sampling;
  bool penalties = usesHistory(sampling) && request.history;
  if (sampling.bias.empty() && !penalties)
    return logits;
  adjusted.assign(logits.begin(), logits.end());
  for (auto [token, bias] : sampling.bias)
    adjusted[static_cast<size_t>(token)] += bias;
  if (!penalties)
    return adjusted;
  for (auto [token, count] : request.history->seen()) {
    double value = adjusted[static_cast<size_t>(token)];
    value = value > 0 ? value / sampling.repetitionPenalty
                      : value * sampling.repetitionPenalty;
    value -= sampling.frequencyPenalty * count;
    value -= count > 0 ? sampling.presencePenalty : 0;
    adjusted[static_cast<size_t>(token)] = static_cast<float>(value);
  }
  return adjusted;
}

/// Collects the legal tokens; false when there is none.
bool Sampler::gather(std::span<const float> logits,
                     std::span<const uint32_t> mask) {
  legal.clear();
  legalIds.clear();
  for (size_t word = 0; word < mask.size(); ++word)
    for (uint32_t bits = mask[word]; bits; bits &= bits - 1) {
      size_t id = word * 32 + static_cast<size_t>(std::countr_zero(bits));
      if (id >= logits.size())
        return !legal.empty();
      legal.push_back(logits[id]);
      legalIds.push_back(static_cast<TokenId>(id));
    }
  return !legal.empty();
}

Result<Draw> Sampler::draw(std::span<const float> logits,
                           const DrawRequest &request) {
  std::span<const float> values = adjust(logits, request);
  bool masked = !request.mask.empty();
  if (masked) {
    if (!gather(values, request.mask))
      return Error{"no token is legal"};
    values = legal;
  }
  Top top = largest(values);
  if (top.value == -INFINITY)
    return Error{"no token is legal"};
  expWeights(values, top.value, 1, softmax);
  if (!std::isfinite(softmax.total))
    return Error{"the model gave a logit that is not a number"};
  double logSum = top.value + std::log(softmax.total);
  size_t index = request.sampling->temperature > 0
                     ? sample(values, top.value, request)
                     : top.index;
  TokenId token = masked ? legalIds[index] : static_cast<TokenId>(index);
  return Draw{token, static_cast<float>(values[index] - logSum)};
}

size_t Sampler::sample(std::span<const float> values, float top,
                       const DrawRequest &request) {
  const TokenSampling &sampling = *request.sampling;
  if (sampling.temperature != 1)
    expWeights(values, top, static_cast<float>(1 / sampling.temperature),
               softmax);
  double u = uniform(request.key, request.position);
  bool cuts = sampling.topK > 0 || sampling.topP < 1 || sampling.minP > 0;
  if (!cuts)
    return invert(u);
  cut(values, sampling);
  double total = 0;
  for (uint32_t index : kept)
    total += softmax.weights[index];
  double target = u * total, sum = 0;
  for (uint32_t index : kept)
    if ((sum += softmax.weights[index]) > target)
      return index;
  return kept.back();
}

/// Leaves in `kept`, ascending, what top-k, top-p and min-p leave. Each keeps a
/// first part of the order from likely to unlikely, ties to the lower id.
void Sampler::cut(std::span<const float> values,
                  const TokenSampling &sampling) {
  size_t count = values.size();
  double total = softmax.total;
  if (sampling.topK > 0 && sampling.topK < count) {
    keepFrom(values, reachedBy(values, sampling.topK, groupTops));
    cutTopK(values, sampling.topK);
    total = 0;
    for (uint32_t index : kept)
      total += softmax.weights[index];
  } else {
    // What is lighter than this cannot reach the rest of 1 - topP even
    // together, so the smallest set with topP lies among the others.
    double rest = (1 - std::min(sampling.topP, 1.0)) * total;
    double floor = std::max(rest / static_cast<double>(count),
                            std::min(sampling.minP, 1.0));
    keepFrom(softmax.weights, static_cast<float>(0.999 * floor));
  }
  if (sampling.topP < 1)
    cutTopP(values, sampling.topP * total);
  if (sampling.minP > 0) // the largest weight is 1
    std::erase_if(kept, [&](uint32_t index) {
      return softmax.weights[index] < std::min(sampling.minP, 1.0);
    });
  std::sort(kept.begin(), kept.end());
}

/// Keeps the indices whose measure is at least `floor`, without branches.
void Sampler::keepFrom(std::span<const float> measure, float floor) {
  kept.resize(measure.size());
  size_t count = 0;
  for (size_t i = 0; i < measure.size(); ++i) {
    kept[count] = static_cast<uint32_t>(i);
    count += measure[i] >= floor;
  }
  kept.resize(count);
}

static auto likelier(std::span<const float> values) {
  return [values](uint32_t a, uint32_t b) {
    return values[a] != values[b] ? values[a] > values[b] : a < b;
  };
}

void Sampler::cutTopK(std::span<const float> values, uint32_t most) {
  if (kept.size() <= most)
    return;
  std::nth_element(kept.begin(), kept.begin() + most, kept.end(),
                   likelier(values));
  kept.resize(most);
  std::sort(kept.begin(), kept.end());
}

/// Keeps the fewest likeliest indices whose weights reach `target`, at least
/// one: halves the range in which the last of them lies, then walks it.
void Sampler::cutTopP(std::span<const float> values, double target) {
  auto at = [&](size_t i) {
    return kept.begin() + static_cast<std::ptrdiff_t>(i);
  };
  size_t low = 0, high = kept.size();
  double sum = 0;
  while (high - low > 32) {
    size_t middle = low + (high - low) / 4; // most sets are small
    std::nth_element(at(low), at(middle), at(high), likelier(values));
    double part = 0;
    for (size_t i = low; i < middle; ++i)
      part += softmax.weights[kept[i]];
    if (sum + part >= target) {
      high = middle;
    } else {
      sum += part;
      low = middle;
    }
  }
  std::sort(at(low), at(high), likelier(values));
  while (low < high && (low == 0 || sum < target))
    sum += softmax.weights[kept[low++]];
  kept.resize(low);
}

/// The first index whose cumulative weight exceeds u times the total; where
/// rounding leaves none, the last index with any weight.
size_t Sampler::invert(double u) const {
  const std::vector<double> &blocks = softmax.blocks;
  double target = u * softmax.total, sum = 0;
  size_t block = 0;
  while (block + 1 < blocks.size() && sum + blocks[block] <= target)
    sum += blocks[block++];
  size_t begin = block * softmaxBlock;
  size_t end = std::min(begin + softmaxBlock, softmax.weights.size());
  for (size_t i = begin; i < end; ++i)
    if ((sum += softmax.weights[i]) > target)
      return i;
  while (end > 1 && softmax.weights[end - 1] == 0)
    --end;
  return end - 1;
}
