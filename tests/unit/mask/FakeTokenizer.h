// A tokenizer over a given list of texts: encodes by the longest match.
#pragma once

#include "runtime/text/Tokenizer.h"

namespace sgl::test {

class FakeTokenizer final : public Tokenizer {
public:
  /// The first text is the one end token, a control token.
  explicit FakeTokenizer(std::vector<std::string> texts)
      : texts(std::move(texts)) {}

  std::vector<TokenId> encode(std::string_view text, bool) const override {
    std::vector<TokenId> ids;
    while (!text.empty()) {
      TokenId best = -1;
      for (TokenId id = 1; id < TokenId(size()); ++id)
        if (text.substr(0, bytes(id).size()) == bytes(id) &&
            (best < 0 || bytes(id).size() > bytes(best).size()))
          best = id;
      if (best < 0) {
        text.remove_prefix(1);
        continue;
      }
      ids.push_back(best);
      text.remove_prefix(bytes(best).size());
    }
    return ids;
  }
  std::string_view bytes(TokenId id) const override {
    return texts[size_t(id)];
  }
  uint32_t size() const override { return uint32_t(texts.size()); }
  TokenKind kind(TokenId id) const override {
    return id == 0 ? TokenKind::Control : TokenKind::Normal;
  }
  TokenId controlToken(std::string_view text) const override {
    return text == texts[0] ? 0 : -1;
  }
  TokenId bos() const override { return -1; }
  TokenId eos() const override { return 0; }
  bool addBos() const override { return false; }
  const std::vector<TokenId> &endTokens() const override { return ends; }

  TokenId id(std::string_view text) const {
    for (TokenId id = 0; id < TokenId(size()); ++id)
      if (bytes(id) == text)
        return id;
    return -1;
  }

private:
  std::vector<std::string> texts;
  std::vector<TokenId> ends{0};
};

} // namespace sgl::test
