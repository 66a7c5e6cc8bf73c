// Loads and runs byte-level BPE.
#include "runtime/text/BytePairEncoding.h"

#include "runtime/model/Gguf.h"
#include "runtime/text/ByteAlphabet.h"

#include <cassert>

namespace sgl {

Result<std::unique_ptr<Tokenizer>> BytePairEncoding::load(const Gguf &file) {
  auto pre = file.string("tokenizer.ggml.pre");
  if (!pre)
    return Error{file.path() + ": key 'tokenizer.ggml.pre' must name the "
                               "pre-tokenizer"};
  auto splitter = PreTokenizer::create(*pre);
  if (!splitter)
    return Error{file.path() + ": " + splitter.error().message};
  auto vocabulary = readVocabulary(file);
  if (!vocabulary)
    return vocabulary.error();
  std::unique_ptr<BytePairEncoding> bpe(new BytePairEncoding());
  bpe->preTokenizer = std::move(*splitter);
  bpe->takeTokens(*vocabulary);
  if (Status read = bpe->takeMerges(file, *vocabulary); !read)
    return read.error();
  bool isLlama = *pre == "llama-bpe";
  bpe->addsBos =
      file.boolean("tokenizer.ggml.add_bos_token").value_or(isLlama) &&
      bpe->bosId >= 0;
  if (isLlama)
    for (size_t i = 0; i < bpe->tokens.size(); ++i)
      if (bpe->kinds[i] == TokenKind::Normal)
        bpe->words.emplace(bpe->tokens[i], static_cast<TokenId>(i));
  return std::unique_ptr<Tokenizer>(std::move(bpe));
}

void BytePairEncoding::takeTokens(const Vocabulary &vocabulary) {
  kinds = vocabulary.kinds;
  bosId = vocabulary.bos;
  eosId = vocabulary.eos;
  ends = vocabulary.endTokens;
  tokens.reserve(kinds.size());
  byteIds.fill(-1);
  for (size_t i = 0; i < kinds.size(); ++i) {
    auto id = static_cast<TokenId>(i);
    std::string_view stored = vocabulary.texts[i];
    bool isPlain =
        kinds[i] == TokenKind::Control || kinds[i] == TokenKind::UserDefined;
    tokens.push_back(isPlain ? std::string(stored) : fromByteAlphabet(stored));
    if (isPlain)
      specials.add(stored, id, kinds[i]);
    else if (tokens.back().size() == 1 &&
             byteIds[static_cast<unsigned char>(tokens.back()[0])] < 0)
      byteIds[static_cast<unsigned char>(tokens.back()[0])] = id;
  }
}

Status BytePairEncoding::takeMerges(const Gguf &file,
                                    const Vocabulary &vocabulary) {
  const GgufArray *stored = file.array("tokenizer.ggml.merges");
  if (!stored)
    return Error{file.path() +
                 ": key 'tokenizer.ggml.merges' must be a list of pairs"};
  merges.reserve(stored->strings.size());
  for (size_t rank = 0; rank < stored->strings.size(); ++rank) {
    std::string_view text = stored->strings[rank];
    size_t space = text.find(' ', 1);
    std::string_view left = text.substr(0, space);
    std::string_view right =
        space == std::string_view::npos ? "" : text.substr(space + 1);
    auto leftId = vocabulary.ids.find(left);
    auto rightId = vocabulary.ids.find(right);
    auto merged = vocabulary.ids.find(std::string(left) + std::string(right));
    auto end = vocabulary.ids.end();
    if (right.empty() || leftId == end || rightId == end || merged == end)
      return Error{file.path() + ": entry " + std::to_string(rank) +
                   " of key 'tokenizer.ggml.merges' must be two tokens of the "
                   "vocabulary whose joined text is one too"};
    merges.add(leftId->second, rightId->second, static_cast<uint32_t>(rank),
               merged->second);
  }
  return Done{};
}

std::vector<TokenId> BytePairEncoding::encode(std::string_view text,
                                              bool special) const {
  std::vector<TokenId> out;
  size_t at = 0;
  while (at < text.size()) {
    SpecialTokens::Match match = specials.find(text, at, special);
    encodePlain(text.substr(at, match.begin - at), out);
    if (match.id >= 0)
      out.push_back(match.id);
    at = match.end;
  }
  return out;
}

void BytePairEncoding::encodePlain(std::string_view text,
                                   std::vector<TokenId> &out) const {
  preTokenizer->split(text,
                      [&](std::string_view piece) { encodePiece(piece, out); });
}

void BytePairEncoding::encodePiece(std::string_view piece,
                                   std::vector<TokenId> &out) const {
  if (auto it = words.find(piece); it != words.end()) {
    out.push_back(it->second);
    return;
  }
  std::vector<TokenId> symbols;
  symbols.reserve(piece.size());
  for (char c : piece)
    if (TokenId id = byteIds[static_cast<unsigned char>(c)]; id >= 0)
      symbols.push_back(id);
  merges.apply(symbols);
  out.insert(out.end(), symbols.begin(), symbols.end());
}

std::string_view BytePairEncoding::bytes(TokenId id) const {
  assert(id >= 0 && static_cast<size_t>(id) < tokens.size() && "not a token");
  return tokens[static_cast<size_t>(id)];
}

TokenKind BytePairEncoding::kind(TokenId id) const {
  assert(id >= 0 && static_cast<size_t>(id) < kinds.size() && "not a token");
  return kinds[static_cast<size_t>(id)];
}

TokenId BytePairEncoding::controlToken(std::string_view text) const {
  return specials.exact(text);
}

} // namespace sgl
