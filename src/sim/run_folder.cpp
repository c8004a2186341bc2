#include "sim/run_folder.h"

#include "io/file.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

namespace whorl {

namespace fs = std::filesystem;

namespace {

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// The number in "plume.0001.vdb".
std::optional<int> frame_of(std::string_view file, std::string_view name, std::string_view extension) {
  if (!file.starts_with(name) || !file.ends_with(extension)) return {};
  if (file.size() < name.size() + extension.size() + 5 || file[name.size()] != '.') return {};
  const std::string_view digits =
      file.substr(name.size() + 1, file.size() - name.size() - 1 - extension.size());
  int frame = 0;
  if (!all_digits(digits) || (digits.size() > 4 && digits[0] == '0')) return {};
  if (std::from_chars(digits.data(), digits.data() + digits.size(), frame).ec != std::errc()) return {};
  return frame;
}

// "plume.0001.vdb" for ".4711.plume.0001.vdb", the name under which io/file.h writes it; grid/archive.h has
// one of its own.
std::string_view without_temporary(std::string_view file) {
  if (file.ends_with(".whorl.tmp")) return file.substr(0, file.rfind('.'));
  const std::size_t dot = file.find('.', 1);
  if (!file.starts_with('.') || dot == std::string_view::npos || !all_digits(file.substr(1, dot - 1)))
    return {};
  return file.substr(dot + 1);
}

std::set<int> frames_in(const std::string& folder, const std::string& name, std::string_view extension) {
  std::set<int> frames;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    if (const auto frame = frame_of(at->path().filename().string(), name, extension)) frames.insert(*frame);
  return frames;
}

Result<void> remove_file(const fs::path& path) {
  std::error_code failed;
  fs::remove(path, failed);
  if (!failed) return {};
  return Error{ErrorCode::resources, fmt::format("cannot replace {}: {}", path.string(), failed.message())};
}

// Those of a folder whose names are such.
template <class Such>
Result<void> remove_files(const std::string& folder, const Such& such) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    if (such(at->path().filename().string())) found.push_back(at->path());
  for (const fs::path& path : found)
    if (Result<void> removed = remove_file(path); !removed) return removed;
  return {};
}

// Of frames later than `last`, and whatever was left half-written.
Result<void> remove_frames(const std::string& folder, const std::string& name, std::string_view extension,
                           int last) {
  return remove_files(folder, [&](const std::string& file) {
    return frame_of(file, name, extension).value_or(last) > last ||
           frame_of(without_temporary(file), name, extension);
  });
}

// A file that is whole or half-written.
Result<void> remove_written(const std::string& folder, const std::string& name) {
  return remove_files(
      folder, [&](const std::string& file) { return file == name || without_temporary(file) == name; });
}

}  // namespace

std::string RunPaths::numbered(const std::string& in, int frame, const char* extension) const {
  return fmt::format("{}/{}.{:04}{}", in, name, frame, extension);
}

std::set<int> RunPaths::volume_frames() const { return frames_in(volumes(), name, ".vdb"); }
std::set<int> RunPaths::image_frames() const { return frames_in(images(), name, ".png"); }
std::set<int> RunPaths::exr_frames() const { return frames_in(exr_files(), name, ".exr"); }
std::set<int> RunPaths::mesh_frames() const { return frames_in(meshes(), name, ".ply"); }
std::set<int> RunPaths::particle_frames() const { return frames_in(particle_files(), name, ".ply"); }

std::set<int> RunPaths::checkpoint_frames() const { return frames_in(checkpoints(), name, ".whorl"); }

Result<int> remove_run(const RunPaths& paths) {
  std::set<int> frames = paths.volume_frames();
  frames.merge(paths.image_frames());
  frames.merge(paths.exr_frames());
  frames.merge(paths.mesh_frames());
  // The statistics go first: they must not name a frame that is gone.
  for (const std::string& path : {paths.statistics(), paths.stages(), paths.video(), paths.report()})
    if (const Result<void> removed = remove_file(path); !removed) return removed.error();
  constexpr int none = -1;  // a checkpoint may be of no finished frame
  if (const Result<void> removed = remove_later(paths, none); !removed) return removed.error();
  return int(frames.size());
}

Result<void> remove_later(const RunPaths& paths, int last) {
  const auto half_written = [&](const std::string& file) {
    const std::string meant = paths.folder + "/" + std::string(without_temporary(file));
    return meant == paths.scene() || meant == paths.statistics() || meant == paths.stages() ||
           meant == paths.video() || meant == paths.report();
  };
  if (Result<void> removed = remove_files(paths.folder, half_written); !removed) return removed;
  if (Result<void> removed = remove_frames(paths.checkpoints(), paths.name, ".whorl", last); !removed)
    return removed;
  for (const auto& [folder, extension] : {std::pair(paths.volumes(), ".vdb"),
                                          {paths.images(), ".png"},
                                          {paths.exr_files(), ".exr"},
                                          {paths.meshes(), ".ply"},
                                          {paths.particle_files(), ".ply"}})
    for (const std::string& name : {paths.name, paths.name + "_whitewater"})
      if (Result<void> removed = remove_frames(folder, name, extension, last); !removed) return removed;
  return {};
}

Result<void> remove_exported(const RunPaths& paths, const std::vector<std::string>& solids) {
  // What is left of an export must not pass for all of it.
  for (const char* file : {"export.json", "open_in_blender.py", "open_in_houdini.py"})
    if (Result<void> removed = remove_written(paths.folder, file); !removed) return removed;
  for (const char* of_all : {".usda", ".manifest.usda"})
    if (Result<void> removed = remove_written(paths.meshes(), paths.name + of_all); !removed) return removed;
  constexpr int none = 0;
  for (const auto& [folder, extension] : {std::pair(paths.volumes(), ".vdb"),
                                          {paths.meshes(), ".ply"},
                                          {paths.meshes(), ".usda"},
                                          {paths.particle_files(), ".ply"}})
    for (const std::string& name : {paths.name, paths.name + "_whitewater"})
      if (Result<void> removed = remove_frames(folder, name, extension, none); !removed) return removed;
  for (const std::string& name : solids) {
    if (Result<void> removed = remove_written(paths.solids(), name + ".ply"); !removed) return removed;
    if (Result<void> removed = remove_frames(paths.solids(), name, ".ply", none); !removed) return removed;
  }
  return {};
}

Result<FolderLock> FolderLock::take(const std::string& folder) {
  FolderLock lock(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // A file system that knows no locks does without.
  if (lock.file_ >= 0 && flock(lock.file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return Error{
        ErrorCode::resources,
        fmt::format("another run is writing to {}; wait for it, or name another folder with -o", folder)};
  return lock;
}

FolderLock::~FolderLock() {
  if (file_ >= 0) close(file_);
}

Result<void> append_line(const std::string& path, const std::string& line) {
  const std::string text = line + "\n";
  const int file = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  const off_t before = file < 0 ? -1 : lseek(file, 0, SEEK_END);
  ssize_t written = -1;
  if (before >= 0) do {
      written = write(file, text.data(), text.size());  // in one piece, so that a kill cannot halve it
    } while (written < 0 && errno == EINTR);
  const bool whole = written == ssize_t(text.size());
  const int reason = written < 0 ? errno : ENOSPC;
  // Where even that fails, half a line is left, which readers pass over.
  [[maybe_unused]] const int cut = !whole && written > 0 ? ftruncate(file, before) : 0;
  if (file >= 0) close(file);
  if (whole) return {};
  return cannot_write(path, reason);
}

Result<std::string> read_text(const std::string& path) {
  std::error_code ignored;
  const bool is_folder = fs::is_directory(path, ignored);
  std::ifstream file(path, std::ios::binary);
  if (file && !is_folder)
    if (std::string text(std::istreambuf_iterator<char>(file), {}); !file.bad()) return text;
  return Error{ErrorCode::usage, fmt::format("cannot read '{}': {}", path,
                                             is_folder ? "it is a folder" : std::strerror(errno))};
}

}  // namespace whorl
