// Values of a program, both folded when compiled and computed when run.
//
// A Value is small and cheap to copy: aggregates are shared and immutable.
// Prompt states and media are opaque here (the runtime defines them).
#pragma once

#include "ir/value/Result.h"
#include "ir/value/Type.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace sgl {

class Value;

/// Opaque payloads of the runtime: a prompt state, an image, a video.
struct Opaque {
  virtual ~Opaque() = default;
};

using ListData = std::vector<Value>;
/// In order of insertion; a key set again keeps its place.
using MapData = std::vector<std::pair<std::string, Value>>;

struct RecordData {
  const RecordDecl *decl = nullptr; ///< outlives the value (its TypeContext)
  std::vector<Value> fields;        ///< one for each field of `decl`
};

struct EnumValue {
  const EnumDecl *decl = nullptr;
  uint32_t member = 0;
};

class Value {
public:
  Value() = default; ///< null
  static Value null() { return {}; }
  static Value boolean(bool b);
  static Value integer(int64_t i);
  static Value number(double d); ///< finite
  static Value text(std::string s);
  static Value list(ListData items);
  static Value map(MapData items);
  static Value record(const RecordDecl *decl, std::vector<Value> fields);
  static Value enumeration(const EnumDecl *decl, uint32_t member);
  static Value state(std::shared_ptr<const Opaque> state);
  static Value media(std::shared_ptr<const Opaque> media);

  bool isNull() const { return std::holds_alternative<std::monostate>(data); }
  const bool *asBool() const { return std::get_if<bool>(&data); }
  const int64_t *asInt() const { return std::get_if<int64_t>(&data); }
  const double *asFloat() const { return std::get_if<double>(&data); }
  const std::string *asText() const;
  const ListData *asList() const;
  const MapData *asMap() const;
  const RecordData *asRecord() const;
  const EnumValue *asEnum() const { return std::get_if<EnumValue>(&data); }
  std::shared_ptr<const Opaque> asState() const;
  std::shared_ptr<const Opaque> asMedia() const;
  /// 0 for a plain value, else one more than the deepest part. Functions over
  /// values recurse, so whoever builds values keeps this below `maxDepth`.
  uint32_t depth() const;
  static constexpr uint32_t maxDepth = 256;

private:
  template <typename T>
  struct Box {
    T items;
    uint32_t depth = 1;
  };
  struct StateBox {
    std::shared_ptr<const Opaque> ptr;
  };
  struct MediaBox {
    std::shared_ptr<const Opaque> ptr;
  };
  std::variant<
      std::monostate, bool, int64_t, double, std::shared_ptr<const std::string>,
      std::shared_ptr<const Box<ListData>>, std::shared_ptr<const Box<MapData>>,
      std::shared_ptr<const Box<RecordData>>, EnumValue, StateBox, MediaBox>
      data;
};

/// `==` of the language (2.2): content, numbers by value, maps in any order.
/// An enum equals its text and a record the map of its fields, since both can
/// stand as a json.
bool equal(const Value &a, const Value &b);
/// -1, 0, 1 of two ints or floats, exactly.
int compareNumbers(const Value &a, const Value &b);
/// The text of a text or an enum; null otherwise.
const std::string *textOf(const Value &value);
/// The entry of a map or field of a record; null where there is none.
const Value *entry(const Value &aggregate, std::string_view key);

/// What `${}` writes (2.3): text, enums and a json that is text bare, floats
/// with shortest round-trip digits, all else canonical JSON.
std::string print(const Value &value);
/// Canonical JSON on one line, `{"a": 1, "b": [2, 3]}` (2.6). Enums by text.
std::string toJson(const Value &value);
/// Shortest round-trip digits: `3.0`, `0.1`, `1e16`, `1e-5` (2.3).
std::string printFloat(double value);

struct JsonLimits {
  uint32_t depth = 256;
  size_t bytes = size_t(64) << 20;
  size_t values = size_t(16) << 20; ///< nulls, numbers, texts, lists, objects
};
/// A JSON text as an untyped value (json): objects become maps. Duplicate keys,
/// invalid UTF-8 and integers beyond 64 bits are errors; messages end in
/// "at line L, column C".
Result<Value> parseJson(std::string_view text, JsonLimits limits = {});

/// Converts an untyped value to `type` (2.2, 2.10): objects to records
/// (defaults filled in), texts to enums, integers to floats; refinements are
/// checked. Unknown or missing fields and wrong types are errors that name the
/// path.
Result<Value> convert(const Value &json, const Type *type);
/// Checks a value against refinements and literals of `type` without
/// converting.
Status conforms(const Value &value, const Type *type);

} // namespace sgl
