#include "sim/run_checkpoints.h"

#include "io/file.h"
#include "sim/checkpoint.h"
#include "sim/json_reader.h"
#include "sim/scene_content.h"
#include "sim/usage_error.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <string_view>

#include <fmt/format.h>

namespace whorl {

bool RunCheckpoints::due(int frame) const {
  if (config_.keep == 0) return false;
  if (frame == 1) return true;  // from here on there is always one to go on from
  return config_.frames ? frame % *config_.frames == 0 : since_.seconds() >= config_.seconds;
}

Result<void> RunCheckpoints::save(const Simulation& simulation) {
  if (config_.keep == 0) return {};
  if (Result<void> made = make_folder(paths_.checkpoints()); !made) return made;
  // A checkpoint whose frames have no lines would be of no use.
  if (std::filesystem::exists(paths_.statistics()) && !flush_file(paths_.statistics()))
    return cannot_write(paths_.statistics());
  if (Result<void> saved = simulation.save(paths_.checkpoint(simulation.frame())); !saved) return saved;
  since_ = {};
  saved_at_ = simulation.time();
  std::set<int> frames = paths_.checkpoint_frames();
  for (; int(frames.size()) > config_.keep; frames.erase(frames.begin())) {
    std::error_code ignored;  // one too many does no harm
    std::filesystem::remove(paths_.checkpoint(*frames.begin()), ignored);
  }
  return {};
}

void RunCheckpoints::save_last(const Simulation& simulation, RunObserver& observer) {
  if (simulation.time() == saved_at_) return;
  if (const Result<void> saved = save(simulation); !saved)
    observer.on_warning("no checkpoint of the end: " + saved.error().message);
}

namespace {

// The lines of frames 1 to `last`, as far as they are there, and how many those are.
struct FrameLines {
  std::string text;
  int count = 0;
};

FrameLines frame_lines(const RunPaths& paths, int last) {
  const Result<std::string> text = read_text(paths.statistics());
  FrameLines lines;
  if (!text) return lines;
  for (const JsonLine& line : json_lines(text.value())) {
    const bool is_next = line.value && int(line.value->number("frame", 0)) == lines.count + 1;
    if (!is_next || lines.count == last) break;
    lines.text += std::string(line.text) + "\n";
    ++lines.count;
  }
  return lines;
}

// Those that may be gone on from, the newest first.
std::vector<int> candidates(const RunPaths& paths, const ResumeOptions& options) {
  const std::set<int> frames = paths.checkpoint_frames();
  std::vector<int> found(frames.rbegin(), frames.rend());
  if (options.from_frame) std::erase_if(found, [&](int frame) { return frame > *options.from_frame; });
  return found;
}

}  // namespace

Result<std::optional<int>> resume_run(const RunPaths& paths, Simulation& simulation, const SceneFile& scene,
                                      const ResumeOptions& options, RunObserver& observer) {
  Exec ex({.threads = 1});
  const CheckpointHeader own = header_for(ex, scene.content().config);
  const bool changed = options.from_frame.has_value();
  const std::vector<int> frames = candidates(paths, options);
  for (const int frame : frames) {
    const std::string path = paths.checkpoint(frame);
    const auto pass_over = [&](const std::string& why) {
      observer.on_warning(frame == frames.back() ? why : why + "; taking the one before it");
    };
    const Result<CheckpointHeader> header = read_header(ex, path);
    if (!header) {
      pass_over(header.error().message);
      continue;
    }
    if (Result<void> fits = check_header(path, header.value(), own, changed); !fits) return fits.error();
    if (options.from_frame == frame && header.value().substeps > 0) continue;  // beyond that frame
    const FrameLines lines = frame_lines(paths, frame);
    if (lines.count < frame) {
      pass_over(
          fmt::format("{}: {} has the lines of {} frames alone", path, paths.statistics(), lines.count));
      continue;
    }
    if (frame > options.last_frame)
      return usage_error(
          fmt::format("{}: it is of frame {}, and {} are asked for; ask for more with --frames", path, frame,
                      options.last_frame));
    if (options.whitewater && frame > 0 && !header.value().whitewater)
      return usage_error(fmt::format(
          "{}: the run so far has no whitewater to go on from; leave it out of --stages, and make "
          "it from particles afterwards",
          path));
    if (const Result<void> restored = simulation.restore(path, changed); !restored) {
      pass_over(restored.error().message);
      continue;
    }
    // The statistics go first: they must not name a frame that is gone.
    if (Result<void> cut = write_whole_text(paths.statistics(), lines.text); !cut) return cut.error();
    if (Result<void> removed = remove_later(paths, frame); !removed) return removed.error();
    return std::optional<int>(frame);
  }
  return std::optional<int>();
}

int finished_frames(const RunPaths& paths) {
  return frame_lines(paths, std::numeric_limits<int>::max()).count;
}

}  // namespace whorl
