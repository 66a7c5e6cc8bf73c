// `sglmodel tokenize` and `sglmodel detokenize`.
#pragma once

#include <istream>
#include <ostream>
#include <string>

namespace sgl {

struct TokensOptions {
  std::string model;
  bool special = false; ///< texts of control tokens become them
  bool json = false;    ///< one object with ids and texts
  bool jsonLines = false;
};

/// Text on `in`, ids on `out` separated by blanks. Returns the exit status.
int runTokenize(const TokensOptions &options, std::istream &in,
                std::ostream &out, std::ostream &errors);
/// Ids on `in` separated by blanks, their text on `out`.
int runDetokenize(const TokensOptions &options, std::istream &in,
                  std::ostream &out, std::ostream &errors);

} // namespace sgl
