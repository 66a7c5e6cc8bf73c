// Orders rows by their page tables and cuts them.
#include "runtime/model/AttentionPlan.h"

#include "kernels/Kernels.h"

#include <algorithm>

namespace sgl {

namespace {

using kernels::attentionBlock;

/// Rows of one sequence from which on they are computed as a prompt.
constexpr uint32_t promptRows = 8;
constexpr uint32_t blockPages = attentionBlock / pageSize;

/// A sequence's rows within the slice.
struct Run {
  uint32_t sequence;
  size_t first, count; ///< in batch order
};

std::vector<Run> findRuns(const Batch &batch, size_t first, size_t count) {
  std::vector<Run> runs;
  for (size_t i = first; i < first + count; ++i) {
    if (runs.empty() || runs.back().sequence != batch.rows[i].sequence)
      runs.push_back({batch.rows[i].sequence, i, 0});
    ++runs.back().count;
  }
  std::stable_sort(runs.begin(), runs.end(), [&](const Run &a, const Run &b) {
    auto x = batch.sequences[a.sequence].pages;
    auto y = batch.sequences[b.sequence].pages;
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
  });
  return runs;
}

uint32_t blocksOf(const PlannedRow &row) {
  return row.position / attentionBlock + 1;
}

class Planner {
public:
  explicit Planner(AttentionPlan &plan) : plan(plan) {}

  void addPrompt(uint32_t first, uint32_t count) {
    for (uint32_t i = first; i < first + count; i += maxItemRows) {
      uint32_t rows = std::min(maxItemRows, first + count - i);
      plan.items.push_back(
          {i, rows, 0, blocksOf(plan.rows[i + rows - 1]), true, 0});
    }
  }

  /// Rows of any sequences; neighbours may share pages.
  void addSingles(uint32_t first, uint32_t count) {
    uint32_t most = 0;
    for (uint32_t i = first; i < first + count; ++i) {
      plan.firstItem[i] = static_cast<uint32_t>(plan.itemOf.size());
      plan.itemOf.resize(plan.itemOf.size() + blocksOf(plan.rows[i]));
      most = std::max(most, blocksOf(plan.rows[i]));
    }
    for (uint32_t block = 0; block < most; ++block)
      addBlock(first, count, block);
  }

private:
  void addBlock(uint32_t first, uint32_t count, uint32_t block) {
    uint32_t end = first + count;
    for (uint32_t i = first; i < end;) {
      if (blocksOf(plan.rows[i]) <= block) {
        ++i;
        continue;
      }
      PageId page = plan.rows[i].pages[block * blockPages];
      uint32_t last = i + 1;
      while (last < end && last - i < maxItemRows &&
             blocksOf(plan.rows[last]) > block &&
             plan.rows[last].pages[block * blockPages] == page)
        ++last;
      for (uint32_t row = i; row < last; ++row)
        plan.itemOf[plan.firstItem[row] + block] =
            static_cast<uint32_t>(plan.items.size());
      plan.items.push_back({i, last - i, block, 1, false, plan.parts});
      plan.parts += last - i;
      i = last;
    }
  }

  AttentionPlan &plan;
};

} // namespace

AttentionPlan planAttention(const Batch &batch, size_t first, size_t count,
                            uint32_t firstLogits) {
  std::vector<uint32_t> logits(count, 0);
  for (size_t i = 0; i < count; ++i)
    if (batch.rows[first + i].wantLogits)
      logits[i] = ++firstLogits;
  AttentionPlan plan;
  std::vector<Run> runs = findRuns(batch, first, count);
  for (const Run &run : runs)
    for (size_t i = run.first; i < run.first + run.count; ++i)
      plan.rows.push_back({batch.rows[i].token, batch.rows[i].position,
                           logits[i - first],
                           batch.sequences[run.sequence].pages});
  plan.firstItem.assign(count, AttentionPlan::noItem);

  Planner planner(plan);
  uint32_t row = 0, singles = 0; // rows of short runs just before `row`
  for (const Run &run : runs) {
    auto rows = static_cast<uint32_t>(run.count);
    if (rows < promptRows) {
      singles += rows;
    } else {
      planner.addSingles(row - singles, singles);
      singles = 0;
      planner.addPrompt(row, rows);
    }
    row += rows;
  }
  planner.addSingles(row - singles, singles);
  return plan;
}

} // namespace sgl
