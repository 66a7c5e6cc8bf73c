// Implements the count of prefixes; see CallLog.h.
#include "runtime/engine/CallLog.h"

using namespace sgl;

/// Two independent multiply-xorshift chains (the finaliser of MurmurHash3).
void CallLog::extend(Prefix &prefix, TokenId token) {
  auto mix = [](uint64_t x) {
    x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
    x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53u;
    return x ^ (x >> 33);
  };
  uint64_t id = static_cast<uint32_t>(token);
  prefix.a = mix(prefix.a * 0x9e3779b97f4a7c15u + id + 1);
  prefix.b = mix(prefix.b * 0xd1342543de82ef95u + id + 7);
}

void CallLog::mark(const Prefix &prefix, uint8_t flag) {
  uint8_t &flags = positions[prefix];
  bool counted = flags == Middle;
  flags |= flag;
  distinct += static_cast<uint64_t>(flags == Middle) - counted;
}

void CallLog::addPrompt(std::span<const TokenId> prompt) {
  Prefix prefix{};
  for (size_t i = 0; i < prompt.size(); ++i) {
    extend(prefix, prompt[i]);
    mark(prefix, i + 1 < prompt.size() ? Middle : Last);
  }
  prompts += prompt.size();
  ++calls;
}

void CallLog::addOutput(std::span<const TokenId> prompt,
                        std::span<const TokenId> output) {
  Prefix prefix{};
  for (TokenId token : prompt)
    extend(prefix, token);
  for (TokenId token : output) {
    extend(prefix, token);
    mark(prefix, Generated);
  }
}
