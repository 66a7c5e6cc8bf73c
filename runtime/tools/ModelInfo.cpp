// Describes a model file from its header alone: no weights are loaded.
#include "runtime/tools/ModelInfo.h"

#include "runtime/model/Gguf.h"
#include "runtime/model/Transformer.h"
#include "runtime/text/Tokenizer.h"
#include "runtime/text/Utf8Stream.h"
#include "runtime/tools/JsonLines.h"

#include <map>
#include <unistd.h>

namespace sgl {

namespace {

using Json = nlohmann::ordered_json;

Json textOrNull(const Gguf &file, std::string_view key) {
  auto text = file.string(key);
  return text ? Json(toValidUtf8(*text)) : Json();
}

Json tensorCounts(const Gguf &file) {
  std::map<std::string, uint64_t> counts;
  for (const GgufTensor &tensor : file.tensors())
    ++counts[tensorTypeName(tensor.type)];
  return counts;
}

uint64_t parameterCount(const Gguf &file) {
  uint64_t parameters = 0;
  for (const GgufTensor &tensor : file.tensors())
    parameters += tensor.elements();
  return parameters;
}

/// Memory of the machine in bytes.
uint64_t physicalMemory() {
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0
             ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(size)
             : 0;
}

void describeTokenizer(const Gguf &file, Json &info, Json &reasons) {
  auto tokenizer = Tokenizer::load(file);
  Json described = {{"model", textOrNull(file, "tokenizer.ggml.model")},
                    {"pre", textOrNull(file, "tokenizer.ggml.pre")}};
  if (tokenizer) {
    described["size"] = (*tokenizer)->size();
    described["bos"] = (*tokenizer)->bos();
    described["eos"] = (*tokenizer)->eos();
    described["end_tokens"] = (*tokenizer)->endTokens();
    described["add_bos"] = (*tokenizer)->addBos();
  } else {
    reasons.push_back(tokenizer.error().message);
  }
  info["tokenizer"] = described;
  info["chat_template"] = file.string("tokenizer.chat_template").has_value();
}

void describeNeeds(const Gguf &file, Json &info, Json &reasons) {
  auto shape = readModelShape(file);
  if (!shape) {
    reasons.push_back(shape.error().message);
    return;
  }
  uint64_t weights = weightBytes(file);
  uint64_t cache = shape->kvBytesPerPosition * shape->contextLength;
  info["vocabulary"] = shape->vocabSize;
  info["context_length"] = shape->contextLength;
  info["weight_bytes"] = weights;
  info["kv_bytes_per_token"] = shape->kvBytesPerPosition;
  info["kv_bytes_full_context"] = cache;
  info["memory_of_this_machine"] = physicalMemory();
  if (weights > physicalMemory())
    reasons.push_back("the weights need " + std::to_string(weights) +
                      " bytes, this machine has " +
                      std::to_string(physicalMemory()));
}

Json describe(const Gguf &file) {
  Json info = {{"file", file.path()},
               {"gguf_version", file.version()},
               {"file_bytes", file.fileBytes()},
               {"architecture", textOrNull(file, "general.architecture")},
               {"name", textOrNull(file, "general.name")},
               {"parameters", parameterCount(file)},
               {"tensors", tensorCounts(file)}};
  Json reasons = Json::array();
  describeNeeds(file, info, reasons);
  describeTokenizer(file, info, reasons);
  info["runs"] = reasons.empty();
  info["reasons"] = reasons;
  return info;
}

/// One `key: value` a line; nested objects on their line.
void writeText(const Json &info, std::ostream &out) {
  for (const auto &[key, value] : info.items()) {
    if (key == "runs" || key == "reasons")
      continue;
    std::string label = key;
    for (char &c : label)
      c = c == '_' ? ' ' : c;
    out << label << ": "
        << (value.is_string()
                ? value.get<std::string>()
                : value.dump(-1, ' ', false, Json::error_handler_t::replace))
        << '\n';
  }
  out << (info["runs"].get<bool>() ? "it will run here\n"
                                   : "it will not run here:\n");
  for (const Json &reason : info["reasons"])
    out << "  " << reason.get<std::string>() << '\n';
}

} // namespace

int runInfo(const InfoOptions &options, std::ostream &out,
            std::ostream &errors) {
  auto file = Gguf::open(options.model);
  if (!file) {
    errors << "error: " << file.error().message << '\n';
    return 1;
  }
  Json info = describe(**file);
  if (options.json)
    writeJsonLine(out, info);
  else
    writeText(info, out);
  return 0;
}

} // namespace sgl
