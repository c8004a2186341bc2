// Errors a caller can act on. Each code is also the exit status of the command line.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace whorl {

enum class ErrorCode {
  internal = 1,       // a fault of Whorl's own
  usage = 2,          // a wrong call, or a named file missing or unreadable
  invalid_scene = 3,  // a scene that does not validate
  diverged = 4,       // a solve that would not converge, a tolerance broken
  resources = 5,      // memory or disk
  interrupted = 130,  // stopped by the user
};

struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string message;  // one sentence: what, where, and how to mend it
};

// A value, or the reason why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}
  Result(Error error) : content_(std::move(error)) {}

  explicit operator bool() const { return content_.index() == 0; }
  T& value() & { return std::get<0>(content_); }
  const T& value() const& { return std::get<0>(content_); }
  T&& value() && { return std::get<0>(std::move(content_)); }
  const Error& error() const { return std::get<1>(content_); }

 private:
  std::variant<T, Error> content_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  explicit operator bool() const { return !error_; }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace whorl
