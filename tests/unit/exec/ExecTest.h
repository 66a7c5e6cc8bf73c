// What the executor's tests share: build a plan, run `main`, print the result.
#pragma once

#include "ManualModel.h"
#include "PlanBuilder.h"

#include "ir/plan/Json.h"
#include "ir/plan/Validate.h"
#include "runtime/exec/Executor.h"

#include <gtest/gtest.h>

namespace sgl {

using plan::GraphBuilder;
using plan::Op;
using plan::PlanBuilder;
using plan::ValueId;

/// The result of `main` as JSON, or "error: …".
inline std::string runMain(const plan::Plan &plan, Model &model,
                           std::vector<Value> arguments = {},
                           RunOptions options = {}) {
  Status valid = plan::validate(plan);
  if (!valid)
    return "invalid: " + valid.error().message;
  Executor executor(plan, model, std::move(options));
  if (Status status = executor.admit(); !status)
    return "refused: " + status.error().message;
  auto result = executor.run(*plan.find("main"), std::move(arguments));
  if (!result)
    return "error: " + result.error().message;
  return *result ? toJson(**result) : "nothing";
}

} // namespace sgl
