#include "sim/run_cached.h"

#include "io/file.h"
#include "io/png.h"
#include "io/surface_file.h"
#include "sim/cached_frame.h"
#include "sim/kept_scene.h"
#include "sim/meshes.h"
#include "sim/picture.h"
#include "sim/run_folder.h"
#include "sim/run_video.h"
#include "sim/scene_content.h"
#include "sim/statistics.h"
#include "sim/stopwatch.h"
#include "sim/timed_stages.h"
#include "sim/whitewater_stage.h"

#include <algorithm>
#include <filesystem>
#include <new>

#include <fmt/format.h>

namespace whorl {
namespace {

Error usage(std::string message) { return {ErrorCode::usage, std::move(message)}; }

// What is between the particles in a folder and the scene given, or nothing.
std::string difference(const Scene<3>& kept, const Scene<3>& given) {
  const GridLayout<3> there = grid_layout(kept), here = grid_layout(given);
  if (there.cell_size != here.cell_size)
    return fmt::format("cells of {:.6g} m, and this scene asks for {:.6g} m", there.cell_size,
                       here.cell_size);
  if (there.origin != here.origin || there.domain != here.domain) return "another domain than this scene's";
  if (kept.time.fps != given.time.fps)
    return fmt::format("{:.6g} frames a second, and this scene asks for {:.6g}", kept.time.fps,
                       given.time.fps);
  return "";
}

class CachedRun {
 public:
  CachedRun(const SceneFile& scene, const RunOptions& options, RunObserver& observer)
      : options_(options),
        observer_(observer),
        scene_(std::get<Scene<3>>(scene.content().config)),
        paths_{options.folder, scene.name()},
        ex_({.threads = options.threads}) {}

  RunReport execute() {
    const Stopwatch clock;
    try {
      report_.outcome = all_frames();
    } catch (const std::bad_alloc&) {
      report_.outcome = Error{ErrorCode::resources,
                              "the memory is used up; a smaller "
                              "output.mesh_refinement needs less"};
    }
    report_.name = paths_.name;
    report_.folder = paths_.folder;
    if (report_.outcome && options_.stages->render && scene_.output.video)
      make_run_video(paths_, scene_.time.fps, observer_, report_);
    report_.seconds = clock.seconds();
    return std::move(report_);
  }

 private:
  Result<void> all_frames() {
    if (!std::filesystem::is_directory(paths_.folder))
      return usage(
          fmt::format("there is no folder {} with an earlier run; simulate first, with "
                      "output.particles = true, or name the run's folder with -o",
                      paths_.folder));
    Result<FolderLock> lock = FolderLock::take(paths_.folder);
    if (!lock) return lock.error();
    lock_.emplace(std::move(lock).value());
    if (const Result<void> fits = look_at_run(); !fits) return fits;
    const Result<int> last = last_cached_frame();
    if (!last) return last.error();
    if (const Result<void> made = prepare(); !made) return made;
    report_.last_frame = last.value();
    observer_.on_start({.name = paths_.name,
                        .folder = paths_.folder,
                        .dimension = 3,
                        .last_frame = last.value(),
                        .fps = scene_.time.fps});
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
      return usage(
          fmt::format("{} is not the folder of a run: it holds no scene.toml of one; simulate "
                      "first, with output.particles = true",
                      paths_.folder));
    paths_.name = kept->name;
    const Result<SceneFile> scene = SceneFile::parse(kept->text, paths_.scene(), kept->overrides);
    if (!scene) return scene.error();
    const auto* there = std::get_if<Scene<3>>(&scene.value().content().config);
    const std::string unlike = there ? difference(*there, scene_) : "two dimensions";
    if (unlike.empty()) return {};
    return usage(
        fmt::format("the run in {} has {}; give the --resolution and --set of that run, which {} "
                    "begins with",
                    paths_.folder, unlike, paths_.scene()));
  }

  // All frames from the first to it have particles.
  Result<int> last_cached_frame() const {
    const std::set<int> frames = paths_.particle_frames();
    if (frames.empty())
      return usage(
          fmt::format("there are no particles of '{}' in {}; simulate with output.particles = true "
                      "to keep them",
                      paths_.name, paths_.particle_files()));
    const int wanted = options_.last_frame > 0 ? options_.last_frame : *frames.rbegin();
    for (int frame = 1; frame <= wanted; ++frame)
      if (!frames.contains(frame))
        return usage(fmt::format("{} is missing; use --frames {}, or simulate again", paths_.particles(frame),
                                 std::max(frame - 1, 1)));
    return wanted;
  }

  Result<void> prepare() {
    if (options_.stages->surface)
      if (const Result<void> made = make_folder(paths_.meshes()); !made) return made;
    if (options_.stages->render)
      if (const Result<void> made = make_folder(paths_.images()); !made) return made;
    const bool clips = options_.stages->surface && scene_.output.mesh_walls == MeshSides::clipped;
    if (options_.stages->render || options_.stages->whitewater || clips) {
      const Result<std::vector<std::string>> warnings = load_meshes(ex_, scene_);
      if (!warnings) return warnings.error();
      for (const std::string& warning : warnings.value()) observer_.on_warning(warning);
    }
    if (options_.stages->whitewater) {
      Result<WhitewaterStage> made = WhitewaterStage::create(scene_);
      if (!made) return made.error();
      whitewater_.emplace(std::move(made).value());
    }
    return {};
  }

  Result<void> next_frame() {
    const Stopwatch clock;
    FrameStatistics statistics;
    statistics.frame = report_.frames + 1;
    statistics.time = statistics.frame / scene_.time.fps;
    TimedStages stage(statistics);
    ParticleTable table;
    stage(true, "read_particles", [&]() -> Result<void> {
      Result<ParticleTable> read = read_particles_ply(paths_.particles(statistics.frame));
      if (!read) return read.error();
      table = std::move(read).value();
      statistics.particles = std::int64_t(table.position.size());
      return {};
    });
    std::optional<SurfaceMesh> surface;  // for both of the stages that need it
    const auto mesh = [&]() -> const SurfaceMesh& {
      if (!surface) surface = mesh_of(ex_, scene_, table);
      return *surface;
    };
    stage(options_.stages->surface, "surface", [&]() -> Result<void> {
      const Result<double> volume =
          write_surface(ex_, scene_, report_.show = paths_.mesh(statistics.frame), mesh(), statistics.time);
      if (!volume) return volume.error();
      statistics.mesh_volume = volume.value();
      return {};
    });
    stage(options_.stages->whitewater, "whitewater", [&]() -> Result<void> {
      if (const Result<void> moved = whitewater_->advance(ex_, table); !moved) return moved;
      return write_particles_ply(report_.show = paths_.whitewater(statistics.frame),
                                 whitewater_->particles());
    });
    stage(options_.stages->render, "render", [&]() -> Result<void> {
      const Result<std::vector<Speck>> specks = specks_in(paths_.whitewater(statistics.frame));
      if (!specks) return specks.error();
      return write_png(report_.show = paths_.image(statistics.frame),
                       liquid_picture(ex_, scene_, statistics.frame, mesh(), specks.value()));
    });
    if (!stage.outcome()) return stage.outcome();
    statistics.peak_memory_bytes = peak_memory();
    statistics.seconds.emplace_back(total_stage, clock.seconds());
    report_.frames = statistics.frame;
    add_stages(report_.by_stage, statistics.seconds);
    observer_.on_frame(statistics, clock.seconds());
    return {};
  }

  // Those that are there, if the scene has any.
  Result<std::vector<Speck>> specks_in(const std::string& file) const {
    if (!scene_.whitewater || !std::filesystem::exists(file)) return std::vector<Speck>{};
    const Result<ParticleTable> specks = read_particles_ply(file);
    if (!specks) return specks.error();
    return specks_of(specks.value());
  }

  const RunOptions& options_;
  RunObserver& observer_;
  Scene<3> scene_;
  RunPaths paths_;
  Exec ex_;
  std::optional<WhitewaterStage> whitewater_;
  RunReport report_;
  std::optional<FolderLock> lock_;
};

}  // namespace

RunReport run_cached(const SceneFile& scene, const RunOptions& options, RunObserver& observer) {
  return CachedRun(scene, options, observer).execute();
}

}  // namespace whorl
