#include "sim/run_summary.h"

#include "sim/json_reader.h"
#include "sim/kept_scene.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace whorl {

namespace fs = std::filesystem;

namespace {

// Files that there is one of for each frame.
struct FileKind {
  const char* name;
  std::set<int> (RunPaths::*frames)() const;
  std::string (RunPaths::*file)(int frame) const;
  bool (SceneFile::*wanted)() const;
};

constexpr FileKind kinds[] = {
    {"vdb", &RunPaths::volume_frames, &RunPaths::volume, &SceneFile::wants_vdb},
    {"mesh", &RunPaths::mesh_frames, &RunPaths::mesh, &SceneFile::wants_meshes},
    {"particles", &RunPaths::particle_frames, &RunPaths::particles, &SceneFile::wants_particles},
    {"whitewater", &RunPaths::whitewater_frames, &RunPaths::whitewater, &SceneFile::wants_whitewater},
    {"png", &RunPaths::image_frames, &RunPaths::image, &SceneFile::wants_images},
    {"exr", &RunPaths::exr_frames, &RunPaths::exr, &SceneFile::wants_exr}};

void add_frame(RunSummary& run, const JsonValue& line) {
  const int frame = int(line.number("frame", 0));
  if (run.finished++ == 0) run.first_time = line.number("time", 0);
  run.last_time = line.number("time", 0);
  run.last_cells = std::int64_t(line.number("active_cells", 0));
  run.most_cells = std::max(run.most_cells, run.last_cells);
  if (const double divergence = line.number("max_divergence", 0); divergence > run.worst_divergence) {
    run.worst_divergence = divergence;
    run.worst_frame = frame;
  }
  run.peak_memory_bytes = std::max(run.peak_memory_bytes, std::uint64_t(line.number("peak_memory_bytes", 0)));
  if (line.find("state_hash")) ++run.hashes;
  StageSeconds stages;
  if (const JsonValue* seconds = line.find("seconds"); seconds && seconds->object())
    for (const auto& [stage, value] : *seconds->object())
      stages.emplace_back(stage, seconds->number(stage, 0));
  add_stages(run.by_stage, stages);
}

// The frames that have a line.
std::set<int> read_statistics(RunSummary& run, std::string_view text) {
  std::set<int> frames;
  for (const JsonLine& line : json_lines(text)) {
    if (line.value && line.value->find("frame")) {
      add_frame(run, *line.value);
      frames.insert(int(line.value->number("frame", 0)));
    } else {
      ++run.damaged_lines;
    }
  }
  return frames;
}

// Without a scene, nothing is known to be missing.
void look_for_files(RunSummary& run, const std::set<int>& finished, const SceneFile* scene) {
  for (const FileKind& kind : kinds) {
    const std::set<int> there = (run.paths.*kind.frames)();
    run.files.emplace_back(kind.name, int(there.size()));
    for (const int frame : finished)
      if (scene && (scene->*kind.wanted)() && !there.contains(frame))
        run.missing.push_back((run.paths.*kind.file)(frame));
  }
  run.video = fs::exists(run.paths.video());
  if (scene && scene->wants_video() && !run.video && !finished.empty())
    run.missing.push_back(run.paths.video());
}

}  // namespace

Result<RunSummary> summarize_run(const std::string& folder) {
  RunSummary run;
  fs::path place = fs::path(folder).lexically_normal();
  if (!place.has_filename()) place = place.parent_path();  // "out/plume/"
  run.paths = {place.string(), place.filename().string()};

  const Result<std::string> scene_text = read_text(run.paths.scene());
  const Result<std::string> statistics = read_text(run.paths.statistics());
  const std::optional<KeptScene> kept = scene_text ? parse_kept(scene_text.value()) : std::nullopt;
  if (!kept && !statistics)
    return Error{ErrorCode::usage,
                 fmt::format("'{}' is not the folder of a run: it holds neither a run's scene.toml nor a "
                             "frames.jsonl",
                             folder)};

  std::optional<SceneFile> scene;
  if (kept) {
    run.paths.name = kept->name;
    run.wanted = kept->last_frame;
    if (auto parsed = SceneFile::parse_made(kept->text, run.paths.scene(), kept->overrides))
      scene.emplace(std::move(parsed).value());
  }
  const std::set<int> frames = statistics ? read_statistics(run, statistics.value()) : std::set<int>{};
  look_for_files(run, frames, scene ? &*scene : nullptr);
  return run;
}

}  // namespace whorl
