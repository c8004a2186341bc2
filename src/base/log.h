// Messages for a person, on standard error or wherever the program points them.
#pragma once

#include <functional>
#include <string>

namespace whorl {

enum class LogLevel { debug, info, warning, error };

// Passed by reference to whoever has something to say; there is no global log.
class Log {
 public:
  using Sink = std::function<void(LogLevel, const std::string&)>;

  Log();  // to standard error, from `info` up
  explicit Log(Sink sink, LogLevel least = LogLevel::info) : sink_(std::move(sink)), least_(least) {}

  void operator()(LogLevel level, const std::string& message) const {
    if (level >= least_) sink_(level, message);
  }
  void info(const std::string& message) const { (*this)(LogLevel::info, message); }
  void warning(const std::string& message) const { (*this)(LogLevel::warning, message); }

 private:
  Sink sink_;
  LogLevel least_;
};

}  // namespace whorl
