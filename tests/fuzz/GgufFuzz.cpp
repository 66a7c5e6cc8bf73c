// Fuzzes the reading of model files: container and tokenizer.
//
// The first byte chooses: an input is a file of its own, or a list of edits
// (two bytes of place, one of value) to a small file that would be taken.
#include "runtime/model/Gguf.h"
#include "runtime/text/Tokenizer.h"
#include "tests/unit/model/GgufBuilder.h"

using namespace sgl;

namespace {

std::string smallModel() {
  test::GgufBuilder file;
  file.string("general.architecture", "llama");
  for (const char *key : {"context_length", "embedding_length", "block_count",
                          "feed_forward_length", "attention.head_count",
                          "attention.head_count_kv"})
    file.u32(std::string("llama.") + key, 1);
  file.f32("llama.attention.layer_norm_rms_epsilon", 1e-5f);
  file.string("tokenizer.ggml.model", "gpt2");
  file.string("tokenizer.ggml.pre", "smollm");
  file.strings("tokenizer.ggml.tokens", {"a", "b", "ab", "<s>"});
  file.numbers<int32_t>("tokenizer.ggml.token_type", 5, {1, 1, 1, 3});
  file.strings("tokenizer.ggml.merges", {"a b"});
  file.u32("tokenizer.ggml.eos_token_id", 3);
  file.tensor("token_embd.weight", {32, 4}, 8, std::string(136, '\1'));
  file.tensor("output_norm.weight", {32}, 0, std::string(128, '\1'));
  return file.bytes();
}

void read(const std::string &bytes) {
  auto file = Gguf::parse(
      {reinterpret_cast<const std::byte *>(bytes.data()), bytes.size()},
      "fuzz.gguf");
  if (!file)
    return;
  auto tokenizer = Tokenizer::load(**file);
  if (!tokenizer)
    return;
  for (TokenId id : (*tokenizer)->encode("ab <s>1\xff\n", true))
    (void)(*tokenizer)->bytes(id);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const std::string small = smallModel();
  if (size == 0)
    return 0;
  if (data[0] % 2 == 0) {
    read(std::string(data + 1, data + size));
    return 0;
  }
  std::string bytes = small;
  for (size_t i = 1; i + 2 < size; i += 3)
    bytes[(data[i] | size_t{data[i + 1]} << 8) % bytes.size()] =
        static_cast<char>(data[i + 2]);
  read(bytes);
  return 0;
}
