// Names of the options that gen and select take (2.6, 2.7).
#pragma once

#include <string_view>

namespace sgl::plan {

bool isGenOption(std::string_view name);
bool isSelectOption(std::string_view name);

} // namespace sgl::plan
