// Steps over words and whole groups of them; see Recovery.h.
#include "compiler/syntax/Recovery.h"

#include "SglLexer.h"

namespace sgl::syntax {

using antlr4::Token;

bool Recovery::isOpening(size_t type) {
  return type == SglLexer::LEFT_PAREN || type == SglLexer::LEFT_BRACKET ||
         type == SglLexer::LEFT_BRACE || type == SglLexer::OPEN_HOLE;
}

bool Recovery::isClosing(size_t type) {
  return type == SglLexer::RIGHT_PAREN || type == SglLexer::RIGHT_BRACKET ||
         type == SglLexer::RIGHT_BRACE;
}

Recovery::Recovery(antlr4::TokenStream &words) : words(words) {
  std::vector<size_t> open;
  size_t count = words.size();
  enclosing.resize(count, none);
  partner.resize(count, count - 1);
  for (size_t i = 0; i < count; ++i) {
    size_t type = words.get(i)->getType();
    if (isClosing(type) && !open.empty()) {
      partner[open.back()] = i;
      enclosing[i] = open.back();
      open.pop_back();
      continue;
    }
    enclosing[i] = open.empty() ? none : open.back();
    if (isOpening(type))
      open.push_back(i);
  }
}

/// One word, or a whole group.
void Recovery::skipGroup() {
  size_t index = words.index();
  bool opens = isOpening(words.LA(1));
  words.seek(opens ? partner[index] + 1 : index + 1);
}

void Recovery::skipTo(const antlr4::misc::IntervalSet &set, size_t errorLine) {
  size_t open = enclosing[words.index()];
  bool inBlock =
      open == none || words.get(open)->getType() == SglLexer::LEFT_BRACE;
  size_t end = open == none ? partner.size() - 1 : partner[open];
  while (words.index() < end) {
    size_t type = words.LA(1);
    if (inBlock ? set.contains(type) && words.LT(1)->getLine() > errorLine
                : type == SglLexer::COMMA)
      return;
    skipGroup();
  }
}

void Recovery::leaveRule(const antlr4::misc::IntervalSet &set, size_t ruleBegin,
                         size_t errorLine) {
  size_t open = enclosing[words.index()];
  if (open == none || ruleBegin > open)
    return skipTo(set, errorLine);
  words.seek(partner[open]);
  if (words.LA(1) != Token::EOF)
    words.consume();
}

} // namespace sgl::syntax
