// A tokenizer small enough to reason about: bytes, a few words that are taken
// greedily, and control tokens. So ids depend on what stands next to what, as
// with a real one.
#pragma once

#include "runtime/text/Tokenizer.h"

#include <array>
#include <map>

namespace sgl::test {

class ToyTokenizer : public Tokenizer {
public:
  explicit ToyTokenizer(bool asksForBos = false) : asksForBos(asksForBos) {
    for (const char *control : {"<s>", "<|im_start|>", "<|im_end|>"})
      add(control, TokenKind::Control);
    for (int byte = 0; byte < 256; ++byte)
      add(std::string(1, static_cast<char>(byte)), TokenKind::Normal);
    for (const char *word : {"ab", "abc", "the", " the", "user", "\n\n", "  "})
      add(word, TokenKind::Normal);
  }
  std::vector<TokenId> encode(std::string_view text,
                              bool special) const override {
    std::vector<TokenId> ids;
    while (!text.empty()) {
      size_t best = 0;
      TokenId id = -1;
      for (size_t n = 1; n <= std::min<size_t>(text.size(), 12); ++n) {
        auto found = byText.find(std::string(text.substr(0, n)));
        if (found == byText.end() ||
            (!special && kind(found->second) == TokenKind::Control))
          continue;
        best = n;
        id = found->second;
      }
      ids.push_back(id);
      text.remove_prefix(best);
    }
    return ids;
  }
  std::string_view bytes(TokenId id) const override {
    return texts[size_t(id)];
  }
  uint32_t size() const override { return uint32_t(texts.size()); }
  TokenKind kind(TokenId id) const override { return kinds[size_t(id)]; }
  TokenId controlToken(std::string_view text) const override {
    auto found = byText.find(std::string(text));
    return found == byText.end() || kind(found->second) != TokenKind::Control
               ? -1
               : found->second;
  }
  TokenId bos() const override { return 0; }
  TokenId eos() const override { return 2; }
  bool addBos() const override { return asksForBos; }
  const std::vector<TokenId> &endTokens() const override { return ends; }
  TokenId id(const std::string &text) const { return byText.at(text); }

private:
  void add(std::string text, TokenKind kind) {
    byText[text] = TokenId(texts.size());
    texts.push_back(std::move(text));
    kinds.push_back(kind);
  }
  bool asksForBos;
  std::vector<std::string> texts;
  std::vector<TokenKind> kinds;
  std::map<std::string, TokenId> byText;
  std::vector<TokenId> ends = {2};
};

} // namespace sgl::test
