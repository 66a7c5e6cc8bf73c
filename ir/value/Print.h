// Appending forms of the printers in Value.h, for writers of larger texts.
#pragma once

#include "ir/value/Value.h"

namespace sgl {

/// `text` as a JSON string with its quotes. Bytes that are not UTF-8 become
/// U+FFFD, since JSON cannot hold them.
void appendJsonText(std::string &out, std::string_view text);
void appendJson(std::string &out, const Value &value);

} // namespace sgl
