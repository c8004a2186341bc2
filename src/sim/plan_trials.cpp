#include "sim/plan_trials.h"

#include "io/file.h"
#include "scene/config.h"
#include "sim/run_folder.h"
#include "sim/run_room.h"
#include "sim/scene_content.h"
#include "sim/statistics.h"
#include "sim/stopwatch.h"
#include "whorl/simulation.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <malloc.h>
#include <optional>
#include <string_view>
#include <unistd.h>

#include <fmt/format.h>

namespace whorl {
namespace {

namespace fs = std::filesystem;

// What was freed is not held.
void give_back_freed() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

// The most that the process has held since the last call; ever, where the system does not forget.
double most_held() {
  const double bytes = double(peak_memory());
  std::ofstream("/proc/self/clear_refs") << 5;
  return bytes;
}

// What is held now; ever, where the system does not forget.
double held_now() {
  most_held();
  return double(peak_memory());
}

// What a task holds for the time being, and what it leaves.
template <class Task>
auto held_by(Written& written, const Task& task) {
  give_back_freed();
  const double before = held_now();
  auto outcome = task();
  written.held = most_held() - before;
  give_back_freed();
  written.left = std::max(held_now() - before, 0.);
  return outcome;
}

// A hidden folder for the time being, on the disk that another is on or will be.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& beside)
      : path_(fs::path(existing_folder(beside)) / fmt::format("{}{}", prefix, getpid())) {}
  ~TemporaryFolder() {
    std::error_code ignored;
    if (lock_) fs::remove_all(path_, ignored);  // else it is another's
  }

  Result<void> make() {
    sweep();
    if (Result<void> made = make_folder(path_.string()); !made) return made;
    Result<FolderLock> lock = FolderLock::take(path_.string());
    if (!lock) return lock.error();
    lock_.emplace(std::move(lock).value());
    return {};
  }

  // What write(path) makes.
  template <class Write>
  Result<Written> time(const char* name, const Write& write) const {
    const std::string path = (path_ / name).string();
    Written written;
    const Result<void> done = held_by(written, [&] {
      const Stopwatch clock;
      Result<void> outcome = write(path);
      written.seconds = clock.seconds();
      return outcome;
    });
    if (!done) return done.error();
    std::error_code failed;
    written.bytes = double(fs::file_size(path, failed));
    if (failed) return cannot_write(path, failed.value());
    return written;
  }

 private:
  static constexpr std::string_view prefix = ".whorl_plan_";

  // Of a plan that runs no more. One that has just begun holds no lock yet, but its process is there.
  static bool is_left(const fs::path& folder) {
    const std::string name = folder.filename().string();
    std::error_code ignored;
    if (!name.starts_with(prefix) || !fs::is_directory(folder, ignored)) return false;
    pid_t process = 0;
    const char *digits = name.data() + prefix.size(), *end = name.data() + name.size();
    return std::from_chars(digits, end, process).ptr == end && process > 0 && kill(process, 0) != 0 &&
           errno == ESRCH;
  }

  // Away with what plans that were killed left here: no one holds its lock, in another container either.
  void sweep() const {
    std::vector<fs::path> left;
    std::error_code failed;
    for (fs::directory_iterator at(path_.parent_path(), failed), end; !failed && at != end;
         at.increment(failed))
      if (is_left(at->path())) left.push_back(at->path());
    for (const fs::path& folder : left)
      if (const Result<FolderLock> lock = FolderLock::take(folder.string()); lock)
        fs::remove_all(folder, failed);
  }

  fs::path path_;
  std::optional<FolderLock> lock_;
};

// A simulation that is watched: how long its frames take, what they hold, and what their files are like.
class WatchedRun {
 public:
  WatchedRun(const SceneFile& scene, const PlanOptions& options, int larger, int last_frame)
      : scene_(scene),
        options_(options),
        larger_(larger),
        last_frame_(last_frame),
        liquid_(is_liquid(scene)),
        stages_(options.stages.value_or(stages_of(scene))),
        pictures_(picture_files(scene, stages_)),
        folder_(options.folder) {}

  Result<void> begin() {
    if (Result<void> made = folder_.make(); !made) return made;
    give_back_freed();
    trial_.before = held_now();
    Result<Simulation> made = Simulation::create(scene_, {.threads = options_.threads});
    if (!made) return made.error();
    simulation_.emplace(std::move(made).value());
    trial_.warnings = simulation_->warnings();
    return {};
  }

  int frame() const { return simulation_->frame(); }
  bool has_fluid_now() const { return !trial_.frames.empty() && has_fluid(trial_.frames.back(), liquid_); }
  int frames_with_fluid() const { return frames_with_fluid_; }
  const Trial& trial() const { return trial_; }
  bool has_pictures() const { return stages_.render; }
  // Time and memory, of the one kind or the other, are those of the same picture.
  const Written& picture() const { return pictures_.png ? trial_.files.images : trial_.files.exr; }

  Result<void> next_frame() {
    if (options_.should_stop()) return Error{ErrorCode::interrupted, "stopped"};
    options_.on_frame({larger_, frame() + 1, last_frame_});
    const Stopwatch clock;
    most_held();
    Result<FrameStatistics> frame =
        simulation_->advance([&](const StepProgress&) { return !options_.should_stop(); });
    if (!frame) return frame.error();
    const double held = most_held();
    trial_.at_most = std::max(trial_.at_most, held);
    trial_.between = std::max(trial_.between, std::min(held_now(), held));
    trial_.frames.push_back(std::move(frame).value());
    trial_.seconds.push_back(clock.seconds());
    if (has_fluid_now()) ++frames_with_fluid_;
    // What is held without any fluid will not grow with it.
    if (frames_with_fluid_ == 0) trial_.before = trial_.at_most = trial_.between = held;
    return {};
  }

  // For every frame, in order: it goes on from the frame before.
  Result<void> write_whitewater() {
    trial_.files.whitewater = {};
    return add(stages_.whitewater, trial_.files.whitewater, "whitewater",
               [&](const std::string& path) { return simulation_->write_whitewater(path); });
  }

  Result<void> write_files() {
    trial_.files_of = frame();
    trial_.files.of_size = trial_.files.of_surface = {};
    using Path = const std::string&;
    Result<void> done = add(scene_.wants_vdb(), trial_.files.of_size, "volume",
                            [&](Path path) { return simulation_->write_vdb(path); });
    if (done)
      done = add(scene_.wants_particles(), trial_.files.of_size, "particles",
                 [&](Path path) { return simulation_->write_particles(path); });
    if (done)
      done = add(stages_.surface, trial_.files.of_surface, "mesh", [&](Path path) -> Result<void> {
        const Result<double> volume = simulation_->write_mesh(path);
        if (!volume) return volume.error();
        return {};
      });
    return done;
  }

  Result<void> write_pictures() {
    trial_.files.images = trial_.files.exr = {};
    using Path = const std::string&;
    const Result<void> done = add(pictures_.png, trial_.files.images, "image",
                                  [&](Path path) { return simulation_->write_image(path); });
    if (!done) return done;
    return add(pictures_.exr, trial_.files.exr, "exr",
               [&](Path path) { return simulation_->write_exr(path); });
  }

  Result<void> write_checkpoint() {
    Written checkpoint;
    const Result<void> done =
        add(true, checkpoint, "checkpoint", [&](const std::string& path) { return simulation_->save(path); });
    trial_.checkpoint = checkpoint.bytes;
    return done;
  }

 private:
  template <class Write>
  Result<void> add(bool wanted, Written& to, const char* name, const Write& write) const {
    if (!wanted) return {};
    const Result<Written> written = folder_.time(name, write);
    if (!written) return written.error();
    to.bytes += written.value().bytes;
    to.seconds += written.value().seconds;
    to.held = std::max(to.held, written.value().held);
    to.left += written.value().left;
    return {};
  }

  SceneFile scene_;
  const PlanOptions& options_;
  int larger_, last_frame_;
  bool liquid_;
  RunStages stages_;
  PictureFiles pictures_;
  TemporaryFolder folder_;
  std::optional<Simulation> simulation_;
  int frames_with_fluid_ = 0;
  Trial trial_;
};

constexpr int pictures_tried = 6, pictures_smaller = 4;  // along each side

// On top of the scene's own.
std::vector<std::string> coarser(const SceneFile& scene, int factor) {
  return std::visit(
      [&](const auto& s) {
        const auto part = [](int pixels) { return std::max(pixels / pictures_smaller, 16); };
        return std::vector{s.grid.cell_size
                               ? fmt::format("grid.cell_size={}", cell_size_of(scene) * factor)
                               : fmt::format("grid.resolution={}", std::max(*s.grid.resolution / factor, 8)),
                           fmt::format("output.width={}", part(s.output.width)),
                           fmt::format("output.height={}", part(s.output.height))};
      },
      scene.content().config);
}

Result<CoarseRun> run_coarse(const SceneFile& as_it_is, const PlanOptions& options, const Trial& first,
                             int factor, int last_frame) {
  std::vector<std::string> overrides = options.overrides;
  for (std::string& change : coarser(as_it_is, factor)) overrides.push_back(std::move(change));
  const Result<SceneFile> scene = SceneFile::parse(options.scene_text, options.source, overrides);
  if (!scene) return scene.error();
  WatchedRun run(scene.value(), options, factor, last_frame);
  if (const Result<void> begun = run.begin(); !begun) return begun.error();
  const bool says_costs = !has_fluid(first, is_liquid(as_it_is));
  const int apart = std::max((last_frame - first.files_of) / (pictures_tried - 1), 1);
  CoarseRun coarse{cell_size_of(scene.value()) / cell_size_of(as_it_is), {}, {}};
  while (run.frame() < last_frame) {
    Result<void> done = run.next_frame();
    if (done && says_costs) done = run.write_whitewater();
    if (done && says_costs && run.has_fluid_now()) done = run.write_files();
    const int since = run.frame() - first.files_of;
    if (done && run.has_pictures() && since >= 0 && since % apart == 0) {
      done = run.write_pictures();
      coarse.pictures[run.frame()] = run.picture();
    }
    if (!done) return done.error();
  }
  if (says_costs)
    if (const Result<void> saved = run.write_checkpoint(); !saved) return saved.error();
  coarse.trial = run.trial();
  return coarse;
}

// How many times as large the cells may be, the best first.
std::vector<int> factors_to_try(const PlanOptions& options, const Trial& first, const SceneFile& scene,
                                int frames) {
  constexpr double growth = 3;  // of a frame's time, from the first ones on
  const int coarsest = options.coarsest;
  std::vector<int> factors;
  if (!has_fluid(first, is_liquid(scene))) {  // nothing is known of how long it takes
    for (int factor = coarsest; factor >= std::max(coarsest / 2, 2); --factor) factors.push_back(factor);
    return factors;
  }
  const double all = growth * first.seconds[std::size_t(first.files_of - 1)] * frames;
  const int wanted = int(std::ceil(std::pow(all / options.patience, 1. / (scene.dimension() + 1))));
  for (int factor = std::clamp(wanted, 2, coarsest); factor <= coarsest; ++factor) factors.push_back(factor);
  return factors;
}

}  // namespace

bool has_fluid(const Trial& trial, bool liquid) {
  return std::any_of(trial.frames.begin(), trial.frames.end(),
                     [&](const FrameStatistics& frame) { return has_fluid(frame, liquid); });
}

double cell_size_of(const SceneFile& scene) {
  return std::visit([](const auto& s) { return grid_layout(s).cell_size; }, scene.content().config);
}

bool is_liquid(const SceneFile& scene) {
  return std::visit([](const auto& s) { return s.solver == SolverKind::liquid; }, scene.content().config);
}

Result<Trial> try_first_frames(const SceneFile& scene, const PlanOptions& options, int last_frame) {
  WatchedRun run(scene, options, 1, last_frame);
  if (const Result<void> begun = run.begin(); !begun) return begun.error();
  const Stopwatch clock;
  // The first frame that has fluid has the system's memory to get: one more says what frames take.
  while (run.frame() < last_frame &&
         (run.frame() < 2 || run.frames_with_fluid() == 1 || clock.seconds() < options.patience)) {
    Result<void> done = run.next_frame();
    if (done) done = run.write_whitewater();
    // Pictures of nothing would use up the patience that is for getting to where there is something.
    if (done && run.has_fluid_now()) done = run.write_files();
    if (done && run.has_fluid_now()) done = run.write_pictures();
    if (!done) return done.error();
  }
  if (run.frames_with_fluid() == 0) {
    if (const Result<void> done = run.write_files(); !done) return done.error();
    if (const Result<void> done = run.write_pictures(); !done) return done.error();
  }
  if (const Result<void> saved = run.write_checkpoint(); !saved) return saved.error();
  return run.trial();
}

Result<CoarseRun> try_coarser_cells(const SceneFile& scene, const PlanOptions& options, const Trial& first,
                                    int last_frame) {
  Result<CoarseRun> run = CoarseRun{};
  for (const int factor : factors_to_try(options, first, scene, last_frame)) {
    run = run_coarse(scene, options, first, factor, last_frame);
    // Periods, say, may allow for another size of cells. What fails on the way would do so again.
    if (run || run.error().code != ErrorCode::invalid_scene) break;
  }
  return run;
}

}  // namespace whorl
