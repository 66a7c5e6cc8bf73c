// A backtracking matcher: the slow twin of the automata.
//
// Random trees print themselves as patterns, so that parser, construction and
// matcher are checked together.
#pragma once

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace sgl::test {

/// Characters that random patterns and texts are made of.
inline const std::vector<std::string> letters = {"a", "b", "\u00e9", "\n",
                                                 "\U0001F642"};

struct Tree {
  enum Kind { Letter, Dot, Class, Sequence, Choice, Repeat, Begin, End } kind;
  std::vector<size_t> members; ///< Letter, Class: indices of `letters`
  bool negated = false;
  std::vector<Tree> parts;
  int least = 0, most = 0; ///< most -1: no limit

  using Next = std::function<bool(size_t)>;
  using Text = std::vector<size_t>; ///< indices of `letters`

  bool match(const Text &text, size_t at, const Next &next) const {
    switch (kind) {
    case Letter:
    case Dot:
    case Class:
      return at < text.size() && takes(text[at]) && next(at + 1);
    case Sequence:
      return matchParts(0, text, at, next);
    case Choice:
      for (const Tree &part : parts)
        if (part.match(text, at, next))
          return true;
      return false;
    case Repeat:
      return matchRepeat(0, text, at, next);
    case Begin:
      return at == 0 && next(at);
    case End:
      return at == text.size() && next(at);
    }
    return false;
  }

  bool matches(const Text &text) const {
    return match(text, 0, [&](size_t at) { return at == text.size(); });
  }

  std::string print() const {
    std::string out;
    switch (kind) {
    case Letter:
      return letters[members[0]];
    case Dot:
      return ".";
    case Class:
      for (size_t member : members)
        out += letters[member];
      return (negated ? "[^" : "[") + out + "]";
    case Sequence:
      for (const Tree &part : parts)
        out += part.kind == Choice ? "(" + part.print() + ")" : part.print();
      return out;
    case Choice:
      for (size_t i = 0; i < parts.size(); ++i)
        out += (i == 0 ? "" : "|") + parts[i].print();
      return out;
    case Repeat:
      out = "(?:" + parts[0].print() + "){" + std::to_string(least) + ",";
      return out + (most < 0 ? "" : std::to_string(most)) + "}";
    case Begin:
      return "^";
    case End:
      return "$";
    }
    return out;
  }

private:
  bool takes(size_t letter) const {
    if (kind == Dot)
      return letters[letter] != "\n";
    bool member = false;
    for (size_t one : members)
      member |= one == letter;
    return member != negated;
  }
  bool matchParts(size_t i, const Text &text, size_t at,
                  const Next &next) const {
    if (i == parts.size())
      return next(at);
    return parts[i].match(text, at, [&](size_t after) {
      return matchParts(i + 1, text, after, next);
    });
  }
  bool matchRepeat(int done, const Text &text, size_t at,
                   const Next &next) const {
    if (done >= least && next(at))
      return true;
    if (most >= 0 && done >= most)
      return false;
    // A round that takes nothing only helps to reach the least count.
    return parts[0].match(text, at, [&](size_t after) {
      if (after == at && done >= least)
        return false;
      return matchRepeat(done + 1, text, after, next);
    });
  }
};

inline Tree randomTree(std::mt19937 &random, int depth) {
  auto pick = [&](int n) { return int(random() % unsigned(n)); };
  Tree tree;
  int kind = pick(depth > 0 ? 10 : 4);
  if (kind < 2) {
    tree.kind = Tree::Letter;
    tree.members = {size_t(pick(int(letters.size())))};
  } else if (kind == 2) {
    tree.kind = Tree::Dot;
  } else if (kind == 3) {
    tree.kind = Tree::Class;
    for (size_t i = 0; i < letters.size(); ++i)
      if (pick(2))
        tree.members.push_back(i);
    if (tree.members.empty())
      tree.members = {0};
    tree.negated = pick(2);
  } else if (kind < 7) {
    tree.kind = kind < 6 ? Tree::Sequence : Tree::Choice;
    for (int i = kind < 6 ? pick(4) : 1 + pick(3); i > 0; --i)
      tree.parts.push_back(randomTree(random, depth - 1));
  } else if (kind < 9) {
    tree.kind = Tree::Repeat;
    tree.parts = {randomTree(random, depth - 1)};
    tree.least = pick(3);
    tree.most = pick(3) ? tree.least + pick(3) : -1;
  } else {
    tree.kind = pick(2) ? Tree::Begin : Tree::End;
  }
  return tree;
}

inline Tree::Text randomText(std::mt19937 &random, size_t longest) {
  Tree::Text text(random() % (longest + 1));
  for (size_t &letter : text)
    letter = random() % letters.size();
  return text;
}

inline std::string toBytes(const Tree::Text &text) {
  std::string out;
  for (size_t letter : text)
    out += letters[letter];
  return out;
}

} // namespace sgl::test
