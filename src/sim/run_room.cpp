#include "sim/run_room.h"

#include "scene/scene.h"
#include "sim/statistics.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

namespace whorl {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t mib = 1 << 20;

// What frames differ by, and what the system needs itself.
std::uint64_t least_memory() { return 96 * mib + peak_memory() / 32; }

std::uint64_t size_of(const std::string& path) {
  std::error_code none;
  const std::uintmax_t size = fs::file_size(path, none);
  return none ? 0 : std::uint64_t(size);
}

// Of the files that frames have in common.
std::uint64_t frame_bytes(const RunPaths& paths, int frame) {
  std::uint64_t sum = 0;
  for (const std::string& path : {paths.volume(frame), paths.image(frame), paths.exr(frame),
                                  paths.mesh(frame), paths.particles(frame), paths.whitewater(frame)})
    sum += size_of(path);
  return sum;
}

}  // namespace

std::string existing_folder(const std::string& folder) {
  std::error_code ignored;
  fs::path place = fs::absolute(folder, ignored);
  while (!fs::is_directory(place, ignored) && place.has_relative_path()) place = place.parent_path();
  return place.string();
}

std::optional<std::uint64_t> free_disk(const std::string& folder) {
  std::error_code error;
  const fs::space_info space = fs::space(existing_folder(folder), error);
  if (error) return {};
  return std::uint64_t(space.available);
}

Result<void> room_for_another(const RunPaths& paths, int last_frame) {
  if (const std::uint64_t memory = available_memory(); memory > 0 && memory < least_memory())
    return Error{ErrorCode::resources,
                 fmt::format("the machine has {} MiB of memory left; stopped before it is used up; a coarser "
                             "grid (--resolution) needs less",
                             memory / mib)};
  std::uint64_t checkpoint = 0;
  for (const int frame : paths.checkpoint_frames())
    checkpoint = std::max(checkpoint, size_of(paths.checkpoint(frame)));
  const std::uint64_t frame = frame_bytes(paths, last_frame), wanted = frame + frame / 2 + 2 * checkpoint;
  const std::optional<std::uint64_t> disk = free_disk(paths.folder);
  if (!disk || *disk >= wanted) return {};
  return Error{
      ErrorCode::resources,
      fmt::format(
          "{} has {:.1f} MiB left, and a frame and a checkpoint take {:.1f} MiB; stopped before it is "
          "full; make room there",
          paths.folder, double(*disk) / mib, double(wanted) / mib)};
}

}  // namespace whorl
