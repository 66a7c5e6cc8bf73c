// Plans as canonical JSON: same plan, same bytes.
#pragma once

#include "ir/plan/Plan.h"

namespace sgl::plan {

/// Of the format, as in FORMAT.md.
constexpr uint32_t majorVersion = 1, minorVersion = 0;

/// One JSON text with a newline at its end; keys in the order of FORMAT.md.
std::string writePlan(const Plan &plan);
/// Reads and validates. Errors name the JSON path. Budgets: 256 MiB, 4 million
/// JSON values, regions 256 deep.
Result<Plan> readPlan(std::string_view text);
/// A plan as indented text for people (`sglc show`).
std::string showPlan(const Plan &plan);

} // namespace sgl::plan
