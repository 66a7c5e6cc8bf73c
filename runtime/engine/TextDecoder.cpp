// Stops over token borders, ends, and the constraint.
#include "runtime/engine/TextDecoder.h"

#include "runtime/text/Utf8Stream.h"

#include <algorithm>
#include <cassert>

namespace sgl {

static void setBit(MaskBits &mask, TokenId id) {
  mask[size_t(id) / 32] |= 1u << (id % 32);
}

TextMasks::TextMasks(const Tokenizer &tokenizer)
    : text((tokenizer.size() + 31) / 32) {
  for (uint32_t id = 0; id < tokenizer.size(); ++id)
    if (isTextKind(tokenizer.kind(TokenId(id))))
      setBit(text, TokenId(id));
  for (TokenId id : tokenizer.endTokens())
    text[size_t(id) / 32] &= ~(1u << (id % 32));
  all = text;
  for (TokenId id : tokenizer.endTokens())
    setBit(all, id);
}

TextDecoder::TextDecoder(std::shared_ptr<const Tokenizer> tokenizer,
                         std::shared_ptr<const TextMasks> masks, Rules rules,
                         std::optional<MaskedDecoder> constraint)
    : tokenizer(std::move(tokenizer)), masks(std::move(masks)),
      rules(std::move(rules)), constraint(std::move(constraint)) {
  if (this->constraint && this->constraint->finished())
    finish = Finish::Constraint;
}

std::span<const uint32_t> TextDecoder::mask() {
  if (constraint)
    return constraint->mask();
  return tokens.size() < rules.minTokens ? masks->text : masks->all;
}

std::vector<TokenId> TextDecoder::forced() {
  return constraint ? constraint->forced() : std::vector<TokenId>();
}

bool TextDecoder::isEnd(TokenId token) const {
  const auto &all = tokenizer->endTokens();
  return std::find(all.begin(), all.end(), token) != all.end();
}

/// The first stop whose last byte lies behind `before`.
bool TextDecoder::findStop(size_t before) {
  size_t begin = std::string::npos, length = 0;
  for (const std::string &stop : rules.stops) {
    if (stop.empty())
      continue;
    size_t from = before + 1 > stop.size() ? before + 1 - stop.size() : 0;
    size_t found = bytes.find(stop, from);
    bool isFirst = found < begin;
    bool isLonger = found == begin && stop.size() > length;
    if (found != std::string::npos && (isFirst || isLonger)) {
      begin = found;
      length = stop.size();
    }
  }
  if (begin == std::string::npos)
    return false;
  cut = begin + (rules.keepStop ? length : 0);
  return true;
}

Decoder::Step TextDecoder::accept(TokenId token) {
  auto outcome = MaskedDecoder::Outcome::Continue;
  if (constraint) {
    outcome = constraint->accept(token);
    assert(outcome != MaskedDecoder::Outcome::Illegal &&
           "the engine drew a token outside of the mask");
    if (outcome == MaskedDecoder::Outcome::FinishedDrop) {
      finish = isEnd(token) ? Finish::EndOfTurn : Finish::Constraint;
      return Step::StopDrop;
    }
  } else if (isEnd(token)) {
    finish = Finish::EndOfTurn;
    return Step::StopDrop;
  }
  size_t before = bytes.size();
  bytes += tokenizer->bytes(token);
  tokens.push_back(token);
  ends.push_back(bytes.size());
  if (tokens.size() >= rules.minTokens && findStop(before)) {
    finish = Finish::Stop;
    return Step::Stop;
  }
  if (outcome == MaskedDecoder::Outcome::Continue)
    return Step::Continue;
  finish = Finish::Constraint;
  return Step::Stop;
}

std::string TextDecoder::describe() const {
  return constraint ? constraint->describe() : "";
}

TextDecoder::Output TextDecoder::result() const {
  size_t size = std::min(cut, bytes.size());
  size_t kept = static_cast<size_t>(
      std::upper_bound(ends.begin(), ends.end(), size) - ends.begin());
  size_t keptBytes = kept ? ends[kept - 1] : 0;
  Output output;
  output.text = toValidUtf8(std::string_view(bytes).substr(0, size));
  output.tokens.assign(tokens.begin(),
                       tokens.begin() + static_cast<std::ptrdiff_t>(kept));
  output.tail = bytes.substr(keptBytes, size - keptBytes);
  output.finish = finish;
  return output;
}

} // namespace sgl
