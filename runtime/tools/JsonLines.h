// Answers each line of JSON on a stream with one line of JSON.
//
// Entry point: answerJsonLines. Lines are outside input: they are parsed
// without exceptions, and a wrong one ends the command with its number.
#pragma once

#include "ir/value/Result.h"

#include <functional>
#include <istream>
#include <nlohmann/json.hpp>
#include <ostream>

namespace sgl {

/// Longest line that is read, in bytes.
inline constexpr size_t maxJsonLine = size_t{64} << 20;

using JsonAnswer =
    std::function<Result<nlohmann::ordered_json>(const nlohmann::json &row)>;

/// Calls `answer` with each object of `in` and writes what it gives to `out`,
/// flushed line by line. Blank lines are passed over. An error names the line.
Status answerJsonLines(std::istream &in, std::ostream &out,
                       const JsonAnswer &answer);

/// Writes one JSON value as a line of ASCII: readers that split lines at U+2028
/// see one line. Bytes that are not UTF-8 become U+FFFD.
void writeJsonLine(std::ostream &out, const nlohmann::ordered_json &value);

} // namespace sgl
