// Splits a text into the pieces that byte-pair merging never crosses.
//
// Entry points: PreTokenizer::create and split. The patterns are those of the
// models' own tokenizers, written with possessive repeats so that matching is
// linear and needs no stack; white space is spelled out, since PCRE2's \s is
// either ASCII or counts U+180E.
#pragma once

#include "ir/value/Result.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace sgl {

class PreTokenizer {
public:
  /// `name` as in `tokenizer.ggml.pre`; an unknown one is an error that lists
  /// the known ones.
  static Result<std::unique_ptr<PreTokenizer>> create(std::string_view name);
  ~PreTokenizer();

  /// Calls `piece` for each piece in order; joined they are `text`. Bytes that
  /// are not UTF-8 are pieces of their own. Safe to call from several threads.
  void split(std::string_view text,
             const std::function<void(std::string_view)> &piece) const;

private:
  struct Patterns;
  explicit PreTokenizer(std::unique_ptr<Patterns> patterns);
  std::unique_ptr<Patterns> patterns;
};

} // namespace sgl
