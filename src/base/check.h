// CHECK: what must not happen. Prints the expression, its place and the values given, then exits with 1.
// It stays on in release builds; never used inside kernels.
#pragma once

#include <sstream>
#include <string>

namespace whorl {

// "tile ", 7, " of ", 9  ->  "tile 7 of 9"
template <class... Args>
std::string concat(const Args&... args) {
  std::ostringstream out;
  static_cast<void>((out << ... << args));  // nothing at all is fine, too
  return out.str();
}

[[noreturn]] void check_failed(const char* file, int line, const char* expression, const std::string& detail);

}  // namespace whorl

#define CHECK(condition, ...)                                                              \
  do {                                                                                     \
    if (!(condition)) [[unlikely]]                                                         \
      ::whorl::check_failed(__FILE__, __LINE__, #condition, ::whorl::concat(__VA_ARGS__)); \
  } while (false)
