// Opens what --model names. See RunModel.h.

#include "runtime/tools/RunModel.h"

#include "runtime/engine/LocalModel.h"
#include "runtime/exec/ScriptedModel.h"
#include "runtime/tools/RunArguments.h"

namespace sgl {

namespace {

constexpr std::string_view mockPrefix = "mock:";
constexpr uint64_t maxMockBytes = uint64_t(64) << 20;

Result<std::unique_ptr<Model>> openMock(const std::string &path) {
  Result<std::string> text = readWholeFile(path, maxMockBytes);
  if (!text)
    return text.error();
  auto model = ScriptedModel::parse(*text);
  if (!model)
    return Error{path + ": " + model.error().message};
  return std::unique_ptr<Model>(std::move(*model));
}

} // namespace

bool isLaterModel(const std::string &name) {
  for (std::string_view prefix : {"openai:", "anthropic:", "sglang:"})
    if (name.starts_with(prefix))
      return true;
  return false;
}

Result<std::unique_ptr<Model>> openModel(const RunFlags &flags) {
  if (flags.model.starts_with(mockPrefix))
    return openMock(flags.model.substr(mockPrefix.size()));
  LocalModelOptions options;
  options.path = flags.model;
  options.chatTemplateFile = flags.chatTemplate;
  options.threads = flags.threads;
  options.contextLength = flags.context;
  options.kvCacheBytes = flags.kvCacheBytes;
  options.engine.radix = flags.radix;
  options.engine.batching = flags.batching;
  options.engine.jumpForward = flags.jumpForward;
  options.engine.logTokens = flags.stats != StatsForm::None;
  auto model = LocalModel::load(options);
  if (!model)
    return model.error();
  return std::unique_ptr<Model>(std::move(*model));
}

} // namespace sgl
