// A model on this machine: a GGUF file, its tokenizer and template, the engine.
//
// Entry points: LocalModel::load, then the Model interface. Text becomes ids
// and ids become text here; the engine below knows ids only. All methods belong
// to one thread; replies of the engine's thread wait in a queue for `wait`.
#pragma once

#include "runtime/engine/Engine.h"
#include "runtime/engine/TextDecoder.h"
#include "runtime/exec/Model.h"
#include "runtime/text/PromptTokens.h"

#include <memory>
#include <string>

namespace sgl {

struct LocalModelOptions {
  std::string path;
  std::string chatTemplateFile; ///< --chat-template; empty: the model's own
  uint32_t threads = 0;         ///< 0: all cores
  uint32_t contextLength = 0;   ///< 0: the model's own
  uint64_t kvCacheBytes = 0;    ///< 0: a quarter of the free memory, or what
                                ///< one sequence needs
  bool reference = false;       ///< the float32 twin
  EngineOptions engine;         ///< kvPages and contextLength are set by `load`
};

class LocalModel : public Model {
public:
  /// Refuses, with what would be right, a file that cannot be used and sizes
  /// that do not fit in memory.
  static Result<std::unique_ptr<LocalModel>>
  load(const LocalModelOptions &options);
  /// From parts, for tests.
  LocalModel(std::shared_ptr<const Tokenizer> tokenizer,
             Result<std::shared_ptr<const ChatTemplate>> chat,
             std::unique_ptr<Engine> engine);
  ~LocalModel() override;

  Status admit(const plan::Plan &plan) override;
  CallId gen(GenRequest request, std::function<void(GenReply)> done) override;
  CallId select(SelectRequest request,
                std::function<void(SelectReply)> done) override;
  void cancel(CallId call) override;
  bool wait() override;
  Result<uint64_t> countTokens(const PromptNode &prompt) override;
  void addStats(RunStats &stats) const override;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace sgl
