#include "sim/run_summary.h"

#include "sim/json_reader.h"
#include "sim/kept_scene.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>

namespace whorl {

namespace fs = std::filesystem;

namespace {

struct Wanted {
  bool volumes = false, images = false, exr_files = false, video = false;
};

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
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::optional<JsonValue> parsed = parse_json(line);
    if (parsed && parsed->find("frame")) {
      add_frame(run, *parsed);
      frames.insert(int(parsed->number("frame", 0)));
    } else {
      ++run.damaged_lines;
    }
  }
  return frames;
}

void look_for_files(RunSummary& run, const std::set<int>& frames, const Wanted& wanted) {
  const std::set<int> volumes = run.paths.volume_frames(), images = run.paths.image_frames(),
                      exr_files = run.paths.exr_frames();
  run.volumes = int(volumes.size());
  run.images = int(images.size());
  run.exr_files = int(exr_files.size());
  run.video = fs::exists(run.paths.video());
  for (const int frame : frames) {
    if (wanted.volumes && !volumes.contains(frame)) run.missing.push_back(run.paths.volume(frame));
    if (wanted.images && !images.contains(frame)) run.missing.push_back(run.paths.image(frame));
    if (wanted.exr_files && !exr_files.contains(frame)) run.missing.push_back(run.paths.exr(frame));
  }
  if (wanted.video && !run.video && !frames.empty()) run.missing.push_back(run.paths.video());
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

  Wanted wanted;
  if (kept) {
    run.paths.name = kept->name;
    run.wanted = kept->last_frame;
    if (const auto scene = SceneFile::parse_made(kept->text, run.paths.scene(), kept->overrides))
      wanted = {scene.value().wants_vdb(), scene.value().wants_images(), scene.value().wants_exr(),
                scene.value().wants_video()};
  }
  const std::set<int> frames = statistics ? read_statistics(run, statistics.value()) : std::set<int>{};
  look_for_files(run, frames, wanted);
  return run;
}

}  // namespace whorl
