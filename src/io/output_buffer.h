// Bytes on their way into a file that appears whole.
#pragma once

#include "io/file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace whorl {

class OutputBuffer {
 public:
  explicit OutputBuffer(const std::string& path) : file_(std::fopen(path.c_str(), "wb")) {
    if (!file_) fail();
  }
  ~OutputBuffer() {
    if (file_) std::fclose(file_);
  }
  OutputBuffer(const OutputBuffer&) = delete;
  OutputBuffer& operator=(const OutputBuffer&) = delete;

  template <class... Args>
  void text(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(bytes_), format, std::forward<Args>(args)...);
    flush_if_large();
  }
  // As it lies in memory, which is little endian on every machine that Whorl is built for.
  template <class T>
  void binary(const T& value) {
    const auto* from = reinterpret_cast<const char*>(&value);
    bytes_.append(from, from + sizeof(T));
    flush_if_large();
  }
  // False if any of it could not be written.
  bool close() {
    flush();
    if (file_ && std::fclose(file_) != 0) fail();
    file_ = nullptr;
    return !failed_;
  }
  int reason() const { return reason_; }  // the system's, for the first failure; 0: it gave none

 private:
  void flush_if_large() {
    if (bytes_.size() > 1 << 20) flush();
  }
  void flush() {
    if (!failed_ && std::fwrite(bytes_.data(), 1, bytes_.size(), file_) != bytes_.size()) fail();
    bytes_.clear();
  }
  void fail() {
    if (!std::exchange(failed_, true)) reason_ = errno;
  }

  std::FILE* file_;
  bool failed_ = false;
  int reason_ = 0;
  fmt::memory_buffer bytes_;
};

// A file of what write(buffer) puts into the buffer.
template <class F>
Result<void> write_buffered(const std::string& path, const F& write) {
  return write_whole(path, [&](const std::string& file) -> Result<void> {
    OutputBuffer out(file);
    write(out);
    return out.close() ? Result<void>() : cannot_write(path, out.reason());
  });
}

}  // namespace whorl
