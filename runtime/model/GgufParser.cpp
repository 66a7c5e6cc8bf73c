// Reads header, metadata and tensor table of a GGUF file.
//
// One forward pass over the bytes. A step that cannot go on records the first
// error and every caller above returns at once.
#include "runtime/model/GgufParser.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>

namespace sgl {

namespace {

static_assert(std::endian::native == std::endian::little,
              "the reader copies little-endian numbers");

/// Ids of metadata value types.
enum class ValueType : uint32_t {
  U8,
  I8,
  U16,
  I16,
  U32,
  I32,
  F32,
  Bool,
  String,
  Array,
  U64,
  I64,
  F64,
};

/// Bytes of a fixed-size value; 0 for strings, arrays and unknown ids.
uint64_t fixedSize(uint32_t type) {
  constexpr uint8_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  return type < std::size(sizes) ? sizes[type] : 0;
}

/// A name from the file made safe to print: 64 bytes at most, no controls.
std::string printable(std::string_view name) {
  std::string out = "'";
  for (char c : name.substr(0, 64))
    out += (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) ? '?' : c;
  return out + (name.size() > 64 ? "...'" : "'");
}

class GgufParser {
public:
  explicit GgufParser(std::span<const std::byte> bytes) : bytes(bytes) {
    contents.fileBytes = bytes.size();
  }

  Result<GgufContents> run() {
    if (!readHeader() || !readMetadata() || !checkWholeModel() ||
        !readTensors())
      return Error{message};
    return std::move(contents);
  }

private:
  bool fail(std::string text) {
    message = std::move(text);
    return false;
  }
  uint64_t left() const { return bytes.size() - position; }

  /// Copies a number of the file; `what` names it in the message.
  template <typename T>
  bool read(T &value, const std::string &what) {
    if (left() < sizeof(T))
      return fail("the file ends inside " + what);
    std::memcpy(&value, bytes.data() + position, sizeof(T));
    position += sizeof(T);
    return true;
  }

  bool readString(std::string_view &text, const std::string &what) {
    uint64_t length = 0;
    if (!read(length, what))
      return false;
    if (length > maxGgufString)
      return fail(what + " says it has " + std::to_string(length) +
                  " bytes, at most 1 GiB is allowed");
    if (length > left())
      return fail("the file ends inside " + what);
    text = {reinterpret_cast<const char *>(bytes.data()) + position, length};
    position += length;
    return true;
  }

  bool readHeader();
  bool readMetadata();
  bool readValue(GgufValue &value, uint32_t type, const std::string &what);
  bool readNumber(GgufValue &value, ValueType type, const std::string &what);
  bool readArray(GgufValue &value, const std::string &what);
  bool readElements(GgufArray &array, uint32_t type, uint64_t count,
                    const std::string &what);
  bool checkWholeModel();
  bool readTensors();
  bool readTensorInfo(GgufTensor &tensor, uint64_t index);
  bool readShape(GgufTensor &tensor, const std::string &what);
  bool checkTensorType(GgufTensor &tensor, const std::string &what);
  bool placeTensors();

  template <typename Stored, typename Wide>
  bool readAs(GgufValue &value, const std::string &what) {
    Stored number = 0;
    if (!read(number, what))
      return false;
    value = static_cast<Wide>(number);
    return true;
  }

  std::span<const std::byte> bytes;
  uint64_t position = 0;
  uint64_t keyCount = 0, tensorCount = 0;
  uint64_t alignment = 32;
  uint64_t arrayElements = 0;
  std::vector<uint64_t> offsets, sizes; ///< of each tensor's data
  std::string message;
  GgufContents contents;
};

bool GgufParser::readHeader() {
  uint32_t magic = 0, version = 0;
  if (left() < 4)
    return fail("the file ends inside the magic bytes");
  std::memcpy(&magic, bytes.data(), 4);
  if (std::memcmp(&magic, "GGUF", 4) != 0)
    return fail("not a GGUF file: it does not start with 'GGUF'");
  position = 4;
  if (!read(version, "the version"))
    return false;
  if ((version & 0xffff) == 0 && version != 0)
    return fail("the file is big-endian, only little-endian GGUF is read");
  if (version != 2 && version != 3)
    return fail("GGUF version " + std::to_string(version) +
                " is not supported, versions 2 and 3 are");
  contents.version = version;
  if (!read(tensorCount, "the tensor count") ||
      !read(keyCount, "the key count"))
    return false;
  // The shortest tensor entry has 24 bytes, the shortest key 13.
  if (tensorCount > std::min(maxGgufTensors, left() / 24))
    return fail("the tensor count is " + std::to_string(tensorCount) +
                ", more than the file can hold");
  if (keyCount > std::min(maxGgufKeys, left() / 13))
    return fail("the key count is " + std::to_string(keyCount) +
                ", more than the file can hold");
  return true;
}

bool GgufParser::readMetadata() {
  std::set<std::string_view> seen;
  contents.metadata.reserve(keyCount);
  for (uint64_t i = 0; i < keyCount; ++i) {
    std::string_view key;
    uint32_t type = 0;
    if (!readString(key, "the name of key " + std::to_string(i)))
      return false;
    if (key.empty())
      return fail("key " + std::to_string(i) + " has no name");
    std::string what = "key " + printable(key);
    if (!seen.insert(key).second)
      return fail(what + " appears twice");
    GgufValue value;
    if (!read(type, what) || !readValue(value, type, what))
      return false;
    contents.metadata.emplace_back(std::string(key), std::move(value));
  }
  return true;
}

bool GgufParser::readValue(GgufValue &value, uint32_t type,
                           const std::string &what) {
  if (type > static_cast<uint32_t>(ValueType::F64))
    return fail(what + " has the unknown value type " + std::to_string(type));
  auto known = static_cast<ValueType>(type);
  if (known == ValueType::Array)
    return readArray(value, what);
  if (known != ValueType::String)
    return readNumber(value, known, what);
  std::string_view text;
  if (!readString(text, what))
    return false;
  value = text;
  return true;
}

bool GgufParser::readNumber(GgufValue &value, ValueType type,
                            const std::string &what) {
  switch (type) {
  case ValueType::U8:
    return readAs<uint8_t, uint64_t>(value, what);
  case ValueType::I8:
    return readAs<int8_t, int64_t>(value, what);
  case ValueType::U16:
    return readAs<uint16_t, uint64_t>(value, what);
  case ValueType::I16:
    return readAs<int16_t, int64_t>(value, what);
  case ValueType::U32:
    return readAs<uint32_t, uint64_t>(value, what);
  case ValueType::I32:
    return readAs<int32_t, int64_t>(value, what);
  case ValueType::U64:
    return readAs<uint64_t, uint64_t>(value, what);
  case ValueType::I64:
    return readAs<int64_t, int64_t>(value, what);
  case ValueType::F32:
    return readAs<float, double>(value, what);
  case ValueType::F64:
    return readAs<double, double>(value, what);
  case ValueType::Bool: {
    uint8_t truth = 0;
    if (!read(truth, what))
      return false;
    if (truth > 1)
      return fail(what + " is a bool of value " + std::to_string(truth));
    value = truth != 0;
    return true;
  }
  case ValueType::String:
  case ValueType::Array:
    break;
  }
  assert(false && "strings and arrays are read elsewhere");
  return false;
}

bool GgufParser::readArray(GgufValue &value, const std::string &what) {
  uint32_t type = 0;
  uint64_t count = 0;
  if (!read(type, what) || !read(count, what))
    return false;
  if (type == static_cast<uint32_t>(ValueType::Array))
    return fail(what + " is an array of arrays, which is not supported");
  if (type > static_cast<uint32_t>(ValueType::F64))
    return fail(what + " has the unknown element type " + std::to_string(type));
  uint64_t smallest = std::max<uint64_t>(fixedSize(type), 1);
  if (type == static_cast<uint32_t>(ValueType::String))
    smallest = 8;
  if (count > left() / smallest)
    return fail(what + " says it has " + std::to_string(count) +
                " elements, more than the file can hold");
  arrayElements += count;
  if (arrayElements > maxGgufArrayElements)
    return fail(what + " has " + std::to_string(count) +
                " elements; all arrays of a file may have " +
                std::to_string(maxGgufArrayElements) + " together");
  auto array = std::make_shared<GgufArray>();
  if (!readElements(*array, type, count, what))
    return false;
  value = std::shared_ptr<const GgufArray>(std::move(array));
  return true;
}

bool GgufParser::readElements(GgufArray &array, uint32_t type, uint64_t count,
                              const std::string &what) {
  auto known = static_cast<ValueType>(type);
  if (known == ValueType::String) {
    array.strings.resize(count);
    for (std::string_view &text : array.strings)
      if (!readString(text, what))
        return false;
    return true;
  }
  bool real = known == ValueType::F32 || known == ValueType::F64;
  (real ? array.numbers.reserve(count) : array.integers.reserve(count));
  for (uint64_t i = 0; i < count; ++i) {
    GgufValue element;
    if (!readNumber(element, known, what))
      return false;
    if (real) {
      array.numbers.push_back(std::get<double>(element));
    } else if (const auto *natural = std::get_if<uint64_t>(&element)) {
      if (*natural > uint64_t{INT64_MAX})
        return fail(what + " has the element " + std::to_string(*natural) +
                    ", beyond 2^63 - 1");
      array.integers.push_back(static_cast<int64_t>(*natural));
    } else if (const auto *whole = std::get_if<int64_t>(&element)) {
      array.integers.push_back(*whole);
    } else {
      array.integers.push_back(std::get<bool>(element));
    }
  }
  return true;
}

/// Keys that change how the rest of the file is read.
bool GgufParser::checkWholeModel() {
  for (const auto &[key, value] : contents.metadata) {
    const auto *natural = std::get_if<uint64_t>(&value);
    if (key == "general.alignment") {
      if (!natural || !std::has_single_bit(*natural) ||
          *natural > maxGgufAlignment)
        return fail("key 'general.alignment' must be a power of two of at "
                    "most 1 MiB");
      alignment = *natural;
    }
    if (key != "split.count")
      continue;
    const auto *whole = std::get_if<int64_t>(&value);
    if ((natural && *natural > 1) || (whole && *whole > 1))
      return fail("the model is split over several files (key 'split.count'), "
                  "merge them into one file first");
  }
  return true;
}

bool GgufParser::readTensors() {
  std::set<std::string> seen;
  contents.tensors.resize(tensorCount);
  offsets.reserve(tensorCount);
  sizes.reserve(tensorCount);
  for (uint64_t i = 0; i < tensorCount; ++i) {
    GgufTensor &tensor = contents.tensors[i];
    if (!readTensorInfo(tensor, i))
      return false;
    if (!seen.insert(tensor.name).second)
      return fail("tensor " + printable(tensor.name) + " appears twice");
  }
  return placeTensors();
}

bool GgufParser::readTensorInfo(GgufTensor &tensor, uint64_t index) {
  std::string_view name;
  if (!readString(name, "the name of tensor " + std::to_string(index)))
    return false;
  if (name.empty() || name.size() >= 64)
    return fail("tensor " + std::to_string(index) + " has a name of " +
                std::to_string(name.size()) + " bytes, 1 to 63 are allowed");
  tensor.name = name;
  std::string what = "tensor " + printable(name);
  uint64_t offset = 0;
  uint32_t type = 0;
  if (!readShape(tensor, what) || !read(type, what))
    return false;
  tensor.type = static_cast<TensorType>(type);
  if (!checkTensorType(tensor, what) || !read(offset, what))
    return false;
  offsets.push_back(offset);
  return true;
}

bool GgufParser::readShape(GgufTensor &tensor, const std::string &what) {
  uint32_t dimensions = 0;
  if (!read(dimensions, what))
    return false;
  if (dimensions == 0 || dimensions > 4)
    return fail(what + " has " + std::to_string(dimensions) +
                " dimensions, 1 to 4 are allowed");
  uint64_t elements = 1;
  for (uint32_t i = 0; i < dimensions; ++i) {
    uint64_t size = 0;
    if (!read(size, what))
      return false;
    if (size == 0 || size > uint64_t{INT64_MAX} / elements)
      return fail(what + " has a dimension of " + std::to_string(size) +
                  (size == 0 ? ", it must be positive"
                             : ", its elements overflow 63 bits"));
    elements *= size;
    tensor.shape.push_back(size);
  }
  return true;
}

/// Whole blocks in a row, and a byte size that fits 64 bits.
bool GgufParser::checkTensorType(GgufTensor &tensor, const std::string &what) {
  BlockLayout layout = blockLayout(tensor.type);
  if (layout.elements == 0)
    return fail(what + " has the unknown " + tensorTypeName(tensor.type));
  if (tensor.shape[0] % layout.elements != 0)
    return fail(what + " has rows of " + std::to_string(tensor.shape[0]) +
                " elements, not a multiple of " +
                std::to_string(layout.elements) + " as " +
                tensorTypeName(tensor.type) + " needs");
  uint64_t size = 0;
  if (__builtin_mul_overflow(tensor.elements() / layout.elements,
                             uint64_t{layout.bytes}, &size))
    return fail(what + " has more bytes than 64 bits can count");
  sizes.push_back(size);
  return true;
}

/// Tensor data lies behind the header, padded, in the order of the table.
bool GgufParser::placeTensors() {
  uint64_t padding = (alignment - position % alignment) % alignment;
  if (tensorCount > 0 && padding > left())
    return fail("the file ends before the tensor data");
  uint64_t start = position + padding;
  uint64_t expected = 0;
  for (uint64_t i = 0; i < tensorCount; ++i) {
    std::string what = "tensor " + printable(contents.tensors[i].name);
    if (offsets[i] != expected)
      return fail(what + " lies at offset " + std::to_string(offsets[i]) +
                  " of the data, " + std::to_string(expected) +
                  " was expected");
    uint64_t room = bytes.size() - start;
    if (offsets[i] > room || sizes[i] > room - offsets[i])
      return fail(what + " needs " + std::to_string(sizes[i]) +
                  " bytes at offset " + std::to_string(offsets[i]) +
                  " of the data, the file ends before that");
    contents.tensors[i].data = bytes.subspan(start + offsets[i], sizes[i]);
    expected = (offsets[i] + sizes[i] + alignment - 1) & ~(alignment - 1);
  }
  return true;
}

} // namespace

Result<GgufContents> parseGguf(std::span<const std::byte> bytes) {
  return GgufParser(bytes).run();
}

} // namespace sgl
