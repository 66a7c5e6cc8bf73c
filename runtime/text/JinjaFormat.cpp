// Formatting: `"%s" % x` and `"{}".format(x)`, the parts that templates use.
#include "runtime/text/JinjaRun.h"

#include <algorithm>
#include <cmath>

namespace sgl::jinja {

namespace {

/// A number or text laid out in its field.
struct Field {
  bool left = false, zero = false, plus = false, blank = false;
  Int width = 0, precision = -1;
  char kind = 's';
};

Text padded(const Text &text, const Field &field) {
  size_t length = charCount(text.view());
  size_t missing = field.width > Int(length) ? size_t(field.width) - length : 0;
  if (missing == 0)
    return text;
  Text all;
  if (field.zero && !field.left) {
    bool sign = text.view().starts_with('-') || text.view().starts_with('+');
    all = text.substr(0, sign);
    all.append(std::string(missing, '0'), false);
    all.append(text.substr(sign));
    return all;
  }
  if (!field.left)
    all.append(std::string(missing, ' '), false);
  all.append(text);
  if (field.left)
    all.append(std::string(missing, ' '), false);
  return all;
}

Value formatNumber(Run &run, const Value &value, const Field &field) {
  double number;
  if (!value.asDouble(number))
    return value.isUndefined()
               ? run.failUndefined(value)
               : run.fail(ErrorClass::Type,
                          "a number is needed in a format, not '" +
                              std::string(value.typeName()) + "'");
  std::string digits;
  if (field.kind == 'd' || field.kind == 'i' || field.kind == 'u') {
    Int whole;
    if (!value.asInt(whole)) {
      if (!std::isfinite(number) || std::fabs(number) > 1e38)
        return run.fail(ErrorClass::Overflow, "a number is out of range");
      whole = Int(number);
    }
    digits = intText(whole);
  } else if (field.kind == 'x' || field.kind == 'X' || field.kind == 'o') {
    Int whole = needInt(run, value, "format");
    auto rest = whole < 0 ? -static_cast<unsigned __int128>(whole)
                          : static_cast<unsigned __int128>(whole);
    unsigned base = field.kind == 'o' ? 8 : 16;
    const char *set =
        field.kind == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    do {
      digits += set[unsigned(rest % base)];
      rest /= base;
    } while (rest);
    digits += whole < 0 ? "-" : "";
    std::reverse(digits.begin(), digits.end());
  } else {
    char pattern[] = {'%', '.', '*', field.kind, 0};
    char buffer[512];
    Int precision =
        field.precision < 0 ? 6 : std::min<Int>(field.precision, 99);
    std::snprintf(buffer, sizeof buffer, pattern, int(precision), number);
    digits = buffer;
  }
  if (digits[0] != '-' && (field.plus || field.blank))
    digits.insert(0, field.plus ? "+" : " ");
  return Value(padded(Text(digits, false), field));
}

Value formatField(Run &run, const Value &value, const Field &field) {
  if (field.kind != 's' && field.kind != 'r')
    return formatNumber(run, value, field);
  run.spend(value.weight());
  Text text = field.kind == 's' ? toText(value) : toRepr(value);
  if (field.precision >= 0) {
    auto starts = charStarts(text.view());
    if (field.precision < Int(starts.size()))
      text = text.substr(0, starts[size_t(field.precision)]);
  }
  return Value(padded(text, field));
}

/// Digits at `i` as a number, at most 10000.
Int readDigits(std::string_view text, size_t &i) {
  Int value = 0;
  for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i)
    value = std::min<Int>(10000, value * 10 + (text[i] - '0'));
  return value;
}

/// Flags, width, precision and kind behind a "%".
bool readField(Run &run, std::string_view text, size_t &i, Field &field) {
  for (; i < text.size(); ++i) {
    char c = text[i];
    if (c == '-')
      field.left = true;
    else if (c == '0')
      field.zero = true;
    else if (c == '+')
      field.plus = true;
    else if (c == ' ')
      field.blank = true;
    else
      break;
  }
  field.width = readDigits(text, i);
  if (i < text.size() && text[i] == '.')
    field.precision = readDigits(text, ++i);
  if (i >= text.size()) {
    run.fail(ErrorClass::Runtime, "a format ends inside a field");
    return false;
  }
  field.kind = text[i++];
  static constexpr std::string_view known = "srdiuxXoeEfFgG";
  if (known.find(field.kind) != std::string_view::npos)
    return true;
  run.fail(ErrorClass::Unsupported,
           std::string("the format '%") + field.kind + "' is not supported");
  return false;
}

} // namespace

Value formatPercent(Run &run, const Text &format, const Value &value) {
  std::string_view text = format.view();
  bool isTuple = value.list() && value.list()->tuple;
  std::vector<Value> items =
      isTuple ? value.list()->items : std::vector<Value>{value};
  size_t used = 0;
  bool named = false;
  Text all;
  for (size_t i = 0; i < text.size() && !run.failed();) {
    if (text[i] != '%') {
      size_t next = std::min(text.find('%', i), text.size());
      all.append(format.substr(i, next - i));
      i = next;
      continue;
    }
    ++i;
    if (i < text.size() && text[i] == '%') {
      all.append(format.substr(i++, 1));
      continue;
    }
    Value item;
    size_t close = i < text.size() && text[i] == '(' ? text.find(')', i)
                                                     : std::string_view::npos;
    if (close != std::string_view::npos) {
      named = true;
      item = getItem(run, value, makeText(text.substr(i + 1, close - i - 1)));
      i = close + 1;
    } else if (used < items.size()) {
      item = items[used++];
    } else {
      return run.fail(ErrorClass::Type, "not enough arguments for the format");
    }
    Field field;
    if (readField(run, text, i, field))
      all.append(run.print(formatField(run, item, field)));
    if (!run.spend(1 + size_t(field.width) / 8))
      return {};
  }
  bool isMapping = value.dict() || (value.list() && !isTuple);
  if (!named && used < items.size() && !isMapping)
    return run.fail(ErrorClass::Type, "not all arguments of a format are used");
  return run.charge(std::move(all));
}

/// `{}`, `{0}`, `{name}`, `{name.attribute}` and `{name[key]}`; format
/// specifications are refused by name.
static Value braceValue(Run &run, std::string_view name,
                        const Arguments &arguments, size_t &next) {
  size_t end = std::min(name.find_first_of(".["), name.size());
  std::string_view first = name.substr(0, end);
  Value value;
  bool digits = first.find_first_not_of("0123456789") == std::string_view::npos;
  if (digits) {
    size_t i = 0;
    size_t index = first.empty() ? next++ : size_t(readDigits(first, i));
    if (index >= arguments.positional.size())
      return run.fail(ErrorClass::Runtime, "format: an argument is missing");
    value = arguments.positional[index];
  } else {
    const Value *found = arguments.find(SIZE_MAX, first);
    if (!found)
      return run.fail(ErrorClass::Runtime, "format: the argument '" +
                                               std::string(first) +
                                               "' is missing");
    value = *found;
  }
  name.remove_prefix(end);
  while (!name.empty() && !run.failed()) {
    bool item = name[0] == '[';
    size_t stop = item ? name.find(']') : name.find_first_of(".[", 1);
    if (item && stop == std::string_view::npos)
      return run.fail(ErrorClass::Runtime, "format: expected ']'");
    stop = std::min(stop, name.size());
    std::string_view key = name.substr(1, stop - 1);
    bool number = item && !key.empty() &&
                  key.find_first_not_of("0123456789") == std::string_view::npos;
    size_t i = 0;
    value = !item    ? getAttribute(run, value, key)
            : number ? getItem(run, value, Value(readDigits(key, i)))
                     : getItem(run, value, makeText(key));
    name.remove_prefix(std::min(stop + item, name.size()));
  }
  return value;
}

Value formatBraces(Run &run, const Text &format, const Arguments &arguments) {
  std::string_view text = format.view();
  Text all;
  size_t next = 0;
  for (size_t i = 0; i < text.size() && !run.failed();) {
    char c = text[i];
    if (c != '{' && c != '}') {
      size_t end = std::min(text.find_first_of("{}", i), text.size());
      all.append(format.substr(i, end - i));
      i = end;
      continue;
    }
    if (i + 1 < text.size() && text[i + 1] == c) {
      all.append(format.substr(i, 1));
      i += 2;
      continue;
    }
    size_t close = text.find('}', i);
    if (c == '}' || close == std::string_view::npos)
      return run.fail(ErrorClass::Runtime, "format: a brace has no partner");
    std::string_view name = text.substr(i + 1, close - i - 1);
    if (name.find_first_of(":!") != std::string_view::npos)
      return run.fail(ErrorClass::Unsupported,
                      "format specifications in braces are not supported");
    all.append(run.print(braceValue(run, name, arguments, next)));
    i = close + 1;
  }
  return run.charge(std::move(all));
}

} // namespace sgl::jinja
