// Replies of a scripted model: from a JSON value, or drawn from a hash.
#pragma once

#include "runtime/exec/Model.h"

namespace sgl {

/// The text that a gen would have written for `value`: texts, numbers, enums
/// and the like bare, all else JSON (2.6). It must satisfy type and constraint.
Result<std::string> scriptedText(const GenRequest &request, const Value &value);

/// A text that fits type and constraint, drawn from a hash of prompt and
/// options, and of the draw key where the gen is sampled: equal greedy gens get
/// equal texts.
Result<std::string> hashedText(const GenRequest &request);

/// Scores of the choices drawn the same way.
std::vector<double> hashedScores(const SelectRequest &request);

} // namespace sgl
