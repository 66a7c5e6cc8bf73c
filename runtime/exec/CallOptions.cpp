// Options of gen and select: reading, ranges, defaults. See CallOptions.h.

#include "runtime/exec/CallOptions.h"
#include "runtime/exec/DrawKey.h"

#include "ir/value/Convert.h"

#include <algorithm>
#include <set>

namespace sgl::exec {

namespace {

/// Reads typed options; the first fault is kept.
class OptionReader {
public:
  OptionReader(std::string_view name, const Value &value)
      : name(name), value(value) {}

  Status number(double low, double high, double &out) {
    if (!value.asInt() && !value.asFloat())
      return expected("a number");
    double given = value.asInt() ? double(*value.asInt()) : *value.asFloat();
    if (given < low || given > high)
      return expected("a number in " + printFloat(low) +
                      "..=" + printFloat(high));
    out = given;
    return Done{};
  }
  template <typename T>
  Status whole(uint64_t low, uint64_t high, T &out) {
    const int64_t *given = value.asInt();
    if (!given || *given < 0 || uint64_t(*given) < low ||
        uint64_t(*given) > high)
      return expected("an int in " + std::to_string(low) +
                      "..=" + std::to_string(high));
    out = T(*given);
    return Done{};
  }
  Status boolean(bool &out) {
    if (!value.asBool())
      return expected("true or false");
    out = *value.asBool();
    return Done{};
  }
  /// A text or a list of texts, none empty.
  Status texts(std::vector<std::string> &out) {
    ListData items = value.asList() ? *value.asList() : ListData{value};
    for (const Value &item : items) {
      if (!textOf(item) || textOf(item)->empty())
        return expected("a text that is not empty, or a list of them");
      out.push_back(*textOf(item));
    }
    return Done{};
  }
  Status bias(std::map<std::string, double> &out) {
    const MapData *map = value.asMap();
    if (!map)
      return expected("a map of texts to numbers");
    for (const auto &[key, item] : *map) {
      if (!item.asInt() && !item.asFloat())
        return expected("a map of texts to numbers");
      out[key] = item.asInt() ? double(*item.asInt()) : *item.asFloat();
    }
    return Done{};
  }
  Status word(std::initializer_list<std::string_view> words, size_t &out) {
    std::string list;
    for (std::string_view known : words) {
      if (textOf(value) && *textOf(value) == known) {
        out = size_t(std::find(words.begin(), words.end(), known) -
                     words.begin());
        return Done{};
      }
      list += (list.empty() ? "`" : ", `") + std::string(known) + "`";
    }
    return expected("one of " + list);
  }

  Error expected(const std::string &what) const {
    std::string given = toJson(value);
    if (given.size() > 60)
      given = "a long value";
    return Error{"option `" + std::string(name) + "` takes " + what + ", not " +
                 given};
  }

private:
  std::string_view name;
  const Value &value;
};

constexpr uint64_t maxTokensLimit = 1 << 24;

Status applyOption(const std::string &name, const Value &value,
                   GenRequest &request, GenOptions &out) {
  OptionReader read(name, value);
  Sampling &s = request.sampling;
  if (name == "max_tokens")
    return read.whole(1, maxTokensLimit, request.maxTokens);
  if (name == "min_tokens")
    return read.whole(0, maxTokensLimit, request.minTokens);
  if (name == "stop")
    return read.texts(request.stops);
  if (name == "keep_stop")
    return read.boolean(request.keepStop);
  if (name == "logprobs")
    return read.whole(0, 100, request.logprobs);
  if (name == "temperature") {
    out.setsTemperature = true;
    return read.number(0, 2, s.temperature);
  }
  if (name == "top_p")
    return read.number(0, 1, s.topP);
  if (name == "top_k")
    return read.whole(0, UINT32_MAX, s.topK);
  if (name == "min_p")
    return read.number(0, 1, s.minP);
  if (name == "frequency_penalty")
    return read.number(-2, 2, s.frequencyPenalty);
  if (name == "presence_penalty")
    return read.number(-2, 2, s.presencePenalty);
  if (name == "repetition_penalty")
    return read.number(0.01, 10, s.repetitionPenalty);
  if (name == "logit_bias")
    return read.bias(s.logitBias);
  if (name == "seed")
    return read.whole(0, INT64_MAX, out.seed.emplace());
  if (name == "heal") {
    size_t word = 0;
    Status status = read.word({"auto", "off"}, word);
    request.heal = word == 0;
    return status;
  }
  // regex, json and the like are in the plan as an automaton already.
  return Done{};
}

} // namespace

Result<GenOptions> applyGenOptions(const plan::GenSpec &spec,
                                   const RunOptions &defaults,
                                   const OperandReader &operand,
                                   GenRequest &request) {
  GenOptions out;
  if (defaults.maxTokens)
    request.maxTokens = *defaults.maxTokens;
  if (defaults.temperature)
    request.sampling.temperature = *defaults.temperature;
  for (const plan::Option &option : spec.options) {
    const Value &value = option.value ? *option.value : operand(option.operand);
    // An option that is null is one that was not given.
    if (value.isNull())
      continue;
    if (Status status = applyOption(option.name, value, request, out); !status)
      return status.error();
  }
  if (request.minTokens > request.maxTokens)
    return Error{"option `min_tokens` is " + std::to_string(request.minTokens) +
                 ", more than `max_tokens`, which is " +
                 std::to_string(request.maxTokens)};
  return out;
}

Status applySelectOptions(const plan::SelectSpec &spec,
                          const OperandReader &operand,
                          SelectRequest &request) {
  for (const plan::Option &option : spec.options) {
    const Value &value = option.value ? *option.value : operand(option.operand);
    if (value.isNull() || option.name != "method")
      continue;
    size_t word = 0;
    Status status =
        OptionReader(option.name, value)
            .word({"normalized", "greedy", "unconditional", "exact"}, word);
    if (!status)
      return status;
    request.method = SelectRequest::Method(word);
  }
  return Done{};
}

Status admitOptions(const std::vector<plan::Option> &options) {
  static const std::set<std::string_view> later = {
      "stop_regex", "grammar", "lenient", "timeout", "stream", "weights"};
  for (const plan::Option &option : options) {
    bool off =
        option.value && (option.value->isNull() ||
                         (option.value->asBool() && !*option.value->asBool()));
    if (later.count(option.name) && !off)
      return Error{"option `" + option.name + "` is not supported yet"};
    const std::string *word = option.value ? textOf(*option.value) : nullptr;
    if ((option.name == "decode" && (!word || *word != "sample")) ||
        (option.name == "whitespace" && (!word || *word != "canonical")))
      return Error{"option `" + option.name + "` is not supported yet"};
  }
  return Done{};
}

std::string promptBytes(const PromptNode &prompt) {
  // Marks that no text of a program begins with; how the text between two of
  // them was cut into segments, or who wrote it, does not show.
  std::string bytes;
  for (const PromptNode *part : segments(&prompt)) {
    switch (part->kind) {
    case PromptNode::Kind::Open:
      bytes += "\x01" + part->text + "\x02";
      break;
    case PromptNode::Kind::Close:
      bytes += '\x03';
      break;
    case PromptNode::Kind::Special:
      bytes += "\x04" + part->text + "\x05";
      break;
    default:
      bytes += part->text;
    }
  }
  return bytes;
}

uint64_t hashPrompt(const PromptNode &prompt) {
  std::string bytes = promptBytes(prompt);
  return XXH64(bytes.data(), bytes.size(), 0);
}

uint64_t hashRequest(const GenRequest &request) {
  uint64_t hash = hashPrompt(*request.prompt);
  auto text = [&](std::string_view t) {
    hash = foldPlace(XXH64(t.data(), t.size(), hash), uint64_t(t.size()));
  };
  text(request.type ? toString(request.type) : "");
  text(request.constraint ? request.constraint->write() : "");
  hash = foldPlace(hash, request.maxTokens);
  hash = foldPlace(hash, request.minTokens);
  for (const std::string &stop : request.stops)
    text(stop);
  const Sampling &s = request.sampling;
  for (double number : {s.topP, double(s.topK), s.minP, s.frequencyPenalty,
                        s.presencePenalty, s.repetitionPenalty})
    text(printFloat(number));
  for (const auto &[token, bias] : s.logitBias) {
    text(token);
    text(printFloat(bias));
  }
  return hash;
}

} // namespace sgl::exec
