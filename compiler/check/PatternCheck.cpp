// Compiles patterns and types, once each, and says where they fail; see
// PatternCheck.h.
#include "compiler/check/PatternCheck.h"

#include "ir/constraint/Regex.h"
#include "ir/constraint/TypeConstraint.h"

#include <charconv>

namespace sgl {

namespace {

bool contains(const std::string &text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// The offset that a message names ("… at byte 7 of the pattern"), cut off from
/// the message, or nothing.
std::optional<uint32_t> takeOffset(std::string &message) {
  constexpr std::string_view mark = " at byte ";
  size_t at = message.rfind(mark);
  if (at == std::string::npos)
    return std::nullopt;
  const char *digits = message.data() + at + mark.size();
  uint32_t offset = 0;
  auto [end, failed] =
      std::from_chars(digits, message.data() + message.size(), offset);
  if (failed != std::errc())
    return std::nullopt;
  message.resize(at);
  return offset;
}

/// The source bytes that one byte of a literal's text was written as.
size_t writtenLength(std::string_view source, size_t at) {
  if (source[at] != '\\' || at + 1 >= source.size())
    return 1;
  if (source[at + 1] != 'u')
    return 2;
  size_t close = source.find('}', at);
  return close == std::string_view::npos ? 2 : close + 1 - at;
}

/// Where byte `offset` of a pattern stands in its literal on one line; the
/// whole literal where that cannot be said (blocks, constants).
Span placeIn(Session &session, Span literal, uint32_t offset) {
  std::string_view source = session.sources.text(literal);
  bool raw = !source.empty() && source[0] == 'r';
  size_t open = raw ? 1 : 0;
  bool block = source.substr(open, 3) == "\"\"\"";
  if (source.size() <= open || source[open] != '"' ||
      (block && contains(std::string(source), "\n")))
    return literal;
  size_t at = open + (block ? 3 : 1);
  for (uint32_t i = 0; i < offset && at < source.size(); ++i)
    at += raw ? 1 : writtenLength(source, at);
  if (at + 1 >= source.size())
    at = source.size() - (block ? 3 : 1);
  uint32_t begin = literal.begin + uint32_t(at);
  return {literal.file, begin, begin + 1};
}

} // namespace

bool checkPattern(Session &session, const std::string &pattern, Span literal) {
  auto [entry, fresh] = session.checked.patterns.try_emplace(pattern);
  if (!fresh && entry->second)
    return true;
  Result<Automaton> automaton = compileRegex(pattern);
  if (automaton) {
    entry->second = std::make_shared<const Automaton>(std::move(*automaton));
    return true;
  }
  std::string message = automaton.error().message;
  std::optional<uint32_t> offset = takeOffset(message);
  Span place = offset ? placeIn(session, literal, *offset) : literal;
  bool cannot = contains(message, "look-") ||
                contains(message, "back-reference") ||
                contains(message, "word boundary");
  if (cannot)
    session.error("E0402", place, "this regex cannot constrain: " + message)
        .label("not regular")
        .note("put the text that stands around it beside the `gen` instead");
  else
    session.error("E0401", place, "this regex does not compile: " + message)
        .label("here");
  return false;
}

bool checkGenerable(Session &session, const Type *type, Span span) {
  if (!isConstraining(type) || session.checked.automata.count(type))
    return true;
  ConstraintFault fault;
  Result<Automaton> automaton = compileType(type, {}, &fault);
  if (automaton) {
    session.checked.automata[type] =
        std::make_shared<const Automaton>(std::move(*automaton));
    return true;
  }
  using Kind = ConstraintFault::Kind;
  if (fault.kind == Kind::Unsatisfiable)
    session.error("E0407", span, "no text is a " + ticked(type))
        .label("nothing to generate");
  else if (fault.kind == Kind::Ambiguous)
    session
        .error("E0403", span,
               "the members of a union in " + ticked(type) +
                   " cannot be told apart")
        .label("ambiguous")
        .note(fault.message);
  else
    session
        .error("E0407", span,
               "a `gen` cannot be constrained to " + ticked(type))
        .label("this type")
        .note(fault.message);
  return false;
}

} // namespace sgl
