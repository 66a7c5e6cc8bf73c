// Fuzzes patterns and stored automata.
//
// A pattern that compiles must give an automaton that survives writing and
// reading; a stored automaton that is taken must be one that could be written.
#include "ir/constraint/Regex.h"

#include <cstdlib>

using namespace sgl;

namespace {

void check(const Automaton &automaton) {
  auto again = Automaton::read(automaton.write());
  if (!again || !(*again == automaton))
    std::abort();
  if (auto only = automaton.onlyText(); only && !automaton.matches(*only))
    std::abort();
  std::string forced = automaton.forcedFrom(automaton.start());
  if (!automaton.isEmpty() &&
      automaton.run(automaton.start(), forced) == Automaton::dead)
    std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  std::string_view text(reinterpret_cast<const char *>(data) + 1, size - 1);
  auto automaton = data[0] % 4 == 0 ? Automaton::read("A2" + std::string(text))
                                    : compileRegex(text);
  if (automaton)
    check(*automaton);
  return 0;
}
