// What each kind of node has: one table for writing, reading and checking.
#pragma once

#include "ir/plan/Plan.h"

#include <span>

namespace sgl::plan {

/// Keys of a node beside `op`, `in`, `outs`, `at`, `after` and `hints`.
enum class Part : uint16_t {
  Name = 1,
  Text = 2,
  Type = 4,
  Value = 8,
  Function = 16,
  Carried = 32,
  Place = 64,
  Gen = 128,
  Select = 256,
};

struct OpInfo {
  Op op = Op::Const;
  std::string_view name; ///< in the plan
  uint32_t minIn = 0;
  uint32_t maxIn = 0; ///< `any`: no limit
  uint32_t outs = 1;  ///< `any`: as many as the regions or the callee yield
  uint32_t minRegions = 0, maxRegions = 0;
  uint16_t parts = 0;
  static constexpr uint32_t any = UINT32_MAX;

  bool has(Part part) const { return parts & uint16_t(part); }
};

const OpInfo &info(Op op);
/// Null where no node is called so.
const OpInfo *findOp(std::string_view name);
std::span<const OpInfo> allOps();

} // namespace sgl::plan
