// The standard library, embedded in the compiler as bytes.
#pragma once

#include <optional>
#include <string_view>

namespace sgl {

/// The source of a module: "std.reason" is stdlib/reason.sgl. Nothing if the
/// library has no such module.
std::optional<std::string_view> embeddedModule(std::string_view dottedName);

} // namespace sgl
