// The pre-tokenizer patterns of known models, run by PCRE2.
#include "runtime/text/PreTokenizer.h"

#include "runtime/text/Utf8Stream.h"

#include <cassert>
#include <vector>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace sgl {

namespace {

/// Unicode White_Space, for use inside a class.
#define SGL_SPACE                                                              \
  "\\x09-\\x0d\\x20\\x85\\xa0\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}"   \
  "\\x{202f}\\x{205f}\\x{3000}"
/// White space that is not before a non-space: all of a run but its last
/// character, or a run at the end; then what is left.
#define SGL_SPACES                                                             \
  "|[" SGL_SPACE "]++\\z|(?:[" SGL_SPACE "](?=[" SGL_SPACE "]))++|[" SGL_SPACE \
  "]++"

constexpr const char *gpt2Pattern =
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}++| ?\\p{N}++| ?[^" SGL_SPACE
    "\\p{L}\\p{N}]++" SGL_SPACES;

/// Contractions in any case, letters with one sign before them, `DIGITS`,
/// signs with line ends behind them, white space up to its last line end.
#define SGL_LLAMA_PATTERN(DIGITS)                                              \
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}++|" DIGITS        \
  "| ?[^" SGL_SPACE "\\p{L}\\p{N}]++[\\r\\n]*+"                                \
  "|(?:(?:(?![\\r\\n])[" SGL_SPACE "])*+[\\r\\n]++)++" SGL_SPACES

struct Known {
  std::string_view name;
  std::vector<const char *> patterns; ///< each splits the pieces before it
};

const std::vector<Known> &knownPatterns() {
  static const std::vector<Known> known = {
      {"gpt-2", {gpt2Pattern}},
      {"smollm", {"\\p{N}", gpt2Pattern}},
      {"llama-bpe", {SGL_LLAMA_PATTERN("\\p{N}{1,3}+")}},
      {"qwen2", {SGL_LLAMA_PATTERN("\\p{N}")}},
  };
  return known;
}

using Code = std::unique_ptr<pcre2_code, decltype(&pcre2_code_free)>;
using MatchData =
    std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)>;

} // namespace

struct PreTokenizer::Patterns {
  std::vector<Code> codes;
};

PreTokenizer::PreTokenizer(std::unique_ptr<Patterns> patterns)
    : patterns(std::move(patterns)) {}
PreTokenizer::~PreTokenizer() = default;

Result<std::unique_ptr<PreTokenizer>>
PreTokenizer::create(std::string_view name) {
  std::string names;
  for (const Known &known : knownPatterns()) {
    names += (names.empty() ? "" : ", ") + std::string(known.name);
    if (known.name != name)
      continue;
    auto patterns = std::make_unique<Patterns>();
    for (const char *pattern : known.patterns) {
      int code = 0;
      PCRE2_SIZE offset = 0;
      Code compiled(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern),
                                  PCRE2_ZERO_TERMINATED, PCRE2_UTF, &code,
                                  &offset, nullptr),
                    pcre2_code_free);
      assert(compiled && "a pattern of ours must compile");
      // Without JIT support the interpreter serves: same result, slower.
      pcre2_jit_compile(compiled.get(), PCRE2_JIT_COMPLETE);
      patterns->codes.push_back(std::move(compiled));
    }
    return std::unique_ptr<PreTokenizer>(new PreTokenizer(std::move(patterns)));
  }
  return Error{"the pre-tokenizer '" + std::string(name.substr(0, 64)) +
               "' is not known, known are " + names};
}

namespace {

using PieceFn = std::function<void(std::string_view)>;

/// One splitting of valid UTF-8 by pattern `level` and those behind it.
class Splitter {
public:
  Splitter(const std::vector<Code> &codes, const PieceFn &piece)
      : codes(codes), piece(piece) {
    for (const Code &code : codes)
      matches.emplace_back(
          pcre2_match_data_create_from_pattern(code.get(), nullptr),
          pcre2_match_data_free);
  }

  void split(std::string_view text, size_t level) {
    if (text.empty())
      return;
    if (level == codes.size())
      return piece(text);
    auto *subject = reinterpret_cast<PCRE2_SPTR>(text.data());
    size_t at = 0;
    while (at < text.size()) {
      int found =
          pcre2_match(codes[level].get(), subject, text.size(), at,
                      PCRE2_NO_UTF_CHECK, matches[level].get(), nullptr);
      assert((found >= 0 || found == PCRE2_ERROR_NOMATCH) &&
             "possessive patterns stay within the matcher's limits");
      if (found < 0)
        break;
      const PCRE2_SIZE *bounds =
          pcre2_get_ovector_pointer(matches[level].get());
      split(text.substr(at, bounds[0] - at), level + 1);
      split(text.substr(bounds[0], bounds[1] - bounds[0]), level + 1);
      at = bounds[1];
    }
    split(text.substr(at), level + 1);
  }

private:
  const std::vector<Code> &codes;
  const PieceFn &piece;
  std::vector<MatchData> matches;
};

} // namespace

void PreTokenizer::split(std::string_view text, const PieceFn &piece) const {
  Splitter splitter(patterns->codes, piece);
  while (!text.empty()) {
    size_t valid = validUtf8Prefix(text);
    splitter.split(text.substr(0, valid), 0);
    text.remove_prefix(valid);
    size_t invalid = 0;
    while (invalid < text.size() &&
           validUtf8Prefix(text.substr(invalid, 4)) == 0)
      ++invalid;
    if (invalid > 0)
      piece(text.substr(0, invalid));
    text.remove_prefix(invalid);
  }
}

} // namespace sgl
