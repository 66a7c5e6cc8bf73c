// Draws against a plain twin, known distributions and hand-made rows.
#include "runtime/engine/Sampler.h"

#include "runtime/engine/Philox.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace sgl;

namespace {

std::vector<uint32_t> maskOf(size_t vocab, const std::vector<TokenId> &ids) {
  std::vector<uint32_t> mask((vocab + 31) / 32, 0);
  for (TokenId id : ids)
    mask[static_cast<size_t>(id) / 32] |= 1u << (id % 32);
  return mask;
}

/// The distribution that Sampler.h describes, the slow and obvious way.
struct Twin {
  std::vector<double> probability; ///< 0 for what is cut or illegal
  std::vector<double> logprob;     ///< before temperature and cuts
};

Twin distribution(const std::vector<float> &logits, const TokenSampling &s,
                  const std::vector<uint32_t> &mask) {
  size_t n = logits.size();
  std::vector<double> value(logits.begin(), logits.end());
  for (auto [id, bias] : s.bias)
    value[id] = static_cast<float>(logits[id] + bias);
  for (size_t i = 0; i < n; ++i)
    if (!mask.empty() && !(mask[i / 32] >> (i % 32) & 1))
      value[i] = -INFINITY;
  double top = *std::max_element(value.begin(), value.end()), sum = 0;
  Twin twin;
  for (double v : value)
    sum += std::exp(v - top);
  for (double v : value)
    twin.logprob.push_back(v - top - std::log(sum));
  for (double v : value)
    twin.probability.push_back(std::exp((v - top) / s.temperature));
  std::vector<size_t> order(n);
  for (size_t i = 0; i < n; ++i)
    order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return value[a] > value[b]; });
  auto &p = twin.probability;
  for (size_t i = s.topK; s.topK && i < n; ++i)
    p[order[i]] = 0;
  double all = 0, reached = 0;
  for (double x : p)
    all += x;
  for (size_t i = 0; i < n; ++i) {
    if (i > 0 && reached >= s.topP * all && s.topP < 1)
      p[order[i]] = 0;
    reached += p[order[i]];
  }
  for (double &x : p)
    if (x < s.minP * p[order[0]])
      x = 0;
  all = 0;
  for (double x : p)
    all += x;
  for (double &x : p)
    x /= all;
  return twin;
}

TEST(Sampler, GreedyTakesTheLowestIdOfATie) {
  Sampler sampler;
  TokenSampling greedy;
  std::vector<float> logits(100, -1);
  logits[70] = logits[33] = 4;
  DrawRequest request{&greedy, {}};
  auto draw = sampler.draw(logits, request);
  ASSERT_TRUE(draw);
  EXPECT_EQ(draw->token, 33);
  auto mask = maskOf(100, {70, 99, 3});
  request.mask = mask;
  draw = sampler.draw(logits, request);
  ASSERT_TRUE(draw);
  EXPECT_EQ(draw->token, 70);
  // Over the three legal tokens: 4, -1, -1.
  EXPECT_NEAR(draw->logprob, -std::log(1 + 2 * std::exp(-5.0)), 1e-6);
}

TEST(Sampler, NoLegalTokenIsAnError) {
  Sampler sampler;
  TokenSampling greedy, heated;
  heated.temperature = 1;
  std::vector<float> logits(40, 0);
  std::vector<uint32_t> none(2, 0), beyond{0, 1u << 20};
  for (const TokenSampling *sampling : {&greedy, &heated}) {
    EXPECT_FALSE(sampler.draw(logits, {sampling, none}));
    EXPECT_FALSE(sampler.draw(logits, {sampling, beyond}));
  }
  TokenSampling banned;
  for (TokenId id = 0; id < 40; ++id)
    banned.bias.push_back({id, -INFINITY});
  EXPECT_FALSE(sampler.draw(logits, {&banned, {}}));
  banned.bias.pop_back();
  auto draw = sampler.draw(logits, {&banned, {}});
  ASSERT_TRUE(draw);
  EXPECT_EQ(draw->token, 39);
  EXPECT_EQ(draw->logprob, 0);
}

TEST(Sampler, RefusesLogitsThatAreNotNumbers) {
  Sampler sampler;
  TokenSampling greedy;
  std::vector<float> logits(40, 0);
  logits[7] = NAN;
  EXPECT_FALSE(sampler.draw(logits, {&greedy, {}}));
  auto mask = maskOf(40, {1, 2}); // what is illegal is not looked at
  EXPECT_TRUE(sampler.draw(logits, {&greedy, mask}));
}

TEST(Sampler, BiasAndPenaltiesShiftTheLogits) {
  Sampler sampler;
  std::vector<float> logits{2, 1.5f, -1, 0};
  struct Case {
    TokenSampling sampling;
    TokenId greedy;
    double logitOfZero; ///< after the change
  };
  TokenSampling bias, frequency, presence, repetition;
  bias.bias = {{0, -1.0f}};
  frequency.frequencyPenalty = 0.5;
  presence.presencePenalty = 0.75;
  repetition.repetitionPenalty = 2;
  const Case cases[] = {{bias, 1, 1.0},
                        {frequency, 1, 1.0}, // seen twice
                        {presence, 1, 1.25},
                        {repetition, 1, 1.0}};
  TokenHistory history;
  history.addPrompt(2); // counts for the repetition penalty alone
  history.addOutput(0);
  history.addOutput(0);
  for (const Case &c : cases) {
    DrawRequest request{&c.sampling, {}, &history};
    auto draw = sampler.draw(logits, request);
    ASSERT_TRUE(draw);
    EXPECT_EQ(draw->token, c.greedy);
    double two = &c == &cases[3] ? -2 : -1;
    double sum = std::exp(c.logitOfZero) + std::exp(1.5) + std::exp(two) + 1;
    EXPECT_NEAR(draw->logprob, 1.5 - std::log(sum), 1e-6);
  }
}

TEST(Sampler, DrawsDependOnKeyAndPositionAlone) {
  TokenSampling sampling;
  sampling.temperature = 1;
  std::vector<float> logits(1000);
  for (size_t i = 0; i < logits.size(); ++i)
    logits[i] = static_cast<float>(std::sin(i));
  Sampler fresh, used;
  for (uint64_t i = 0; i < 50; ++i) {
    DrawRequest request{&sampling, {}, nullptr, 99, i};
    TokenSampling other;
    ASSERT_TRUE(used.draw(std::vector<float>(77, 1), {&other, {}}));
    EXPECT_EQ(fresh.draw(logits, request)->token,
              used.draw(logits, request)->token);
  }
}

/// Each draw is the first id whose cumulative probability exceeds u; compared
/// with the twin wherever u is not within rounding of a border.
TEST(Sampler, InvertsTheCumulativeDistributionOverAscendingIds) {
  std::mt19937 random(3);
  std::normal_distribution<float> value(0, 3);
  Sampler sampler;
  int compared = 0;
  for (int round = 0; round < 400; ++round) {
    size_t vocab = 2 + random() % 700;
    std::vector<float> logits(vocab);
    for (float &l : logits)
      l = round % 3 ? value(random) : std::round(value(random)); // ties
    TokenSampling s;
    s.temperature = 0.2 + (random() % 20) * 0.1;
    if (random() % 2)
      s.topK = 1 + random() % 20;
    if (random() % 2)
      s.topP = (random() % 11) * 0.1;
    if (random() % 3 == 0)
      s.minP = (random() % 10) * 0.1;
    if (random() % 3 == 0)
      s.bias = {{static_cast<TokenId>(random() % vocab), 2.5f}};
    std::vector<uint32_t> mask;
    if (random() % 2) {
      std::vector<TokenId> legal{static_cast<TokenId>(random() % vocab)};
      for (size_t i = 0; i < vocab; ++i)
        if (random() % 3 == 0)
          legal.push_back(static_cast<TokenId>(i));
      mask = maskOf(vocab, legal);
    }
    Twin twin = distribution(logits, s, mask);
    for (uint64_t position = 0; position < 10; ++position) {
      double u = uniform(round, position), sum = 0, margin = 1;
      size_t expected = 0;
      for (size_t i = vocab; i-- > 0;)
        if (twin.probability[i] > 0) {
          expected = i;
          break;
        }
      for (size_t i = 0; i < vocab; ++i) {
        sum += twin.probability[i];
        margin = std::min(margin, std::abs(sum - u));
        if (sum > u) {
          expected = i;
          break;
        }
      }
      if (margin < 1e-9)
        continue;
      ++compared;
      auto draw = sampler.draw(
          logits, {&s, mask, nullptr, static_cast<uint64_t>(round), position});
      ASSERT_TRUE(draw);
      ASSERT_EQ(static_cast<size_t>(draw->token), expected)
          << "round " << round << " T " << s.temperature << " k " << s.topK
          << " p " << s.topP << " min " << s.minP;
      ASSERT_NEAR(draw->logprob, twin.logprob[expected], 1e-5);
    }
  }
  EXPECT_GT(compared, 3900);
}

/// Pearson's statistic of 10^5 draws; its limit is the 0.1 % quantile of the
/// chi-square distribution (Wilson and Hilferty's approximation).
TEST(Sampler, DrawsFollowTheDistribution) {
  Sampler sampler;
  struct Case {
    double temperature, topP;
    uint32_t topK;
  };
  for (Case c :
       {Case{1, 1, 0}, Case{0.7, 1, 0}, Case{1.5, 0.9, 0}, Case{1, 1, 12}}) {
    std::vector<float> logits(50);
    for (size_t i = 0; i < logits.size(); ++i)
      logits[i] = static_cast<float>(2 * std::sin(3.7 * i));
    TokenSampling s;
    s.temperature = c.temperature;
    s.topP = c.topP;
    s.topK = c.topK;
    Twin twin = distribution(logits, s, {});
    const int draws = 100000;
    std::vector<int> counts(logits.size(), 0);
    for (int i = 0; i < draws; ++i) {
      auto draw = sampler.draw(
          logits, {&s, {}, nullptr, 12345, static_cast<uint64_t>(i)});
      ASSERT_TRUE(draw);
      ++counts[static_cast<size_t>(draw->token)];
    }
    double statistic = 0, freedom = -1;
    for (size_t i = 0; i < counts.size(); ++i) {
      double expected = draws * twin.probability[i];
      if (expected == 0) {
        EXPECT_EQ(counts[i], 0);
        continue;
      }
      statistic += (counts[i] - expected) * (counts[i] - expected) / expected;
      ++freedom;
    }
    double k = 2 / (9 * freedom);
    double limit = freedom * std::pow(1 - k + 3.09 * std::sqrt(k), 3);
    EXPECT_LT(statistic, limit) << "T " << c.temperature;
    EXPECT_GT(statistic, freedom / 4); // too good is wrong as well
  }
}

} // namespace
