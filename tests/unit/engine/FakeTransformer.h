// A transformer that computes hashes, and the slow twin of the engine above it.
//
// Its pages hold token ids and a hash of all that came before, its logits are a
// hash of everything a row reads: a wrong page table, a missing copy, a stale
// page or a wrong position changes what is generated. It checks every batch
// against the rules of Transformer.h.
#pragma once

#include "runtime/engine/Engine.h"
#include "runtime/engine/Sampler.h"

#include <atomic>
#include <memory>
#include <optional>

namespace sgl::test {

inline uint64_t mixBits(uint64_t x) {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53u;
  return x ^ (x >> 33);
}

/// What the tests read while or after the engine runs.
struct FakeReport {
  std::atomic<uint64_t> forwards = 0, rows = 0, copies = 0, mostRows = 0;
  std::atomic<uint64_t> broken = 0; ///< rules of Transformer.h
};

class FakeTransformer : public Transformer {
public:
  FakeTransformer(uint32_t vocab, uint32_t context, uint32_t pages,
                  std::shared_ptr<FakeReport> report)
      : modelShape{vocab, context, 8}, cells(pages * pageSize),
        report(std::move(report)) {}

  const ModelShape &shape() const override { return modelShape; }
  std::string instructionSet() const override { return "fake"; }

  void forward(const Batch &batch, std::span<float> logits) override {
    ++report->forwards;
    report->rows += batch.rows.size();
    if (batch.rows.size() > report->mostRows)
      report->mostRows = batch.rows.size();
    check(batch);
    for (const BatchRow &row : batch.rows) {
      const BatchSequence &sequence = batch.sequences[row.sequence];
      uint64_t state = 0;
      for (uint32_t at = 0; at < row.position; ++at)
        state = fold(state, read(sequence, at));
      uint64_t before =
          row.position ? read(sequence, row.position - 1).chain : 1;
      Cell &cell = at(sequence, row.position);
      cell = {row.token, chain(before, row.token), true};
      state = fold(state, cell);
      if (!row.wantLogits)
        continue;
      for (uint32_t i = 0; i < modelShape.vocabSize; ++i)
        logits[i] = logit(state, i);
      logits = logits.subspan(modelShape.vocabSize);
    }
    report->broken += !logits.empty();
  }

  void copyPositions(PageId from, PageId to, uint32_t count) override {
    ++report->copies;
    report->broken += from == to || count == 0 || count > pageSize;
    for (uint32_t i = 0; i < pageSize; ++i)
      cells[to * pageSize + i] =
          i < count ? cells[from * pageSize + i] : Cell{};
  }

  /// The row of logits behind these tokens, from the tokens alone.
  static std::vector<float> logitsOf(std::span<const TokenId> tokens,
                                     uint32_t vocab) {
    uint64_t state = 0, before = 1;
    for (TokenId token : tokens) {
      before = chain(before, token);
      state = fold(state, {token, before, true});
    }
    std::vector<float> logits(vocab);
    for (uint32_t i = 0; i < vocab; ++i)
      logits[i] = logit(state, i);
    return logits;
  }

private:
  struct Cell {
    TokenId token = -1;
    uint64_t chain = 0;
    bool written = false;
  };

  static uint64_t chain(uint64_t before, TokenId token) {
    return mixBits(before * 31 + static_cast<uint64_t>(token) + 1);
  }
  static uint64_t fold(uint64_t state, const Cell &cell) {
    return mixBits(state * 7 + cell.chain);
  }
  static float logit(uint64_t state, uint32_t id) {
    return static_cast<float>(mixBits(state + id * 977) % 4096) / 512 - 4;
  }

  Cell &at(const BatchSequence &sequence, uint32_t position) {
    return cells[sequence.pages[position / pageSize] * pageSize +
                 position % pageSize];
  }
  const Cell &read(const BatchSequence &sequence, uint32_t position) {
    const Cell &cell = at(sequence, position);
    report->broken += !cell.written;
    return cell;
  }

  /// Each sequence once, its rows together, rising, up to its length.
  void check(const Batch &batch) {
    uint32_t next = 0;
    const BatchRow *previous = nullptr;
    for (const BatchRow &row : batch.rows) {
      bool first = !previous || previous->sequence != row.sequence;
      report->broken += first ? row.sequence != next++
                              : row.position != previous->position + 1;
      const BatchSequence &sequence = batch.sequences[row.sequence];
      report->broken += row.position >= sequence.length;
      report->broken += sequence.length > sequence.pages.size() * pageSize;
      bool last =
          &row == &batch.rows.back() || (&row)[1].sequence != row.sequence;
      report->broken += last && row.position + 1 != sequence.length;
      previous = &row;
    }
    report->broken += next != batch.sequences.size();
  }

  ModelShape modelShape;
  std::vector<Cell> cells;
  std::shared_ptr<FakeReport> report;
};

/// Forced runs, masks and ends drawn from a hash of the output so far.
class HashDecoder : public Decoder {
public:
  HashDecoder(uint64_t seed, uint32_t vocab, bool dead)
      : seed(seed), vocab(vocab), dead(dead) {}

  std::vector<TokenId> forced() override {
    std::vector<TokenId> ids;
    if (hash(1) % 6 == 0)
      for (uint64_t i = 0; i < 1 + hash(2) % 20; ++i)
        ids.push_back(static_cast<TokenId>(hash(10 + i) % vocab));
    return ids;
  }
  std::span<const uint32_t> mask() override {
    if (hash(3) % 3)
      return {};
    bits.assign((vocab + 31) / 32, 0);
    if (dead && hash(4) % 8 == 0)
      return bits;
    for (uint64_t i = 0; i < 1 + hash(5) % 6; ++i) {
      uint64_t id = hash(40 + i) % vocab;
      bits[id / 32] |= 1u << (id % 32);
    }
    return bits;
  }
  Step accept(TokenId token) override {
    state = mixBits(state * 3 + static_cast<uint64_t>(token) + 1);
    switch (hash(6) % 25) {
    case 0:
      return Step::Stop;
    case 1:
      return Step::StopDrop;
    default:
      return Step::Continue;
    }
  }
  std::string describe() const override { return "nothing fits"; }

private:
  uint64_t hash(uint64_t what) const {
    return mixBits(state ^ mixBits(seed * 1000 + what));
  }
  uint64_t seed, state = 1;
  uint32_t vocab;
  bool dead;
  std::vector<uint32_t> bits;
};

/// Answers one request alone, token by token, without pages or batches.
inline EngineReply answerAlone(const EngineRequest &request, uint32_t vocab,
                               uint32_t context) {
  EngineReply reply;
  std::vector<TokenId> tokens = request.prompt;
  ExpWeights scratch;
  for (const auto &choice : request.choices) {
    std::vector<TokenId> prefix = request.prompt;
    auto &scores = reply.choiceLogprobs.emplace_back();
    for (TokenId id : choice) {
      auto logits = FakeTransformer::logitsOf(prefix, vocab);
      double logSum = logSumExp(logits, scratch);
      scores.push_back(static_cast<float>(logits[id] - logSum));
      prefix.push_back(id);
    }
  }
  if (!request.choices.empty())
    return reply;
  uint32_t room = context - static_cast<uint32_t>(request.prompt.size());
  uint32_t limit = std::min(request.maxTokens, room);
  Sampler sampler;
  TokenHistory history;
  for (TokenId token : request.prompt)
    history.addPrompt(token);
  Decoder *decoder = request.decoder.get();
  reply.finish =
      room < request.maxTokens ? EngineFinish::Context : EngineFinish::Length;
  std::vector<TokenId> forced;
  while (reply.tokens.size() < limit) {
    Draw draw{};
    if (forced.empty() && decoder)
      forced = decoder->forced();
    if (!forced.empty()) {
      draw.token = forced.front();
      forced.erase(forced.begin());
    } else {
      auto logits = FakeTransformer::logitsOf(tokens, vocab);
      auto drawn = sampler.draw(
          logits, {&request.sampling,
                   decoder ? decoder->mask() : std::span<const uint32_t>(),
                   &history, request.drawKey, reply.tokens.size()});
      if (!drawn) {
        reply.finish = EngineFinish::Failed;
        reply.error = drawn.error().message;
        return reply;
      }
      draw = *drawn;
    }
    auto verdict =
        decoder ? decoder->accept(draw.token) : Decoder::Step::Continue;
    if (verdict == Decoder::Step::StopDrop) {
      reply.finish = EngineFinish::Stopped;
      return reply;
    }
    tokens.push_back(draw.token);
    history.addOutput(draw.token);
    reply.tokens.push_back(draw.token);
    reply.logprobs.push_back(draw.logprob);
    if (verdict == Decoder::Step::Stop) {
      reply.finish = EngineFinish::Stopped;
      return reply;
    }
  }
  return reply;
}

} // namespace sgl::test
