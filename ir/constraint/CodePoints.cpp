// Interval sets over code points, and Unicode general categories by utf8proc.
#include "ir/constraint/CodePoints.h"

#include <algorithm>
#include <array>
#include <string>
#include <utf8proc.h>

namespace sgl {

namespace {

constexpr uint32_t lastCodePoint = 0x10ffff;
constexpr uint32_t firstSurrogate = 0xd800, lastSurrogate = 0xdfff;

/// Code points of each general category, found in one pass over all of them.
const std::array<CodePointSet, 32> &categories() {
  static const std::array<CodePointSet, 32> sets = [] {
    std::array<CodePointSet, 32> made;
    uint32_t begin = 0;
    auto categoryOf = [](uint32_t point) {
      return static_cast<unsigned>(
          utf8proc_category(static_cast<utf8proc_int32_t>(point)));
    };
    unsigned current = categoryOf(0);
    for (uint32_t point = 1; point <= lastCodePoint + 1; ++point) {
      unsigned next = point <= lastCodePoint ? categoryOf(point) : 31;
      if (next == current)
        continue;
      made[current].add(begin, point - 1);
      begin = point;
      current = next;
    }
    return made;
  }();
  return sets;
}

struct CategoryName {
  std::string_view name, longName;
  std::vector<unsigned> members;
};

/// Names and aliases of PropertyValueAliases.txt.
const std::vector<CategoryName> &categoryNames() {
  static const std::vector<CategoryName> names = {
      {"Lu", "Uppercase_Letter", {UTF8PROC_CATEGORY_LU}},
      {"Ll", "Lowercase_Letter", {UTF8PROC_CATEGORY_LL}},
      {"Lt", "Titlecase_Letter", {UTF8PROC_CATEGORY_LT}},
      {"Lm", "Modifier_Letter", {UTF8PROC_CATEGORY_LM}},
      {"Lo", "Other_Letter", {UTF8PROC_CATEGORY_LO}},
      {"Mn", "Nonspacing_Mark", {UTF8PROC_CATEGORY_MN}},
      {"Mc", "Spacing_Mark", {UTF8PROC_CATEGORY_MC}},
      {"Me", "Enclosing_Mark", {UTF8PROC_CATEGORY_ME}},
      {"Nd", "Decimal_Number", {UTF8PROC_CATEGORY_ND}},
      {"Nl", "Letter_Number", {UTF8PROC_CATEGORY_NL}},
      {"No", "Other_Number", {UTF8PROC_CATEGORY_NO}},
      {"Pc", "Connector_Punctuation", {UTF8PROC_CATEGORY_PC}},
      {"Pd", "Dash_Punctuation", {UTF8PROC_CATEGORY_PD}},
      {"Ps", "Open_Punctuation", {UTF8PROC_CATEGORY_PS}},
      {"Pe", "Close_Punctuation", {UTF8PROC_CATEGORY_PE}},
      {"Pi", "Initial_Punctuation", {UTF8PROC_CATEGORY_PI}},
      {"Pf", "Final_Punctuation", {UTF8PROC_CATEGORY_PF}},
      {"Po", "Other_Punctuation", {UTF8PROC_CATEGORY_PO}},
      {"Sm", "Math_Symbol", {UTF8PROC_CATEGORY_SM}},
      {"Sc", "Currency_Symbol", {UTF8PROC_CATEGORY_SC}},
      {"Sk", "Modifier_Symbol", {UTF8PROC_CATEGORY_SK}},
      {"So", "Other_Symbol", {UTF8PROC_CATEGORY_SO}},
      {"Zs", "Space_Separator", {UTF8PROC_CATEGORY_ZS}},
      {"Zl", "Line_Separator", {UTF8PROC_CATEGORY_ZL}},
      {"Zp", "Paragraph_Separator", {UTF8PROC_CATEGORY_ZP}},
      {"Cc", "Control", {UTF8PROC_CATEGORY_CC}},
      {"Cf", "Format", {UTF8PROC_CATEGORY_CF}},
      {"Co", "Private_Use", {UTF8PROC_CATEGORY_CO}},
      {"Cn", "Unassigned", {UTF8PROC_CATEGORY_CN}},
      {"L", "Letter", {}},
      {"M", "Mark", {}},
      {"N", "Number", {}},
      {"P", "Punctuation", {}},
      {"S", "Symbol", {}},
      {"Z", "Separator", {}},
      {"C", "Other", {}},
  };
  return names;
}

} // namespace

CodePointSet::CodePointSet(std::initializer_list<Range> ranges) {
  for (const Range &range : ranges)
    add(range.low, range.high);
}

CodePointSet CodePointSet::all() {
  return {{0, firstSurrogate - 1}, {lastSurrogate + 1, lastCodePoint}};
}

std::optional<CodePointSet> CodePointSet::category(std::string_view name) {
  for (const CategoryName &known : categoryNames()) {
    if (name != known.name && name != known.longName)
      continue;
    CodePointSet set;
    for (unsigned member : known.members)
      set.add(categories()[member]);
    // A group is all categories that begin with its letter.
    if (known.name.size() == 1)
      for (const CategoryName &other : categoryNames())
        if (other.name[0] == known.name[0])
          for (unsigned member : other.members)
            set.add(categories()[member]);
    return set;
  }
  return std::nullopt;
}

void CodePointSet::add(uint32_t low, uint32_t high) {
  // Surrogates are cut out: they are no characters.
  if (low < firstSurrogate && high >= firstSurrogate) {
    add(low, firstSurrogate - 1);
    low = firstSurrogate;
  }
  if (low >= firstSurrogate && low <= lastSurrogate)
    low = lastSurrogate + 1;
  if (low > high || low > lastCodePoint)
    return;
  items.push_back({low, std::min(high, lastCodePoint)});
  normal = items.size() == 1;
}

void CodePointSet::add(const CodePointSet &other) {
  for (const Range &range : other.ranges())
    add(range.low, range.high);
}

void CodePointSet::normalize() const {
  std::sort(items.begin(), items.end());
  std::vector<Range> joined;
  for (const Range &range : items) {
    if (!joined.empty() && range.low <= joined.back().high + 1)
      joined.back().high = std::max(joined.back().high, range.high);
    else
      joined.push_back(range);
  }
  items = std::move(joined);
  normal = true;
}

const std::vector<CodePointSet::Range> &CodePointSet::ranges() const {
  if (!normal)
    normalize();
  return items;
}

CodePointSet CodePointSet::complement() const {
  CodePointSet out;
  uint32_t begin = 0;
  for (const Range &range : ranges()) {
    if (range.low > begin)
      out.add(begin, range.low - 1);
    begin = range.high + 1;
  }
  if (begin <= lastCodePoint)
    out.add(begin, lastCodePoint);
  return out;
}

bool CodePointSet::contains(uint32_t codePoint) const {
  const std::vector<Range> &all = ranges();
  auto it = std::upper_bound(
      all.begin(), all.end(), codePoint,
      [](uint32_t point, const Range &range) { return point < range.low; });
  return it != all.begin() && codePoint <= std::prev(it)->high;
}

} // namespace sgl
