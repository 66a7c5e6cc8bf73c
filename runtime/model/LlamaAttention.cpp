// Tiles of 64 positions into blocks of 256, blocks into a row's result.
#include "runtime/model/LlamaAttention.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sgl {

using kernels::attentionBlock;
using kernels::attentionTile;

namespace {

constexpr uint32_t tilePages = attentionTile / pageSize;

/// Positions of the tile that begins at `start` which the row sees.
uint32_t visibleIn(const PlannedRow &row, uint32_t start) {
  return row.position < start
             ? 0
             : std::min(row.position + 1 - start, attentionTile);
}

uint32_t pagesFor(uint32_t positions) {
  return (positions + pageSize - 1) / pageSize;
}

/// Whether `row`, which sees `visible` positions of a tile, finds them in the
/// pages of `leader`.
bool sharesTile(const PlannedRow &leader, uint32_t leaderVisible,
                const PlannedRow &row, uint32_t visible, uint32_t firstPage) {
  if (row.pages.data() == leader.pages.data())
    return visible >= leaderVisible; // the leader is replaced by the later row
  uint32_t needed = pagesFor(visible);
  return visible == leaderVisible &&
         std::equal(row.pages.begin() + firstPage,
                    row.pages.begin() + firstPage + needed,
                    leader.pages.begin() + firstPage);
}

} // namespace

LlamaAttention::LlamaAttention(const LlamaSpec &spec,
                               const kernels::Kernels &kernels,
                               const PagedKv &kv, uint32_t maxRows)
    : spec(spec), kernels(kernels), kv(kv), group(spec.heads / spec.kvHeads),
      paddedDim(PagedKv::paddedHead(spec.headDim)), maxRows(maxRows),
      queryScale(std::numbers::log2e_v<float> /
                 std::sqrt(static_cast<float>(spec.headDim))),
      queries(uint64_t{spec.heads} * maxRows * paddedDim) {}

LlamaAttention::Scratch LlamaAttention::makeScratch() const {
  uint32_t vectors = maxItemRows * group;
  return {std::vector<uint32_t>(vectors),
          std::vector<float>(2 * stateFloats(vectors))};
}

void LlamaAttention::begin(const AttentionPlan &next) {
  plan = &next;
  uint64_t floats = stateFloats(next.parts * spec.heads);
  if (parts.size() < floats)
    parts.resize(floats);
}

void LlamaAttention::putQuery(uint32_t row, uint32_t head, const float *query) {
  uint64_t kvHead = head / group;
  uint64_t vector = (kvHead * maxRows + row) * group + head % group;
  kernels.roundQuery(query, spec.headDim, queryScale,
                     queries.data() + vector * paddedDim);
}

LlamaAttention::State LlamaAttention::stateAt(float *memory,
                                              uint32_t count) const {
  return {count, memory, memory + count, memory + 2 * count};
}

LlamaAttention::State LlamaAttention::partState(const AttentionItem &item,
                                                uint32_t kvHead) const {
  uint32_t count = item.rows * group;
  uint64_t before = item.part * spec.heads + uint64_t{kvHead} * count;
  return stateAt(parts.data() + stateFloats(before), count);
}

void LlamaAttention::clear(const State &state) const {
  std::fill_n(state.max, state.count, -INFINITY);
  std::fill_n(state.sum, state.count, 0.f);
  std::fill_n(state.out, uint64_t{state.count} * paddedDim, 0.f);
}

void LlamaAttention::foldTile(uint32_t layer, const AttentionItem &item,
                              uint32_t start, uint32_t kvHead,
                              const State &state, Scratch &scratch) const {
  uint32_t firstPage = start / pageSize;
  uint32_t *visible = scratch.visible.data();
  for (uint32_t i = 0; i < item.rows;) {
    const PlannedRow *leader = &plan->rows[item.firstRow + i];
    uint32_t most = visibleIn(*leader, start), last = i;
    for (; last < item.rows; ++last) {
      const PlannedRow &row = plan->rows[item.firstRow + last];
      uint32_t seen = visibleIn(row, start);
      if (last != i && !sharesTile(*leader, most, row, seen, firstPage))
        break;
      leader = &row;
      most = seen;
      std::fill_n(&visible[last * group], group, seen);
    }
    kernels::AttentionTile tile;
    tile.headDim = paddedDim;
    tile.count = (last - i) * group;
    for (uint32_t p = 0; p < tilePages && most != 0; ++p) {
      uint32_t page = p < pagesFor(most) ? firstPage + p : firstPage;
      tile.pages[p] = kv.headPage(layer, leader->pages[page], kvHead);
    }
    uint64_t row = uint64_t{kvHead} * maxRows + item.firstRow + i;
    uint32_t first = i * group;
    tile.queries = queries.data() + row * group * paddedDim;
    tile.visible = &visible[first];
    tile.max = state.max + first;
    tile.sum = state.sum + first;
    tile.out = state.out + uint64_t{first} * paddedDim;
    if (most != 0)
      kernels.attend(tile);
    i = last;
  }
}

void LlamaAttention::foldBlock(uint32_t layer, const AttentionItem &item,
                               uint32_t block, uint32_t kvHead,
                               const State &state, Scratch &scratch) const {
  uint32_t end = 0; // behind the last position that any row sees
  for (uint32_t i = 0; i < item.rows; ++i)
    end = std::max(end, plan->rows[item.firstRow + i].position + 1);
  uint32_t start = block * attentionBlock;
  end = std::min(end, start + attentionBlock);
  for (; start < end; start += attentionTile)
    foldTile(layer, item, start, kvHead, state, scratch);
}

void LlamaAttention::finish(const State &state, uint32_t vector,
                            float *out) const {
  const float *sums = state.out + uint64_t{vector} * paddedDim;
  float scale = 1 / state.sum[vector];
  for (uint32_t d = 0; d < spec.headDim; ++d)
    out[d] = sums[d] * scale;
}

void LlamaAttention::runItem(uint32_t layer, uint32_t index, uint32_t kvHead,
                             float *out, Scratch &scratch) {
  const AttentionItem &item = plan->items[index];
  if (!item.whole) {
    State state = partState(item, kvHead);
    clear(state);
    foldBlock(layer, item, item.firstBlock, kvHead, state, scratch);
    return;
  }
  uint32_t count = item.rows * group;
  float *memory = scratch.states.data();
  State total = stateAt(memory, count);
  State block = stateAt(memory + stateFloats(count), count);
  clear(total);
  for (uint32_t b = 0; b < item.blocks; ++b) {
    clear(block);
    foldBlock(layer, item, b, kvHead, block, scratch);
    for (uint32_t v = 0; v < count; ++v)
      if (plan->rows[item.firstRow + v / group].position >= b * attentionBlock)
        kernels.mergeBlock(block.max[v], block.sum[v],
                           block.out + uint64_t{v} * paddedDim, paddedDim,
                           &total.max[v], &total.sum[v],
                           total.out + uint64_t{v} * paddedDim);
  }
  for (uint32_t v = 0; v < count; ++v) {
    uint64_t row = item.firstRow + v / group;
    uint64_t head = uint64_t{kvHead} * group + v % group;
    finish(total, v, out + (row * spec.heads + head) * spec.headDim);
  }
}

void LlamaAttention::mergeRow(uint32_t row, float *out,
                              Scratch &scratch) const {
  if (plan->firstItem[row] == AttentionPlan::noItem)
    return;
  uint32_t blocks = plan->rows[row].position / attentionBlock + 1;
  State total = stateAt(scratch.states.data(), 1);
  for (uint32_t head = 0; head < spec.heads; ++head) {
    clear(total);
    for (uint32_t b = 0; b < blocks; ++b) {
      const AttentionItem &item =
          plan->items[plan->itemOf[plan->firstItem[row] + b]];
      State part = partState(item, head / group);
      uint32_t v = (row - item.firstRow) * group + head % group;
      kernels.mergeBlock(part.max[v], part.sum[v],
                         part.out + uint64_t{v} * paddedDim, paddedDim,
                         total.max, total.sum, total.out);
    }
    finish(total, 0, out + uint64_t{head} * spec.headDim);
  }
}

} // namespace sgl
