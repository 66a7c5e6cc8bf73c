// Attention tiles against softmax in double, and what must not matter.
#include "tests/kernels/KernelData.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace sgl::test {
namespace {

using namespace kernels;

/// Keys, values and queries of one head; positions lie in pages in order.
class Scene {
public:
  Scene(unsigned seed, uint32_t dim, uint32_t positions, uint32_t count)
      : dim(dim), random(seed), keys(randomValues(random, positions * dim)),
        values(randomValues(random, positions * dim)),
        queries(randomValues(random, count * dim)) {
    for (float &key : keys)
      key = std::clamp(key, -4.f, 4.f);
    pages.resize(headPageBytes(dim) * (positions / pagePositions));
  }

  void store(const Kernels &k) {
    for (uint32_t p = 0; p < keys.size() / dim; ++p) {
      std::byte *page = pages.data() + p / pagePositions * headPageBytes(dim);
      k.storeKey(&keys[p * dim], dim, page, p % pagePositions);
      k.storeValue(&values[p * dim], dim, page, p % pagePositions);
    }
  }

  /// Results [count][dim] when query i sees seen[i] positions.
  std::vector<float> run(const Kernels &k, const std::vector<uint32_t> &seen) {
    auto count = static_cast<uint32_t>(seen.size());
    std::vector<uint16_t> rounded(count * dim);
    for (uint32_t q = 0; q < count; ++q)
      k.roundQuery(&queries[q * dim], dim, scale(), &rounded[q * dim]);
    std::vector<float> max(count, -INFINITY), sum(count), out(count * dim);
    std::vector<uint32_t> visible(count);
    uint32_t most = *std::max_element(seen.begin(), seen.end());
    for (uint32_t start = 0; start < most; start += attentionTile) {
      AttentionTile tile;
      tile.headDim = dim;
      tile.count = count;
      for (uint32_t p = 0; p < 4; ++p)
        tile.pages[p] =
            pages.data() + (start / pagePositions + p) * headPageBytes(dim);
      for (uint32_t q = 0; q < count; ++q)
        visible[q] =
            seen[q] <= start ? 0 : std::min(seen[q] - start, attentionTile);
      tile.queries = rounded.data();
      tile.visible = visible.data();
      tile.max = max.data();
      tile.sum = sum.data();
      tile.out = out.data();
      k.attend(tile);
    }
    for (uint32_t i = 0; i < out.size(); ++i)
      out[i] /= sum[i / dim];
    return out;
  }

  /// Softmax attention of one query in double.
  std::vector<double> truth(uint32_t query, uint32_t seen) const {
    std::vector<double> weights(seen), result(dim);
    double total = 0;
    for (uint32_t p = 0; p < seen; ++p) {
      double score = 0;
      for (uint32_t d = 0; d < dim; ++d)
        score += double{queries[query * dim + d]} * keys[p * dim + d];
      total += weights[p] = std::exp2(score * scale());
    }
    for (uint32_t p = 0; p < seen; ++p)
      for (uint32_t d = 0; d < dim; ++d)
        result[d] += weights[p] / total * values[p * dim + d];
    return result;
  }

  float scale() const {
    return 1.44269504f / std::sqrt(static_cast<float>(dim)) / 4;
  }

  uint32_t dim;
  Random random;
  std::vector<float> keys, values, queries;
  std::vector<std::byte> pages;
};

TEST(Attention, IsSoftmaxAttention) {
  for (const Kernels *table : allTables())
    for (uint32_t dim : {16u, 48u, 64u, 80u, 128u})
      for (uint32_t count : {1u, 3u, 5u, 8u, 13u}) {
        Scene scene(dim + count, dim, 256, count);
        scene.store(*table);
        std::vector<uint32_t> seen(count);
        for (uint32_t &n : seen)
          n = 1 + static_cast<uint32_t>(scene.random() % 256);
        auto got = scene.run(*table, seen);
        double error = 0, size = 0;
        for (uint32_t q = 0; q < count; ++q) {
          auto want = scene.truth(q, seen[q]);
          for (uint32_t d = 0; d < dim; ++d) {
            error += std::abs(got[q * dim + d] - want[d]);
            size += std::abs(want[d]);
          }
        }
        // bfloat16 has 8 bits: half a step is 0.2%, and errors average out.
        EXPECT_LT(error / size, 0.01) << table->name << " " << dim;
      }
}

TEST(Attention, AQueryDoesNotDependOnItsNeighbours) {
  for (const Kernels *table : allTables()) {
    Scene scene(5, 64, 256, 14);
    scene.store(*table);
    std::vector<uint32_t> seen;
    for (int i = 0; i < 14; ++i)
      seen.push_back(1 + static_cast<uint32_t>(scene.random() % 256));
    auto all = scene.run(*table, seen);
    for (uint32_t q = 0; q < 14; ++q) {
      Scene alone = scene;
      alone.queries.assign(scene.queries.begin() + q * 64,
                           scene.queries.begin() + (q + 1) * 64);
      auto got = alone.run(*table, {seen[q]});
      std::vector<float> part(all.begin() + q * 64, all.begin() + (q + 1) * 64);
      EXPECT_TRUE(sameBits(got, part)) << table->name << " query " << q;
    }
  }
}

TEST(Attention, WhatIsNotSeenDoesNotMatter) {
  for (const Kernels *table : allTables())
    for (uint32_t seen : {1u, 2u, 31u, 32u, 33u, 63u, 64u, 65u, 100u}) {
      Scene scene(seen, 64, 128, 3);
      scene.store(*table);
      auto before = scene.run(*table, {seen, seen, seen});
      for (size_t i = seen * 64; i < scene.keys.size(); ++i) {
        scene.keys[i] = i % 3 ? 1e38f : NAN;
        scene.values[i] = i % 2 ? -INFINITY : 1e38f;
      }
      scene.store(*table);
      auto after = scene.run(*table, {seen, seen, seen});
      EXPECT_TRUE(sameBits(before, after)) << table->name << " " << seen;
    }
}

TEST(Attention, LargeScoresDoNotOverflow) {
  for (const Kernels *table : allTables()) {
    Scene scene(8, 64, 128, 2);
    for (float &key : scene.keys)
      key *= 1e4f;
    scene.store(*table);
    for (float value : scene.run(*table, {128, 100}))
      EXPECT_TRUE(std::isfinite(value)) << table->name;
  }
}

TEST(Attention, MergedBlocksAreOneSoftmax) {
  for (const Kernels *table : allTables()) {
    float totalMax = -INFINITY, totalSum = 0, total[16] = {};
    const float max[] = {1, 5, -3}, sum[] = {2, 3, 4};
    double weight = 0, want = 0;
    for (int b = 0; b < 3; ++b) {
      float out[16];
      std::fill_n(out, 16, static_cast<float>(b + 1) * sum[b]);
      table->mergeBlock(max[b], sum[b], out, 16, &totalMax, &totalSum, total);
      weight += sum[b] * std::exp2(max[b]);
      want += (b + 1) * sum[b] * std::exp2(max[b]);
    }
    EXPECT_NEAR(total[3] / totalSum, want / weight, 1e-6) << table->name;
  }
}

} // namespace
} // namespace sgl::test
