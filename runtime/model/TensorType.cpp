// Names and block sizes of tensor element types (ggml's ggml-common.h).
#include "runtime/model/Gguf.h"

#include <algorithm>
#include <iterator>

namespace sgl {

namespace {

struct TypeRow {
  TensorType type;
  const char *name;
  BlockLayout layout;
};

constexpr TypeRow typeRows[] = {
    {TensorType::F32, "F32", {1, 4}},
    {TensorType::F16, "F16", {1, 2}},
    {TensorType::Q4_0, "Q4_0", {32, 18}},
    {TensorType::Q4_1, "Q4_1", {32, 20}},
    {TensorType::Q5_0, "Q5_0", {32, 22}},
    {TensorType::Q5_1, "Q5_1", {32, 24}},
    {TensorType::Q8_0, "Q8_0", {32, 34}},
    {TensorType::Q2_K, "Q2_K", {256, 84}},
    {TensorType::Q3_K, "Q3_K", {256, 110}},
    {TensorType::Q4_K, "Q4_K", {256, 144}},
    {TensorType::Q5_K, "Q5_K", {256, 176}},
    {TensorType::Q6_K, "Q6_K", {256, 210}},
    {TensorType::IQ2_XXS, "IQ2_XXS", {256, 66}},
    {TensorType::IQ2_XS, "IQ2_XS", {256, 74}},
    {TensorType::IQ3_XXS, "IQ3_XXS", {256, 98}},
    {TensorType::IQ1_S, "IQ1_S", {256, 50}},
    {TensorType::IQ4_NL, "IQ4_NL", {32, 18}},
    {TensorType::IQ3_S, "IQ3_S", {256, 110}},
    {TensorType::IQ2_S, "IQ2_S", {256, 82}},
    {TensorType::IQ4_XS, "IQ4_XS", {256, 136}},
    {TensorType::I8, "I8", {1, 1}},
    {TensorType::I16, "I16", {1, 2}},
    {TensorType::I32, "I32", {1, 4}},
    {TensorType::I64, "I64", {1, 8}},
    {TensorType::F64, "F64", {1, 8}},
    {TensorType::IQ1_M, "IQ1_M", {256, 56}},
    {TensorType::BF16, "BF16", {1, 2}},
    {TensorType::TQ1_0, "TQ1_0", {256, 54}},
    {TensorType::TQ2_0, "TQ2_0", {256, 66}},
    {TensorType::MXFP4, "MXFP4", {32, 17}},
};

const TypeRow *findRow(TensorType type) {
  const auto *row = std::find_if(
      std::begin(typeRows), std::end(typeRows),
      [type](const TypeRow &candidate) { return candidate.type == type; });
  return row == std::end(typeRows) ? nullptr : row;
}

} // namespace

std::string tensorTypeName(TensorType type) {
  if (const TypeRow *row = findRow(type))
    return row->name;
  return "type " + std::to_string(static_cast<uint32_t>(type));
}

BlockLayout blockLayout(TensorType type) {
  const TypeRow *row = findRow(type);
  return row ? row->layout : BlockLayout{};
}

uint64_t GgufTensor::elements() const {
  uint64_t product = 1;
  for (uint64_t size : shape)
    product *= size;
  return product;
}

uint64_t GgufTensor::rows() const {
  return shape.empty() ? 1 : elements() / shape[0];
}

} // namespace sgl
