// Checked access to a JSON tree: what the readers of a plan are made of.
//
// The first fault is kept with its JSON path; every function returns false
// from then on, so callers can stop at once.
#pragma once

#include "ir/value/Value.h"

#include <functional>
#include <initializer_list>

namespace sgl::plan {

/// A place in the tree; the path to it is only printed when something fails.
struct Cursor {
  const Value *value = nullptr;
  const Cursor *parent = nullptr;
  std::string_view key; ///< of an object
  size_t index = 0;     ///< of a list, where `key` is empty

  std::string path() const;
};

class Reader {
public:
  Error failure;

  bool fail(const Cursor &at, std::string message);

  bool number(const Cursor &at, uint64_t limit, uint64_t &out);
  bool number(const Cursor &at, uint32_t &out);
  bool integer(const Cursor &at, int64_t &out);
  bool text(const Cursor &at, std::string &out);
  bool boolean(const Cursor &at, bool &out);
  bool numbers(const Cursor &at, std::vector<uint32_t> &out);
  bool texts(const Cursor &at, std::vector<std::string> &out);

  /// Calls `each` for the elements of a list.
  bool list(const Cursor &at, const std::function<bool(const Cursor &)> &each);
  /// Calls `each` for the entries of an object, with the key.
  bool object(const Cursor &at,
              const std::function<bool(const Cursor &)> &each);
  /// An object with no other keys than these, and with all of `required`.
  bool shape(const Cursor &at, std::initializer_list<std::string_view> required,
             std::initializer_list<std::string_view> optional = {});
  /// The entry under `key`; `value` is null where there is none.
  static Cursor child(const Cursor &at, std::string_view key);
};

} // namespace sgl::plan
