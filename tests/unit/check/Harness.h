// Checks a source text and prints its diagnostics as "CODE@line:column" lines.
#pragma once

#include "compiler/check/Check.h"

#include <string>
#include <vector>

namespace sgl {

/// Everything one check makes; the trees live as long as this.
struct Checked {
  SourceManager sources;
  Diagnostics diagnostics;
  CheckedProgram program;
};

/// `source` as the main file "main.sgl".
std::unique_ptr<Checked> checkText(std::string source,
                                   const ImportOptions &options = {});
/// "E0201@2:7 E0301@3:1", in the order of the file.
std::string codes(const Checked &checked);
/// All messages, for failures.
std::string messages(const Checked &checked);

} // namespace sgl
