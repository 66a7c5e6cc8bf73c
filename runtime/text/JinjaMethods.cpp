// Methods of texts, lists, tuples and dicts, as Python has them.
#include "runtime/text/JinjaRun.h"

#include <utf8proc.h>

#include <algorithm>

namespace sgl::jinja {

namespace {

const Text &own(const Value &self) { return *self.text(); }

/// The set of characters that strip takes: null for white space.
Value stripSide(Run &run, const Value &self, const Bound &a, Side side) {
  run.spend(own(self).size());
  if (!a.has(0) || a[0].isNone())
    return run.charge(strip(own(self), side));
  std::string_view set = needText(run, a[0], "strip").view();
  run.spend(own(self).size() * std::min<size_t>(set.size(), 64) / 8);
  return run.charge(strip(own(self), side, &set));
}
Value stripBoth(Run &run, const Value &self, const Bound &a) {
  return stripSide(run, self, a, Side::Both);
}
Value stripLeft(Run &run, const Value &self, const Bound &a) {
  return stripSide(run, self, a, Side::Left);
}
Value stripRight(Run &run, const Value &self, const Bound &a) {
  return stripSide(run, self, a, Side::Right);
}

template <CaseMode mode>
Value changeCase(Run &run, const Value &self, const Bound &) {
  run.spend(own(self).size());
  return run.charge(mapCase(own(self), mode));
}

/// Byte range of the characters [from, to) that two optional arguments name.
std::pair<size_t, size_t> charRange(Run &run, const Text &text, const Bound &a,
                                    size_t first) {
  auto starts = charStarts(text.view());
  Int count = Int(starts.size()) - 1;
  auto bound = [&](size_t i, Int otherwise) {
    if (!a.has(i) || a[i].isNone())
      return otherwise;
    Int index = needInt(run, a[i], "start or end");
    if (index < 0)
      index = std::max(index, -count) + count;
    return std::min(index, count);
  };
  auto from = bound(first, 0), to = bound(first + 1, count);
  run.spend(text.size() / 8);
  return {starts[size_t(from)], starts[size_t(std::max(from, to))]};
}

Value affix(Run &run, const Value &self, const Bound &a, bool atStart) {
  auto [from, to] = charRange(run, own(self), a, 1);
  std::string_view part = own(self).view().substr(from, to - from);
  auto fits = [&](const Value &value) {
    std::string_view what = needText(run, value, "startswith").view();
    return atStart ? part.starts_with(what) : part.ends_with(what);
  };
  const List *list = a[0].list();
  if (!list || !list->tuple)
    return Value(fits(a[0]));
  return Value(std::any_of(list->items.begin(), list->items.end(), fits));
}
Value startsWith(Run &run, const Value &self, const Bound &a) {
  return affix(run, self, a, true);
}
Value endsWith(Run &run, const Value &self, const Bound &a) {
  return affix(run, self, a, false);
}

Value replaceMethod(Run &run, const Value &self, const Bound &a) {
  const Text &from = needText(run, a[0], "replace");
  const Text &to = needText(run, a[1], "replace");
  Int count = a.has(2) ? needInt(run, a[2], "replace") : -1;
  if (run.failed())
    return {};
  // The result may be longer by one `to` for each byte.
  if (!run.spend(own(self).size() / 4 + 1))
    return {};
  size_t hits = 0;
  std::string_view bytes = own(self).view();
  if (from.empty())
    hits = bytes.size() + 1;
  else
    for (size_t p = bytes.find(from.view()); p != std::string_view::npos;
         p = bytes.find(from.view(), p + from.size()))
      ++hits;
  if (to.size() > 0 && hits > (16u << 20) / to.size())
    return run.fail(ErrorClass::Limit, "a text is longer than 16 MiB");
  return run.charge(replaceAll(own(self), from.view(), to,
                               count < 0 ? SIZE_MAX : size_t(count)));
}

/// split() without a separator: runs of white space.
std::vector<Value> splitBlanks(const Text &text, Int limit, bool fromRight) {
  std::string_view bytes = text.view();
  auto starts = charStarts(bytes);
  size_t count = starts.size() - 1;
  auto blank = [&](size_t k) { return isSpace(charAt(bytes, starts[k])); };
  std::vector<Value> parts;
  auto add = [&](size_t from, size_t to) {
    parts.push_back(
        Value(text.substr(starts[from], starts[to] - starts[from])));
  };
  size_t low = 0, high = count;
  while (limit < 0 || Int(parts.size()) < limit) {
    while (low < high && blank(fromRight ? high - 1 : low))
      fromRight ? --high : ++low;
    if (low == high)
      break;
    size_t begin = low, end = high;
    if (fromRight) {
      while (high > low && !blank(high - 1))
        --high;
      add(high, end);
    } else {
      while (low < high && !blank(low))
        ++low;
      add(begin, low);
    }
  }
  while (low < high && blank(fromRight ? high - 1 : low))
    fromRight ? --high : ++low;
  if (low < high)
    add(low, high);
  if (fromRight)
    std::reverse(parts.begin(), parts.end());
  return parts;
}

Value splitText(Run &run, const Value &self, const Bound &a, bool fromRight) {
  const Text &text = own(self);
  Int limit = a.has(1) ? needInt(run, a[1], "split") : -1;
  run.spend(text.size());
  if (!a.has(0) || a[0].isNone())
    return run.charge(splitBlanks(text, limit, fromRight));
  std::string_view by = needText(run, a[0], "split").view();
  if (by.empty())
    return run.fail(ErrorClass::Runtime, "split: the separator is empty");
  std::string_view bytes = text.view();
  std::vector<Value> parts;
  size_t low = 0, high = bytes.size();
  while (!run.failed() && (limit < 0 || Int(parts.size()) < limit)) {
    size_t found =
        fromRight ? (high - low < by.size() ? std::string_view::npos
                                            : bytes.rfind(by, high - by.size()))
                  : bytes.find(by, low);
    if (found == std::string_view::npos)
      break;
    if (fromRight) {
      parts.push_back(
          Value(text.substr(found + by.size(), high - found - by.size())));
      high = found;
    } else {
      parts.push_back(Value(text.substr(low, found - low)));
      low = found + by.size();
    }
  }
  parts.push_back(Value(text.substr(low, high - low)));
  if (fromRight)
    std::reverse(parts.begin(), parts.end());
  return run.charge(std::move(parts));
}
Value split(Run &run, const Value &self, const Bound &a) {
  return splitText(run, self, a, false);
}
Value splitRight(Run &run, const Value &self, const Bound &a) {
  return splitText(run, self, a, true);
}

Value splitLines(Run &run, const Value &self, const Bound &a) {
  const Text &text = own(self);
  std::string_view bytes = text.view();
  run.spend(text.size());
  auto ends = [](uint32_t c) {
    return (c >= 0x0A && c <= 0x0D) || (c >= 0x1C && c <= 0x1E) || c == 0x85 ||
           c == 0x2028 || c == 0x2029;
  };
  std::vector<Value> lines;
  size_t start = 0;
  for (size_t i = 0; i < bytes.size();) {
    uint32_t c = charAt(bytes, i);
    size_t next = i + charLength(bytes, i);
    if (!ends(c)) {
      i = next;
      continue;
    }
    if (c == '\r' && next < bytes.size() && bytes[next] == '\n')
      ++next;
    lines.push_back(
        Value(text.substr(start, (a.flag(0, false) ? next : i) - start)));
    start = i = next;
  }
  if (start < bytes.size())
    lines.push_back(Value(text.substr(start)));
  return run.charge(std::move(lines));
}

/// Index in characters of `what`, or -1.
Int findIn(Run &run, const Value &self, const Bound &a, bool last) {
  auto [from, to] = charRange(run, own(self), a, 1);
  std::string_view part = own(self).view().substr(from, to - from);
  std::string_view what = needText(run, a[0], "find").view();
  size_t found = last ? part.rfind(what) : part.find(what);
  if (found == std::string_view::npos)
    return -1;
  return Int(charCount(own(self).view().substr(0, from + found)));
}
template <bool last>
Value find(Run &run, const Value &self, const Bound &a) {
  return Value(findIn(run, self, a, last));
}
template <bool last>
Value index(Run &run, const Value &self, const Bound &a) {
  Int found = findIn(run, self, a, last);
  if (found < 0)
    return run.fail(ErrorClass::Runtime, "index: the substring is not found");
  return Value(found);
}

Value countIn(Run &run, const Value &self, const Bound &a) {
  auto [from, to] = charRange(run, own(self), a, 1);
  std::string_view part = own(self).view().substr(from, to - from);
  std::string_view what = needText(run, a[0], "count").view();
  run.spend(part.size() / 4);
  if (what.empty())
    return Value(Int(charCount(part) + 1));
  Int count = 0;
  for (size_t p = part.find(what); p != std::string_view::npos;
       p = part.find(what, p + what.size()))
    ++count;
  return Value(count);
}

Value joinWith(Run &run, const Value &self, const Bound &a) {
  Text all;
  bool first = true;
  for (const Value &item : iterate(run, a[0])) {
    if (!std::exchange(first, false))
      all.append(own(self));
    all.append(needText(run, item, "join"));
    if (run.failed() || !run.spend(1 + (own(self).size() + item.weight()) / 8))
      return {};
  }
  return run.charge(std::move(all));
}

Value formatMethod(Run &run, const Value &self, const Bound &a) {
  return formatBraces(run, own(self), a.raw);
}

/// True when every character fits and there is at least one.
template <typename Test>
Value all(Run &run, const Value &self, Test test) {
  std::string_view bytes = own(self).view();
  run.spend(bytes.size());
  for (size_t i = 0; i < bytes.size(); i += charLength(bytes, i))
    if (!test(charAt(bytes, i)))
      return Value(false);
  return Value(!bytes.empty());
}
bool isLetter(uint32_t c) {
  auto k = utf8proc_category(utf8proc_int32_t(c));
  return k >= UTF8PROC_CATEGORY_LU && k <= UTF8PROC_CATEGORY_LO;
}
bool isDecimal(uint32_t c) {
  return utf8proc_category(utf8proc_int32_t(c)) == UTF8PROC_CATEGORY_ND;
}
Value isDigitMethod(Run &run, const Value &self, const Bound &) {
  return all(run, self, isDecimal);
}
Value isAlpha(Run &run, const Value &self, const Bound &) {
  return all(run, self, isLetter);
}
Value isAlnum(Run &run, const Value &self, const Bound &) {
  return all(run, self, [](uint32_t c) { return isLetter(c) || isDecimal(c); });
}
Value isSpaceMethod(Run &run, const Value &self, const Bound &) {
  return all(run, self, isSpace);
}
template <bool upper>
Value isCase(Run &run, const Value &self, const Bound &) {
  bool any = false;
  std::string_view bytes = own(self).view();
  run.spend(bytes.size());
  for (size_t i = 0; i < bytes.size(); i += charLength(bytes, i)) {
    auto k = utf8proc_category(utf8proc_int32_t(charAt(bytes, i)));
    if (k == (upper ? UTF8PROC_CATEGORY_LL : UTF8PROC_CATEGORY_LU) ||
        k == UTF8PROC_CATEGORY_LT)
      return Value(false);
    any |= k == (upper ? UTF8PROC_CATEGORY_LU : UTF8PROC_CATEGORY_LL);
  }
  return Value(any);
}

/// Fills up to a width; `left` and `right` say on which sides.
Value pad(Run &run, const Value &self, const Bound &a, bool left, bool right) {
  Int width = needInt(run, a[0], "a width");
  Text fill =
      a.has(1) ? needText(run, a[1], "a fill character") : Text(" ", false);
  Int missing = width - Int(lengthOf(run, self));
  if (missing <= 0 || run.failed())
    return self;
  if (missing > (1 << 20))
    return run.fail(ErrorClass::Limit, "a padded text is too long");
  // Python's str.center puts the odd one on the left only for odd widths.
  Int before = left && right ? missing / 2 + (missing & width & 1)
               : left        ? missing
                             : 0;
  Text all;
  for (Int i = 0; i < before; ++i)
    all.append(fill);
  all.append(own(self));
  for (Int i = before; i < missing; ++i)
    all.append(fill);
  return run.charge(std::move(all));
}
Value padRight(Run &run, const Value &self, const Bound &a) {
  return pad(run, self, a, false, true);
}
Value padLeft(Run &run, const Value &self, const Bound &a) {
  return pad(run, self, a, true, false);
}
Value center(Run &run, const Value &self, const Bound &a) {
  return pad(run, self, a, true, true);
}
Value zeroFill(Run &run, const Value &self, const Bound &a) {
  Int missing = needInt(run, a[0], "zfill") - Int(lengthOf(run, self));
  if (missing <= 0 || run.failed())
    return self;
  if (missing > (1 << 20))
    return run.fail(ErrorClass::Limit, "a padded text is too long");
  const Text &text = own(self);
  bool sign = !text.empty() && (text.view()[0] == '-' || text.view()[0] == '+');
  Text all = text.substr(0, sign);
  all.append(std::string(size_t(missing), '0'), false);
  all.append(text.substr(sign));
  return run.charge(std::move(all));
}

template <bool last>
Value partition(Run &run, const Value &self, const Bound &a) {
  const Text &text = own(self);
  const Text &by = needText(run, a[0], "partition");
  if (by.empty())
    return run.fail(ErrorClass::Runtime, "partition: the separator is empty");
  size_t found =
      last ? text.view().rfind(by.view()) : text.view().find(by.view());
  Value whole = self, nothing = makeText("");
  if (found == std::string_view::npos)
    return last ? run.charge({nothing, nothing, whole}, true)
                : run.charge({whole, nothing, nothing}, true);
  return run.charge({Value(text.substr(0, found)),
                     Value(text.substr(found, by.size())),
                     Value(text.substr(found + by.size()))},
                    true);
}

template <bool suffix>
Value removeAffix(Run &run, const Value &self, const Bound &a) {
  const Text &text = own(self);
  std::string_view what = needText(run, a[0], "removeprefix").view();
  if (suffix && text.view().ends_with(what))
    return run.charge(text.substr(0, text.size() - what.size()));
  if (!suffix && text.view().starts_with(what))
    return run.charge(text.substr(what.size()));
  return self;
}

const Builtin textMethods[] = {
    {"strip", "chars", &stripBoth},
    {"lstrip", "chars", &stripLeft},
    {"rstrip", "chars", &stripRight},
    {"upper", "", &changeCase<CaseMode::Upper>},
    {"lower", "", &changeCase<CaseMode::Lower>},
    {"casefold", "", &changeCase<CaseMode::Lower>},
    {"title", "", &changeCase<CaseMode::Title>},
    {"capitalize", "", &changeCase<CaseMode::Capitalize>},
    {"startswith", "*prefix start end", &startsWith},
    {"endswith", "*suffix start end", &endsWith},
    {"replace", "*old *new count", &replaceMethod},
    {"split", "sep maxsplit", &split},
    {"rsplit", "sep maxsplit", &splitRight},
    {"splitlines", "keepends", &splitLines},
    {"find", "*sub start end", &find<false>},
    {"rfind", "*sub start end", &find<true>},
    {"index", "*sub start end", &index<false>},
    {"rindex", "*sub start end", &index<true>},
    {"count", "*sub start end", &countIn},
    {"join", "*iterable", &joinWith},
    {"format", "...", &formatMethod},
    {"isdigit", "", &isDigitMethod},
    {"isdecimal", "", &isDigitMethod},
    {"isnumeric", "", &isDigitMethod},
    {"isalpha", "", &isAlpha},
    {"isalnum", "", &isAlnum},
    {"isspace", "", &isSpaceMethod},
    {"isupper", "", &isCase<true>},
    {"islower", "", &isCase<false>},
    {"ljust", "*width fillchar", &padRight},
    {"rjust", "*width fillchar", &padLeft},
    {"center", "*width fillchar", &center},
    {"zfill", "*width", &zeroFill},
    {"partition", "*sep", &partition<false>},
    {"rpartition", "*sep", &partition<true>},
    {"removeprefix", "*prefix", &removeAffix<false>},
    {"removesuffix", "*suffix", &removeAffix<true>},
};

} // namespace

const Builtin *findMethod(const Value &self, std::string_view name) {
  if (!self.text())
    return findContainerMethod(self, name);
  for (const Builtin &method : textMethods)
    if (method.name == name)
      return &method;
  return nullptr;
}

} // namespace sgl::jinja
