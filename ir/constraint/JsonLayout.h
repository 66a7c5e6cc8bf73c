// JSON lists and objects as patterns, in one form of white space.
//
// Entry point: JsonLayout. Members of an object come in the order given; what
// is not required may be left out.
#pragma once

#include "ir/constraint/Pattern.h"

namespace sgl {

enum class Whitespace : uint8_t {
  Canonical, ///< `{"a": 1, "b": [2, 3]}`
  Any,       ///< what JSON allows between its parts; none around the whole
};

class JsonLayout {
public:
  explicit JsonLayout(Whitespace whitespace);

  struct Member {
    PatternRef key; ///< with its quotes
    PatternRef value;
    bool isRequired = true;
  };
  /// Members whose keys are not fixed, behind the others.
  struct Others {
    PatternRef key, value;
  };

  /// From `least` to `most` items: the first as listed, all behind them as
  /// `rest`; null: there are none.
  PatternRef list(const std::vector<PatternRef> &first, const PatternRef &rest,
                  uint32_t least, uint32_t most) const;
  PatternRef object(const std::vector<Member> &members,
                    const std::vector<Others> &others, uint32_t least = 0,
                    uint32_t most = Pattern::unbounded) const;
  /// Any JSON value whose lists and objects nest at most `levels` deep. Numbers
  /// as in NumberPattern.h.
  PatternRef anyValue(uint32_t levels) const;

private:
  PatternRef open(char bracket) const;
  PatternRef close(char bracket) const;
  PatternRef comma, colon, blanks;
};

} // namespace sgl
