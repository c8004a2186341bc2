#include "io/file.h"

#include <cstring>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace whorl {

namespace fs = std::filesystem;

namespace {

// Removed at the end, if it is still there.
struct TemporaryFile {
  fs::path path;
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
};

}  // namespace

Error cannot_write(const std::string& path, int reason) {
  return {ErrorCode::resources,
          fmt::format("cannot write {}: {}", path, reason ? std::strerror(reason) : "is the disk full?")};
}

bool flush_file(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY);
  if (file < 0) return false;
  const bool flushed = fsync(file) == 0;
  close(file);
  return flushed;
}

Result<void> write_whole(const std::string& path,
                         const std::function<Result<void>(const std::string&)>& write) {
  // Hidden, and with the extension at its end: libraries look at it.
  const fs::path place(path);
  const TemporaryFile temporary{place.parent_path() /
                                fmt::format(".{}.{}", getpid(), place.filename().string())};
  if (Result<void> written = write(temporary.path); !written) return written;
  // Before the new name points to it: a machine that goes down must not leave an empty frame.
  if (!flush_file(temporary.path)) return cannot_write(path);
  std::error_code failed;
  fs::rename(temporary.path, place, failed);
  if (failed) return cannot_write(path, failed.value());
  return {};
}

Result<void> write_whole_text(const std::string& path, const std::string& text) {
  return write_whole(path, [&](const std::string& temporary) -> Result<void> {
    errno = 0;
    std::ofstream file(temporary, std::ios::binary);
    file << text;
    file.close();
    return file ? Result<void>() : cannot_write(path);
  });
}

Result<void> make_folder(const std::string& path) {
  std::error_code failed;
  fs::create_directories(path, failed);
  if (!failed && access(path.c_str(), W_OK | X_OK) == 0 && fs::is_directory(path, failed)) return {};
  if (!failed) failed = std::make_error_code(std::errc::permission_denied);
  return Error{ErrorCode::resources, fmt::format("cannot write to the folder {}: {}; name another with -o",
                                                 path, failed.message())};
}

}  // namespace whorl
