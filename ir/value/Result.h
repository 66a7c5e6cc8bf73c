// A value or one error: what every reader of files and plans returns.
//
// No exception crosses a file of this project. A function that can fail on
// outside input returns Result<T>; the message is one sentence in lower case
// without a full stop that names the thing and says what would be right.
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <utility>

namespace sgl {

/// What went wrong, ready to be printed behind "error: ".
struct Error {
  std::string message;
};

/// Either a T or an Error. Check with `if (!r)` before reading `*r`.
template <typename T>
class [[nodiscard]] Result {
public:
  Result(T value) : value(std::move(value)) {}
  Result(Error error) : failure(std::move(error)) {}

  explicit operator bool() const { return value.has_value(); }
  T &operator*() {
    assert(value && "read of a failed result");
    return *value;
  }
  const T &operator*() const {
    assert(value && "read of a failed result");
    return *value;
  }
  T *operator->() { return &**this; }
  const T *operator->() const { return &**this; }
  const Error &error() const { return failure; }

private:
  std::optional<T> value;
  Error failure;
};

/// Success without a value.
struct Done {};
using Status = Result<Done>;

} // namespace sgl
