// Bytes as a file, for readers that take a path.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace whorl {

// The folder is made once in a process and goes with it. It is in memory where that can be.
inline std::string input_file(const std::string& name, std::string_view bytes) {
  struct Folder {
    std::string path;
    Folder() {
      namespace fs = std::filesystem;
      const fs::path memory = "/dev/shm";
      path = (fs::is_directory(memory) ? memory : fs::temp_directory_path()) / "whorl_fuzz_XXXXXX";
      if (!mkdtemp(path.data())) std::abort();
    }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  };
  static const Folder folder;
  const std::string path = folder.path + "/" + name;
  std::ofstream(path, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
  return path;
}

}  // namespace whorl
