// The options of `gen` and `select`: one table (2.6, 2.7).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sgl {

enum class OptionKind {
  Int,
  Float,
  Bool,
  Text,
  TextOrList, ///< a text or a list of texts
  Weights,    ///< {str: float}
  Word,       ///< one of `words`, never looked up as a name
  Schema,     ///< a constant json
};

struct OptionInfo {
  std::string_view name;
  OptionKind kind = OptionKind::Int;
  bool ofGen = true, ofSelect = false;
  double low = 0, high = 0;    ///< of a number, both inclusive
  bool aboveLow = false;       ///< low itself is out
  std::string_view range = ""; ///< for messages: "from 0 to 2"
  std::vector<std::string_view> words = {};
};

/// Null where there is no such option.
const OptionInfo *findOption(std::string_view name);
/// Names of the options that `gen` (or `select`) takes.
std::vector<std::string> optionNames(bool ofSelect);

} // namespace sgl
