// Reading and writing of JSON Lines.
#include "runtime/tools/JsonLines.h"

#include <string>

namespace sgl {

namespace {

/// Reads up to a newline; false at the end of the stream. A line beyond the
/// limit is cut there, which the caller sees by its length.
bool readLine(std::istream &in, std::string &line) {
  line.clear();
  std::streambuf *buffer = in.rdbuf();
  constexpr int end = std::char_traits<char>::eof();
  int c = buffer->sbumpc();
  if (c == end)
    return false;
  for (; c != end && c != '\n'; c = buffer->sbumpc()) {
    line += static_cast<char>(c);
    if (line.size() > maxJsonLine)
      return true;
  }
  return true;
}

} // namespace

void writeJsonLine(std::ostream &out, const nlohmann::ordered_json &value) {
  using Json = nlohmann::ordered_json;
  out << value.dump(-1, ' ', true, Json::error_handler_t::replace) << '\n'
      << std::flush;
}

Status answerJsonLines(std::istream &in, std::ostream &out,
                       const JsonAnswer &answer) {
  std::string line;
  for (size_t number = 1; readLine(in, line); ++number) {
    std::string place = "line " + std::to_string(number) + ": ";
    if (line.size() > maxJsonLine)
      return Error{place + "longer than " + std::to_string(maxJsonLine >> 20) +
                   " MiB"};
    if (line.find_first_not_of(" \t\r") == std::string::npos)
      continue;
    auto row = nlohmann::json::parse(line, nullptr, false);
    if (row.is_discarded() || !row.is_object())
      return Error{place + "not a JSON object"};
    auto reply = answer(row);
    if (!reply)
      return Error{place + reply.error().message};
    writeJsonLine(out, *reply);
  }
  return Done{};
}

} // namespace sgl
