// Lists and objects as networks: each item and member stands in one once.
#include "ir/constraint/JsonLayout.h"

#include "ir/constraint/JsonPattern.h"
#include "ir/constraint/NumberPattern.h"

#include <algorithm>
#include <map>
#include <mutex>

namespace sgl {

using namespace pattern;

namespace {

/// The nodes and steps of one network; node 0 begins, node 1 ends.
class Network {
public:
  static constexpr uint32_t begin = 0, end = 1;

  uint32_t addNode() { return nodeCount++; }
  void step(uint32_t from, uint32_t to, PatternRef part = nullptr) {
    steps.push_back({from, to, std::move(part)});
  }
  PatternRef make() { return network(std::move(steps), nodeCount); }

private:
  std::vector<NetworkStep> steps;
  uint32_t nodeCount = 2;
};

PatternRef joined(PatternRef before, PatternRef part) {
  return sequence({std::move(before), std::move(part)});
}

} // namespace

JsonLayout::JsonLayout(Whitespace whitespace) {
  if (whitespace == Whitespace::Canonical) {
    comma = text(", ");
    colon = text(": ");
    return;
  }
  CodePointSet set{{' ', ' '}, {'\t', '\t'}, {'\n', '\n'}, {'\r', '\r'}};
  blanks = repeat(characters(set), 0, Pattern::unbounded);
  comma = sequence({blanks, text(","), blanks});
  colon = sequence({blanks, text(":"), blanks});
}

PatternRef JsonLayout::open(char bracket) const {
  PatternRef mark = text(std::string(1, bracket));
  return blanks ? sequence({mark, blanks}) : mark;
}

PatternRef JsonLayout::close(char bracket) const {
  PatternRef mark = text(std::string(1, bracket));
  return blanks ? sequence({blanks, mark}) : mark;
}

PatternRef JsonLayout::list(const std::vector<PatternRef> &first,
                            const PatternRef &rest, uint32_t least,
                            uint32_t most) const {
  Network items;
  uint32_t at = Network::begin;
  uint32_t listed = static_cast<uint32_t>(std::min<size_t>(first.size(), most));
  for (uint32_t i = 0; i < listed; ++i) {
    if (i >= least)
      items.step(at, Network::end);
    uint32_t next = items.addNode();
    items.step(at, next, i == 0 ? first[i] : joined(comma, first[i]));
    at = next;
  }
  uint32_t missing = least > listed ? least - listed : 0;
  uint32_t room = most == Pattern::unbounded ? most : most - listed;
  if (missing == 0)
    items.step(at, Network::end);
  if (!rest || room == 0)
    return sequence({open('['), items.make(), close(']')});
  if (listed > 0) {
    items.step(at, Network::end, repeat(joined(comma, rest), missing, room));
  } else if (room == Pattern::unbounded && missing <= 1) {
    // The item stands here once, however long the list.
    uint32_t before = items.addNode(), behind = items.addNode();
    items.step(at, before);
    items.step(before, behind, rest);
    items.step(behind, before, comma);
    items.step(behind, Network::end);
  } else {
    uint32_t more = room == Pattern::unbounded ? room : room - 1;
    uint32_t behind = items.addNode();
    items.step(at, behind, rest);
    items.step(
        behind, Network::end,
        repeat(joined(comma, rest), missing > 0 ? missing - 1 : 0, more));
  }
  return sequence({open('['), items.make(), close(']')});
}

PatternRef JsonLayout::object(const std::vector<Member> &members,
                              const std::vector<Others> &others, uint32_t least,
                              uint32_t most) const {
  // A place: so many of `members` are behind us, so many members are written.
  // Without bounds only none and some are told apart.
  const bool isBounded = most != Pattern::unbounded;
  const uint32_t highest = isBounded ? std::max(most, 1u) : std::max(least, 1u);
  Network parts;
  std::map<std::pair<size_t, uint32_t>, uint32_t> nodes{
      {{0, 0}, Network::begin}};
  auto node = [&](size_t at, uint32_t written) {
    auto [it, isNew] = nodes.try_emplace({at, std::min(written, highest)}, 0);
    if (isNew)
      it->second = parts.addNode();
    return it->second;
  };
  auto pair = [&](const PatternRef &key, const PatternRef &value) {
    return sequence({key, colon, value});
  };
  /// Behind what is written a comma comes first.
  auto lead = [&](uint32_t from, uint32_t written, uint32_t to,
                  const PatternRef &part) {
    parts.step(from, to, written == 0 ? part : joined(comma, part));
  };
  for (size_t i = 0; i < members.size(); ++i) {
    const Member &member = members[i];
    PatternRef part = pair(member.key, member.value);
    // Where nothing counts, both ways share one copy of the part.
    bool shares = highest == 1 && !isBounded && nodes.count({i, 0}) &&
                  nodes.count({i, 1});
    uint32_t shared = 0;
    if (shares) {
      shared = parts.addNode();
      parts.step(node(i, 0), shared);
      parts.step(node(i, 1), shared, comma);
      parts.step(shared, node(i + 1, 1), part);
    }
    for (uint32_t written = 0; written <= highest; ++written) {
      if (!nodes.count({i, written}))
        continue;
      uint32_t from = node(i, written);
      if (!member.isRequired)
        parts.step(from, node(i + 1, written));
      if (!shares && (!isBounded || written < most))
        lead(from, written, node(i + 1, written + 1), part);
    }
  }
  size_t last = members.size();
  PatternRef other;
  if (!others.empty()) {
    std::vector<PatternRef> kinds;
    for (const Others &kind : others)
      kinds.push_back(pair(kind.key, kind.value));
    other = choice(std::move(kinds));
  }
  for (uint32_t written = 0; written <= highest; ++written) {
    if (!nodes.count({last, written}))
      continue;
    uint32_t from = node(last, written);
    if (other && (!isBounded || written < most))
      lead(from, written, node(last, written + 1), other);
    if (written >= least)
      parts.step(from, Network::end);
  }
  return sequence({open('{'), parts.make(), close('}')});
}

PatternRef JsonLayout::anyValue(uint32_t levels) const {
  // Far from every budget up to the levels that are asked for; kept for the
  // next one.
  static std::mutex guard;
  static std::map<std::pair<bool, uint32_t>, PatternRef> made;
  {
    std::scoped_lock lock(guard);
    if (auto it = made.find({blanks != nullptr, levels}); it != made.end())
      return it->second;
  }
  std::vector<PatternRef> kinds{text("null"), text("true"), text("false"),
                                floatPattern({}, {}),
                                jsonString(0, Pattern::unbounded)};
  PatternRef inner = levels > 0 ? anyValue(levels - 1) : choice({});
  kinds.push_back(list({}, inner, 0, Pattern::unbounded));
  kinds.push_back(object({}, {{jsonString(0, Pattern::unbounded), inner}}));
  auto automaton = compilePattern(choice(std::move(kinds)));
  PatternRef value =
      automaton ? pattern::language(std::move(*automaton)) : choice({});
  std::scoped_lock lock(guard);
  return made.emplace(std::pair{blanks != nullptr, levels}, value)
      .first->second;
}

} // namespace sgl
