// From the text of a typed gen to its value.
#include "ir/constraint/TypeConstraint.h"

#include "ir/value/JsonReader.h"

namespace sgl {

Result<Value> readTyped(const Type *type, std::string_view text) {
  if (standsBare(type))
    return convert(Value::text(std::string(text)), type);
  // A language of bytes cannot forbid that a key comes again.
  auto json = parseGeneratedJson(text);
  if (!json)
    return json.error();
  return convert(*json, type);
}

} // namespace sgl
