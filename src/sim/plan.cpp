#include "sim/plan.h"

#include "io/file.h"
#include "scene/config.h"
#include "sim/run_room.h"
#include "sim/scene_content.h"
#include "sim/statistics.h"
#include "sim/stopwatch.h"
#include "solvers/liquid_parts.h"
#include "stages/surface_tension.h"
#include "whorl/simulation.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <malloc.h>
#include <map>
#include <unistd.h>

#include <fmt/format.h>

namespace whorl {
namespace {

namespace fs = std::filesystem;

constexpr double video_share = 0.1;  // of the images

// Of a scene, what the number of steps depends on.
struct StepRule {
  double h, cfl, frame, gravity, tension;  // gravity and tension, σ/ρ: of liquids alone
  int dimension;
  bool liquid;
  double gained = 0;  // m/s that a step of smoke allows for beside its speed: buoyancy, fire

  // In a frame whose fastest place has that speed, as far as they are known.
  double steps(double speed) const {
    const double longest = gravity > 0 ? time_for(cfl, speed, gravity, h) : cfl * h / (speed + gained);
    return std::ceil(std::max({1., frame / longest, frame / smooth_capillary_step(h, tension)}));
  }
};

StepRule limits_of(const SceneFile& scene) {
  return std::visit(
      []<int D>(const Scene<D>& s) {
        const Vec<double, D> gravity = s.gravity.at(Vec<double, D>{}, 0);
        const bool liquid = s.solver == SolverKind::liquid;
        return StepRule{grid_layout(s).cell_size,
                        liquid ? std::min(s.time.cfl, most_cells_a_step) : s.time.cfl,
                        1 / s.time.fps,
                        liquid ? length(gravity) : 0,
                        liquid ? s.liquid.surface_tension / s.liquid.density : 0,
                        D,
                        liquid};
      },
      scene.content().config);
}

// That are there at most: one more than are kept, while it is written.
int checkpoints_of(const SceneFile& scene) {
  const int keep = std::visit([](const auto& s) { return s.checkpoint.keep; }, scene.content().config);
  return keep > 0 ? keep + 1 : 0;
}

// What work goes with: particles of a liquid, cells of smoke.
double size_of(const FrameStatistics& s) {
  return double(s.liquid_volume > 0 ? s.particles : s.active_cells);
}

// What memory goes with: cells, and particles, of which a cell full of liquid has 2^D.
double weight_of(double cells, double particles, int dimension) {
  constexpr double more = liquid_bytes_per_cell - smoke_bytes_per_cell;
  return cells * smoke_bytes_per_cell + particles * more / (1 << dimension);
}

double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  double all = 0, resident = 0;
  file >> all >> resident;
  return resident * double(sysconf(_SC_PAGESIZE));
}

// The most that the process has held since the last call; ever, where the system does not forget.
double most_held() {
  const double bytes = double(peak_memory());
  std::ofstream("/proc/self/clear_refs") << 5;
  return bytes;
}

// What a task holds for the time being.
template <class Task>
auto held_by(double& bytes, const Task& task) {
#ifdef __GLIBC__
  malloc_trim(0);  // what was freed is not held
#endif
  most_held();
  const double before = double(peak_memory());  // what there is now, or was ever
  auto outcome = task();
  bytes = most_held() - before;
  return outcome;
}

Result<FrameStatistics> advance(Simulation& simulation, const PlanOptions& options, int larger, int frames) {
  if (options.should_stop()) return Error{ErrorCode::interrupted, "stopped"};
  options.on_frame({larger, simulation.frame() + 1, frames});
  return simulation.advance([&](const StepProgress&) { return !options.should_stop(); });
}

// The files of a frame: how large they are, how long they take, and how much memory for the time being.
struct Written {
  double bytes = 0, seconds = 0, held = 0;
};

// A hidden folder for the time being, on the disk that another is on or will be.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& beside)
      : path_(fs::path(existing_folder(beside)) / fmt::format(".whorl_plan_{}", getpid())) {}
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Result<void> make() const { return make_folder(path_.string()); }

  // What write(path) makes.
  template <class Write>
  Result<Written> time(const char* name, const Write& write) const {
    const std::string path = (path_ / name).string();
    Written written;
    const Stopwatch clock;
    if (const Result<void> done = held_by(written.held, [&] { return write(path); }); !done)
      return done.error();
    written.seconds = clock.seconds();
    std::error_code ignored;
    written.bytes = double(fs::file_size(path, ignored));
    return written;
  }

 private:
  fs::path path_;
};

// The first frames of the scene as it is, for as long as patience lasts.
struct FirstFrames {
  std::vector<FrameStatistics> frames;
  std::vector<double> seconds;     // that each took to simulate
  double before = 0, at_most = 0;  // bytes held, but for what files take
  Written of_size, of_surface;     // files whose size goes with the liquid's or smoke's, and with its surface
  Written images, exr_files;
  double checkpoint = 0;  // bytes
  std::vector<std::string> warnings;
};

class Calibration {
 public:
  Calibration(const SceneFile& scene, const PlanOptions& options, int last_frame)
      : scene_(scene), options_(options), last_frame_(last_frame), folder_(options.folder) {}

  Result<FirstFrames> run() {
    if (Result<void> made = folder_.make(); !made) return made.error();
    first_.before = resident_bytes();
    Result<Simulation> made = Simulation::create(scene_, {.threads = options_.threads});
    if (!made) return made.error();
    Simulation& simulation = made.value();
    first_.warnings = simulation.warnings();
    const Stopwatch clock;
    while (simulation.frame() < last_frame_ &&
           (simulation.frame() < 2 || clock.seconds() < options_.patience))
      if (Result<void> done = next_frame(simulation); !done) return done.error();
    const Result<Written> saved =
        folder_.time("checkpoint", [&](const std::string& path) { return simulation.save(path); });
    if (!saved) return saved.error();
    first_.checkpoint = saved.value().bytes;
    return std::move(first_);
  }

 private:
  Result<void> next_frame(Simulation& simulation) {
    const Stopwatch clock;
    most_held();
    Result<FrameStatistics> frame = advance(simulation, options_, 1, last_frame_);
    if (!frame) return frame.error();
    first_.at_most = std::max(first_.at_most, most_held());
    first_.frames.push_back(std::move(frame).value());
    first_.seconds.push_back(clock.seconds());
    return write(simulation);
  }

  // The files of the last frame count.
  Result<void> write(Simulation& s) {
    first_.of_size = first_.of_surface = first_.images = first_.exr_files = {};
    Result<void> outcome;
    const auto add = [&](bool wanted, Written& to, const char* name, const auto& write) {
      if (!wanted || !outcome) return;
      const Result<Written> written = folder_.time(name, write);
      if (!written) {
        outcome = written.error();
        return;
      }
      to.bytes += written.value().bytes;
      to.seconds += written.value().seconds;
      to.held = std::max(to.held, written.value().held);
    };
    using Path = const std::string&;
    add(scene_.wants_vdb(), first_.of_size, "volume", [&](Path p) { return s.write_vdb(p); });
    add(scene_.wants_particles(), first_.of_size, "particles", [&](Path p) { return s.write_particles(p); });
    add(scene_.wants_meshes(), first_.of_surface, "mesh", [&](Path p) -> Result<void> {
      const Result<double> volume = s.write_mesh(p);
      if (!volume) return volume.error();
      return {};
    });
    add(scene_.wants_whitewater(), first_.of_surface, "whitewater",
        [&](Path p) { return s.write_whitewater(p); });
    add(scene_.wants_images(), first_.images, "image", [&](Path p) { return s.write_image(p); });
    add(scene_.wants_exr(), first_.exr_files, "exr", [&](Path p) { return s.write_exr(p); });
    return outcome;
  }

  const SceneFile& scene_;
  const PlanOptions& options_;
  int last_frame_;
  TemporaryFolder folder_;
  FirstFrames first_;
};

// All frames of the scene with coarser cells.
struct CoarseRun {
  double factor = 1;  // of the cells' side
  std::vector<FrameStatistics> frames;
  std::map<int, double> picture_seconds, picture_bytes;  // by the frame, of some: of small pictures
};

constexpr int pictures_tried = 6, pictures_smaller = 4;  // along each side

std::vector<std::string> smaller_pictures(const SceneFile& scene) {
  return std::visit(
      [](const auto& s) {
        const auto part = [](int pixels) { return std::max(pixels / pictures_smaller, 16); };
        return std::vector{fmt::format("output.width={}", part(s.output.width)),
                           fmt::format("output.height={}", part(s.output.height))};
      },
      scene.content().config);
}

// Frame `first` has a picture, if any has.
Result<CoarseRun> run_coarse(const PlanOptions& options, const StepRule& limits, int factor, int first,
                             int frames) {
  std::vector<std::string> overrides = options.overrides;
  const Result<SceneFile> as_it_is = SceneFile::parse(options.scene_text, options.source, overrides);
  if (!as_it_is) return as_it_is.error();
  const bool by_size = std::visit([](const auto& s) { return s.grid.cell_size.has_value(); },
                                  as_it_is.value().content().config);
  if (by_size) {
    overrides.push_back(fmt::format("grid.cell_size={}", limits.h * factor));
  } else {
    const int resolution =
        std::visit([](const auto& s) { return *s.grid.resolution; }, as_it_is.value().content().config);
    overrides.push_back(fmt::format("grid.resolution={}", std::max(resolution / factor, 8)));
  }
  for (std::string& smaller : smaller_pictures(as_it_is.value())) overrides.push_back(std::move(smaller));
  const Result<SceneFile> scene = SceneFile::parse(options.scene_text, options.source, overrides);
  if (!scene) return scene.error();
  Result<Simulation> made = Simulation::create(scene.value(), {.threads = options.threads});
  if (!made) return made.error();
  Simulation& simulation = made.value();
  const TemporaryFolder folder(options.folder);
  if (const Result<void> there = folder.make(); !there) return there.error();
  CoarseRun run{limits_of(scene.value()).h / limits.h, {}, {}, {}};
  const int apart = std::max((frames - first) / (pictures_tried - 1), 1);
  while (simulation.frame() < frames) {
    Result<FrameStatistics> frame = advance(simulation, options, factor, frames);
    if (!frame) return frame.error();
    run.frames.push_back(std::move(frame).value());
    const int now = simulation.frame();
    if (!scene.value().wants_images() || now < first || (now - first) % apart != 0) continue;
    const Result<Written> image =
        folder.time("image", [&](const std::string& path) { return simulation.write_image(path); });
    if (!image) return image.error();
    run.picture_seconds[now] = image.value().seconds;
    run.picture_bytes[now] = image.value().held;
  }
  return run;
}

// The coarsest that a scene allows and that shows it well, of those that patience lasts for.
Result<CoarseRun> find_growth(const PlanOptions& options, const StepRule& limits, const FirstFrames& first,
                              int frames) {
  constexpr double growth = 3;  // of a frame's time, from the first ones on
  const double all = growth * first.seconds.back() * frames;
  const int wanted = int(std::ceil(std::pow(all / options.patience, 1. / (limits.dimension + 1))));
  Result<CoarseRun> run = CoarseRun{};
  for (int factor = std::clamp(wanted, 2, options.coarsest); factor <= options.coarsest; ++factor) {
    run = run_coarse(options, limits, factor, int(first.frames.size()), frames);
    // Periods, say, may allow for another size of cells. What fails on the way would do so again.
    if (run || run.error().code != ErrorCode::invalid_scene) break;
  }
  return run;
}

// Of all frames: how large, how many cells, how many steps; and beside a picture of the last of the first
// frames, how many times as long one takes, and how many bytes more.
struct Growth {
  std::vector<double> size, cells, steps, picture_times, picture_bytes;
};

// Between those that were tried it changes evenly.
double between(const std::map<int, double>& tried, int frame) {
  const auto after = tried.lower_bound(frame);
  const auto before = after == tried.begin() ? after : std::prev(after);
  const auto last = after == tried.end() ? before : after;
  const double t = last == before ? 0 : double(frame - before->first) / double(last->first - before->first);
  return (1 - t) * before->second + t * last->second;
}

// As the first frames are, and as the last of them from there on.
Growth growth_of(const FirstFrames& first, int frames) {
  Growth growth;
  for (int k = 0; k < frames; ++k) {
    const FrameStatistics& like = first.frames[std::min(std::size_t(k), first.frames.size() - 1)];
    growth.size.push_back(size_of(like));
    growth.cells.push_back(double(like.active_cells));
    growth.steps.push_back(like.substeps);
    growth.picture_times.push_back(1);
    growth.picture_bytes.push_back(0);
  }
  return growth;
}

// How much faster the scene as it is flows than with coarser cells, in the later half of the first frames: at
// the start there may be no flow to speak of.
double speed_beside(const CoarseRun& coarse, const FirstFrames& first) {
  double fine = 0, rough = 0;
  for (std::size_t k = first.frames.size() / 2; k < first.frames.size(); ++k) {
    fine += first.frames[k].max_speed;
    rough += coarse.frames[k].max_speed;
  }
  return rough > 0 ? std::clamp(fine / rough, 0.5, 2.) : 1;
}

// Each frame's number of steps says between which speeds it is; all of them together say most.
double gained_speed(const FirstFrames& first, const StepRule& limits) {
  const double a_step = limits.cfl * limits.h / limits.frame;  // m/s, for one more
  double low = 0, high = HUGE_VAL;
  for (std::size_t k = first.frames.size() / 2; k < first.frames.size(); ++k) {
    const FrameStatistics& frame = first.frames[k];
    low = std::max(low, (frame.substeps - 1) * a_step - frame.max_speed);
    high = std::min(high, frame.substeps * a_step - frame.max_speed);
  }
  return std::max(low + 0.25 * (high - low), 0.);  // the slowest frames, which are the first, say it best
}

// From a run with coarser cells, corrected by what the first frames are like.
Growth growth_of(const CoarseRun& coarse, const FirstFrames& first, StepRule limits) {
  Growth growth;
  if (!limits.liquid) limits.gained = gained_speed(first, limits);
  // Of a liquid, pictures hold the surface.
  const double finer = std::pow(coarse.factor, limits.dimension - int(limits.liquid));
  const double faster = speed_beside(coarse, first);
  for (const FrameStatistics& frame : coarse.frames) {
    growth.size.push_back(size_of(frame) * std::pow(coarse.factor, limits.dimension));
    growth.cells.push_back(double(frame.active_cells) * std::pow(coarse.factor, limits.dimension));
    growth.steps.push_back(limits.steps(faster * frame.max_speed));
    const bool any = !coarse.picture_seconds.empty();
    growth.picture_times.push_back(any ? between(coarse.picture_seconds, frame.frame) /
                                             std::max(coarse.picture_seconds.begin()->second, 1e-6)
                                       : 1);
    growth.picture_bytes.push_back(
        any ? (between(coarse.picture_bytes, frame.frame) - coarse.picture_bytes.begin()->second) * finer
            : 0);
  }
  double steps = 0, expected = 0;
  for (const FrameStatistics& frame : first.frames) {
    steps += frame.substeps;
    expected += limits.steps(frame.max_speed);
  }
  const std::size_t last = first.frames.size() - 1;
  const auto match = [last](std::vector<double>& values, double is) {
    const double larger = values[last] > 0 ? std::clamp(is / values[last], 0.5, 2.) : 1;
    for (double& value : values) value *= larger;
  };
  match(growth.size, size_of(first.frames[last]));
  match(growth.cells, double(first.frames[last].active_cells));
  if (limits.liquid)  // smoke's rule has been fitted to these frames
    for (double& n : growth.steps) n *= std::clamp(steps / expected, 0.25, 4.);
  for (std::size_t k = 0; k <= last; ++k) {
    growth.size[k] = size_of(first.frames[k]);
    growth.cells[k] = double(first.frames[k].active_cells);
    growth.steps[k] = first.frames[k].substeps;
  }
  return growth;
}

RunPlan extrapolate(const FirstFrames& first, const Growth& growth, const StepRule& limits, int checkpoints) {
  // The first frame has the system's memory to get; later ones say more.
  const std::size_t last = first.frames.size() - 1, from = last > 0 ? 1 : 0;
  double work = 0, seconds = 0;
  for (std::size_t k = from; k <= last; ++k) {
    work += growth.size[k] * growth.steps[k];
    seconds += first.seconds[k];
  }
  const FrameStatistics& there = first.frames[last];
  const auto weight = [&](double cells, double size) {
    return weight_of(cells, there.particles > 0 ? size : 0, limits.dimension);
  };
  const double now = std::max(growth.size[last], 1.), held = std::max(weight(growth.cells[last], now), 1.);
  double most = 0, heaviest = 1;
  RunPlan plan;
  for (std::size_t k = 0; k < growth.size.size(); ++k) {
    const double larger = growth.size[k] / now;
    const double surface = std::pow(larger, double(limits.dimension - 1) / limits.dimension);
    most = std::max(most, larger);
    const double heavier = weight(growth.cells[k], growth.size[k]) / held;
    heaviest = std::max(heaviest, heavier);
    const double files = std::max({first.of_size.held * larger, first.of_surface.held * surface,
                                   first.images.held + growth.picture_bytes[k]});
    plan.memory_bytes = std::max(
        plan.memory_bytes, first.before + (first.at_most - first.before) * std::max(heavier, 1.) + files);
    plan.most_cells = std::max(plan.most_cells, growth.cells[k]);
    plan.steps += growth.steps[k];
    plan.seconds += work > 0 ? seconds * growth.size[k] * growth.steps[k] / work : first.seconds[last];
    plan.seconds += first.of_size.seconds * larger + first.of_surface.seconds * surface +
                    (first.images.seconds + first.exr_files.seconds) * growth.picture_times[k];
    plan.disk_bytes += first.of_size.bytes * larger + first.of_surface.bytes * surface +
                       first.images.bytes * (1 + video_share) + first.exr_files.bytes;
  }
  plan.disk_bytes += checkpoints * first.checkpoint * heaviest;
  plan.most_particles = double(there.particles) * most;
  return plan;
}

}  // namespace

Result<RunPlan> plan_run(const PlanOptions& options) {
  const Result<SceneFile> scene = SceneFile::parse(options.scene_text, options.source, options.overrides);
  if (!scene) return scene.error();
  const int frames = options.last_frame > 0 ? options.last_frame : scene.value().frames();
  const StepRule limits = limits_of(scene.value());
  const Result<FirstFrames> first = Calibration(scene.value(), options, frames).run();
  if (!first) return first.error();
  std::vector<std::string> warnings = first.value().warnings;
  Growth growth = growth_of(first.value(), frames);
  if (int(first.value().frames.size()) < frames) {
    const Result<CoarseRun> coarse = find_growth(options, limits, first.value(), frames);
    if (coarse) {
      growth = growth_of(coarse.value(), first.value(), limits);
    } else if (coarse.error().code == ErrorCode::interrupted) {
      return coarse.error();
    } else {
      warnings.push_back(
          fmt::format("with coarser cells the scene cannot be tried ({}); these figures are as if it stayed "
                      "what it is at "
                      "frame {}",
                      coarse.error().message, first.value().frames.size()));
    }
  }
  RunPlan plan = extrapolate(first.value(), growth, limits, checkpoints_of(scene.value()));
  plan.name = scene.value().name();
  plan.frames = frames;
  plan.warnings = std::move(warnings);
  return plan;
}

}  // namespace whorl
