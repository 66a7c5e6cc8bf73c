// Diagnostics as a person or a program reads them.
//
// Entry point: render. `Human` is drawn in rustc's shape: place, line, carets
// by display width, notes, fix. `Short` is one line each, `Json` one object a
// line.
#pragma once

#include "compiler/source/Diagnostic.h"

#include <string>
#include <string_view>

namespace sgl {

enum class MessageFormat { Human, Short, Json };

struct RenderOptions {
  MessageFormat format = MessageFormat::Human;
  bool color = false; ///< Human only
};

/// One diagnostic, with a newline at its end.
std::string render(const Diagnostic &diagnostic, const SourceManager &sources,
                   const RenderOptions &options);
/// All of them, in order; Human puts an empty line between two.
std::string render(const Diagnostics &diagnostics, const SourceManager &sources,
                   const RenderOptions &options);
/// An error that has no place in a file (a file that cannot be read).
std::string renderPlain(std::string_view message, const RenderOptions &options);

} // namespace sgl
