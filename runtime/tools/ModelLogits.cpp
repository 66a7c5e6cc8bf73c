// Teacher-forced log-probabilities, greedy continuations and choice scores.
#include "runtime/tools/ModelLogits.h"

#include "ir/value/Value.h"
#include "runtime/tools/ModelSession.h"

#include <algorithm>
#include <cstdio>
#include <istream>
#include <numeric>
#include <ostream>

namespace sgl {

namespace {

using Ids = std::vector<TokenId>;
using Sequence = ModelSession::Sequence;

constexpr uint32_t bestShown = 20;
/// Rows of logits held at once.
constexpr size_t rowsAtOnce = 64;

const Value *field(const Value &object, std::string_view name) {
  if (const MapData *map = object.asMap())
    for (const auto &[key, value] : *map)
      if (key == name)
        return &value;
  return nullptr;
}

/// One line's work: its name and whatever went wrong with it.
class Line {
public:
  Line(ModelSession &session, const Value &input)
      : session(session), input(input) {}

  std::string error;

  std::string name() const {
    const Value *value = field(input, "name");
    return value ? toJson(*value) : "null";
  }

  /// A field that is a list of ids of the vocabulary.
  Ids ids(const Value &object, const char *key) {
    Ids result;
    const Value *value = field(object, key);
    const ListData *list = value ? value->asList() : nullptr;
    if (!list) {
      fail("\"" + std::string(key) + "\" must be a list of token ids");
      return result;
    }
    for (const Value &item : *list)
      result.push_back(id(item));
    return result;
  }

  TokenId id(const Value &value) {
    const int64_t *number = value.asInt();
    if (number && *number >= 0 && *number < session.shape().vocabSize)
      return static_cast<TokenId>(*number);
    fail("token ids must be whole numbers in 0.." +
         std::to_string(session.shape().vocabSize - 1));
    return 0;
  }

  /// Checks that `positions` fit the context, and so the pages.
  void checkLength(size_t positions) {
    if (positions > session.shape().contextLength)
      fail(std::to_string(positions) +
           " tokens are more than the model's context, " +
           std::to_string(session.shape().contextLength));
  }

  void fail(std::string text) {
    if (error.empty())
      error = std::move(text);
  }

private:
  ModelSession &session;
  const Value &input;
};

std::string number(double value) {
  char text[32];
  // Five decimals, as the reference results have.
  std::snprintf(text, sizeof text, "%.5f", value);
  return text;
}

std::string listOf(const std::vector<double> &values) {
  std::string text = "[";
  for (double value : values)
    text += (text.size() > 1 ? ", " : "") + number(value);
  return text + "]";
}

std::string bestOf(std::span<const float> logits) {
  std::vector<double> logProbs = logSoftmax(logits);
  std::vector<TokenId> order(logProbs.size());
  std::iota(order.begin(), order.end(), 0);
  size_t shown = std::min<size_t>(bestShown, order.size());
  std::partial_sort(order.begin(), order.begin() + shown, order.end(),
                    [&](TokenId a, TokenId b) {
                      return logits[a] != logits[b] ? logits[a] > logits[b]
                                                    : a < b;
                    });
  std::string text = "[";
  for (size_t i = 0; i < shown; ++i)
    text += (i ? ", [" : "[") + std::to_string(order[i]) + ", " +
            number(logProbs[order[i]]) + "]";
  return text + "]";
}

/// Calls visit(i, logits) for each i: the logits behind the prompt and the
/// first i of `force`, for i below the number of forced ids.
template <typename Visit>
Sequence runForced(ModelSession &session, const Ids &prompt, const Ids &force,
                   Visit &&visit) {
  Sequence sequence;
  size_t vocab = session.shape().vocabSize;
  auto visitRows = [&](const std::vector<float> &rows, size_t first) {
    for (size_t i = 0; (i + 1) * vocab <= rows.size(); ++i)
      visit(first + i, std::span(rows).subspan(i * vocab, vocab));
  };
  if (force.empty())
    return sequence;
  visitRows(session.append(sequence, prompt, 1), 0);
  for (size_t i = 0; i + 1 < force.size(); i += rowsAtOnce) {
    auto part =
        std::span(force).subspan(i, std::min(rowsAtOnce, force.size() - 1 - i));
    visitRows(
        session.append(sequence, part, static_cast<uint32_t>(part.size())),
        i + 1);
  }
  return sequence;
}

/// {"name", "prompt_ids", "force"} to {"name", "continuation", "top"}.
std::string logitsLine(ModelSession &session, const Value &input, Line &line) {
  Ids prompt = line.ids(input, "prompt_ids"), force = line.ids(input, "force");
  if (prompt.empty())
    line.fail("\"prompt_ids\" must not be empty");
  line.checkLength(prompt.size() + force.size());
  if (!line.error.empty())
    return {};

  Ids greedy; // what the model would say, while it agrees with `force`
  std::string top;
  Sequence sequence = runForced(
      session, prompt, force, [&](size_t i, std::span<const float> logits) {
        top += (i ? ", " : "") + bestOf(logits);
        bool agrees = std::equal(greedy.begin(), greedy.end(), force.begin());
        if (greedy.size() == i && agrees)
          greedy.push_back(argmax(logits));
      });
  if (greedy.size() < force.size()) {
    auto agreed = static_cast<uint32_t>(prompt.size() + greedy.size() - 1);
    sequence = session.branch(sequence, agreed);
    while (greedy.size() < force.size()) {
      TokenId last = greedy.back();
      greedy.push_back(argmax(session.append(sequence, {&last, 1}, 1)));
    }
  }
  std::string ids;
  for (TokenId id : greedy)
    ids += (ids.empty() ? "" : ", ") + std::to_string(id);
  return "{\"name\": " + line.name() + ", \"continuation\": [" + ids +
         "], \"top\": [" + top + "]}";
}

/// Log-probabilities of `ids` behind a sequence whose last row had `logits`.
std::vector<double> scoreBehind(ModelSession &session, const Sequence &prefix,
                                const std::vector<float> &logits,
                                const Ids &ids) {
  std::vector<double> result;
  if (ids.empty())
    return result;
  result.push_back(logSoftmax(logits)[ids[0]]);
  Sequence sequence = session.branch(prefix, prefix.length);
  size_t vocab = session.shape().vocabSize;
  for (size_t i = 0; i + 1 < ids.size(); i += rowsAtOnce) {
    auto part =
        std::span(ids).subspan(i, std::min(rowsAtOnce, ids.size() - 1 - i));
    std::vector<float> rows =
        session.append(sequence, part, static_cast<uint32_t>(part.size()));
    for (size_t j = 0; j < part.size(); ++j)
      result.push_back(logSoftmax(
          std::span(rows).subspan(j * vocab, vocab))[ids[i + j + 1]]);
  }
  return result;
}

/// A line of the choice file to {"name", "choices"}.
std::string scoreLine(ModelSession &session, const Value &input, Line &line) {
  Ids prompt = line.ids(input, "prompt_ids");
  if (prompt.empty())
    line.fail("\"prompt_ids\" must not be empty");
  const Value *choices = field(input, "choices");
  if (!choices || !choices->asList())
    line.fail("\"choices\" must be a list");
  Ids start;
  if (const Value *value = field(input, "unconditional_start"))
    start.push_back(line.id(*value));
  line.checkLength(prompt.size());
  if (!line.error.empty())
    return {};

  Sequence prefix, bare;
  std::vector<float> logits = session.append(prefix, prompt, 1), bareLogits;
  if (!start.empty())
    bareLogits = session.append(bare, start, 1);
  std::string text;
  uint32_t free = session.freePages();
  for (const Value &choice : *choices->asList()) {
    Ids ids = line.ids(choice, "ids");
    line.checkLength(prompt.size() + ids.size());
    if (2 * ids.size() / pageSize + 4 > free)
      line.fail("too many choices for one line");
    if (!line.error.empty())
      return {};
    text += text.empty() ? "{" : ", {";
    text +=
        "\"logprobs\": " + listOf(scoreBehind(session, prefix, logits, ids));
    if (!start.empty())
      text += ", \"unconditional_logprobs\": " +
              listOf(scoreBehind(session, bare, bareLogits, ids));
    text += "}";
    free = session.freePages();
  }
  return "{\"name\": " + line.name() + ", \"choices\": [" + text + "]}";
}

template <typename Serve>
int serveLines(const LogitsOptions &options, std::istream &in,
               std::ostream &out, std::ostream &err, Serve &&serve) {
  TransformerOptions how;
  how.threads = options.threads;
  how.reference = options.reference;
  auto session = ModelSession::open(options.model, how);
  if (!session) {
    err << "error: " << session.error().message << "\n";
    return 1;
  }
  std::string text;
  for (uint64_t lineNumber = 1; std::getline(in, text); ++lineNumber) {
    if (text.find_first_not_of(" \t\r") == std::string::npos)
      continue;
    auto input = parseJson(text);
    std::string answer, problem;
    if (!input) {
      problem = input.error().message;
    } else {
      session->reset();
      Line line(*session, *input);
      answer = serve(*session, *input, line);
      problem = line.error;
    }
    if (!problem.empty()) {
      err << "error: line " << lineNumber << ": " << problem << "\n";
      return 3;
    }
    out << answer << std::endl;
  }
  return 0;
}

} // namespace

int runLogits(const LogitsOptions &options, std::istream &in, std::ostream &out,
              std::ostream &err) {
  return serveLines(options, in, out, err, logitsLine);
}

int runScore(const LogitsOptions &options, std::istream &in, std::ostream &out,
             std::ostream &err) {
  return serveLines(options, in, out, err, scoreLine);
}

} // namespace sgl
