// Tokenizes and detokenizes streams with a model's own tokenizer.
#include "runtime/tools/ModelTokens.h"

#include "runtime/model/Gguf.h"
#include "runtime/text/Tokenizer.h"
#include "runtime/text/Utf8Stream.h"
#include "runtime/tools/JsonLines.h"

#include <charconv>
#include <iterator>

namespace sgl {

namespace {

using Json = nlohmann::ordered_json;

/// A tokenizer and the file behind it.
struct Loaded {
  std::shared_ptr<const Gguf> file;
  std::unique_ptr<Tokenizer> tokenizer;
};

Result<Loaded> load(const std::string &path) {
  auto file = Gguf::open(path);
  if (!file)
    return file.error();
  auto tokenizer = Tokenizer::load(**file);
  if (!tokenizer)
    return tokenizer.error();
  return Loaded{*file, std::move(*tokenizer)};
}

int refuse(std::ostream &errors, const Error &error) {
  errors << "error: " << error.message << '\n';
  return 1;
}

Result<Json> tokenizeRow(const Tokenizer &tokenizer, bool special,
                         const nlohmann::json &row) {
  auto text = row.find("text");
  if (text == row.end() || !text->is_string())
    return Error{"'text' must be a text"};
  if (auto given = row.find("special"); given != row.end()) {
    if (!given->is_boolean())
      return Error{"'special' must be true or false"};
    special = given->get<bool>();
  }
  return Json{
      {"ids", tokenizer.encode(text->get_ref<const std::string &>(), special)}};
}

Status checkId(const Tokenizer &tokenizer, int64_t id) {
  if (id >= 0 && id < int64_t{tokenizer.size()})
    return Done{};
  return Error{"token id " + std::to_string(id) +
               " is not in the vocabulary, 0 to " +
               std::to_string(tokenizer.size() - 1) + " are"};
}

Result<Json> detokenizeRow(const Tokenizer &tokenizer,
                           const nlohmann::json &row) {
  auto ids = row.find("ids");
  if (ids == row.end() || !ids->is_array())
    return Error{"'ids' must be a list of token ids"};
  Utf8Stream stream;
  std::string text;
  Json emitted = Json::array();
  auto emit = [&](std::string part) {
    text += part;
    emitted.push_back(std::move(part));
  };
  for (const auto &id : *ids) {
    if (!id.is_number_integer())
      return Error{"'ids' must be a list of token ids"};
    auto number = id.get<int64_t>();
    if (Status known = checkId(tokenizer, number); !known)
      return known.error();
    emit(stream.push(tokenizer.bytes(static_cast<TokenId>(number))));
  }
  emit(stream.flush());
  return Json{{"text", text}, {"emit", emitted}};
}

/// Ids in a text, separated by white space.
Result<std::vector<TokenId>> readIds(const Tokenizer &tokenizer,
                                     std::istream &in) {
  std::vector<TokenId> ids;
  for (std::string word; in >> word;) {
    int64_t number = 0;
    auto [end, code] =
        std::from_chars(word.data(), word.data() + word.size(), number);
    if (code != std::errc{} || end != word.data() + word.size())
      return Error{"standard input must hold token ids separated by blanks, '" +
                   toValidUtf8(word.substr(0, 40)) + "' is none"};
    if (Status known = checkId(tokenizer, number); !known)
      return known.error();
    ids.push_back(static_cast<TokenId>(number));
  }
  return ids;
}

void writeTokens(const Tokenizer &tokenizer, const std::vector<TokenId> &ids,
                 bool json, std::ostream &out) {
  if (json) {
    Json texts = Json::array();
    for (TokenId id : ids)
      texts.push_back(toValidUtf8(tokenizer.bytes(id)));
    writeJsonLine(out, Json{{"ids", ids}, {"tokens", texts}});
    return;
  }
  for (size_t i = 0; i < ids.size(); ++i)
    out << (i == 0 ? "" : " ") << ids[i];
  out << '\n';
}

} // namespace

int runTokenize(const TokensOptions &options, std::istream &in,
                std::ostream &out, std::ostream &errors) {
  auto loaded = load(options.model);
  if (!loaded)
    return refuse(errors, loaded.error());
  const Tokenizer &tokenizer = *loaded->tokenizer;
  if (options.jsonLines) {
    Status done = answerJsonLines(in, out, [&](const nlohmann::json &row) {
      return tokenizeRow(tokenizer, options.special, row);
    });
    return done ? 0 : refuse(errors, done.error());
  }
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (size_t valid = validUtf8Prefix(text); valid < text.size())
    return refuse(errors, Error{"standard input is not UTF-8 at byte " +
                                std::to_string(valid)});
  auto ids = tokenizer.encode(text, options.special);
  size_t kept = tokenizer.decode(ids).size();
  if (kept < text.size())
    errors << "warning: " << text.size() - kept
           << " bytes of the text are not in the model's vocabulary and were "
              "left out\n";
  writeTokens(tokenizer, ids, options.json, out);
  return 0;
}

int runDetokenize(const TokensOptions &options, std::istream &in,
                  std::ostream &out, std::ostream &errors) {
  auto loaded = load(options.model);
  if (!loaded)
    return refuse(errors, loaded.error());
  const Tokenizer &tokenizer = *loaded->tokenizer;
  if (options.jsonLines) {
    Status done = answerJsonLines(in, out, [&](const nlohmann::json &row) {
      return detokenizeRow(tokenizer, row);
    });
    return done ? 0 : refuse(errors, done.error());
  }
  auto ids = readIds(tokenizer, in);
  if (!ids)
    return refuse(errors, ids.error());
  out << toValidUtf8(tokenizer.decode(*ids));
  return 0;
}

} // namespace sgl
