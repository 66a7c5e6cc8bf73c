// Folding through the functions that also run; see Fold.h.
#include "compiler/check/Fold.h"

#include "ir/value/Builtins.h"

#include <algorithm>
#include <cmath>

namespace sgl {

namespace {

constexpr uint64_t maxValueSize = 1u << 20;
/// Bytes and elements that all folds of one check may read and write.
constexpr uint64_t maxFoldedSize = 256u << 20;

/// Bytes of text and elements below `value`, counted as often as they would be
/// printed (parts are shared, so a small value can print without end); stops
/// counting above the limit.
uint64_t sizeOf(const Value &value, unsigned depth = 0) {
  if (depth > maxTypeDepth)
    return maxValueSize + 1;
  uint64_t size = 1;
  auto add = [&](const Value &part) {
    size += size > maxValueSize ? 0 : sizeOf(part, depth + 1);
  };
  if (const std::string *text = value.asText()) {
    size += text->size();
  } else if (const ListData *list = value.asList()) {
    for (const Value &item : *list)
      add(item);
  } else if (const MapData *map = value.asMap()) {
    for (const auto &[key, item] : *map) {
      size += key.size();
      add(item);
    }
  } else if (const RecordData *record = value.asRecord()) {
    for (const Value &item : record->fields)
      add(item);
  }
  return size;
}

class Folder {
public:
  Folder(Session &session, ast::Expr &expr, std::string *why)
      : session(session), expr(expr), why(why) {}

  void run() {
    switch (expr.kind) {
    case ast::ExprKind::Text:
      return text();
    case ast::ExprKind::List:
      return list();
    case ast::ExprKind::Map:
      return map();
    case ast::ExprKind::Unary:
      return unary();
    case ast::ExprKind::Binary:
      return binary();
    case ast::ExprKind::If:
      return choose();
    case ast::ExprKind::Index:
      return index();
    case ast::ExprKind::Field:
      return field();
    case ast::ExprKind::Call:
      return call();
    default:
      return;
    }
  }

private:
  void set(Result<Value> result) {
    if (!result) {
      if (why)
        *why = result.error().message;
      return;
    }
    uint64_t size = sizeOf(*result);
    if (size > maxValueSize || !charge(size))
      return tooLarge();
    expr.constant = *result;
  }

  void tooLarge() {
    if (why)
      *why = "the value is too large to be a constant";
  }

  bool charge(uint64_t size) {
    session.foldedSize += size;
    return session.foldedSize <= maxFoldedSize;
  }

  const Value *child(size_t i) const {
    const auto &value = expr.children[i]->constant;
    return value ? &*value : nullptr;
  }

  void text() {
    std::string out;
    for (const ast::TextPart &part : expr.parts) {
      if (!part.hole) {
        out += part.bytes;
        continue;
      }
      if (!part.hole->constant)
        return;
      out += print(*part.hole->constant);
      if (out.size() > maxValueSize)
        return tooLarge();
    }
    set(Value::text(std::move(out)));
  }

  void list() {
    ListData items;
    for (const auto &element : expr.children) {
      if (!element->constant)
        return;
      items.push_back(*element->constant);
    }
    set(Value::list(std::move(items)));
  }

  void map() {
    // A key set again keeps its place.
    MapData items;
    std::unordered_map<std::string, size_t> places;
    for (size_t i = 0; i < expr.children.size(); ++i) {
      const auto &key = expr.keys[i]->constant;
      if (!key || !key->asText() || !child(i))
        return;
      auto [place, fresh] = places.emplace(*key->asText(), items.size());
      if (fresh)
        items.emplace_back(*key->asText(), *child(i));
      else
        items[place->second].second = *child(i);
    }
    set(Value::map(std::move(items)));
  }

  void unary() {
    if (const Value *operand = child(0))
      set(applyUnary(expr.unary == ast::UnaryOp::Not ? "not" : "neg",
                     *operand));
  }

  static const char *nameOf(ast::BinaryOp op) {
    switch (op) {
    case ast::BinaryOp::Add:
      return "add";
    case ast::BinaryOp::Sub:
      return "sub";
    case ast::BinaryOp::Mul:
      return "mul";
    case ast::BinaryOp::Div:
      return "div";
    case ast::BinaryOp::Mod:
      return "mod";
    case ast::BinaryOp::Eq:
      return "eq";
    case ast::BinaryOp::Ne:
      return "ne";
    case ast::BinaryOp::Lt:
      return "lt";
    case ast::BinaryOp::Le:
      return "le";
    case ast::BinaryOp::Gt:
      return "gt";
    case ast::BinaryOp::Ge:
      return "ge";
    case ast::BinaryOp::In:
    case ast::BinaryOp::NotIn:
      return "in";
    case ast::BinaryOp::And:
      return "and";
    case ast::BinaryOp::Or:
      return "or";
    case ast::BinaryOp::Range:
    case ast::BinaryOp::RangeInclusive:
      return "range";
    }
    return "";
  }

  void binary() {
    const Value *left = child(0), *right = child(1);
    bool isAnd = expr.binary == ast::BinaryOp::And;
    if (left && (isAnd || expr.binary == ast::BinaryOp::Or)) {
      // The right side need not be known where the left one decides.
      if (left->asBool() && *left->asBool() != isAnd) {
        expr.constant = *left;
        return;
      }
    }
    if (!left || !right)
      return;
    if (!charge(sizeOf(*left) + sizeOf(*right)))
      return tooLarge();
    switch (expr.binary) {
    case ast::BinaryOp::Range:
    case ast::BinaryOp::RangeInclusive:
      return range(*left, *right);
    case ast::BinaryOp::NotIn: {
      Result<Value> found = applyBinary("in", *left, *right);
      return set(found ? applyUnary("not", *found) : found);
    }
    default:
      return set(applyBinary(nameOf(expr.binary), *left, *right));
    }
  }

  void range(const Value &low, const Value &high) {
    const int64_t *from = low.asInt(), *to = high.asInt();
    if (!from || !to)
      return;
    ListData items;
    bool inclusive = expr.binary == ast::BinaryOp::RangeInclusive;
    if (*from < *to || (inclusive && *from == *to)) {
      uint64_t count = uint64_t(*to) - uint64_t(*from) + (inclusive ? 1 : 0);
      if (count == 0 || count > maxValueSize)
        return tooLarge();
      for (uint64_t i = 0; i < count; ++i)
        items.push_back(Value::integer(*from + int64_t(i)));
    }
    set(Value::list(std::move(items)));
  }

  void choose() {
    const Value *condition = child(0);
    if (!condition || !condition->asBool())
      return;
    if (const Value *chosen = child(*condition->asBool() ? 1 : 2))
      expr.constant = *chosen;
  }

  void index() {
    if (child(0) && child(1))
      set(element(*child(0), *child(1)));
  }

  void field() {
    if (!expr.constant && expr.children[0]->constant)
      set(sgl::field(*expr.children[0]->constant, expr.text));
  }

  //===-- Calls -----------------------------------------------------------===//

  void call() {
    switch (expr.callee) {
    case ast::CalleeKind::Builtin:
      return builtin();
    case ast::CalleeKind::Record:
      return record();
    case ast::CalleeKind::RecordConvert:
    case ast::CalleeKind::EnumConvert:
      if (expr.args.size() == 1 && expr.args[0].value->constant)
        set(convertConstant(*expr.args[0].value->constant));
      return;
    default:
      return;
    }
  }

  Result<Value> convertConstant(const Value &value) {
    // A record is read from a text as JSON; an enum is its member's text.
    if (expr.callee == ast::CalleeKind::RecordConvert && value.asText()) {
      Result<Value> json = parseJson(*value.asText());
      return json ? convert(*json, expr.type) : json;
    }
    return convert(value, expr.type);
  }

  /// How much a built-in may do with an argument: its size, or the number
  /// where the result's size is a number.
  uint64_t weight(const Value &value) const {
    bool sized = expr.builtin == "indent" || expr.builtin == "fixed" ||
                 expr.builtin == "range";
    if (const int64_t *number = value.asInt(); number && sized)
      return 1 + uint64_t(std::abs(
                     std::clamp<int64_t>(*number, -maxNumber, maxNumber)));
    return sizeOf(value);
  }

  void builtin() {
    const Builtin *builtin = findBuiltin(expr.builtin);
    if (!builtin || expr.args.size() < builtin->minArgs ||
        expr.args.size() > builtin->maxArgs)
      return;
    std::vector<Value> values;
    double product = 1;
    uint64_t sum = 0;
    for (const ast::Arg &arg : expr.args) {
      if (!arg.value->constant)
        return;
      uint64_t size = weight(*arg.value->constant);
      product *= double(size);
      sum += size;
      values.push_back(*arg.value->constant);
    }
    if (product > double(maxWork) || !charge(sum))
      return tooLarge();
    set(builtin->function(values));
  }

  void record() {
    const RecordDecl *decl = expr.record;
    std::vector<Value> fields;
    for (size_t i = 0; i < decl->fields.size(); ++i) {
      int from = i < expr.argOrder.size() ? expr.argOrder[i] : -1;
      if (from >= 0) {
        if (!expr.args[from].value->constant)
          return;
        fields.push_back(*expr.args[from].value->constant);
        continue;
      }
      const RecordField &field = decl->fields[i];
      if (!field.defaultJson) {
        fields.push_back(Value::null());
        continue;
      }
      Result<Value> json = parseJson(*field.defaultJson);
      Result<Value> value = json ? convert(*json, field.type) : json;
      if (!value)
        return;
      fields.push_back(*value);
    }
    set(Value::record(decl, std::move(fields)));
  }

  static constexpr int64_t maxNumber = int64_t(1) << 40;
  /// The product of the sizes of a built-in's arguments bounds its result.
  static constexpr uint64_t maxWork = uint64_t(1) << 26;

  Session &session;
  ast::Expr &expr;
  std::string *why;
};

} // namespace

void foldExpr(Session &session, ast::Expr &expr, std::string *why) {
  if (!isError(expr.type))
    Folder(session, expr, why).run();
}

} // namespace sgl
