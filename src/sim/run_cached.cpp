#include "sim/run_cached.h"

#include "io/file.h"
#include "sim/kept_frames.h"
#include "sim/kept_scene.h"
#include "sim/run_folder.h"
#include "sim/run_report.h"
#include "sim/run_video.h"
#include "sim/scene_content.h"
#include "sim/stage_record.h"
#include "sim/statistics.h"
#include "sim/stopwatch.h"
#include "sim/usage_error.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace whorl {
namespace {

Error memory_used_up(const RunStages& stages) {
  std::vector<std::string> smaller;
  if (stages.surface) smaller.push_back("coarser meshes (output.mesh_refinement)");
  if (stages.render) smaller.push_back("smaller pictures (output.width, output.height)");
  return {ErrorCode::resources,
          smaller.empty() ? "the memory is used up"
                          : fmt::format("the memory is used up; {} need less", fmt::join(smaller, " or "))};
}

// What is between the frames in a folder and the scene given, or nothing.
template <int D>
std::string difference(const Scene<D>& kept, const Scene<D>& given) {
  const GridLayout<D> there = grid_layout(kept), here = grid_layout(given);
  if (kept.solver != given.solver) return "another solver than this scene's";
  if (there.cell_size != here.cell_size)
    return fmt::format("cells of {:.6g} m, and this scene asks for {:.6g} m", there.cell_size,
                       here.cell_size);
  if (there.origin != here.origin || there.domain != here.domain) return "another domain than this scene's";
  if (kept.time.fps != given.time.fps)
    return fmt::format("{:.6g} frames a second, and this scene asks for {:.6g}", kept.time.fps,
                       given.time.fps);
  return "";
}

std::string difference(const SceneConfig& kept, const SceneConfig& given) {
  return std::visit(
      [&]<int D>(const Scene<D>& there) -> std::string {
        const auto* here = std::get_if<Scene<D>>(&given);
        return here ? difference(there, *here) : fmt::format("{} dimensions", D);
      },
      kept);
}

std::unique_ptr<KeptFrames> kept_frames(Exec& ex, const SceneConfig& scene, const PictureFiles& pictures) {
  return std::visit(
      [&]<int D>(const Scene<D>& own) -> std::unique_ptr<KeptFrames> {
        if constexpr (D == 3)
          if (own.solver == SolverKind::liquid) return kept_particles(ex, own, pictures);
        return kept_volumes(ex, own, pictures);
      },
      scene);
}

class CachedRun {
 public:
  CachedRun(const SceneFile& scene, const RunOptions& options, RunObserver& observer)
      : options_(options),
        observer_(observer),
        scene_(scene),
        paths_{options.folder, scene.name()},
        ex_({.threads = options.threads}),
        pictures_(picture_files(scene, *options.stages)),
        kept_(kept_frames(ex_, scene.content().config, pictures_)) {}

  RunReport execute() {
    const Stopwatch clock;
    try {
      report_.outcome = all_frames();
    } catch (const std::bad_alloc&) {
      report_.outcome = memory_used_up(*options_.stages);
    }
    report_.name = paths_.name;
    report_.folder = paths_.folder;
    if (report_.outcome && pictures_.png && scene_.wants_video() && whole_run_) show_video();
    if (changed_) renew_report();
    report_.seconds = clock.seconds();
    return std::move(report_);
  }

 private:
  Result<void> all_frames() {
    if (!std::filesystem::is_directory(paths_.folder))
      return usage_error(
          fmt::format("there is no folder {} with an earlier run; simulate first, with {}, or name the "
                      "run's folder with -o",
                      paths_.folder, kept_->how_to_keep()));
    Result<FolderLock> lock = FolderLock::take(paths_.folder);
    if (!lock) return lock.error();
    lock_.emplace(std::move(lock).value());
    if (const Result<void> fits = look_at_run(); !fits) return fits;
    // What a kill left half-written.
    if (const Result<void> swept = remove_later(paths_, std::numeric_limits<int>::max()); !swept)
      return swept;
    const Result<int> last = last_kept_frame();
    if (!last) return last.error();
    record_.emplace(ex_, scene_.content().config, paths_, pictures_);
    states_ = state_hashes(paths_);
    if (const Result<void> made = prepare(last.value()); !made) return made;
    report_.last_frame = last.value();
    observer_.on_start({.name = paths_.name,
                        .folder = paths_.folder,
                        .dimension = scene_.dimension(),
                        .last_frame = last.value(),
                        .fps = scene_.fps()});
    report_.first_frame = options_.first_frame;
    report_.frames = options_.first_frame - 1;
    while (report_.frames < last.value()) {
      if (const Result<void> done = next_frame(); !done) return done;
      if (observer_.should_stop() && report_.frames < last.value())
        return Error{ErrorCode::interrupted, fmt::format("stopped at frame {}", report_.frames + 1)};
    }
    return {};
  }

  // The files have the name of the run, and its grid, which the scene must share.
  Result<void> look_at_run() {
    const Result<std::string> text = read_text(paths_.scene());
    const std::optional<KeptScene> kept = text ? parse_kept(text.value()) : std::nullopt;
    if (!kept)
      return usage_error(
          fmt::format("{} is not the folder of a run: it holds no scene.toml of one; simulate "
                      "first, with {}",
                      paths_.folder, kept_->how_to_keep()));
    paths_.name = kept->name;
    const Result<SceneFile> scene = SceneFile::parse_made(kept->text, paths_.scene(), kept->overrides);
    if (!scene) return scene.error();
    const std::string unlike = difference(scene.value().content().config, scene_.content().config);
    if (unlike.empty()) return {};
    return usage_error(
        fmt::format("the run in {} has {}; give the --resolution and --set of that run, which {} "
                    "begins with",
                    paths_.folder, unlike, paths_.scene()));
  }

  // All frames from the first to it are there.
  Result<int> last_kept_frame() {
    const std::set<int> frames = kept_->frames(paths_);
    if (frames.empty())
      return usage_error(fmt::format("there is no {}; simulate with {} to have it", kept_->file(paths_, 1),
                                     kept_->how_to_keep()));
    const int wanted = options_.last_frame > 0 ? options_.last_frame : *frames.rbegin();
    if (options_.first_frame > wanted)
      return usage_error(
          fmt::format("frame {} is to be the first, and the last is frame {}", options_.first_frame, wanted));
    for (int frame = options_.first_frame; frame <= wanted; ++frame)
      if (!frames.contains(frame))
        return usage_error(
            fmt::format("{} is missing; simulate again{}", kept_->file(paths_, frame),
                        frame > options_.first_frame
                            ? fmt::format(", or use --frames {}-{}", options_.first_frame, frame - 1)
                            : ""));
    newest_frame_ = *frames.rbegin();
    whole_run_ = options_.first_frame == 1 && wanted >= newest_frame_;
    return wanted;
  }

  Result<void> prepare(int last) {
    wanted_ = *options_.stages;
    // Each frame's whitewater goes on from the one before: all of it or none.
    if (wanted_.whitewater && !options_.again) {
      wanted_.whitewater = false;
      for (int frame = 1; frame <= last; ++frame)
        wanted_.whitewater = wanted_.whitewater || !is_fresh(Stage::whitewater, frame);
    }
    for (const auto& [wanted, folder] : {std::pair(wanted_.surface, paths_.meshes()),
                                         {pictures_.png, paths_.images()},
                                         {pictures_.exr, paths_.exr_files()}})
      if (wanted)
        if (const Result<void> made = make_folder(folder); !made) return made;
    return {};
  }

  bool is_fresh(Stage stage, int frame) const {
    const auto state = states_.find(frame);
    return state != states_.end() && record_->is_fresh(stage, frame, state->second);
  }

  Result<void> next_frame() {
    const Stopwatch clock;
    FrameStatistics statistics;
    statistics.frame = report_.frames + 1;
    statistics.time = statistics.frame / scene_.fps();
    RunStages stale = wanted_;
    if (!options_.again) stale.surface = stale.surface && !is_fresh(Stage::surface, statistics.frame);
    // Whitewater that is made anew is seen in the picture.
    if (!options_.again && !stale.whitewater)
      stale.render = stale.render && !is_fresh(Stage::render, statistics.frame);
    const bool all_fresh = !stale.surface && !stale.whitewater && !stale.render;
    report_.kept += all_fresh;
    if (!all_fresh)
      if (const Result<void> made = make(stale, statistics, clock); !made) return made;
    report_.frames = statistics.frame;
    report_.show = last_file(statistics.frame);
    return {};
  }

  Result<void> make(const RunStages& stale, FrameStatistics& statistics, const Stopwatch& clock) {
    if (!std::exchange(prepared_, true))
      if (Result<void> ready = kept_->prepare(wanted_, observer_); !ready) return ready;
    const auto found = states_.find(statistics.frame);
    const std::uint64_t state = found == states_.end() ? 0 : found->second;
    // A kill from here on leaves no files that pass for others.
    if (Result<void> forgot = record_->forget(stale, statistics.frame, state); !forgot) return forgot;
    changed_ = true;
    if (Result<void> made = kept_->make(paths_, stale, statistics); !made) return made;
    if (stale.surface)
      if (Result<void> told = tell_mesh_volume(statistics); !told) return told;
    if (Result<void> noted = record_->note(stale, statistics.frame, state); !noted) return noted;
    statistics.peak_memory_bytes = peak_memory();
    statistics.seconds.emplace_back(total_stage, clock.seconds());
    add_stages(report_.by_stage, statistics.seconds);
    observer_.on_frame(statistics, clock.seconds());
    return {};
  }

  // The run's statistics are of the files that there are.
  Result<void> tell_mesh_volume(const FrameStatistics& made) const {
    const Result<std::string> before = read_text(paths_.statistics());
    if (!before) return before.error();
    const std::string after = with_mesh_volume(before.value(), made.frame, made.mesh_volume);
    return after == before.value() ? Result<void>() : write_whole_text(paths_.statistics(), after);
  }

  std::string last_file(int frame) const {
    if (options_.stages->render) return pictures_.png ? paths_.image(frame) : paths_.exr(frame);
    return options_.stages->whitewater ? paths_.whitewater(frame) : paths_.mesh(frame);
  }

  void show_video() {
    if (!options_.again && record_->has_video(report_.frames)) {
      report_.show = paths_.video();
      return;
    }
    changed_ = true;
    make_run_video(paths_, scene_.fps(), observer_, report_, *record_);
  }

  // What the run said of itself stays; the pictures are those that there are now.
  void renew_report() {
    const bool video = record_->has_video(newest_frame_);
    if (const Result<void> written = write_report(paths_, kept_words(paths_), video); !written)
      observer_.on_warning("the report is as it was: " + written.error().message);
  }

  const RunOptions& options_;
  RunObserver& observer_;
  const SceneFile& scene_;
  RunPaths paths_;
  Exec ex_;
  PictureFiles pictures_;
  std::unique_ptr<KeptFrames> kept_;
  std::optional<StageRecord> record_;
  std::map<int, std::uint64_t> states_;
  RunStages wanted_;
  bool prepared_ = false;
  bool changed_ = false;    // since the report was written
  int newest_frame_ = 0;    // that there is
  bool whole_run_ = false;  // all of its frames are asked for, and so its video
  RunReport report_;
  std::optional<FolderLock> lock_;
};

}  // namespace

RunReport run_cached(const SceneFile& scene, const RunOptions& options, RunObserver& observer) {
  return CachedRun(scene, options, observer).execute();
}

}  // namespace whorl
