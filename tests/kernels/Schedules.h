// Runs sequences through a model in random pieces and compares every bit.
//
// Entry point: checkSchedule. The truth is each sequence alone, in one batch.
#pragma once

#include "runtime/model/Transformer.h"
#include "tests/kernels/KernelData.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace sgl::test {

using Ids = std::vector<TokenId>;

/// A sequence under test: its pages lie anywhere.
struct Subject {
  Ids tokens;
  std::vector<float> truth; ///< logits of all positions
  std::vector<PageId> pages;
  uint32_t done = 0;
};

class ScheduleCheck {
public:
  ScheduleCheck(Transformer &model, uint32_t pages, unsigned seed)
      : model(model), random(seed) {
    for (PageId page = 0; page < pages; ++page)
      freePages.push_back(page);
    std::shuffle(freePages.begin(), freePages.end(), random);
  }

  Ids randomIds(size_t count) {
    Ids ids(count);
    for (TokenId &id : ids)
      id = static_cast<TokenId>(random() % model.shape().vocabSize);
    return ids;
  }

  /// All logits of the tokens, computed alone in one batch; its pages are free
  /// again afterwards and keep what was written.
  std::vector<float> alone(const Ids &tokens) {
    Subject subject;
    subject.tokens = tokens;
    extend(subject, static_cast<uint32_t>(tokens.size()));
    Batch batch;
    batch.sequences.push_back({subject.pages, subject.done});
    for (uint32_t i = 0; i < tokens.size(); ++i)
      batch.rows.push_back({tokens[i], i, 0, true});
    std::vector<float> logits(tokens.size() *
                              uint64_t{model.shape().vocabSize});
    model.forward(batch, logits);
    freePages.insert(freePages.end(), subject.pages.begin(),
                     subject.pages.end());
    std::shuffle(freePages.begin(), freePages.end(), random);
    return logits;
  }

  /// A sequence that shares the first `length` computed positions of another:
  /// whole pages by its table, the rest by a copy.
  Subject branch(const Subject &parent, uint32_t length, const Ids &tail) {
    Subject child;
    child.tokens.assign(parent.tokens.begin(), parent.tokens.begin() + length);
    child.tokens.insert(child.tokens.end(), tail.begin(), tail.end());
    child.truth = alone(child.tokens);
    uint32_t whole = length / pageSize;
    child.pages.assign(parent.pages.begin(), parent.pages.begin() + whole);
    extend(child, length);
    if (length % pageSize)
      model.copyPositions(parent.pages[whole], child.pages[whole],
                          length % pageSize);
    return child;
  }

  /// One batch of random pieces of some of the subjects; checks what it asked
  /// for. `most` bounds the rows of one piece. False when nothing is left.
  bool step(std::vector<Subject> &subjects, uint32_t most) {
    std::vector<Subject *> order;
    for (Subject &subject : subjects)
      if (subject.done < subject.tokens.size() && random() % 4)
        order.push_back(&subject);
    std::shuffle(order.begin(), order.end(), random);
    Batch batch;
    std::vector<std::pair<Subject *, uint32_t>> asked;
    for (Subject *subject : order) {
      uint32_t first = subject->done;
      auto left = static_cast<uint32_t>(subject->tokens.size()) - first;
      uint32_t count = 1 + static_cast<uint32_t>(random() % most);
      extend(*subject, first + std::min(count, left));
      auto sequence = static_cast<uint32_t>(batch.sequences.size());
      batch.sequences.push_back({subject->pages, subject->done});
      for (uint32_t i = first; i < subject->done; ++i) {
        bool want = random() % 3 == 0 || i + 1 == subject->tokens.size();
        batch.rows.push_back({subject->tokens[i], i, sequence, want});
        if (want)
          asked.emplace_back(subject, i);
      }
    }
    uint64_t vocab = model.shape().vocabSize;
    std::vector<float> logits(asked.size() * vocab);
    if (!batch.rows.empty())
      model.forward(batch, logits);
    for (size_t i = 0; i < asked.size(); ++i) {
      auto [subject, position] = asked[i];
      EXPECT_EQ(std::memcmp(&logits[i * vocab],
                            &subject->truth[position * vocab],
                            vocab * sizeof(float)),
                0)
          << "position " << position;
      ++compared;
    }
    return std::any_of(subjects.begin(), subjects.end(), [](const Subject &s) {
      return s.done < s.tokens.size();
    });
  }

  Transformer &model;
  Random random;
  size_t compared = 0; ///< rows of logits

private:
  void extend(Subject &subject, uint32_t length) {
    while (subject.pages.size() * pageSize < length) {
      ASSERT_FALSE(freePages.empty());
      subject.pages.push_back(freePages.back());
      freePages.pop_back();
    }
    subject.done = length;
  }

  std::vector<PageId> freePages;
};

/// A long sequence, then `branches` of it beside unrelated ones, all in random
/// pieces. Returns the number of compared rows.
inline size_t checkSchedule(Transformer &model, uint32_t pages, unsigned seed,
                            uint32_t length, uint32_t branches) {
  ScheduleCheck check(model, pages, seed);
  std::vector<Subject> subjects(1);
  subjects[0].tokens = check.randomIds(length);
  subjects[0].truth = check.alone(subjects[0].tokens);
  while (check.step(subjects, length / 2))
    ;
  for (uint32_t i = 0; i < branches; ++i) {
    uint32_t shared = length - static_cast<uint32_t>(check.random() % 40);
    if (i % 4 == 3)
      shared = static_cast<uint32_t>(check.random() % length);
    subjects.push_back(check.branch(subjects[0], shared,
                                    check.randomIds(1 + check.random() % 12)));
  }
  subjects.push_back({});
  subjects.back().tokens = check.randomIds(length / 3 + 1);
  subjects.back().truth = check.alone(subjects.back().tokens);
  while (check.step(subjects, check.random() % 3 ? 3 : 30))
    ;
  return check.compared;
}

} // namespace sgl::test
