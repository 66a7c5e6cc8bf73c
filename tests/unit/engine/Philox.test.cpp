// Philox against the known answers of Random123 (kat_vectors, philox4x32 10).
#include "runtime/engine/Philox.h"

#include <gtest/gtest.h>

using namespace sgl;

namespace {

TEST(Philox, KnownAnswers) {
  struct Case {
    PhiloxBlock counter;
    std::array<uint32_t, 2> key;
    PhiloxBlock expected;
  };
  const uint32_t ones = 0xffffffff;
  const Case cases[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{ones, ones, ones, ones},
       {ones, ones},
       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  for (const Case &c : cases)
    EXPECT_EQ(philox(c.counter, c.key), c.expected);
}

TEST(Philox, UniformTakesItsBitsFromTheFirstTwoWords) {
  uint64_t bits = (uint64_t{0x6627e8d5} << 32 | 0xe169c58d) >> 11;
  EXPECT_EQ(uniform(0, 0), static_cast<double>(bits) / 9007199254740992.0);
  EXPECT_NE(uniform(1, 0), uniform(0, 1));
  for (uint64_t i = 0; i < 1000; ++i) {
    EXPECT_GE(uniform(7, i), 0);
    EXPECT_LT(uniform(7, i), 1);
  }
}

} // namespace
