// The streaming decoder: tables of pieces, and random bytes against decoding
// the whole text at once by the rule of the Unicode standard.
#include "runtime/text/Utf8Stream.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace sgl;

namespace {

struct Case {
  std::vector<std::string> pushes, released; ///< one more release: the flush
};

const Case cases[] = {
    {{"ab"}, {"ab", ""}},
    {{"\xc3", "\xa9"}, {"", "\u00e9", ""}},
    {{"\xf0\x9f", "\x99\x82"}, {"", "\U0001F642", ""}},
    {{"\xf0\x9f", "a"}, {"", "\ufffda", ""}},
    {{"\xf0\x9f"}, {"", "\ufffd"}},
    {{"\x80\x80"}, {"\ufffd\ufffd", ""}},
    // A surrogate half: the lead can only be followed by 80-9f.
    {{"\xed\xa0\x80"}, {"\ufffd\ufffd\ufffd", ""}},
    {{"\xc0\xaf"}, {"\ufffd\ufffd", ""}},
    {{"\xf4\x90"}, {"\ufffd\ufffd", ""}},
    {{"\xe2\x82", "\xe2\x82\xac"}, {"", "\ufffd\u20ac", ""}},
};

TEST(Utf8Stream, ReleasesWhatIsCertain) {
  for (const Case &c : cases) {
    Utf8Stream stream;
    for (size_t i = 0; i < c.pushes.size(); ++i)
      EXPECT_EQ(stream.push(c.pushes[i]), c.released[i]);
    EXPECT_EQ(stream.flush(), c.released.back());
  }
}

/// Table 3-7 of the Unicode standard as whole sequences: the length of the
/// character at `at`, or minus the length of the maximal invalid part.
int characterAt(const std::string &text, size_t at) {
  auto byte = [&](size_t i) {
    return at + i < text.size() ? int(uint8_t(text[at + i])) : -1;
  };
  int b0 = byte(0), b1 = byte(1);
  if (b0 < 0x80)
    return 1;
  int length = b0 >= 0xc2 && b0 <= 0xdf   ? 2
               : b0 >= 0xe0 && b0 <= 0xef ? 3
               : b0 >= 0xf0 && b0 <= 0xf4 ? 4
                                          : 0;
  if (length == 0)
    return -1;
  int low = b0 == 0xe0 ? 0xa0 : b0 == 0xf0 ? 0x90 : 0x80;
  int high = b0 == 0xed ? 0x9f : b0 == 0xf4 ? 0x8f : 0xbf;
  if (b1 < low || b1 > high)
    return -1;
  for (int i = 2; i < length; ++i)
    if (byte(size_t(i)) < 0x80 || byte(size_t(i)) > 0xbf)
      return -i;
  return length;
}

TEST(Utf8Stream, EqualsDecodingAtOnce) {
  const unsigned char interesting[] = {0x41, 0x80, 0x8f, 0x90, 0x9f, 0xa0,
                                       0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xe2,
                                       0xed, 0xef, 0xf0, 0xf1, 0xf4, 0xf5};
  std::mt19937 random(3);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (unsigned n = random() % 12; n > 0; --n)
      text += char(interesting[random() % std::size(interesting)]);
    std::string expected;
    for (size_t at = 0; at < text.size();) {
      int length = characterAt(text, at);
      expected += length > 0 ? text.substr(at, size_t(length)) : "\ufffd";
      at += size_t(std::abs(length));
    }
    Utf8Stream stream;
    std::string streamed;
    for (size_t at = 0; at < text.size();) {
      size_t count = 1 + random() % 3;
      streamed += stream.push(text.substr(at, count));
      at += count;
    }
    streamed += stream.flush();
    ASSERT_EQ(streamed, expected);
    EXPECT_EQ(toValidUtf8(text), expected);
    EXPECT_EQ(validUtf8Prefix(text) == text.size(),
              text.find("\ufffd") == std::string::npos && expected == text);
  }
}

} // namespace
