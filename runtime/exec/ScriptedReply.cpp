// Replies of a scripted model. See ScriptedReply.h.

#include "runtime/exec/ScriptedReply.h"

#include "ir/constraint/TypeConstraint.h"
#include "runtime/exec/CallOptions.h"
#include "runtime/exec/DrawKey.h"

#include <algorithm>

namespace sgl {

namespace {

/// Is `text` what the gen may write?
Status fits(const GenRequest &request, const std::string &text) {
  if (request.constraint && !request.constraint->matches(text))
    return Error{"reply " + toJson(Value::text(text)).substr(0, 80) +
                 " does not satisfy the constraint"};
  if (request.type && isConstraining(request.type)) {
    Result<Value> value = readTyped(request.type, text);
    if (!value)
      return Error{"reply does not fit: " + value.error().message};
  }
  return Done{};
}

/// A stream of numbers from one hash.
class Draws {
public:
  explicit Draws(uint64_t hash) : hash(hash) {}
  uint64_t below(uint64_t limit) {
    hash = foldPlace(hash, uint64_t(1));
    return hash % limit;
  }

private:
  uint64_t hash;
};

/// Bytes from each state to the nearest accepting one.
std::vector<uint32_t> distances(const Automaton &automaton) {
  uint32_t count = automaton.stateCount();
  std::vector<uint32_t> distance(count, UINT32_MAX);
  std::vector<std::vector<uint32_t>> back(count);
  std::vector<uint32_t> queue;
  for (uint32_t s = 0; s < count; ++s) {
    for (const Automaton::Edge &edge : automaton.edges(s))
      back[edge.target].push_back(s);
    if (automaton.accepts(s)) {
      distance[s] = 0;
      queue.push_back(s);
    }
  }
  for (size_t i = 0; i < queue.size(); ++i)
    for (uint32_t from : back[queue[i]])
      if (distance[from] == UINT32_MAX) {
        distance[from] = distance[queue[i]] + 1;
        queue.push_back(from);
      }
  return distance;
}

/// A random walk that ends at an accepting state; after some bytes it heads
/// for the nearest one.
std::string walk(const Automaton &automaton, Draws &draws) {
  constexpr size_t wander = 48;
  std::vector<uint32_t> distance = distances(automaton);
  std::string text;
  Automaton::State state = automaton.start();
  while (true) {
    bool ends = automaton.accepts(state);
    std::vector<Automaton::Edge> edges = automaton.edges(state);
    if (ends && (edges.empty() || text.size() >= wander || !draws.below(3)))
      return text;
    const Automaton::Edge *edge = &edges[draws.below(edges.size())];
    if (text.size() >= wander)
      edge = &*std::min_element(
          edges.begin(), edges.end(), [&](const auto &a, const auto &b) {
            return distance[a.target] < distance[b.target];
          });
    text += char(edge->low + draws.below(uint64_t(edge->high - edge->low) + 1));
    state = edge->target;
  }
}

std::string words(Draws &draws) {
  static const char *const list[] = {"amber", "birch", "cedar", "delta",
                                     "ember", "fjord", "glade", "heron",
                                     "iris",  "jade",  "kelp",  "lotus"};
  std::string text;
  for (uint64_t i = 0, count = 1 + draws.below(6); i < count; ++i) {
    if (i)
      text += ' ';
    text += list[draws.below(std::size(list))];
  }
  return text;
}

uint64_t hashOf(const CallRequest &request) {
  return exec::hashPrompt(*request.prompt);
}

} // namespace

Result<std::string> scriptedText(const GenRequest &request,
                                 const Value &value) {
  const Type *type = request.type;
  std::string text;
  Result<Value> typed = type ? convert(value, type) : Result<Value>(value);
  if (typed)
    text = !type || standsBare(type) ? print(*typed) : toJson(*typed);
  else if (value.asText()) // the gen's text itself
    text = *value.asText();
  else
    return Error{"reply does not fit: " + typed.error().message};
  if (Status status = fits(request, text); !status)
    return status.error();
  return text;
}

Result<std::string> hashedText(const GenRequest &request) {
  if (request.forced)
    return *request.forced;
  uint64_t hash = exec::hashRequest(request);
  if (request.sampling.temperature > 0)
    hash = foldPlace(hash, request.drawKey);
  // An automaton may allow a little more than its type, a key twice in a map
  // for one: draw again.
  constexpr int attempts = 20;
  for (int i = 0; i < attempts; ++i) {
    Draws draws(foldPlace(hash, uint64_t(i)));
    std::string text =
        request.constraint ? walk(*request.constraint, draws) : words(draws);
    if (fits(request, text))
      return text;
  }
  return Error{"no reply that fits could be drawn"};
}

std::vector<double> hashedScores(const SelectRequest &request) {
  uint64_t hash = hashOf(request);
  std::vector<double> scores;
  for (const std::string &choice : request.choices) {
    uint64_t own = XXH64(choice.data(), choice.size(), hash);
    scores.push_back(-double(own % 10000) / 1000);
  }
  return scores;
}

} // namespace sgl
