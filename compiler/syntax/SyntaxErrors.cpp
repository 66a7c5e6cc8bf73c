// ANTLR's sets of expected words, told in the user's.
#include "compiler/syntax/SyntaxErrors.h"

#include "compiler/syntax/Words.h"

namespace sgl::syntax {

using antlr4::Token;

namespace {

/// A kind of sentence, told by words that begin it.
struct Kind {
  const char *name;
  std::vector<size_t> has, lacks;
};

const Kind kinds[] = {
    {"a statement (`let`, `if`, `s += …`, `return`, …)",
     {SglLexer::LET, SglLexer::WHILE, SglLexer::IDENTIFIER},
     {SglLexer::IMPORT}},
    {"an item (`fn`, `record`, `enum`, `let`, `tool`, `test`, …)",
     {SglLexer::FN, SglLexer::RECORD, SglLexer::LET},
     {SglLexer::WHILE}},
    {"a name", {SglLexer::IDENTIFIER}, {SglLexer::OPEN_TEXT}},
    {"an expression",
     {SglLexer::IDENTIFIER, SglLexer::OPEN_TEXT, SglLexer::GEN, SglLexer::INT},
     {}},
    {"a pattern",
     {SglLexer::IDENTIFIER, SglLexer::OPEN_TEXT, SglLexer::INT},
     {}},
    {"a type", {SglLexer::IDENTIFIER, SglLexer::OPEN_TEXT}, {}},
};

/// Signs that may follow a whole expression: "an operator" says it shorter.
constexpr size_t operators[] = {SglLexer::PLUS,
                                SglLexer::MINUS,
                                SglLexer::STAR,
                                SglLexer::SLASH,
                                SglLexer::PERCENT,
                                SglLexer::RANGE,
                                SglLexer::EQUAL,
                                SglLexer::NOT_EQUAL,
                                SglLexer::LESS,
                                SglLexer::LESS_EQUAL,
                                SglLexer::GREATER,
                                SglLexer::GREATER_EQUAL,
                                SglLexer::IN,
                                SglLexer::NOT,
                                SglLexer::AND,
                                SglLexer::OR,
                                SglLexer::RANGE_INCLUSIVE};

std::string wordOf(const antlr4::dfa::Vocabulary &words, size_t type) {
  switch (type) {
  case Token::EOF:
    return "the end of the file";
  case SglLexer::IDENTIFIER:
    return "a name";
  case SglLexer::INT:
  case SglLexer::FLOAT:
    return "a number";
  case SglLexer::OPEN_TEXT:
  case SglLexer::OPEN_BLOCK:
  case SglLexer::RAW_TEXT:
  case SglLexer::RAW_BLOCK:
    return "a text";
  default:
    break;
  }
  std::string quoted = words.getLiteralName(type);
  return quoted.size() < 2 ? "more text"
                           : "`" + quoted.substr(1, quoted.size() - 2) + "`";
}

bool holdsAll(const antlr4::misc::IntervalSet &set,
              const std::vector<size_t> &types) {
  for (size_t type : types)
    if (!set.contains(type))
      return false;
  return true;
}

bool holdsAny(const antlr4::misc::IntervalSet &set,
              const std::vector<size_t> &types) {
  for (size_t type : types)
    if (set.contains(type))
      return true;
  return false;
}

/// Every word that begins a name, an expression or a statement is told by the
/// kind; only signs are told beside it.
bool isSign(size_t type) {
  return type == Token::EOF ||
         (type >= SglLexer::ARROW && type <= SglLexer::RIGHT_BRACE &&
          type != SglLexer::SEMICOLON);
}

std::string expected(antlr4::Parser *parser) {
  const antlr4::atn::ATN &atn = parser->getATN();
  antlr4::misc::IntervalSet set =
      atn.nextTokens(atn.states[parser->getState()]);
  set.remove(size_t(Token::EPSILON));
  std::vector<std::string> list;
  bool hasKind = false;
  for (const Kind &kind : kinds)
    if (holdsAll(set, kind.has) && !holdsAny(set, kind.lacks)) {
      list.push_back(kind.name);
      hasKind = true;
      break;
    }
  bool hasOperators = set.contains(size_t(SglLexer::STAR));
  for (size_t type : operators)
    if (hasOperators)
      set.remove(type);
  for (ssize_t type : set.toList()) {
    if (hasKind &&
        (!isSign(size_t(type)) || type == SglLexer::MINUS ||
         type == SglLexer::LEFT_PAREN || type == SglLexer::LEFT_BRACKET ||
         type == SglLexer::LEFT_BRACE))
      continue;
    if (type == SglLexer::UNCLOSED || type == SglLexer::SEMICOLON)
      continue;
    std::string word = wordOf(parser->getVocabulary(), size_t(type));
    if (std::find(list.begin(), list.end(), word) == list.end())
      list.push_back(std::move(word));
  }
  if (list.empty())
    return "something else";
  std::string text;
  for (size_t i = 0; i < list.size() && i < 5; ++i) {
    bool last = i + 1 == std::min<size_t>(list.size(), 5);
    text += i == 0 ? "" : last ? " or " : ", ";
    text += list[i];
  }
  return text;
}

/// What people of other languages write.
struct Habit {
  std::string_view written, ours;
};
constexpr Habit habits[] = {
    {"&", "`and` joins two conditions"},
    {"!", "`not` turns a condition round"},
    {"'", "text stands in double quotes"},
    {"#", "comments begin with `//`"},
    {"`", "text stands in double quotes"},
    {"->", "`=>` stands between a pattern and its arm"},
    {"def", "functions begin with `fn`"},
    {"func", "functions begin with `fn`"},
    {"function", "functions begin with `fn`"},
    {"class", "records begin with `record`"},
    {"struct", "records begin with `record`"},
    {"const", "constants begin with `let`"},
    {"var", "constants begin with `let`"},
};

} // namespace

void ErrorStrategy::beginErrorCondition(antlr4::Parser *parser) {
  if (!inErrorRecoveryMode(parser))
    errorLine = parser->getCurrentToken()->getLine();
  if (!recovery)
    recovery.emplace(*parser->getTokenStream());
  DefaultErrorStrategy::beginErrorCondition(parser);
}

void ErrorStrategy::consumeUntil(antlr4::Parser *parser,
                                 const antlr4::misc::IntervalSet &set) {
  recovery->skipTo(set, errorLine);
}

void ErrorStrategy::recover(antlr4::Parser *parser, std::exception_ptr) {
  antlr4::TokenStream *words = parser->getTokenStream();
  // Twice at one place in one state: without a step this would not end.
  if (words->index() == lastIndex && lastStates.count(parser->getState()) &&
      words->LA(1) != Token::EOF)
    parser->consume();
  if (words->index() != lastIndex)
    lastStates.clear();
  lastIndex = words->index();
  lastStates.insert(parser->getState());
  recovery->leaveRule(getErrorRecoverySet(parser),
                      parser->getContext()->getStart()->getTokenIndex(),
                      errorLine);
}

/// Leaving a bracket out would put the rest out of step, and what stands on the
/// next line hardly goes on with this one.
Token *ErrorStrategy::singleTokenDeletion(antlr4::Parser *parser) {
  antlr4::TokenStream *words = parser->getTokenStream();
  size_t type = words->LA(1);
  bool isBracket = Recovery::isOpening(type) || Recovery::isClosing(type);
  if (isBracket || type == Token::EOF ||
      words->LT(2)->getLine() > words->LT(1)->getLine())
    return nullptr;
  return DefaultErrorStrategy::singleTokenDeletion(parser);
}

/// So would making one up.
bool ErrorStrategy::singleTokenInsertion(antlr4::Parser *parser) {
  for (ssize_t type : parser->getExpectedTokens().toList())
    if (Recovery::isOpening(size_t(type)) || Recovery::isClosing(size_t(type)))
      return false;
  return DefaultErrorStrategy::singleTokenInsertion(parser);
}

void ErrorStrategy::mismatch(antlr4::Parser *parser, const Token *token) {
  Span span = token->getType() == Token::EOF
                  ? log.span(text.size(), text.size())
                  : spanOf(token, log);
  std::string_view word = text.substr(span.begin, span.size());
  std::string found = token->getType() == Token::EOF ? "the file ends"
                      : word.empty()                 ? "it ends here"
                      : word.size() > 40             ? "found a long word"
                                         : "found `" + std::string(word) + "`";
  std::string wanted = expected(parser);
  Diagnostic &error = log.guess(span, "expected " + wanted + ", " + found);
  error.label("this does not fit here");
  if (word == "=" && wanted == "`{`")
    error.note("`==` compares, `=` only assigns");
  for (const Habit &habit : habits)
    if (word == habit.written)
      error.note(std::string(habit.ours));
}

void ErrorStrategy::reportNoViableAlternative(
    antlr4::Parser *parser, const antlr4::NoViableAltException &failure) {
  mismatch(parser, failure.getOffendingToken());
}

void ErrorStrategy::reportInputMismatch(
    antlr4::Parser *parser, const antlr4::InputMismatchException &failure) {
  mismatch(parser, failure.getOffendingToken());
}

void ErrorStrategy::reportUnwantedToken(antlr4::Parser *parser) {
  if (inErrorRecoveryMode(parser))
    return;
  beginErrorCondition(parser);
  mismatch(parser, parser->getCurrentToken());
}

/// A missing word is reported behind the word before it, not at the next one,
/// which may stand lines below.
void ErrorStrategy::reportMissingToken(antlr4::Parser *parser) {
  if (inErrorRecoveryMode(parser))
    return;
  beginErrorCondition(parser);
  const Token *before = parser->getTokenStream()->LT(-1);
  if (!before)
    return mismatch(parser, parser->getCurrentToken());
  size_t end = before->getStopIndex() + 1;
  log.guess(log.span(end, end), "expected " + expected(parser) + " here")
      .label("missing");
}

} // namespace sgl::syntax
